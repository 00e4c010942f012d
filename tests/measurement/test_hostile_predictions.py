"""Bad predictions, ground truths and groups: one message that names the argument, the value and its place."""

import pandas as pd
import pytest
import scipy.sparse

from biassay import measure_predictions

FOUND, GROUND_TRUTH, GROUPS = ["a", "b", "a", "b"], ["a", "a", "b", "b"], ["f", "m", "f", "m"]
COLUMNS = [[1, 0], [0, 1], [1, 0], [0, 1]]
FRAME = pd.DataFrame(COLUMNS, columns=["a", "b"])
CASES = [
    ({"groups": ["f", "m", "f"]}, "predictions: .*3 texts.*got 4"),
    ({"ground_truth": GROUND_TRUTH[:3]}, "truth: .*4 texts.*got 3"),
    ({"groups": ["f"] * 4}, "tpr_gap: expected 2 or more groups of texts, got 1"),
    ({"groups": "fmfm"}, "groups: .*got 'fmfm'"),
    ({"groups": pd.Series(["f", None, "f", "m"], dtype="string")}, "groups: .*position 1, got <NA>"),
    ({"order": ["f"]}, "order: .*got f$"),
    ({"predictions": [[1, 0], [1], [0, 1], [0, 1]]}, r"predictions: .*position 0, got \[1, 0\]"),
    ({"predictions": scipy.sparse.eye_array(4)}, "predictions: .*got <.*"),
    ({"predictions": COLUMNS}, "classes: .*predictions has columns and ground_truth has names"),
    ({"predictions": [0, 1, 0, 1]}, "predictions: .*\\(a, b\\), got 0, 1"),
    ({"classes": ["a", "c"]}, "predictions: unknown class 'b'; expected one of: a, c"),
    ({"ground_truth": ["a", "a", 1, "b"], "classes": ["a", "b"]}, "truth: unknown class '1'; expected one of: a, b"),
    ({"classes": ["a", "b", "a"]}, "classes: .*got a, b, a$"),
    ({"predictions": [[1, 0], [0, 1.2], [1, 0], [0, 1]]}, "row 1 of 'b', got 1.2"),
    ({"ground_truth": [[1, 0], [0, 0.5], [1, 0], [0, 1]]}, "truth: .*row 1 of 'b', got 0.5"),
    ({"predictions": FRAME, "ground_truth": FRAME[["b", "a"]]},
     "ground_truth: expected the columns a, b, in this order, got b, a"),
    ({"predictions": FRAME, "classes": ["b", "a"]}, "predictions: .* b, a, .*got a, b"),
    ({"threshold": 0}, "threshold: expected a number > 0 and ≤ 1, got 0"),
    ({"spread": "range"}, "tpr_gap: spread: unknown value 'range'; expected one of: variance, std"),
    ({"spred": "std"}, "tpr_gap: unknown option 'spred'; expected one of: spread"),
]  # fmt: skip


@pytest.mark.parametrize(("changed", "message"), CASES)
def test_it_is_refused(changed, message):
    given = {"metric": "tpr_gap", "predictions": FOUND, "ground_truth": GROUND_TRUTH, "groups": GROUPS} | changed
    if "row " in message:
        given["classes"] = ["a", "b"]
    with pytest.raises(ValueError, match=message) as caught:
        measure_predictions(given.pop("metric"), **given)
    assert "\n" not in str(caught.value)
