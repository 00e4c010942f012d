"""Every column of the tables of sets and of variability, recomputed by loops, numpy and scipy."""

from itertools import combinations, product

import numpy as np
import pandas as pd
import pytest
import scipy.stats

from tests.same import study
from tests.same.study import bias, close, flat, holm, interval, learned, word

BOUNDS = {"weat": (-2, 2), "same": (0, 1), "same_skew": (-1, 1), "mac": (0, 2), "direct_bias": (0, 1)}
SIGNED = ("weat", "same_skew")
GROUND_TRUTHS = {"mean": np.mean, "std": np.std, "absolute": lambda p: sum(abs(0.5 - p))}
WORD = ("weat", "same", "mac", "direct_bias", "ripa", "unmasking")


def of_set(found, metric, model):
    table = found["scores"][metric]
    return table[(table["level"] == "set") & (table["model"] == model)]["value"].item()


def answered(found, metric, against, model):
    """The score of a set, without its sign if the ground truth is unsigned."""
    value = of_set(found, metric, model)
    return abs(value) if metric in SIGNED and against != "mean" else value


def test_correlations_of_sets(found):
    published = {("same_skew", "mean"): 0.21, ("mac", "std"): 0.32, ("ripa", "absolute"): 0.43}
    keys = [(name, against) for name in study.METRICS for against in GROUND_TRUTHS]
    assert [tuple(key) for key in found["sets"][["metric", "against"]].to_numpy()] == keys
    for row in found["sets"].to_dict("records"):
        groups = []
        assert (row["signed"], row["ground_truth"]) == (
            row["metric"] in SIGNED, "signed" if row["against"] == "mean" else "unsigned"
        )  # fmt: skip
        for models in learned(found).values():
            p = {m: np.array(list(bias(found, m, "unmasking").values())) for m in models}
            pairs = [
                (answered(found, row["metric"], row["against"], m), GROUND_TRUTHS[row["against"]](p[m])) for m in models
            ]
            groups.append([pair for pair in pairs if np.isfinite(pair[0])])
        pairs = flat(groups)
        r, p = scipy.stats.pearsonr(*zip(*pairs, strict=True))
        assert row["n"] == len(pairs) == (14 if row["metric"] == "mac" else 15)
        assert (row["r"], row["r2"], row["p"]) == close((r, r * r, p))
        low, high = interval(groups, lambda cases: scipy.stats.pearsonr(*zip(*cases, strict=True))[0] ** 2)
        assert (row["low"], row["high"]) == close((low, high))
        expected = published.get((row["metric"], row["against"]), np.nan)
        assert row["published"] == close(expected)
    assert found["sets"]["p_holm"].tolist() == close(holm(found["sets"]["p"].tolist()))


def test_sets_are_compared_by_pairs(found):
    """p by another path: all exchanges of whole distributions, written out."""
    table, names = found["set_comparisons"], {"mean": [*SIGNED], "std": study.METRICS, "absolute": study.METRICS}
    pairs = [(against, *pair) for against, metrics in names.items() for pair in combinations(metrics, 2)]
    assert [tuple(key) for key in table[["against", "first", "second"]].to_numpy()] == pairs
    for row in table[::5].to_dict("records"):
        groups = []
        for models in learned(found).values():
            p = {m: np.array(list(bias(found, m, "unmasking").values())) for m in models}
            cases = [(*(answered(found, row[which], row["against"], m) for which in ("first", "second")),
                      GROUND_TRUTHS[row["against"]](p[m])) for m in models]  # fmt: skip
            groups.append([case for case in cases if np.isfinite(case).all()])
        x, z, y = zip(*flat(groups), strict=True)
        assert (row["n"], row["clusters"]) == (len(x), len(groups))
        assert row["difference"] == pytest.approx(r2(x, y) - r2(z, y), abs=2e-6)
        assert row["p"] == close(exchanged(x, z, y, [len(group) for group in groups]))
        drawn = interval(groups, lambda cases: r2(*column(cases, 0, 2)) - r2(*column(cases, 1, 2)), 9999)
        assert (row["low"], row["high"]) == pytest.approx(drawn, abs=2e-5)
    for _, family in table.groupby("against"):
        assert family["p_holm"].tolist() == close(holm(family["p"].tolist()))


