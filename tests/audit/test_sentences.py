"""Metrics of language models in an audit, on given scores: values, p and intervals by hand."""

import re
from math import comb
from types import SimpleNamespace

import numpy as np
import pytest

from biassay.auditing import sentences
from biassay.auditing.scoring import Settings
from biassay.measurement.metric import Level, Metric, Range
from biassay.metrics import unmasking

SIGNED = Range(-1.0, 1.0, 0.0, True)
SETTINGS = Settings(permutations=999, resamples=50)


def module(scores, **declared):
    """A metric with given scores, whose value is the difference of the groups' scores, and its calls."""
    calls = []

    def score(model, *texts, **options):
        calls.append((texts, options))
        return scores

    level = Level(None, None, signed=True)
    metric = Metric("", "", **{"takes": "language_model", "word": level, "set": level} | declared)
    return SimpleNamespace(
        METRIC=metric, scores=score, word_bias=lambda scores: scores[:, 0] - scores[:, 1],
        set_bias=lambda scores: float((scores[:, 0] - scores[:, 1]).mean()), __name__="own",
    ), calls  # fmt: skip


def score(*arguments):
    return sentences.score(*arguments).rows


def filled_templates(n=6, each=2, lists=(0, 0, 0, 1, 1, 1)):
    texts = [[f"{group} {number}" for number in range(n * each)] for group in "ab"]
    model = SimpleNamespace(kind="masked")
    return sentences.FilledTemplates(
        model,
        texts,
        [f"w{number}" for number in range(n)],
        np.array(lists),
        [f"{{occ}} {number}" for number in range(each)],
        ("a", "b"),
        ("x", "y"),
    )


def scores(differences):
    """(n, 2), in the order of words and of the sentences of each."""
    flat = np.ravel(differences)
    return np.column_stack([flat + 3.0, np.full(len(flat), 3.0)])


def test_a_row_by_hand():
    null, resampled = np.array([0.1, -0.3, 0.5, -0.5, 0.7] + [0.0] * 15), np.arange(1001) / 1000
    row = sentences.row("set", -0.5, SIGNED, null, resampled, null + 0.1, 0.25)
    assert row["p"] == 0.25  # (1 + 3) / 21 of the drawn values, but no assignment can show less
    assert (row["ci_low"], row["ci_high"]) == (pytest.approx(0.025), pytest.approx(0.975))
    assert row["min_p_value"] == 0.25
    assert (row["p_random"], row["random_q95"]) == (pytest.approx((1 + 2) / 21), pytest.approx(0.61))
    row = sentences.row("set", 1.5, SIGNED._replace(b_0=1.0), null + 1.0, [0.2, 0.4] * 10, [])
    assert (row["p"], row["min_p_value"]) == (pytest.approx((1 + 3) / 21), pytest.approx(1 / 21))
    assert row["min_detectable_effect"] == pytest.approx(np.quantile(np.abs(null), 0.95) + 0.8416 * 0.1)
    row = sentences.row("set", 0.1, SIGNED._replace(b_min=-0.2, b_max=0.2), null, [0.2, 0.4] * 10, [])
    assert row["min_detectable_effect"] == np.inf
    row = sentences.row("set", 0.5, SIGNED, np.full(20, -0.5), [0.2, 0.4], [])
    assert np.isnan([row[key] for key in ("p", "min_detectable_effect", "p_random", "random_q95")]).all()


def test_values_of_the_set_and_of_the_difference_of_lists():
    by_word = [[0.9, 0.7], [0.8, 0.8], [0.6, 1.0], [0.1, -0.1], [0.2, 0.2], [-0.4, 0.0]]  # means .8 .8 .8 0 .2 −.2
    metric, calls = module(scores(by_word))
    whole, lists = score("own", metric, filled_templates(), SETTINGS)
    assert (whole["metric"], whole["n_words"], whole["sides"]) == ("own", 6, "groups only")
    assert whole["value"] == pytest.approx(0.4)
    assert whole["min_p_value"] == pytest.approx(2.0**-5)
    assert (lists["level"], lists["sides"]) == ("difference of lists", "groups and targets")
    assert lists["value"] == pytest.approx(0.8)
    assert lists["p"] == pytest.approx(2 / 20, abs=0.035)  # of 20 ways to choose three of the six words
    assert lists["min_p_value"] == pytest.approx(2 / 20)
    assert lists["ci_low"] <= 0.8 <= lists["ci_high"]
    assert calls == [(tuple(filled_templates().sentences), {})]


