"""Correlations of scores with downstream bias within models and over models, against scipy's."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr

from biassay.measurement import metric
from biassay.studies.downstream import correlations

CASE = {"set": "bios", "attribute": "gender", "version": "scrubbed", "n_directions": 0, "model": "m"}
VALUES, GAPS = np.array([0.3, -0.2, 0.1, 0.5, -0.6, 0.0]), np.array([0.2, -0.1, -0.3, 0.4, 0.1, -0.2])
NAN = np.nan


def scores_of(values, **keys):
    key = CASE | {"group_words": "raw", "level": "class"} | keys
    return pd.DataFrame([key | {"class": name, "value": value} for name, value in zip("abcdef", values, strict=True)])


def classes_of(gaps, **keys):
    rows = zip("abcdef", gaps, strict=True)
    return pd.DataFrame([CASE | keys | {"class": name, "gap": gap, "too_small": name in "be"} for name, gap in rows])


def correlate_classes(scores, classes, signed=True):
    def is_signed(metric, n_groups):
        assert (metric, n_groups) == ("mine", 3)
        return signed

    table = correlations.correlate_classes(scores.assign(metric="mine"), classes, is_signed, {"gender": 3})
    assert table.columns.tolist() == correlations.BY_CLASS
    return table


@pytest.mark.parametrize("signed", [True, False])
def test_classes_of_a_model(signed):
    """A score with a sign is compared with the signed gap, another with the absolute one."""
    table = correlate_classes(scores_of(VALUES), classes_of(GAPS), signed)
    gaps = GAPS if signed else np.abs(GAPS)
    assert table["classes"].tolist() == ["all", "large"]
    for row, chosen in zip(table.itertuples(), (range(6), [0, 2, 3, 5]), strict=True):
        r, p = pearsonr(VALUES[list(chosen)], gaps[list(chosen)])
        assert (row.r, row.p, row.n) == (pytest.approx(r), pytest.approx(p), len(chosen))
        assert (row.metric, row.signed, row.model, row.group_words, row.set) == ("mine", signed, "m", "raw", "bios")


def test_scores_with_a_sign_point_to_the_first_group_and_others_become_magnitudes():
    modules = {name: metric.load(name) for name in ("mac", "weat", "rnd")}
    parts = {"weat": VALUES, "mac": 1 + VALUES, "rnd": VALUES}
    scores = pd.concat([scores_of(values, metric=name) for name, values in parts.items()], ignore_index=True)
    found = correlations.orient_scores(scores, modules, {"gender": 2})
    assert found["value"].tolist() == pytest.approx([*VALUES, *np.abs(VALUES), *-VALUES])


def test_each_classifier_has_its_own_gaps():
    parts = [{}, {"model": "n"}, {"n_directions": 1}, {"version": "raw"}, {"set": "other"}]
    scores = [scores_of(np.roll(VALUES, number), **part) for number, part in enumerate(parts)]
    classes = pd.concat([classes_of(np.roll(GAPS, 2 * number), **part) for number, part in enumerate(parts)])
    scores += [scores_of(VALUES[::-1], group_words="debiased", n_directions=1), scores_of(VALUES**2, level="set")]
    table = correlate_classes(pd.concat(scores), classes[::-1])
    table = table[table["classes"] == "all"]
    expected = [pearsonr(np.roll(VALUES, n), np.roll(GAPS, 2 * n))[0] for n in range(5)]
    expected.append(pearsonr(VALUES[::-1], np.roll(GAPS, 4))[0])
    assert table["r"].tolist() == pytest.approx(expected)
    assert table["group_words"].tolist() == ["raw"] * 5 + ["debiased"]


@pytest.mark.parametrize("signs", [[False, True], [False]])
def test_pairs_of_a_model(signs):
    keys = {"set": "crows", "attribute": "gender", "model": "m"}
    values, others = np.random.default_rng(1).normal(size=(2, 8))
    first, second = (pd.DataFrame({"pair": range(8), "value": side}).assign(**keys) for side in (values, others))
    second["cluster"] = second["pair"].astype(str)
    differences = pd.concat([second.assign(model="n"), second[::-1], second.assign(attribute="age")])
    table = correlations.correlate_pairs(
        first.assign(metric="mine"), differences, lambda *key: key == ("mine", 2) and len(signs) == 2, 9, seed=1
    )
    assert table.columns.tolist() == correlations.BY_PAIR
    assert table["signed"].tolist() == signs
    for row in table.itertuples():
        sides = (values, others) if row.signed else (np.abs(values), np.abs(others))
        assert (row.r, row.p) == pytest.approx(tuple(pearsonr(*sides)))
        assert (row.set, row.attribute, row.model, row.metric, row.n) == ("crows", "gender", "m", "mine", 8)


def test_pairs_of_one_occupation_are_not_independent():
    """5 % of correlations of unrelated values of occupations are significant; of the pairs' own p, 25 %."""
    random, keys, rows = np.random.default_rng(2), {"set": "s", "attribute": "gender"}, {"x": [], "y": []}
    for model in range(200):
        occupations = np.arange(150) % 14
        for side in rows:
            values = random.normal(size=14)[occupations] + random.normal(size=150)
            values[:1] = np.nan if side == "x" else 1
            table = {"pair": range(150), "cluster": occupations.astype(str), "value": values, "model": model}
            rows[side].append(pd.DataFrame(table))
    scores, differences = (pd.concat(rows[side]).assign(**keys) for side in "xy")
    scores = scores.drop(columns="cluster").assign(metric="mine")
    table = correlations.correlate_pairs(scores, differences, lambda *key: True, 1000, seed=1)
    signed = table[table["signed"]]
    assert len(signed) == 200
    assert 0.01 <= (signed["p"] < 0.05).mean() <= 0.1
    alone = differences.assign(cluster=differences["pair"].astype(str))
    table = correlations.correlate_pairs(scores, alone, lambda *key: True, 1000, seed=1)
    assert (table.loc[table["signed"], "p"] < 0.05).mean() > 0.2
    follows = scores.drop(columns="metric").assign(cluster=differences["cluster"])
    table = correlations.correlate_pairs(scores, follows.dropna(), lambda *key: True, 1000, seed=1)
    assert table["r"].to_numpy() == pytest.approx(1)
    assert (table["p"] < 0.05).all()


