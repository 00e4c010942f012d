"""The board: a cell for every metric and criterion, why one is empty, dominance and recommendations."""

import numpy as np
import pandas as pd
import pytest
from scipy.stats import ttest_1samp

from biassay.measurement.metric import FUNCTIONS, Level, Metric
from biassay.statistics.intervals import wilson_interval
from biassay.statistics.paired_tests import correct_holm
from biassay.studies.board import board as boards
from biassay.studies.board import cells
from biassay.studies.board.criteria import BY_KEY, CRITERIA, HIGHER, LOWER, NOMINAL, YES, Use, read_uses
from biassay.words import resources
from tests.board.boards import NAN, board

STUDIES = ("first_order", "silhouette", "same", "intrinsic", "downstream", "properties", "reliability", "calibration")
ALL = (*STUDIES, "seeds", "board")
LEVEL, SIGNED = Level(0.0, 1.0), Level(-1.0, 1.0, signed=True)
BOTH = Metric("s", "s", word=SIGNED, set=LEVEL)
CHOSEN = {name: ["mine"] for name in STUDIES}


def cell(metric, criterion, value=0.5, note="", n=7):
    return (metric, criterion, value, 0.4, 0.6, n, "things", note, 0.5, 0.01)


def filled(*rows, metrics=None, chosen=CHOSEN, studies=ALL):
    """The board of some cells as rows by metric and criterion."""
    found = pd.DataFrame(rows, columns=list(cells.Cell._fields))
    table = boards.fill_board(found, metrics or {"mine": BOTH}, chosen, studies)
    assert list(table) == ["metric", "criterion", "value", "low", "high", "chance", "p", "n", "unit", "page", "note"]
    return table.set_index(["metric", "criterion"])


def why(criterion, declared=BOTH, name="mine", chosen=CHOSEN, studies=ALL):
    return filled(metrics={name: declared}, chosen=chosen, studies=studies)["note"][name, criterion]


def test_every_metric_has_a_cell_of_every_criterion_in_their_order():
    table = filled(metrics={"b": BOTH, "a": BOTH})
    assert list(table.index) == [(metric, criterion) for metric in "ba" for criterion in BY_KEY]
    assert table["value"].isna().all()
    assert (table["note"].str.len() > 0).all()


def test_a_cell_is_kept_with_whole_numbers_in_the_file(tmp_path):
    filled(cell("mine", "accuracy", 0.25, "2 cases", 138_163)).to_csv(tmp_path / "board.csv", float_format="%.5g")
    table = pd.read_csv(tmp_path / "board.csv", index_col=["metric", "criterion"])
    assert table.loc["mine", "accuracy"].tolist() == [
        0.25, 0.4, 0.6, 0.5, 0.01, 138_163, "things", "board/silhouette.html", "2 cases"
    ]  # fmt: skip
    assert np.isnan(table["n"]["mine", "seeds"])


def test_a_cell_without_a_value_has_its_own_note_or_the_reason():
    for value in (NAN, np.inf):
        table = filled(cell("mine", "min_detectable_effect", value, "it sees nothing"), cell("mine", "accuracy", value))
        assert table["note"]["mine", "min_detectable_effect"] == "it sees nothing"
        assert table["note"]["mine", "accuracy"] == "no table of the study has a value"
        for key, n in (("min_detectable_effect", [7, "things"]), ("accuracy", [])):  # the first was measured
            row = table.loc["mine", key]
            assert row[["value", "low", "high", "chance", "p"]].isna().all()
            assert row[["n", "unit"]].dropna().tolist() == n


def reasons(note, declared=BOTH, **options):
    """The criteria without a value for this reason."""
    return {key for key in BY_KEY if note in why(key, declared, **options)}


@pytest.mark.parametrize("study", STUDIES)
def test_a_study_that_was_not_run_or_chosen(study):
    expected = {criterion.criterion for criterion in CRITERIA if criterion.study == study}
    assert reasons(f"the study {study} ", studies=[name for name in ALL if name != study]) == expected
    chosen = reasons(f"not among {study}.", chosen=CHOSEN | {study: ["weat"]})
    assert chosen == expected | ({"seeds"} if study == "silhouette" else set())


