"""Scores beside bias downstream: correlations within models and over models, by hand and by another path."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import pearsonr

from biassay.metrics import direct_bias, gweat, same, weat
from biassay.studies.downstream import correlations, tables

KEYS = {"set": "bios", "attribute": "gender", "version": "scrubbed", "n_directions": 0}


def scores_of(values, level="class", classes="abcdef", **more):
    row = KEYS | {"model": "m", "group_words": "raw", "level": level} | more
    return [row | {"class": name, "value": value} for name, value in zip(classes, values, strict=False)]


def classes_of(gaps, small=(), classes="abcdef", **more):
    row = KEYS | {"model": "m"} | more
    return [row | {"class": name, "gap": gap, "too_small": name in small}
            for name, gap in zip(classes, gaps, strict=False)]  # fmt: skip


VALUES, GAPS = [0.3, -0.2, 0.1, 0.5, -0.6, 0.0], [0.2, -0.1, -0.3, 0.4, 0.1, -0.2]


def found(function, *arguments, columns):
    return pd.DataFrame(function(*arguments), columns=columns)


@pytest.mark.parametrize(
    ("module", "groups", "sign"),
    [(same, 2, True), (weat, 2, True), (direct_bias, 2, False), (same, 3, False)],
)
def test_classes_of_a_model(module, groups, sign):
    """A score with a sign against the signed gap, another against the absolute one."""
    scores, classes = pd.DataFrame(scores_of(VALUES)), pd.DataFrame(classes_of(GAPS, small="be"))
    table = found(
        correlations.correlate_classes,
        "mine",
        module,
        scores,
        classes,
        {"gender": groups},
        columns=correlations.BY_CLASS,
    )
    gaps = np.array(GAPS) if sign else np.abs(GAPS)
    large = [0, 2, 3, 5]
    for row, chosen in zip(table.itertuples(), (list(range(6)), large), strict=True):
        r, p = pearsonr(np.array(VALUES)[chosen], gaps[chosen])
        assert (row.r, row.p, row.n) == (pytest.approx(r), pytest.approx(p), len(chosen))
        assert (row.metric, row.signed, row.model, row.group_words) == ("mine", sign, "m", "raw")
        assert (row.set, row.attribute, row.version, row.n_directions) == tuple(KEYS.values())
    assert table["classes"].tolist() == ["all", "large"]


def test_each_classifier_has_its_own_gaps():
    scores, classes = [], []
    parts = [
        {"model": "m"},
        {"model": "n"},
        {"model": "m", "n_directions": 1},
        {"model": "m", "version": "raw"},
        {"set": "other"},
    ]
    for number, part in enumerate(parts):
        scores += scores_of(np.roll(VALUES, number), **part)
        classes += classes_of(np.roll(GAPS, 2 * number), **part)
    scores += scores_of(VALUES[::-1], group_words="debiased", n_directions=1) + scores_of([9, 9, 9], level="set")
    table = found(correlations.correlate_classes, "same", same, pd.DataFrame(scores), pd.DataFrame(classes[::-1]),
                  {"gender": 2},
                  columns=correlations.BY_CLASS)  # fmt: skip
    assert len(table) == 12
    first = table.set_index(["set", "model", "version", "n_directions", "classes"]).loc[
        ("bios", "m", "scrubbed", 0, "all")
    ]
    assert first[["n", "r"]].tolist() == [6, pytest.approx(pearsonr(VALUES, GAPS)[0])]  # without the set's value
    chosen = table[(table["n_directions"] == 1) & (table["classes"] == "all")].set_index("group_words")["r"]
    assert chosen["raw"] == pytest.approx(pearsonr(np.roll(VALUES, 2), np.roll(GAPS, 4))[0])
    assert chosen["debiased"] == pytest.approx(pearsonr(VALUES[::-1], np.roll(GAPS, 4))[0])
    r = table[(table["set"] == "other") & (table["classes"] == "all")]["r"].item()
    assert r == pytest.approx(pearsonr(np.roll(VALUES, 4), np.roll(GAPS, 8))[0])


def test_classifiers_that_do_not_count_are_left_out():
    classes = pd.DataFrame(classes_of(GAPS) + classes_of(GAPS, model="n") + classes_of(GAPS, n_directions=1))
    bias = pd.DataFrame([KEYS | {"model": "m", "bias": 1, "is_valid": True}, KEYS | {"model": "n", "is_valid": False},
                         KEYS | {"model": "m", "n_directions": 3, "is_valid": True}])  # fmt: skip
    pd.testing.assert_frame_equal(correlations.select_valid(classes, bias), classes[:6])


def test_pairs_of_a_model():
    keys = {"set": "crows", "attribute": "gender", "model": "m"}
    random = np.random.default_rng(1)
    values, others = random.normal(size=(2, 8))
    samples = pd.DataFrame([keys | {"pair": 3 * i, "value": value} for i, value in enumerate(values)])
    differences = pd.DataFrame([keys | {"pair": 3 * i, "value": value} for i, value in enumerate(others)][::-1])
    more = pd.concat([differences.assign(model="n"), differences, differences.assign(attribute="age")])
    table = found(correlations.correlate_pairs, "same", same, samples, more, columns=correlations.BY_PAIR)
    assert table["signed"].tolist() == [False, True]
    assert table["r"].tolist() == pytest.approx(
        [pearsonr(np.abs(values), np.abs(others))[0], pearsonr(values, others)[0]]
    )
    assert table["p"].tolist() == pytest.approx(
        [pearsonr(np.abs(values), np.abs(others))[1], pearsonr(values, others)[1]]
    )
    assert table["n"].tolist() == [8, 8]
    assert table[["set", "attribute", "model", "metric"]].to_numpy().tolist() == [["crows", "gender", "m", "same"]] * 2
    unsigned = found(correlations.correlate_pairs, "db", direct_bias, samples, more, columns=correlations.BY_PAIR)
    assert unsigned["signed"].tolist() == [False]
    both = pd.concat([samples, samples.assign(model="n", value=others)])
    twice = found(correlations.correlate_pairs, "same", same, both, more, columns=correlations.BY_PAIR)
    assert twice["r"].tolist()[2:] == pytest.approx([1, 1])


def bias_of(rows):
    return pd.DataFrame([KEYS | row for row in rows], columns=tables.BIAS)


def test_cases():
    of_set = [{"level": "set", "class": ""} | row for row in (
        {"model": "m", "value": -0.5}, {"model": "n", "value": 0.2}, {"model": "m", "n_directions": 1, "value": -0.1},
        {"model": "m", "n_directions": 1, "group_words": "debiased", "value": 0.4},
        {"model": "m", "version": "raw", "value": 0.9},
        {"model": "x", "set": "pairs", "version": "", "value": -0.7}, {"model": "o", "value": 0.3},
    )]  # fmt: skip
    scores = pd.DataFrame([KEYS | {"group_words": "raw"} | row for row in of_set] + scores_of([5], level="titles"))
    bias = bias_of([
        {"model": "m", "bias": 0.3, "is_valid": True}, {"model": "n", "bias": 0.6, "is_valid": False},
        {"model": "m", "n_directions": 1, "bias": 0.1, "is_valid": True},
        {"model": "m", "version": "raw", "bias": 0.8, "is_valid": True},
        {"model": "x", "set": "pairs", "version": "", "bias": 0.55, "is_valid": True},
    ])  # fmt: skip
    table = correlations.match_cases(scores, bias)
    rows = table[["set", "version", "group_words", "n_directions", "model", "value", "bias"]].sort_values(
        ["set", "version", "group_words", "n_directions", "model"]
    )
    expected = [
        ["bios", "raw", "raw", 0, "m", 0.9, 0.8],
        ["bios", "scrubbed", "debiased", 0, "m", 0.5, 0.3], ["bios", "scrubbed", "debiased", 0, "n", 0.2, np.nan],
        ["bios", "scrubbed", "debiased", 1, "m", 0.4, 0.1],
        ["bios", "scrubbed", "raw", 0, "m", 0.5, 0.3], ["bios", "scrubbed", "raw", 0, "n", 0.2, np.nan],
        ["bios", "scrubbed", "raw", 1, "m", 0.1, 0.1],
        ["pairs", "", "raw", 0, "x", 0.7, 0.55],
    ]  # fmt: skip
    pd.testing.assert_frame_equal(
        rows.reset_index(drop=True), pd.DataFrame(expected, columns=rows.columns), check_dtype=False
    )


def test_sets_over_models():
    random = np.random.default_rng(2)
    table = pd.DataFrame({"set": "bios", "attribute": "gender", "version": "scrubbed", "group_words": "raw",
                          "model": np.repeat(list("abcdef"), 2), "value": random.random(12),
                          "bias": random.random(12)})  # fmt: skip
    table.loc[[2, 3], "bias"] = np.nan
    table.loc[4, "value"] = np.nan
    rows = pd.concat([table, table.assign(group_words="debiased", value=0.3)])
    first, second = correlations.correlate_cases("same", rows, 400, seed=1)
    known = table.dropna()
    r, p = pearsonr(known["value"], known["bias"])
    assert first[:7] == ("bios", "gender", "scrubbed", "raw", "same", 9, 5)
    assert (first[7], first[10]) == (pytest.approx(r), pytest.approx(p))
    assert first[8] < r < first[9]
    assert second[:7] == ("bios", "gender", "scrubbed", "debiased", "same", 10, 5)
    assert np.isnan(second[7:]).all()
    drawn = []
    cases = [part[["value", "bias"]].to_numpy() for _, part in known.groupby("model")]
    with np.errstate(invalid="ignore"):  # a draw of one model with one case has no correlation
        for chosen in random.integers(0, 5, (3000, 5)):
            drawn.append(np.corrcoef(np.vstack([cases[i] for i in chosen]).T)[0, 1])
    assert first[8:10] == pytest.approx(np.nanpercentile(drawn, (2.5, 97.5)).tolist(), abs=0.1)
    few = list(correlations.correlate_cases("same", table[table["model"] < "e"], 50, seed=1))
    assert np.isnan(few[0][8:10]).all()
    assert np.isfinite([few[0][7], few[0][10]]).all()


def test_summary_over_models():
    keys = {"attribute": "gender", "metric": "same"}
    by_pair = pd.DataFrame({"set": list("aaaaabb"), "r": [0.1, 0.5, np.nan, 0.3, -0.2, 0.7, np.nan],
                            "p": [0.5, 0.01, np.nan, 0.049, 0.05, 0.2, np.nan]})  # fmt: skip
    by_pair = by_pair.assign(**keys, signed=False)
    by_class = by_pair[:1].assign(version="raw", n_directions=0, group_words="raw", classes="all")
    of_classes, first, second = correlations.summarise(by_class, by_pair).to_dict("records")
    values = [first[name] for name in correlations.SPREAD]
    assert values == [4, pytest.approx(0.2), pytest.approx(0.025), pytest.approx(0.35), 2, pytest.approx(0.4)]
    assert [second[name] for name in correlations.SPREAD[:5]] == [1, 0.7, 0.7, 0.7, 0]
    assert np.isnan(second["median_significant"])
    assert (of_classes["units"], of_classes["version"], first["units"]) == ("classes", "raw", "pairs")
    nothing = correlations.summarise(by_class[:0], by_pair[:0])
    assert nothing.columns.tolist() == correlations.SUMMARY


def test_signs():
    assert [correlations.is_signed(module, 2) for module in (same, weat, direct_bias)] == [True, True, False]
    assert correlations.is_signed(same, 3) is False
    with pytest.raises(ValueError, match="word"):
        correlations.is_signed(gweat, 2)