def test_unmasking_is_the_divergence_of_mean_probabilities():
    """Templates that lean to different groups cancel in the mean of a word's probabilities."""
    p = np.array([[0.9, 0.1], [0.1, 0.9], [0.8, 0.2], [0.6, 0.4]])
    own = SimpleNamespace(**vars(unmasking) | {"scores": lambda *arguments, **options: np.log(p / 5)})
    (row,) = score("unmasking", own, filled_templates(2, lists=(0, 0)), SETTINGS)
    assert row["value"] == pytest.approx(unmasking.set_bias(np.log([[0.5, 0.5], [0.7, 0.3]])))


@pytest.mark.filterwarnings("ignore:All-NaN")
def test_a_value_without_a_sign_has_no_direction():
    for difference in (0.0, np.nan):
        lists = score("own", module(scores([[difference] * 2] * 6))[0], filled_templates(), SETTINGS)[1]
        assert "direction" not in lists


def test_random_words_are_drawn_with_the_targets():
    by_word = [[1.0, 0.8], [0.9, 0.7], [0.0, 0.2], [0.1, 0.1], *[[0.0, 0.0]] * 8]
    filled = filled_templates(12, lists=(0, 0, 1, 1, *[-1] * 8))
    settings = Settings(permutations=99, resamples=50, random_words=4000)
    whole, lists = score("own", module(scores(by_word))[0], filled, settings)
    assert (whole["n_words"], whole["value"], lists["value"]) == (4, pytest.approx(0.475), pytest.approx(0.75))
    assert whole["p_random"] == pytest.approx(1 / comb(12, 4), abs=0.002)  # these four
    assert lists["p_random"] == pytest.approx(2 * comb(10, 2) / (comb(12, 4) * 6), abs=0.006)
    alone = score("own", module(scores(by_word[:4]))[0], filled_templates(4, lists=(0, 0, 1, 1)), settings)
    assert all(np.isnan(row["p_random"]) for row in alone)


def test_p_of_the_set_exchanges_the_groups_in_all_sentences_of_a_word():
    metric, _ = module(scores([[0.5, 0.5]] * 6))
    row = score("own", metric, filled_templates(), SETTINGS)[0]
    assert row["p"] == pytest.approx(2 / 64, abs=0.02)  # all six one way, or all the other
    assert np.isnan([row["ci_low"], row["ci_high"]]).all()  # all words have the same value
    row = score("own", module(scores([[1.0, -1.0]] * 6))[0], filled_templates(), SETTINGS)[0]
    assert np.isnan(row["p"])  # a word's sentences that cancel out do so in either order


def test_metrics_without_sign_or_with_one_list_have_the_set_only():
    unsigned, _ = module(scores(np.ones((6, 2))), word=Level(0.0, None))
    signed, _ = module(scores(np.ones((6, 2))))
    for metric, lists in ((unsigned, (0, 0, 0, 1, 1, 1)), (signed, [0] * 6)):
        assert [row["level"] for row in score("own", metric, filled_templates(lists=lists), SETTINGS)] == ["set"]


def test_options_of_metrics():
    for name, options in (
        ("lpbs", {"targets": ["w0", "w0", "w1", "w1"], "multi_token": "mean"}), ("unmasking", {"multi_token": "mean"}),
        ("pll", {}),
    ):  # fmt: skip
        metric, calls = module(scores(np.ones((2, 2))))
        score(name, metric, filled_templates(2, lists=[0, 1]), SETTINGS)
        assert calls[0][1] == options
    assert "causal" in sentences.score("own", module(None, models=("causal",))[0], filled_templates(), SETTINGS).reason


def test_pairs_stay_pairs_where_a_word_is_left_out():
    women, men = (
        ["step-sister", "aunt", "queen", "bride", "widow"],
        ["stepbrother", "uncle", "king", "groom", "grand-pa"],
    )
    used = SimpleNamespace(groups={"women": women, "men": men}, question=SimpleNamespace(paired=True))
    _, frames = sentences._choose_frames(used, False, 1)
    words = {tuple(re.findall("|".join(women + men), " ".join(pair))) for pair in frames}
    assert {tuple(sorted(set(pair), key=(women + men).index)) for pair in words} == {
        ("aunt", "uncle"), ("queen", "king"), ("bride", "groom"),
    }  # fmt: skip