def test_other_reasons():
    for level, declared in (("word", Metric("s", "s", set=SIGNED)), ("set", Metric("s", "s", word=SIGNED))):
        needed = {criterion.criterion for criterion in CRITERIA if criterion.needs.replace("sign", "word") == level}
        assert reasons("single words" if level == "word" else "sets of targets", declared) == needed
    of_associations = Metric("s", "s", takes="associations", word=SIGNED, set=LEVEL)
    elsewhere = {criterion.criterion for criterion in CRITERIA if criterion.study not in ("first_order", "reliability")}
    assert reasons("explicit values", of_associations) == elsewhere
    assert reasons("one seed", studies=STUDIES) == {"seeds"}
    assert reasons("two groups") == {"groups_ethnicity", "groups_religion"}
    assert reasons("two groups", Metric("s", "s", groups=(2, None), word=SIGNED)) == set()


def test_values_without_a_sign_do_not_change_it():
    metrics = {
        "unsigned": Metric("s", "s", word=LEVEL, set=LEVEL),
        "signed": BOTH,
        "depends": Metric("s", "s", word=Level(0, 1, 0, lambda n: n == 2)),
    }
    table = filled(*(cell(name, "sign_flip_rate", 0.0, "gender") for name in metrics), metrics=metrics)
    assert np.isnan(table["value"]["unsigned", "sign_flip_rate"])
    for name in ("signed", "depends"):
        assert table.loc[name, "sign_flip_rate"][["value", "note"]].tolist() == [0.0, "gender"]
    assert reasons("no sign", metrics["unsigned"]) == {"sign_flip_rate", "signed"}
    table = filled(cell("unsigned", "unsigned"), metrics=metrics)
    assert table["value"]["unsigned", "unsigned"] == 0.5


@pytest.mark.parametrize(("cells_given", "message"), [
    ([cell("mine", "power"), cell("mine", "power")], "two values for metric mine and criterion power"),
    ([cell("yours", "accuracy")], "unknown metric 'yours'.* mine$"),
    ([cell("mine", "beauty")], "unknown criterion 'beauty'.* accuracy, relative_accuracy, auc"),
])  # fmt: skip
def test_a_wrong_cell_is_refused(cells_given, message):
    with pytest.raises(ValueError, match=message):
        filled(*cells_given)


VALUES = {
    "a": {"accuracy": 0.9},
    "b": {"accuracy": 0.8, "false_positive_rate": 0.2, "labor": -0.5},
    "c": {"words_needed": NAN},
    "d": {"false_positive_rate": 0.1},
}


def test_assessed_criteria_have_values_and_metrics_with_most_values_come_first():
    table = board(VALUES)
    assert boards.assessed_criteria(table) == ["accuracy", "false_positive_rate", "labor"]
    assert boards.assessed_metrics(table) == ["b", "a", "d"]
    empty = board({"c": VALUES["c"]})
    assert boards.assessed_criteria(empty) == boards.assessed_metrics(empty) == []


def test_oriented_values_are_negated_where_lower_is_better():
    values = VALUES | {"c": {"words_needed": 3.0}}
    oriented = boards.orient_values(board(values), ["false_positive_rate", "labor", "words_needed"])
    assert list(oriented.index) == list("abcd")
    expected = [[NAN, NAN, NAN], [-0.15, -0.5, NAN], [NAN, NAN, -3], [-0.05, NAN, NAN]]
    np.testing.assert_allclose(oriented.to_numpy(), expected)


def intervals(**metrics):
    """A board of intervals (low, high) by metric: of AUC, words needed and labor statistics, in this order."""
    keys, table = ["auc", "words_needed", "labor"], []
    for name, spans in metrics.items():
        for key, span in zip(keys, spans, strict=False):
            low, high = span if span else (NAN, NAN)
            value = np.mean(span) if span else NAN
            table.append({"metric": name, "criterion": key, "value": value, "low": low, "high": high})
    return pd.DataFrame(table, columns=boards.COLUMNS)


def dominating(table, criteria):
    found = boards.dominates(table, criteria)
    return [(above, below) for above in found.index for below in found.columns if found.loc[above, below]]


@pytest.mark.parametrize(
    ("metrics", "expected"),
    [
        ({"a": [(0.8, 0.9)], "b": [(0.5, 0.7)]}, [("a", "b")]),
        ({"a": [(0.8, 0.9)], "b": [(0.5, 0.8)]}, []),  # they touch: within noise
        ({"a": [(0.8, 0.9), (4, 9)], "b": [(0.5, 0.7), (8, 20)]}, [("a", "b")]),
        ({"a": [(0.8, 0.9), (9, 10)], "b": [(0.5, 0.7), (1, 8)]}, []),  # fewer words are better
        ({"a": [(0.8, 0.9), None], "b": [(0.5, 0.7), (1, 8)]}, []),  # what the first lacks, the second has
        ({"a": [(0.8, 0.9), (1, 2)], "b": [(0.8, 0.9), None]}, []),  # having more values is not being better
        ({"a": [None, (1, 2)], "b": [(0.8, 0.9), None]}, []),
    ],
)  # fmt: skip
def test_dominance_by_hand(metrics, expected):
    assert dominating(intervals(**metrics), ["auc", "words_needed"]) == expected


