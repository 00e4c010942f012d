"""The parts of the study by hand: bias of models, repeats, and templates."""

from functools import partial
from itertools import combinations
from math import log

import numpy as np
import pandas as pd
import pytest

from biassay.studies import variability
from biassay.studies.intrinsic import tables, templates

equal = partial(pytest.approx, nan_ok=True)


def bias(**columns):
    rows = {"model": [7, 7, 7, 7, 2, 2, 2, 2], "attribute": "gender",
            "occupation": ["nurse", "nurse", "chef", "chef"] * 2, "group": ["male", "female"] * 4}  # fmt: skip
    other = pd.DataFrame({"model": 7, "attribute": "age", "occupation": "nurse", "group": ["old"], "data": 1.0})
    return pd.concat([pd.DataFrame(rows | columns), other])


def test_divergences_keep_the_order_of_models_and_occupations():
    certain = (log(4 / 3) + (log(2 / 3) + log(2)) / 2) / 2  # of (1, 0) from (1/2, 1/2)
    study = tables.Study(pd.DataFrame(index=[7, 2]), bias(data=[1, 0, 0.5, 0.5, 0.5, 0.5, 0, 1]))
    found = study.divergence("gender", "data", study.models.index)
    assert found.index.tolist() == [7, 2]
    assert found.columns.tolist() == ["nurse", "chef"]
    np.testing.assert_allclose(found, [[certain, 0], [0, certain]], atol=1e-15)
    wide = tables.select_probabilities(study.bias, "gender", "data")
    assert wide.columns.tolist() == ["male", "female"]
    assert wide.index.tolist() == [(7, "nurse"), (7, "chef"), (2, "nurse"), (2, "chef")]


def test_repeats_by_hand():
    values = np.array([[1.0, -2.0, 5.0], [3.0, 2.0, np.nan], [-1.0, 4.0, 5.0]])  # the third occupation lacks one
    found = variability.compare_repeats(values)
    assert found["difference_from_first"] == equal((2 / 1 + 4 / 2 + 2 / 1 + 6 / 2) / 4)
    assert found["difference"] == equal((2 / 2 + 2 + 2 + 2 + 2 + 2 / 3) / 6)
    spreads = [1.5, 0.5, 2.5]
    assert found["std_difference"] == equal(np.mean([abs(a - b) / ((a + b) / 2) for a, b in combinations(spreads, 2)]))
    assert found["within_std"] == equal((2 + np.std([-2, 2, 4], ddof=1)) / 2)
    assert found["sign_flip_rate"] == equal((0 + 1 + 1 + 1 + 1 + 0) / 6)
    assert np.isnan(list(variability.compare_repeats(values[:1]).values())).all()
    assert np.isnan(list(variability.compare_repeats(np.array([[np.nan], [1.0]])).values())).all()


def test_a_score_of_0_has_no_printed_difference():
    found = variability.compare_repeats(np.array([[0.0, 2.0], [1.0, 1.0]]))
    assert found["difference_from_first"] == 0.5
    assert found["difference"] == equal((2 + 2 / 3) / 2)
    assert found["sign_flip_rate"] == 0
    found = variability.compare_repeats(np.array([[0.0, 0.0], [0.0, 2.0]]))  # of 0 and 0 it is undefined
    assert np.isnan(found["difference_from_first"])
    assert found["difference"] == 2


def test_distributions_with_one_model_are_left_out():
    scores = pd.DataFrame([[1.0, 1], [2, 2], [9, 9], [1, 1], [4, 4]], index=list("edcba"))
    found = variability.compare_by_distribution(scores, pd.Series([0, 0, 1, 2, 2], index=list("edcba")))
    assert found["within_std"].tolist() == equal([0.5**0.5, 4.5**0.5])
    assert variability.compare_by_distribution(scores, pd.Series(range(5), index=list("edcba"))).empty


def test_instability_approaches_that_of_all_draws():
    """Of all sets of 3 of 6 sentences; the whole order of three groups counts, and occupations share a draw."""
    p = np.random.default_rng(3).dirichlet([3, 3, 3], (2, 6))
    order = np.argsort(p.mean(axis=1), axis=1)
    sets = [list(chosen) for chosen in combinations(range(6), 3)]
    orders = {tuple(s): np.argsort(p[:, s].mean(axis=1), axis=1) for s in sets}
    changed = [(of[i] != order[i]).any() for of in orders.values() for i in range(2)]
    others = [orders[tuple(sorted({*range(6)} - {*s}))] for s in sets]
    apart = [(of[i] != other[i]).any() for of, other in zip(orders.values(), others, strict=True) for i in range(2)]
    found = templates.compare_rankings(p, 3, 20000, seed=2)
    assert found == equal((np.mean(changed), np.mean(apart)), abs=0.01)
    assert np.isnan(templates.compare_rankings(p, 4, 50, seed=1)[1])
    same = np.repeat(p[:, :1], 4, axis=1)
    assert templates.compare_rankings(same, 2, 50, seed=1) == (0, 0)


def test_sizes():
    assert templates.sample_sizes(35)[-2:] == [30, 34]
    assert templates.sample_sizes(31) == [1, 2, 3, 5, 7, 10, 15, 20, 30]
    assert templates.sample_sizes(2001)[-6:] == [300, 500, 700, 1000, 1500, 2000]


@pytest.mark.parametrize(
    ("means", "n"), [([0.5, 0.05, 0.04], 2), ([0.05, 0.06, 0.0], 5), ([0, 0, 0], 1), ([0, 0, 1], None)]
)
def test_enough_from_which_on_the_order_stays(means, n):
    found = templates.find_min_sentences(pd.DataFrame({"attribute": "age", "n": [5, 2, 1], "mean": means[::-1]}))
    assert found["attribute"].tolist() == ["age"]
    assert found["min_sentences"].tolist() == [n] if n else found["min_sentences"].isna().all()
