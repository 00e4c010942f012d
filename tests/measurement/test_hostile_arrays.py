"""Arrays and lists in memory whose values would be dropped, wrapped or overflow: refused, with the argument's name."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from biassay import as_in_wefe, from_wefe, measure, measure_predictions, read_vectors

RANDOM = np.random.default_rng(3)
TARGETS, FEMALE, MALE = (RANDOM.standard_normal((n, 4)) for n in (6, 3, 3))
WORDS = ["she", "he", "art", "law"]
VECTORS = RANDOM.standard_normal((4, 4))
LISTS = {"targets": ["art", "law"], "groups": {"f": ["she"], "m": ["he"]}}


def mask_first(array):
    mask = np.zeros(np.shape(array), bool)
    mask.flat[0] = True
    return np.ma.array(array, mask=mask)


MASKED = mask_first(VECTORS)
FAULTY = {
    "masked": mask_first(TARGETS),
    "complex": TARGETS + 0j,
    "nullable": pd.DataFrame(TARGETS).astype("Float64").mask(TARGETS > 1),
    "sparse": scipy.sparse.csr_array(TARGETS),
    "infinite": np.where(np.eye(6, 4) > 0, np.inf, TARGETS).astype(np.float16),
    "squares that overflow": np.where(np.arange(6)[:, None] == 2, 1e200, TARGETS),
    "squares that vanish": TARGETS * 1e-200,
}


@pytest.mark.parametrize("kind", FAULTY)
def test_faulty_arrays(kind):
    with pytest.raises(ValueError, match=r"^targets: "):
        measure("same", targets=FAULTY[kind], groups={"f": FEMALE, "m": MALE})
    with pytest.raises(ValueError, match=r"^groups m: "):
        measure("same", targets=TARGETS, groups={"f": FEMALE, "m": FAULTY[kind]})


def test_norms_and_explicit_values():
    """A target that never occurs with the words of a group has no bias, and each has its own row."""
    norms, groups = np.array([1.0, 2.0]), [np.zeros((2, 3)), np.zeros((2, 3))]
    assert measure("first_order", targets=norms, groups=groups).word.tolist() == [0, 0]
    with pytest.raises(ValueError, match="groups 1: expected 2 rows, as in targets, got 1"):
        measure("first_order", targets=norms, groups=[groups[0], groups[1][:1]])
    with pytest.raises(ValueError, match="targets: norms below 0 in rows 1"):
        measure("first_order", targets=-norms[::-1] * [-1, 1], groups=groups)


def test_masked_labels_and_lists():
    for targets, labels, where in (
        ({"f": mask_first(FEMALE), "m": MALE}, None, "targets f"),
        (TARGETS, mask_first([0, 1, 0, 1, 0, 1]), "labels"),
    ):
        with pytest.raises(ValueError, match=f"{where}: has masked"):
            measure("weat", targets=targets, groups={"f": FEMALE, "m": MALE}, labels=labels)
    with pytest.raises(ValueError, match="truth: has masked"):
        measure_predictions("tpr_gap", predictions=[1, 0], ground_truth=mask_first([1, 0]), groups=[0, 1])


@pytest.mark.parametrize("vectors", [(WORDS, MASKED), dict(zip(WORDS, MASKED, strict=True))])
def test_faulty_sources_of_vectors(vectors):
    with pytest.raises(ValueError, match=r"vectors|missing: art, law"):
        measure("same", **LISTS, vectors=vectors)
    with pytest.raises(ValueError, match="masked"):
        read_vectors(vectors)


def test_a_word_that_a_set_of_wefe_repeats_counts_once():
    names = {"target_sets_names": ["a", "b"], "attribute_sets_names": ["f", "m"]}
    query = {"target_sets": [["art"], ["law"]], "attribute_sets": [["she", "she", "art"], ["he"]]}
    arguments = from_wefe(SimpleNamespace(**query, **names), SimpleNamespace(wv=None), "weat")
    assert arguments["groups"] == {"f": ["she", "art"], "m": ["he"]}
    vectors = SimpleNamespace(wv=dict(zip(WORDS, VECTORS, strict=True)))
    query["target_sets"] = [["art", "art"], ["law", "art"]]  # two sets have "art"
    of_words = measure("mac", targets=["art", "law"], groups=arguments["groups"], vectors=vectors.wv).word
    assert as_in_wefe(SimpleNamespace(**query, **names), vectors, "mac") == pytest.approx(of_words @ [2, 1] / 3)


def test_two_lists_of_one_name():
    query = {"target_sets": [["art"], ["law"]], "attribute_sets": [["she"], ["he"]]}
    names = {"target_sets_names": ["same", "same"], "attribute_sets_names": ["f", "m"]}
    with pytest.raises(ValueError, match=r"target_sets_names: .*'same'"):
        from_wefe(SimpleNamespace(**query, **names), SimpleNamespace(wv=None), "weat")
    with pytest.raises(ValueError, match=r"groups: .*'1'"):
        measure("weat", targets={"f": FEMALE, "m": MALE}, groups={1: FEMALE, "1": MALE})


@pytest.mark.parametrize("kind", [np.int8, np.int64, np.float16, np.float32])
def test_numbers_that_fit_are_right_in_every_type(kind):
    whole = [RANDOM.integers(-120, 120, (n, 30)) for n in (6, 3, 3)]
    expected = measure("ripa", targets=whole[0] * 1.0, groups=[whole[1] * 1.0, whole[2] * 1.0])
    targets, *groups = (np.ma.array(array.astype(kind), mask=False) for array in whole)
    np.testing.assert_allclose(measure("ripa", targets=targets, groups=groups).word, expected.word, rtol=1e-5)
