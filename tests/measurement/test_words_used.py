"""Words that `biassay.measure` drops, pairs, or refuses to do without, and what it says of them."""

import numpy as np
import pytest

from biassay import measure, measure_predictions
from tests.measurement.ten_words import GROUPS, JOBS, MAPPING, ROWS, WORDS


def test_missing_words_are_dropped_and_reported():
    groups = {"female": ["she", "woman", "hers"], "male": ["he", "man", "his"]}
    jobs = {"X": ["nurse", "astronaut"], "Y": ["engineer", "pilot"]}
    vectors = {**MAPPING, "astronaut": np.zeros(6)}
    result = measure("weat", targets=jobs, groups=groups, vectors=vectors)
    assert result.missing == {"X": ["astronaut"], "female": ["hers"]}
    assert (result.words["X"], result.words["male"]) == (["nurse"], ["he", "man", "his"])
    assert len(result.word) == 3


def test_partners_of_a_missing_word_go_with_it_where_words_are_paired():
    groups = {"female": ["she", "woman", "hers"], "male": ["he", "man", "his"]}
    result = measure("direct_bias", targets=JOBS["X"], groups=groups, vectors=MAPPING)
    alone = measure("direct_bias", targets=ROWS[6:8], groups=[ROWS[:2], ROWS[3:5]])
    assert result.set == pytest.approx(alone.set)
    assert result.unpaired == {"male": ["his"]}
    assert result.words["male"] == ["he", "man"]
    twice = {"female": ["she", "she", "woman"], "male": ["he", "guy", "man"]}
    assert measure("direct_bias", targets=JOBS["X"], groups=twice, vectors=MAPPING).unpaired == {"female": ["she"]}
    with pytest.raises(ValueError, match=r"a: 0 of 2 words can be used.*missing: x"):
        measure("ripa", targets=["nurse"], groups={"a": ["she", "x"], "b": ["x", "he"]}, vectors=MAPPING)


@pytest.mark.parametrize("metric", ["direct_bias", "ripa"])
def test_groups_that_are_no_pairs_are_paired_at_random_or_refused(metric):
    groups = {"female": ["she", "woman", "her", "hers"], "male": ["he", "man"]}
    arrays = {"targets": ROWS[6:], "groups": [ROWS[:3], ROWS[3:5]]}
    with pytest.raises(ValueError, match=r"groups: .*got 3, 2; "):
        measure(metric, **arrays)
    equal_without_hers = {"female": ["hers", "she", "woman"], "male": ["he", "man"]}
    with pytest.raises(ValueError, match=r"groups: .*got 3, 2; "):  # not the pairs she, he and woman, man
        measure(metric, targets=WORDS[6:], groups=equal_without_hers, vectors=MAPPING)
    result = measure(metric, targets=WORDS[6:], groups=groups, vectors=MAPPING, n_pairings=40)
    assert (result.unpaired, result.words["female"]) == ({}, ["she", "woman", "her"])
    again = measure(metric, **arrays, n_pairings=40)
    assert (result.set, result.pairing_std) == (again.set, again.pairing_std)
    assert 0 < result.pairing_std < result.set
    assert measure(metric, **arrays, n_pairings=40, seed=2).set != result.set


def test_a_list_with_too_few_words_is_an_error():
    groups = {"female": ["she", "x", "y"], "male": ["he"]}
    with pytest.raises(ValueError, match=r"female: 1 of 3 words can be used.*0.5.*missing: x, y"):
        measure("weat", targets=JOBS["X"], groups=groups, vectors=MAPPING)
    measure("weat", targets=JOBS["X"], groups=groups, vectors=MAPPING, min_share=0.3)
    with pytest.raises(ValueError, match="targets: 0 of 1 words"):
        measure("weat", targets=["x"], groups=GROUPS, vectors=MAPPING, min_share=0)
    with pytest.raises(ValueError, match=r"male: 0 of 0 words.*the list is empty"):
        measure("weat", targets=["nurse"], groups={"female": ["she"], "male": []}, vectors=MAPPING)


def test_duplicates_overlap_and_shared_words_are_reported():
    groups = {"female": ["she", "she", "woman", "man"], "male": ["man", "he", "she"]}
    once = {name: iter(words) for name, words in groups.items()}
    result = measure("weat", targets=iter(["nurse", "he"]), groups=once, vectors=MAPPING)
    assert (result.duplicates, result.overlap, result.shared) == ({"female": ["she"]}, ["he"], ["she", "man"])
    arrays = measure("weat", targets=ROWS[[6, 3]], groups=[ROWS[[0, 0, 1, 4]], ROWS[[4, 3, 0]]])
    np.testing.assert_allclose(result.word, arrays.word)
    with pytest.raises(ValueError, match=r"targets: .*duplicates: nurse"):
        measure("weat", targets={"X": ["nurse"], "Y": ["nurse", "pilot"]}, groups=GROUPS, vectors=MAPPING)


def test_a_measurement_prints_values_ranges_words_and_what_is_undefined():
    jobs = {"X": ["nurse", "teacher"], "Y": ["pilot", "astronaut"]}
    text = str(measure("weat", targets=jobs, groups=GROUPS, vectors=MAPPING))
    assert text.splitlines()[0] == "weat"
    for part in ("-2.12 to 2.12; 0 ", "X 2, Y 1, female 3, male 3", "Y: astronaut"):
        assert part in text
    values = measure("same", targets=np.tile(ROWS, (2, 1)), groups=[ROWS[:3], ROWS[3:6]])
    assert f"from {values.word.min():.3g} to {values.word.max():.3g}, mean {values.word.mean():.3g}" in str(values)
    undefined = measure("same", targets=ROWS, groups=[ROWS[:3]] * 2)
    assert undefined.undefined["set"] in undefined._repr_html_()
    pairs = measure("ripa", targets=["nurse"], groups={"a": ["she"], "b": ["he"]}, vectors=MAPPING, n_pairings=3)
    assert " ± 0 " in str(pairs)
    gap = measure_predictions("tpr_gap", predictions=["n", "p"], ground_truth=["n", "p"], groups=["f", "m"])
    assert "f: 1, 0" in str(gap)