def test_values_without_an_interval_do_not_differ_and_verdicts_do():
    table = board({"a": {"auc": 0.9, "comparable": 1.0}, "b": {"auc": 0.1, "comparable": 1.0}})
    assert dominating(table, ["auc", "comparable"]) == []
    table = board({"a": {"auc": 0.9, "comparable": 1.0}, "b": {"auc": 0.1, "comparable": 0.5}})
    assert dominating(table, ["auc", "comparable"]) == [("a", "b")]


def test_false_positive_rates_are_compared_by_their_distance_from_the_level():
    rates = {"nominal": (0.03, 0.09), "conservative": (0.0, 0.02), "liberal": (0.2, 0.4)}
    table = board({name: {"false_positive_rate": sum(ends) / 2} for name, ends in rates.items()})
    table[["low", "high"]] = list(rates.values())
    low, high = boards.orient_intervals(table, ["false_positive_rate"])
    np.testing.assert_allclose(low.squeeze(), [-0.04, -0.05, -0.35])
    np.testing.assert_allclose(high.squeeze(), [0.0, -0.03, -0.15])
    assert dominating(table, ["false_positive_rate"]) == [("nominal", "liberal"), ("conservative", "liberal")]
    np.testing.assert_allclose(boards.orient_values(table, ["false_positive_rate"]).squeeze(), [-0.01, -0.04, -0.25])


def supported(criterion, value=0.6, **cell):
    table = board({"a": {criterion: value}}, **{criterion: cell})
    return bool(boards.find_supported(table).iloc[0])


@pytest.mark.parametrize(("criterion", "cell", "expected"), [
    ("ranking", {"p": 0.04, "chance": 0.5}, True),
    ("ranking", {"p": 0.05, "chance": 0.5}, False),
    ("ranking", {"p": 0.001, "chance": 0.7}, False),  # significantly worse than chance
    ("ranking", {"chance": 0.5}, False),  # no p: not tested
    ("auc", {"low": 0.51, "chance": 0.5}, True),
    ("auc", {"low": 0.5, "chance": 0.5}, False),
    ("auc", {"chance": 0.5}, False),  # no interval
    ("power", {"low": 0.3, "chance": 0.31}, False),  # finds no more than in unbiased text
    ("false_positive_rate", {"low": 0.05, "chance": 0.05}, True),
    ("false_positive_rate", {"low": 0.051, "chance": 0.05}, False),
    ("comparable", {"value": 0.0}, False), ("comparable", {"value": 0.5}, True), ("robustness", {}, True),
    ("robustness", {"value": NAN}, False), ("ranking", {"value": NAN, "p": 0.01, "chance": 0.0}, False),
])  # fmt: skip
def test_what_supports_a_recommendation(criterion, cell, expected):
    assert supported(criterion, cell.pop("value", 0.6), **cell) == expected


RANKED = {"a": (0.9, 0.001), "b": (0.8, 0.001), "c": (0.6, 0.001), "d": (0.95, 0.2)}


def ranked(cells=RANKED, half=0.06):
    table = board({name: {"ranking": value} for name, (value, _) in cells.items()}, ranking={"chance": 0.5})
    table["p"] = [p for _, p in cells.values()]
    return table.assign(low=table["value"] - half, high=table["value"] + half)


@pytest.mark.parametrize(("half", "expected"), [(0.04, ["a"]), (0.06, ["a", "b"]), (0.3, ["a", "b", "c"])])
def test_a_recommendation_names_all_metrics_that_cannot_be_told_from_the_best(half, expected):
    use = Use("mine", "Which?", ("ranking",))
    assert boards.recommend_metrics(ranked(half=half), use) == expected


def test_a_recommended_metric_is_supported_by_every_criterion():
    table = pd.concat([ranked(), board({"a": {"power": 0.9}, "b": {"power": 0.9}, "c": {}},
                                       power={"low": 0.8, "high": 1.0, "chance": 0.1})])  # fmt: skip
    assert boards.recommend_metrics(table, Use("mine", "Which?", ("ranking", "power"))) == ["a", "b"]
    assert boards.recommend_metrics(table, Use("mine", "Which?", ("power", "ranking"))) == ["a", "b"]
    none = ranked({name: (value, 0.3) for name, (value, _) in RANKED.items()})
    assert boards.recommend_metrics(none, Use("mine", "Which?", ("ranking",))) == []
    ties = board({name: {"comparable": 1.0} for name in "ab"} | {"c": {"comparable": 0.5}})
    assert boards.recommend_metrics(ties, Use("mine", "Which?", ("comparable",))) == ["a", "b"]