def column(cases, *numbers):
    return [[case[number] for case in cases] for number in numbers]


def r2(x, y):
    return np.corrcoef(x, y)[0, 1] ** 2


def exchanged(x, z, y, sizes):
    sides = [scipy.stats.zscore(side) * np.sign(np.corrcoef(side, y)[0, 1]) for side in (x, z)]
    found = []
    for ways in product((False, True), repeat=len(sizes)):
        away = np.repeat(ways, sizes)
        found.append(r2(np.where(away, *sides[::-1]), y) - r2(np.where(away, *sides), y))
    return np.mean(np.abs(found) >= abs(found[0]) - 1e-9)


def test_repeats_of_table_2(found):
    published = {"direct_bias": 0.306, "unmasking": 0.096}
    assert found["retraining_variability"]["metric"].tolist() == list(WORD)
    for row in found["retraining_variability"].to_dict("records"):
        repeats = [models for models in learned(found).values() if len(models) > 1]
        values = []
        for models in repeats:
            scores = [word(found, row["metric"], m) for m in models]
            common = [w for w in scores[0] if all(w in other for other in scores)]
            if common:
                values.append(np.array([[of_model[w] for w in common] for of_model in scores]))
        spreads = [v.std(axis=1) for v in values]
        usable = [i for i, s in enumerate(spreads) if max(s) > 0]
        pairs = [[abs(a - b) / ((a + b) / 2) for a, b in combinations(spreads[i], 2)] for i in usable]
        differences = [[np.mean(p)] for p in pairs]
        within = np.mean([values[i].std(axis=0, ddof=1).mean() for i in usable])
        spread = np.mean([spreads[i].mean() for i in usable])
        assert (row["distributions"], row["models"]) == (len(usable), sum(map(len, repeats)))
        expected = (np.mean(differences), within, spread, within / spread)
        got = (row["difference"], row["within_std"], row["between_std"], row["noise_ratio"])
        assert got == close(expected)
        assert (row["low"], row["high"]) == close(interval(differences, np.mean))
        assert pd.isna(row["note"])
        assert row["published"] == close(published.get(row["metric"], np.nan))


def test_halves_of_table_3(found):
    published = {"mac": 0.001, "same_skew": 0.0022}
    assert found["subsampling_variability"]["metric"].tolist() == list(study.METRICS)
    for row in found["subsampling_variability"].to_dict("records"):
        table = found["subsets"][row["metric"]]
        table = table[table["model"].isin(flat(learned(found).values()))]
        b_min, b_max = BOUNDS.get(row["metric"], (0, np.nanmax(np.abs(table[["value", "full_value"]]))))
        groups = []
        for models in learned(found).values():
            columns = table["model"], table["value"], table["full_value"]
            changes = [[abs(v - f) / (b_max - b_min) for m, v, f in zip(*columns, strict=True)
                        if m == model and np.isfinite(v)] for model in models]  # fmt: skip
            groups.append([np.mean(of_model) for of_model in changes if of_model])
        groups = [group for group in groups if group]
        assert (row["models"], row["n_subsets"]) == (len(flat(groups)), 20)
        assert row["relative"] == (row["metric"] == "ripa")
        assert row["scale"] == close(b_max - b_min)
        assert row["deviation"] == close(np.mean(flat(groups)))
        assert (row["low"], row["high"]) == close(interval(groups, np.mean))
        assert row["undefined"] == close(table["value"].isna().mean())
        assert row["published"] == close(published.get(row["metric"], np.nan))
