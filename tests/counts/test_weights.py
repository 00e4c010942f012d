"""Windows whose sums fit into 64 bits, to the last one, and those that are refused before counting."""

import math
from fractions import Fraction

import pytest

from biassay.counts.weights import WEIGHTINGS, window_weights
from tests.counts.test_cooccurrence import WEIGHTS

LARGEST = 2**63 - 1


def greatest(window, weighting, most):
    """Sum of a word that stands `most` times, with itself at every distance on both sides, in whole numbers."""
    unit = {"linear": window, "harmonic": math.lcm(*range(1, window + 1)), "flat": 1}[weighting]
    return 2 * most * unit * sum(WEIGHTS[weighting](k, window) for k in range(1, window + 1))


@pytest.mark.parametrize("weighting", WEIGHTINGS)
@pytest.mark.parametrize("window", [1, 5, 22, 42])
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
