"""A measurement prints itself: values, ranges, words used and missing, what is undefined."""

import numpy as np

from biassay import measure, measure_predictions

RANDOM = np.random.default_rng(1)
GROUPS = {"female": ["she", "woman"], "male": ["he", "man"]}
VECTORS = {word: RANDOM.standard_normal(5) for word in ["she", "woman", "he", "man", "nurse", "pilot", "teacher"]}


def test_values_with_their_ranges_and_words():
    text = str(measure("weat", targets={"X": ["nurse", "teacher"], "Y": ["pilot", "engineer"]}, groups=GROUPS,
                       vectors=VECTORS))  # fmt: skip
    assert text.splitlines()[0] == "weat"
    for part in ("-2.12 to 2.12; 0 ", "X 2, Y 1, female 2, male 2", "Y: engineer"):
        assert part in text


def test_many_values_undefined_ones_spread_over_pairings_and_texts_per_class():
    targets, groups = RANDOM.standard_normal((9, 4)), [RANDOM.standard_normal((3, 4)) for _ in range(2)]
    values = measure("same", targets=targets, groups=groups)
    assert f"from {values.word.min():.3g} to {values.word.max():.3g}, mean {values.word.mean():.3g}" in str(values)
    undefined = measure("same", targets=targets, groups=[groups[0]] * 2)
    assert undefined.undefined["set"] in undefined._repr_html_()
    pairs = measure("ripa", targets=["nurse"], groups={"a": ["she"], "b": ["he"]}, vectors=VECTORS, n_pairings=3)
    assert " ± 0 " in str(pairs)
    gap = measure_predictions("tpr_gap", predictions=["n", "p"], ground_truth=["n", "p"], groups=["f", "m"])
    assert "f: 1, 0" in str(gap)
