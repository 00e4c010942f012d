"""Arrays and lists in memory whose values would be dropped, wrapped or overflow: refused, with the argument's name."""

from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest
import scipy.sparse

from biassay import Embedding, from_wefe, hard_debias, measure, measure_predictions, read_vectors

pytestmark = pytest.mark.bad_input("arrays and lists in memory", "refused; the message names the argument")

RANDOM = np.random.default_rng(3)
TARGETS, FEMALE, MALE = (RANDOM.standard_normal((n, 4)) for n in (6, 3, 3))
WORDS = ["she", "he", "art", "law"]
VECTORS = RANDOM.standard_normal((4, 4))
MASKED = np.ma.masked_greater(VECTORS, 0.5)
ASKED = {"targets": ["art", "law"], "groups": {"f": ["she"], "m": ["he"]}}


def masked(array):
    """An array of which the first value is masked."""
    mask = np.zeros(np.shape(array), bool)
    mask.flat[0] = True
    return np.ma.array(array, mask=mask)


def changed(value):
    """TARGETS with a value at one place."""
    array = TARGETS.astype(np.result_type(TARGETS, value))
    array[2, 1] = value
    return array


FAULTY = {
    "masked": masked(TARGETS),
    "masked rows": list(masked(TARGETS)),
    "complex": TARGETS + 0j,
    "objects": TARGETS.astype(object),
    "nullable": pd.DataFrame(TARGETS).astype("Float64").mask(TARGETS > 1),
    "sparse": scipy.sparse.csr_array(TARGETS),
    "booleans": TARGETS > 0,
    "float16 that overflowed": np.float64(1e5) * np.ones((6, 4), np.float32).astype(np.float16) * np.float16(np.inf),
    "squares that overflow": changed(1e200),
    "squares that vanish": TARGETS * 1e-200,
}


@pytest.mark.parametrize("kind", FAULTY)
@pytest.mark.parametrize("place", ["targets", "groups m"])
def test_faulty_arrays(kind, place):
    asked = {"targets": TARGETS, "groups": {"f": FEMALE, "m": MALE}}
    if place == "targets":
        asked["targets"] = FAULTY[kind]
    else:
        asked["groups"]["m"] = FAULTY[kind]
    with pytest.raises(ValueError, match=rf"^{place}: "):
        measure("same", **asked)


def test_faulty_lists_of_targets_and_labels():
    with pytest.raises(ValueError, match="targets f: has masked"):
        measure("weat", targets={"f": masked(FEMALE), "m": MALE}, groups={"f": FEMALE, "m": MALE})
    with pytest.raises(ValueError, match="labels: has masked"):
        measure("weat", targets=TARGETS, groups=[FEMALE, MALE], labels=masked([0, 1, 0, 1, 0, 1]))


@pytest.mark.parametrize(
    "vectors",
    [
        (WORDS, MASKED),
        (WORDS, list(MASKED)),
        dict(zip(WORDS, MASKED, strict=True)),
        SimpleNamespace(key_to_index={}, index_to_key=WORDS, vectors=MASKED),
        lambda words: MASKED[: len(words)],
        lambda words: (VECTORS + 0j)[: len(words)],
        lambda words: VECTORS.astype(object)[: len(words)],
    ],
)
def test_faulty_sources_of_vectors(vectors):
    with pytest.raises(ValueError, match="vectors"):
        measure("same", **ASKED, vectors=vectors)
    if not callable(vectors):
        with pytest.raises(ValueError, match="masked"):
            read_vectors(vectors)


def test_vectors_of_an_encoder_whose_squares_overflow_or_vanish():
    with pytest.raises(ValueError, match=r"finite .*: art, law"):
        measure("same", **ASKED, vectors=lambda words: VECTORS * 1e200)
    with pytest.raises(ValueError, match="missing: art, law"):
        measure("same", **ASKED, vectors=lambda words: VECTORS * 1e-200)
    whole = RANDOM.integers(-120, 120, (4, 30))
    expected = measure("ripa", **ASKED, vectors=lambda words: whole.astype(np.float64)).set
    for kind in (np.int8, np.float16):
        assert measure("ripa", **ASKED, vectors=lambda words, kind=kind: whole.astype(kind)).set == expected


def test_a_metric_of_ones_own_gets_numbers_that_do_not_overflow(tmp_path):
    (tmp_path / "mine.py").write_text(
        "from biassay import Level, Metric\n"
        "METRIC = Metric(summary='x', source='y', set=Level(None, None, signed=False), groups=(0, None))\n"
        "def set_bias(targets, groups):\n    return float((targets * targets).sum())\n"
    )
    targets = np.full((2, 2), 100, np.int8)
    assert measure(str(tmp_path / "mine.py"), targets=targets).set == 40_000


@pytest.mark.parametrize("name", ["vectors", "contexts", "norms", "biases"])
def test_faulty_embeddings(name):
    with pytest.raises(ValueError, match=f"{name}: has masked"):
        Embedding(**{"words": WORDS, "vectors": VECTORS} | {name: MASKED})


@pytest.mark.parametrize(("name", "values"), [("predictions", [1, 0]), ("ground_truth", [1, 0]), ("groups", [0, 1])])
def test_faulty_predictions(name, values):
    given = {"predictions": [1, 0, 1, 0], "ground_truth": [1, 0, 0, 1], "groups": [0, 0, 1, 1]}
    with pytest.raises(ValueError, match=f"{name}: has masked"):
        measure_predictions("tpr_gap", **given | {name: masked(np.array(values * 2))})


def test_masked_vectors_to_be_debiased():
    with pytest.raises(ValueError, match="vectors: has masked"):
        hard_debias(MASKED, [FEMALE, MALE])


@pytest.mark.parametrize("kind", ["target", "attribute"])
def test_two_lists_of_one_name(kind):
    asked = {
        f"{which}_{part}": value
        for which in ("target", "attribute")
        for part, value in (("sets", [["art"], ["law"]]), ("sets_names", ["same", "same" if which == kind else "b"]))
    }
    with pytest.raises(ValueError, match=f"{kind}_sets_names: .*'same'"):
        from_wefe(SimpleNamespace(**asked), SimpleNamespace(wv=None), "weat")
    lists = {"targets": {"f": FEMALE, "m": MALE}, "groups": {"f": FEMALE, "m": MALE}}
    name = {"target": "targets", "attribute": "groups"}[kind]
    lists[name] = {1: FEMALE, "1": MALE}
    with pytest.raises(ValueError, match=f"{name}: .*'1'"):
        measure("weat", **lists)


def test_numbers_that_fit_are_right_in_every_type():
    whole = [RANDOM.integers(-120, 120, (n, 30)) for n in (6, 3, 3)]
    expected = measure("ripa", targets=whole[0] * 1.0, groups=[whole[1] * 1.0, whole[2] * 1.0])
    for kind in (np.int8, np.int64, np.float16, np.float32):
        targets, *groups = (array.astype(kind) for array in whole)
        found = measure("ripa", targets=targets, groups=groups)
        np.testing.assert_allclose(found.word, expected.word, rtol=1e-5)
    unmasked = [np.ma.array(array, mask=False) for array in whole]
    assert measure("ripa", targets=unmasked[0], groups=unmasked[1:]).set == pytest.approx(expected.set)
