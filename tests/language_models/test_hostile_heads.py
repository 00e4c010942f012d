"""Heads stored, and material and files of heads that are not what they should be."""

import numpy as np
import pytest

from biassay.language_models.heads import Heads, cross_validate
from tests.language_models.head_material import LABELS, OF_FOLDS, OPTIONS, VECTORS


def test_saved_and_opened(tmp_path):
    found = cross_validate(VECTORS, LABELS, OF_FOLDS, attempts=1, **OPTIONS)
    found.save(tmp_path / "heads.npz")
    again = Heads.open(tmp_path / "heads.npz")
    for name, value in vars(found).items():
        np.testing.assert_array_equal(getattr(again, name), value)


@pytest.mark.bad_input("files of classification heads", "refused; the message names the file")
@pytest.mark.parametrize("content", [b"", b"no archive", b"PK\x03\x04"])
def test_a_broken_file_is_named(content, tmp_path):
    path = tmp_path / "heads.npz"
    path.write_bytes(content)
    with pytest.raises(ValueError, match=r"heads\.npz: broken file of heads"):
        Heads.open(path)
    np.savez(path, folds=[1])
    with pytest.raises(ValueError, match=r"heads\.npz: broken file of heads"):
        Heads.open(path)
    np.savez(path, **{name: np.array([{}]) for name in Heads.__annotations__})
    with pytest.raises(ValueError, match=r"heads\.npz: broken file of heads"):
        Heads.open(path)


def changed(array, place, value):
    array = np.array(array, np.float64)
    array[place] = value
    return array


@pytest.mark.bad_input("material of classification heads", "refused; the message names the argument and its value")
@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"vectors": VECTORS[0]}, r"vectors \(240, 8\), labels \(240, 3\), folds \(240,\): expected the same texts"),
        ({"vectors": VECTORS[:, 1:]}, "expected the same texts"),
        ({"labels": LABELS[:, 0]}, "expected the same texts"),
        ({"folds": OF_FOLDS[1:]}, "expected the same texts"),
        ({"vectors": VECTORS[:0]}, "expected one or more"),
        ({"labels": LABELS[:, :0]}, "expected one or more"),
        ({"vectors": changed(VECTORS, (0, 0, 0), np.nan)}, "expected finite vectors"),
        ({"vectors": changed(VECTORS, (0, 0, 0), np.inf)}, "expected finite vectors"),
        ({"labels": changed(LABELS, (0, 0), 0.5)}, "labels of 0 or 1"),
        ({"folds": OF_FOLDS + 1}, r"folds: .* got \[1, 2, 3\]"),
        ({"folds": OF_FOLDS * 0}, r"folds: .* got \[0\]"),
        ({"rates": ()}, r"rates: .* got \[\]"),
        ({"rates": (0.1, 0.0)}, "rates: "),
        ({"rates": (np.inf,)}, "rates: "),
        ({"epochs": 0}, "epochs: .* got 0"),
        ({"batch": 0}, "batch: .* got 0"),
        ({"attempts": 0}, "attempts: .* got 0"),
        ({"validation": 0}, "validation: .* got 0"),
        ({"validation": 1.0}, "validation: .* got 1.0"),
        ({"labels": changed(LABELS, (slice(None), 1), OF_FOLDS == 2)}, "fold 2: class 1 has no positives among"),
        ({"labels": changed(LABELS, (slice(None), 2), 1)}, "fold 0: class 2 has no negatives among the 144"),
        ({"vectors": np.sign(VECTORS) * 3.4e38}, "training diverged; the largest value of a vector is"),
    ],
)  # fmt: skip
def test_what_cannot_be_is_said(given, message):
    arrays = {"vectors": VECTORS, "labels": LABELS, "folds": OF_FOLDS} | {
        key: given[key] for key in ("vectors", "labels", "folds") if key in given
    }
    options = OPTIONS | {key: value for key, value in given.items() if key not in arrays}
    with pytest.raises(ValueError, match=message):
        cross_validate(**arrays, **options)
