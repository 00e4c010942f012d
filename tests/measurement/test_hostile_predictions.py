"""Bad predictions, ground truths and groups: one message that names the argument, the value and its place."""

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from biassay import measure_predictions

FOUND, GROUND_TRUTH, GROUPS = ["a", "b", "a", "b"], ["a", "a", "b", "b"], ["f", "m", "f", "m"]
COLUMNS = [[1, 0], [0, 1], [1, 0], [0, 1]]
CASES = [
    ({"groups": ["f", "m", "f"]}, "predictions: of 4 texts, but groups of 3"),
    ({"ground_truth": GROUND_TRUTH[:3]}, "truth: of 3 texts, but groups of 4"),
    ({"predictions": [COLUMNS[0]], "ground_truth": COLUMNS}, "predictions: of 1 texts, but groups of 4"),
    ({"groups": ["f"] * 4}, "tpr_gap: takes 2 or more groups of texts, not 1"),
    ({"groups": "fmfm"}, "groups: 'fmfm'; neither a list nor a table with values in it"),
    ({"groups": None}, "groups: None; neither a list nor a table"),
    ({"groups": {"f", "m"}}, r"groups: {'.', '.'}; neither a list nor a table"),
    ({"groups": {"f": [0, 1], "m": [2, 3]}}, "groups: {'f': .*; neither a list nor a table"),
    ({"groups": []}, r"groups: of shape \(0,\); neither a list nor a table"),
    ({"groups": COLUMNS}, r"groups: of shape \(4, 2\); a list of names"),
    ({"groups": ["f", "m", "f", None]}, "groups: None at place 3 is no name; names are texts or whole numbers"),
    ({"groups": ["f", "m", np.nan, "m"]}, "groups: nan at place 2 is no name"),
    ({"groups": ["f", "m", " ", "m"]}, "groups: ' ' at place 2 is no name"),
    ({"groups": [0.5, 1, 1, 1]}, "groups: 0.5 at place 0 is no name"),
    ({"groups": np.array([True, False, True, False])}, "groups: True at place 0 is no name"),
    ({"groups": pd.Series(["f", None, "f", "m"], dtype="string")}, "groups: <NA> at place 1 is no name"),
    ({"groups": [b"f", "m", "f", "m"]}, "groups: b'f' at place 0 is no name"),
    ({"order": ["f"]}, "order: f; name each group of the texts once: f, m"),
    ({"order": ["f", "m", "x"]}, "order: f, m, x; name each group of the texts once: f, m"),
    ({"order": ["f", "f", "m"]}, "order: f, f, m; name each"),
    ({"order": ["m", "x"]}, "order: m, x; name each group of the texts once: f, m"),
    ({"order": "f"}, "order: 'f'; neither a list"),
    ({"order": [1.5, "m"]}, "order: 1.5 at place 0 is no name"),
    ({"predictions": None}, "predictions: None; neither a list nor a table"),
    ({"predictions": "abab"}, "predictions: 'abab'; neither a list nor a table"),
    ({"predictions": iter(FOUND)}, "predictions: <list_iterator .*; neither a list nor a table"),
    ({"predictions": np.zeros((4, 2, 2))}, r"predictions: of shape \(4, 2, 2\); neither a list nor a table"),
    ({"predictions": np.zeros((4, 0))}, r"predictions: of shape \(4, 0\); neither a list nor a table"),
    ({"predictions": [[1, 0], [1], [0, 1], [0, 1]]}, r"predictions: \[1, 0\] at place 0 is no name"),
    ({"predictions": [np.zeros(2), np.zeros((2, 3))]}, "predictions: .array.*; neither a list nor a table"),
    ({"predictions": scipy.sparse.eye_array(4)}, "predictions: <.*; neither a list nor a table"),
    ({"predictions": [0.1, 0.9, 0.2, 0.4]}, "predictions: 0.1 at place 0 is no name; names are texts or whole"),
    ({"predictions": ["a", "b", None, "a"]}, "predictions: None at place 2 is no name"),
    ({"predictions": COLUMNS}, "classes: needed, for predictions has columns and ground_truth has names"),
    ({"ground_truth": COLUMNS}, "classes: needed, for ground_truth has columns and predictions has names"),
    ({"predictions": COLUMNS, "ground_truth": [[1, 0, 1]] * 4}, "predictions: of 2 columns, but there are 3 classes"),
    ({"predictions": COLUMNS, "classes": ["a", "b", "c"]}, "predictions: of 2 columns, but there are 3 classes"),
    ({"ground_truth": COLUMNS, "classes": ["b"]}, "truth: of 2 columns, but there are 1 classes"),
    ({"predictions": [0, 1, 0, 1]}, "predictions: 0, 1; none is a class of truth, a, b; if so, name all under classes"),
    ({"classes": ["a", "c"]}, "predictions: unknown class 'b'; expected one of: a, c"),
    ({"predictions": ["a"] * 4, "classes": ["a", "bb"]}, r"truth: unknown class 'b' \(did you mean 'bb'\?\)"),
    ({"ground_truth": ["a", "a", 1, "b"], "classes": ["a", "b"]}, "truth: unknown class '1'; expected one of: a, b"),
    ({"classes": ["a", "b", "a"]}, "classes: a, b, a; each is named once"),
    ({"classes": ["a", 1, "1"]}, "classes: a, 1, 1; each is named once"),
    ({"classes": []}, r"classes: of shape \(0,\); neither a list nor a table"),
    ({"classes": "ab"}, "classes: 'ab'; neither a list nor a table"),
    ({"classes": ["a", None]}, "classes: None at place 1 is no name"),
    ({"predictions": [[1, 0], [0, 1.2], [1, 0], [0, 1]]}, "1.2 at row 1 of 'b'; columns are of 0 and 1, or"),
    ({"predictions": [[1, 0], [0, 1], [-0.1, 0], [0, 1]]}, "predictions: -0.1 at row 2 of 'a'; columns"),
    ({"predictions": [[1, 0], [0, 1], [1, 0], [0, np.nan]]}, "predictions: nan at row 3 of 'b'"),
    ({"predictions": [[1, 0], [0, np.inf], [1, 0], [0, 1]]}, "predictions: inf at row 1 of 'b'"),
    ({"predictions": [["1", "0"]] * 4}, "predictions: an array of <U1; columns are of 0 and 1, or probabilities"),
    ({"predictions": [[1, None]] * 4}, "predictions: an array of object; columns are of 0 and 1, or probabilities"),
    ({"predictions": np.array(COLUMNS) * 1j}, "predictions: an array of complex128"),
    ({"ground_truth": [[1, 0], [0, 0.5], [1, 0], [0, 1]]}, "truth: 0.5 at row 1 of 'b'; columns are of 0 and 1$"),
    ({"ground_truth": [[1, 0], [2, 1], [1, 0], [0, 1]]}, "truth: 2 at row 1 of 'a'; columns are of 0 and 1$"),
    ({"ground_truth": [[1, 0], [0, 1], [np.nan, 0], [0, 1]]}, "truth: nan at row 2 of 'a'"),
    ({"ground_truth": [["a", "b"]] * 4}, "truth: an array of <U1; columns are of 0 and 1$"),
    ({"threshold": 0}, "threshold: expected a number > 0 and ≤ 1, got 0"),
    ({"threshold": 1.1}, "threshold: expected a number > 0 and ≤ 1, got 1.1"),
    ({"threshold": np.nan}, "threshold: expected a number"),
    ({"threshold": "0.5"}, "threshold: expected a number"),
    ({"threshold": None}, "threshold: expected a number"),
    ({"spread": "range"}, "tpr_gap: spread: unknown value 'range'; expected one of: variance, std"),
    ({"spred": "std"}, "tpr_gap: unknown option 'spred'; expected one of: spread"),
    ({"metric": "tpr_gab"}, r"metrics: unknown name 'tpr_gab' \(did you mean 'tpr_gap'\?\)"),
]  # fmt: skip


@pytest.mark.bad_input("predictions of a classifier", "refused; the argument, the value and its place are named")
@pytest.mark.parametrize(("changed", "message"), CASES)
def test_it_is_refused(changed, message):
    given = {"metric": "tpr_gap", "predictions": FOUND, "ground_truth": GROUND_TRUTH, "groups": GROUPS} | changed
    if "columns are" in message or "at row" in message or "complex" in message:
        given["classes"] = ["a", "b"]
    with pytest.raises(ValueError, match=message) as caught:
        measure_predictions(given.pop("metric"), **given)
    assert "\n" not in str(caught.value)
