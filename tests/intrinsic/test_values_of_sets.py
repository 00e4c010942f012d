"""Every cell of the tables of sets, recomputed from models, bias and scores with plain loops."""

from itertools import combinations, product

import numpy as np
import pytest
import scipy.stats

from tests.intrinsic import believable
from tests.intrinsic.study import SEED, close, distributions, divergence, probabilities
from tests.same.study import flat, holm, interval

KINDS = ("noisy", "ideal")
ANSWERS = {
    "gender": ["weat", "same", "mac", "direct_bias_1", "neighbours", "neighbours (leaking)"],
    "religion": ["same", "mac", "direct_bias_1", "neighbours", "neighbours (leaking)"],
}


def mean_divergence(found, attribute, bias, model):
    return np.mean([divergence(p) for p in probabilities(found, model, attribute, bias).values()])


def answer(found, attribute, kind, name, model):
    """A model's mean divergence, or a score without its sign."""
    if name in ("data", "unmasking"):
        return mean_divergence(found, attribute, name, model)
    metric, _, leaking = name.partition(" ")
    table = found["scores"][metric]
    labels = kind if attribute in believable.LABELLED.get(metric, []) else ""
    rows = table[(table["model"] == model) & (table["attribute"] == attribute) & (table["labels"] == labels)]
    value = rows[rows["level"] == ("leaking" if leaking else "set")]["value"].item()
    return abs(value) if metric == "weat" else value


def cases(found, attribute, kind, *names):
    """Values of the models of each distribution that have all of them."""
    rows = []
    for models in distributions(found).values():
        of = [tuple(answer(found, attribute, kind, name, model) for name in names) for model in models]
        rows.append([case for case in of if np.isfinite(case).all()])
    return [of for of in rows if of]


def test_sets(made):
    _, found = made
    table = found["sets"]
    keys = [
        (attribute, kind, *pair)
        for attribute, names in ANSWERS.items() for kind in KINDS
        for pair in combinations(["data", "unmasking", *names], 2)
    ]  # fmt: skip
    assert [tuple(key) for key in table[["attribute", "labels", "first", "second"]].to_numpy()] == keys
    for row in table.to_dict("records"):
        groups = cases(found, row["attribute"], row["labels"], row["first"], row["second"])
        assert (row["models"], row["distributions"]) == (len(flat(groups)), len(groups))
        assert (row["r"], row["p"]) == close(scipy.stats.pearsonr(*zip(*flat(groups), strict=True)))
        drawn = interval(groups, lambda of: scipy.stats.pearsonr(*zip(*of, strict=True))[0])
        assert (row["low"], row["high"]) == close(drawn)
    models = table.set_index(["labels", "first", "second"])["models"]
    assert set(models.loc[("noisy", "data", "neighbours")]) == {11}  # one has an empty stereotype
    assert set(models.loc[("ideal", "data", "neighbours")]) == {12}


def test_set_comparisons(made):
    _, found = made
    table = found["set_comparisons"]
    keys = [
        (attribute, kind, against, *pair)
        for attribute, names in ANSWERS.items() for kind in KINDS for against in ("data", "unmasking")
        for pair in combinations(names[:-1], 2)
    ]  # fmt: skip
    columns = ["attribute", "labels", "against", "first", "second"]
    assert [tuple(key) for key in table[columns].to_numpy()] == keys  # the leaking form is not compared
    for row in table[::9].to_dict("records"):
        groups = cases(found, row["attribute"], row["labels"], row["first"], row["second"], row["against"])
        x, z, y = zip(*flat(groups), strict=True)
        assert (row["n"], row["clusters"]) == (len(x), len(groups))
        assert row["difference"] == pytest.approx(r2(x, y) - r2(z, y), abs=2e-6)
        assert row["p"] == close(exchanged(x, z, y, [len(group) for group in groups]))
        drawn = np.random.default_rng(SEED).integers(0, len(groups), (9999, len(groups)))
        values = [difference(flat(groups[i] for i in ways)) for ways in drawn]  # NaN where one does not vary
        assert (row["low"], row["high"]) == pytest.approx(tuple(np.nanpercentile(values, [2.5, 97.5])), abs=2e-5)
    for _, family in table.groupby(columns[:3]):
        assert family["p_holm"].tolist() == close(holm(family["p"].tolist()))


def difference(of):
    x, z, y = zip(*of, strict=True)
    return r2(x, y) - r2(z, y)


def r2(x, y):
    return np.corrcoef(x, y)[0, 1] ** 2 if np.ptp(x) > 1e-9 else np.nan


def exchanged(x, z, y, sizes):
    """p over all ways to exchange two standardised scores in whole distributions."""
    sides = [scipy.stats.zscore(side) * np.sign(np.corrcoef(side, y)[0, 1]) for side in (x, z)]
    found = []
    for ways in product((False, True), repeat=len(sizes)):
        away = np.repeat(ways, sizes)
        found.append(r2(np.where(away, *sides[::-1]), y) - r2(np.where(away, *sides), y))
    return np.mean(np.abs(found) >= abs(found[0]) - 1e-9)
