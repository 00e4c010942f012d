"""Windows whose sums fit into 64 bits, to the last one, and those that are refused before counting."""

import math
from fractions import Fraction

import numpy as np
import pytest

from biassay.counts import cooccurrence, shards
from biassay.counts.weights import WEIGHTINGS, window_weights
from tests.counts.test_cooccurrence import WEIGHTS, corpus_of, naive

LARGEST = 2**63 - 1
OPTIONS = {"window": 40, "weighting": "harmonic", "sample": 0.0}


def greatest(window, weighting, most):
    """Sum of a word that stands `most` times, with itself at every distance on both sides, in whole numbers."""
    unit = {"linear": window, "harmonic": math.lcm(*range(1, window + 1)), "flat": 1}[weighting]
    return 2 * most * unit * sum(WEIGHTS[weighting](k, window) for k in range(1, window + 1))


def test_weights_worked_by_hand():
    for weighting, expected, unit in (("linear", [3, 2, 1], 3), ("harmonic", [6, 3, 2], 6), ("flat", [1, 1, 1], 1)):
        weights, found = window_weights(3, weighting)
        assert (weights.tolist(), found) == ([0, *expected], unit)
        assert weights.dtype == np.int64


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("window", [1, 5, 15, 22, 30, 40, 42])
def test_a_window_is_refused_from_the_very_word_on_that_could_pass_64_bits(window, weighting):
    most = int(LARGEST / Fraction(greatest(window, weighting, 1)))
    weights, unit = window_weights(window, weighting, most)
    assert [Fraction(int(weight), unit) for weight in weights[1:]] == [
        WEIGHTS[weighting](k, window) for k in range(1, window + 1)
    ]
    possible = [w for w in range(1, window) if greatest(w, weighting, most + 1) <= LARGEST]
    with pytest.raises(ValueError, match=rf"window {window}: {weighting} sums .* {most + 1:,} times; ") as error:
        window_weights(window, weighting, most + 1)
    assert f"at most {max(possible, default=0)}" in str(error.value)
    assert ("another weighting" in str(error.value)) == (weighting == "harmonic")


def test_the_usual_windows_suit_any_corpus():
    for window, weighting in ((5, "linear"), (15, "harmonic"), (20, "harmonic"), (1000, "linear"), (1000, "flat")):
        window_weights(window, weighting, 5 * 10**9)
    for window in (43, 100):  # the weights themselves
        with pytest.raises(ValueError, match="at most 42"):
            window_weights(window, "harmonic")
    with pytest.raises(ValueError, match=r"window: .* got 0"):
        window_weights(0, "linear")
    with pytest.raises(ValueError, match="linear, harmonic, flat"):
        window_weights(5, "triangle")


def sharded(corpus, folder):
    parts = [folder / str(shard) for shard in range(3)]
    for shard, part in enumerate(parts):
        part.mkdir()
        cooccurrence.count_shard(corpus, part, shard, 3, **OPTIONS)
    return shards.merge(parts, folder, window=40, weighting="harmonic")


def test_many_pairs_in_a_wide_window_are_refused_before_counting(tmp_path):
    corpus = corpus_of([[0, 1]] * 6000, words=2)
    for count in (lambda: cooccurrence.count(corpus, tmp_path, **OPTIONS), lambda: sharded(corpus, tmp_path)):
        with pytest.raises(ValueError, match=r"window 40: .* 6,000 times; expected at most 36"):
            count()
    assert not list(tmp_path.rglob("*.npy"))
    counted = cooccurrence.count(corpus, tmp_path, **OPTIONS | {"window": 36})
    assert counted.toarray().tolist() == [[0, 6000], [6000, 0]]


def test_sums_at_the_bound_are_right_whole_and_in_shards(tmp_path):
    most = int(LARGEST / Fraction(greatest(40, "harmonic", 1)))
    sentences = [[0] * 60] * 3 + [[0] * (most - 180)]
    expected = naive(sentences, 40, "harmonic", words=1)
    (tmp_path / "whole").mkdir()
    for corpus in (corpus_of(sentences, words=1), corpus_of([[0] * most], words=1)):
        counted = cooccurrence.count(corpus, tmp_path / "whole", **OPTIONS)
        assert counted.data[0] > 0
    assert counted.data[0] > 0.7 * LARGEST / math.lcm(*range(1, 41))
    assert sharded(corpus_of(sentences, words=1), tmp_path).toarray() == pytest.approx(expected, rel=1e-15)
    corpus = corpus_of([*sentences, [0]], words=1)
    with pytest.raises(ValueError, match=f"{most + 1} times"):
        cooccurrence.count(corpus, tmp_path / "whole", **OPTIONS)
