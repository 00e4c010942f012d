"""Factors over all words, their scale, and debiasing: by hand."""

import numpy as np
import pytest

from biassay.studies.first_order import diagnosis
from biassay.studies.first_order.diagnosis import Scale
from biassay.vectors import explicit_vectors
from biassay.vectors.debias import hard_debias
from biassay.vectors.embedding import Embedding

RANDOM = np.random.default_rng(5)
WORDS = ["she", "woman", "he", "man", *(f"w{i}" for i in range(60))]
GROUPS = {"female": ["she", "woman"], "male": ["he", "man"]}
VECTORS, CONTEXTS = (RANDOM.standard_normal((len(WORDS), 8)).astype(np.float32) for _ in range(2))
EMBEDDING = explicit_vectors.add_norms(Embedding(WORDS, VECTORS, CONTEXTS, "sigmoid"))


def test_factors_of_all_words_do_not_depend_on_the_chunk():
    chunked, whole = (
        diagnosis.measure_factors(EMBEDDING, VECTORS, EMBEDDING.norms, GROUPS, chunk_size=size) for size in (7, 8192)
    )
    for method, factors in chunked.items():
        np.testing.assert_allclose(factors, whole[method], rtol=1e-5, atol=1e-7)
    np.testing.assert_allclose(diagnosis.measure_lengths(EMBEDDING, VECTORS, chunk_size=9), EMBEDDING.norms, rtol=1e-5)
    assert diagnosis.measure_lengths(EMBEDDING, VECTORS[:0]).shape == (0,)


def test_scale_is_joint_over_both_factors_and_the_band_is_the_mean_absolute_bias():
    # least 1, a second factor; greatest 5, a first one; |f − m| = 4, 0, 1, mean 5/3, over the span of 4
    factors = np.array([[5.0, 1], [3, 3], [2, 3]])
    scale = Scale.from_factors(np.vstack([factors, [[np.nan, np.nan]]]))
    assert (scale.low, scale.high) == (1, 5)
    assert scale.band == pytest.approx(5 / 12)
    np.testing.assert_allclose(scale.normalise(factors), [[1, 0], [0.5, 0.5], [0.25, 0.5]])
    bias = np.array([0.5, 0, -0.4, -0.42, np.nan, 5 / 12])
    sides = ["female", "unbiased", "unbiased", "male", "undefined", "unbiased"]
    assert scale.classify_sides(bias, ["female", "male"]).tolist() == sides
    with pytest.raises(ValueError, match="3 words are 1"):
        Scale.from_factors(np.ones((3, 2)))


def test_debiasing_takes_the_direction_from_neutral_words_and_keeps_lengths():
    words = ["w1", "w2", "w3"]
    found = diagnosis.debias_words(EMBEDDING, words, {"female": ["she"], "male": ["he"]}, {"w3"})
    she, he = (row / np.linalg.norm(row) for row in EMBEDDING.rows(["she", "he"]))
    np.testing.assert_allclose(found[:2] @ (she - he), 0, atol=1e-5)
    np.testing.assert_array_equal(found[2], EMBEDDING.rows(["w3"])[0])
    both = diagnosis.debias_words(EMBEDDING, words, GROUPS, ())
    groups = [EMBEDDING.rows(of_group) for of_group in GROUPS.values()]
    np.testing.assert_allclose(both, hard_debias(EMBEDDING.rows(words), groups, lengths="original"), rtol=1e-6)


def test_what_cannot_be_diagnosed_is_an_error(tmp_path):
    path = tmp_path / "list.yaml"
    path.write_text("a: [she]\nb: [he]\nc: [man]\n")
    Embedding(WORDS, VECTORS).save(tmp_path / "bare")
    EMBEDDING.save(tmp_path / "full")
    with pytest.raises(ValueError, match=r"bare: .* first_order\.diagnosed_embedding"):
        diagnosis.open_embedding(tmp_path / "bare", path)
    with pytest.raises(ValueError, match=r"list\.yaml: .* 3: a, b, c"):
        diagnosis.open_embedding(tmp_path / "full", path)
    occupations = tmp_path / "occupations.csv"
    occupations.write_text("word,mark,domain\nw1,n,x\nw2,f,x\nunknown,n,x\n")
    with pytest.raises(ValueError, match="no gender-neutral"):
        diagnosis.select_occupations(occupations, EMBEDDING, {"w1"})