def test_cases():
    set_scores = [{"value": -0.5}, {"model": "n", "value": 0.2}, {"n_directions": 1, "value": -0.1},
                  {"n_directions": 1, "group_words": "debiased", "value": 0.4}, {"version": "raw", "value": 0.9},
                  {"model": "x", "set": "pairs", "version": "", "value": -0.7},
                  {"model": "o", "value": 0.3}]  # fmt: skip
    scores = pd.DataFrame([CASE | {"group_words": "raw", "level": "set"} | row for row in set_scores])
    bias = [{"bias": 0.3}, {"model": "n", "bias": 0.6, "is_valid": False}, {"n_directions": 1, "bias": 0.1},
            {"version": "raw", "bias": 0.8}, {"model": "x", "set": "pairs", "version": "", "bias": 0.55}]  # fmt: skip
    bias = pd.DataFrame([CASE | {"is_valid": True} | row for row in bias])
    scores = pd.concat([scores, scores.assign(level="titles", value=9)])
    both = pd.concat([scores.assign(metric="weat"), scores.assign(metric="mac", value=1 - scores["value"])])
    table = correlations.match_cases(both, bias, {("weat", "gender"): 0.0, ("mac", "gender"): 1.0})
    assert table.columns.tolist() == correlations.CASES
    assert table["metric"].tolist() == ["weat"] * 8 + ["mac"] * 8
    table = table[table["metric"] == "mac"]
    columns = ["set", "version", "group_words", "n_directions", "model", "value", "bias"]
    rows = table[columns].sort_values(columns[:5]).reset_index(drop=True)
    expected = [
        ["bios", "raw", "raw", 0, "m", 0.9, 0.8],
        ["bios", "scrubbed", "debiased", 0, "m", 0.5, 0.3], ["bios", "scrubbed", "debiased", 0, "n", 0.2, NAN],
        ["bios", "scrubbed", "debiased", 1, "m", 0.4, 0.1],
        ["bios", "scrubbed", "raw", 0, "m", 0.5, 0.3], ["bios", "scrubbed", "raw", 0, "n", 0.2, NAN],
        ["bios", "scrubbed", "raw", 1, "m", 0.1, 0.1],
        ["pairs", "", "raw", 0, "x", 0.7, 0.55],
    ]  # fmt: skip
    pd.testing.assert_frame_equal(rows, pd.DataFrame(expected, columns=columns), check_dtype=False)


def test_sets_over_models():
    value, bias = np.random.default_rng(2).random((2, 8))
    table = pd.DataFrame({"value": value, "bias": bias, "model": list("abcdefgh")})
    table = table.assign(set="bios", attribute="gender", version="raw", group_words="raw", n_directions=0)
    table.loc[2, "bias"] = NAN
    table.loc[4, "value"] = NAN
    others = [table.assign(group_words="debiased"), table.assign(n_directions=1)]
    both = pd.concat([table, *others]).assign(metric="same")
    both = pd.concat([both, both.assign(metric="mac", value=1e-16 * both["value"])])
    models = pd.DataFrame({"name": list("abcdefgh"), "base": "a"})
    judged = {"set": "bios", "attribute": "gender", "version": "raw", "reliability": 0.81, "upper_r": 0.9}
    judged = pd.DataFrame([judged | {"form": form, "reason": form} for form in ("declared", "published")])
    first, second = correlations.correlate_cases(both, models, judged, 100, seed=1).itertuples(index=False)
    known = table.dropna()
    assert first[:6] == ("bios", "gender", "raw", "same", 6, "models")
    assert (first.r, first.p) == pytest.approx(tuple(pearsonr(known["value"], known["bias"])))
    assert first.low < first.r < first.high
    assert (first.reliability, first.upper_r, first.reason) == (0.81, 0.9, "declared")
    assert np.isnan([*second[6:10]]).all()  # rounding only


def test_summary_over_models():
    keys = {"attribute": "gender", "metric": "same", "signed": False}
    r, p = [0.1, 0.5, NAN, 0.3, -0.2, 0.7, NAN], [0.5, 0.01, NAN, 0.049, 0.05, 0.2, NAN]
    by_pair = pd.DataFrame({"set": list("aaaaabb"), "r": r, "p": p}).assign(**keys)
    by_class = by_pair[:1].assign(version="raw", n_directions=0, group_words="raw", classes="all")
    of_classes, first, second = correlations.summarise(by_class, by_pair).to_dict("records")
    values = [first[name] for name in correlations.SPREAD]
    assert values == [4, pytest.approx(0.2), pytest.approx(0.025), pytest.approx(0.35), 2, pytest.approx(0.4)]
    assert [second[name] for name in correlations.SPREAD[:5]] == [1, 0.7, 0.7, 0.7, 0]
    assert np.isnan(second["median_significant"])
    assert (of_classes["units"], of_classes["version"], first["units"]) == ("classes", "raw", "pairs")
    assert correlations.summarise(by_class[:0], by_pair[:0]).columns.tolist() == correlations.SUMMARY