KINDS, SAMPLES, METRICS = 3, 100, 14


def noise(random):
    """A board in which no metric knows anything: cells by the studies' own rules, on metrics that are related.

    The biased model is like the unbiased one, so a metric is farther from b_0 on either with equal chance, and the
    rates of its test vary between models around 5 %. p is of tests of models, corrected over metrics.
    """
    rows = []
    shared = random.normal(size=(len(BY_KEY), 9))  # of all metrics, on 9 models
    for place, key in enumerate(BY_KEY):
        scores = 0.7 * shared[place] + 0.7 * random.normal(size=(METRICS, 9))
        p = correct_holm(ttest_1samp(scores, 0, axis=1, alternative="greater").pvalue)
        for metric in range(METRICS):
            low, high, value, chance = NAN, NAN, scores[metric].mean(), 0.0
            if BY_KEY[key].support == "interval" and key != "auc":
                hits = random.binomial(SAMPLES, random.beta(0.2, 3.8, KINDS)), random.binomial(
                    SAMPLES, random.beta(0.2, 3.8, KINDS))  # fmt: skip
                worst = int(hits[1].argmin())
                value, (low, high) = hits[1][worst] / SAMPLES, wilson_interval(hits[1][worst], SAMPLES)
                chance = wilson_interval(hits[0][worst], SAMPLES)[1]
            elif key == "auc":
                low, high = np.sort(random.random(KINDS))[[0, -1]]
                value, chance = (low + high) / 2, 0.5
            elif BY_KEY[key].support == "level":
                hits = random.binomial(SAMPLES, random.beta(0.2, 3.8, KINDS)).max()
                value, (low, high), chance = hits / SAMPLES, wilson_interval(hits, SAMPLES), 0.05
            rows.append([f"m{metric}", key, value, low, high, chance, p[metric], 9, "models", "", ""])
    return pd.DataFrame(rows, columns=boards.COLUMNS)


def test_boards_of_noise_answer_no_use():
    """At most 5 % of the boards, for each use that is answered by a test; with Wilson's interval."""
    random, uses, n = np.random.default_rng(11), read_uses(), 60
    answered = dict.fromkeys([use.use for use in uses], 0)
    for _ in range(n):
        table = noise(random)
        for use in uses:
            answered[use.use] += bool(boards.recommend_metrics(table, use))
    tested = [use.use for use in uses if {"p", "interval"} & {BY_KEY[key].support for key in use.criteria}]
    assert {use: n_answered for use, n_answered in answered.items() if use in tested
            and wilson_interval(n_answered, n)[0] > 0.05} == {}  # fmt: skip
    assert set(answered) - set(tested) == {"magnitude"}  # answered by properties, which are proved or refuted


def test_a_winner_among_noise_is_found():
    table = noise(np.random.default_rng(5))
    place = table["metric"] == "m3"
    table.loc[place, ["value", "low", "high", "chance", "p"]] = [0.9, 0.85, 0.95, 0.5, 0.001]
    table.loc[place & table["criterion"].str.startswith("false"), ["value", "low", "high", "chance"]] = [
        0.05, 0.02, 0.1, 0.05
    ]  # fmt: skip
    assert all("m3" in boards.recommend_metrics(table, use) for use in read_uses())


def test_the_shipped_board_reads():
    table = boards.read_board(str(resources.shipped_path("board") / "board.csv"))
    assert set(table["criterion"]) == set(BY_KEY)
    for use in read_uses():
        recommended = boards.recommend_metrics(table, use)
        cells_of_use = table[table["metric"].isin(recommended) & table["criterion"].isin(use.criteria)]
        assert boards.find_supported(cells_of_use).all()


def test_the_shipped_criteria_and_uses_are_complete():
    for criterion in CRITERIA:
        assert criterion.better in (HIGHER, LOWER, NOMINAL, YES)
        assert criterion.support in ("p", "interval", "level", "verdict", "")
        assert criterion.needs in ("", "sign", *FUNCTIONS)
        assert all([criterion.title, criterion.question, criterion.study, criterion.form, criterion.interval])
        assert not criterion.min_value >= criterion.max_value
    assert len({criterion.title for criterion in CRITERIA}) == len(BY_KEY) == 34
    for use in read_uses():
        assert use.criteria
        assert set(use.criteria) <= set(BY_KEY)
