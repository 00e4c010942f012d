"""The cells of the board, from the tables of the studies: one function per study."""

from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

import numpy as np
import pandas as pd
import scipy

from biassay.report.formatting import format_decimal
from biassay.statistics.paired_tests import correct_holm
from biassay.studies.board.criteria import LEVEL

DOWNSTREAM, PLANTED = "downstream", "planted"
PLANTED_TEXT = "planted in generated text"
PROPERTIES = {
    "comparable": "comparable",
    "trustworthy": "trustworthy",
    "skew": "skew_sensitive",
    "stereotype": "stereotype_sensitive",
}
VERDICTS = {"yes": 1.0, "conditional": 0.5, "no": 0.0}
STATISTICS = {"labor": "labor", "census": "census", "planted": "planted_words"}
FORMS = {"groups": "", "targets": "_targets"}  # of a test, by which words it reassigns, and the ending of its criteria
SHARED = "gender"  # the attribute that metrics of two groups measure too
DECLARED, SET = "declared", "biographies"  # the form and the texts of the rankings
UNBOUNDED, MODELS = "the metric has no range", "language models"
ALONG = ["difference", "half of the words"]  # forms of dose along the groups' difference that move the lists apart
WORDS, TESTS = "shuffles", "samples of words"
Tables = Mapping[str, pd.DataFrame]


class Cell(NamedTuple):
    """A value of a metric by a criterion: interval, n and its unit, note, value by chance, and p against chance.

    p is corrected over the metrics of the criterion (Holm).
    """

    metric: str
    criterion: str
    value: float = np.nan
    low: float = np.nan
    high: float = np.nan
    n: int = 0
    unit: str = ""
    note: str = ""
    chance: float = np.nan
    p: float = np.nan


def make_cells(study: str, tables: Tables) -> pd.DataFrame:
    """Return the cells of a study; `tables` by path below results/<study>/ without .csv."""
    return pd.DataFrame(SOURCES[study](tables), columns=list(Cell._fields))


def first_order(tables: Tables) -> Iterator[Cell]:
    """Yield correlations with occupation statistics on the first corpus, over embeddings; p is the largest of them."""
    table = tables["correlations"]
    corpus = table["corpus"].iloc[0]
    table = table[table["corpus"] == corpus]
    is_generated = (table["statistics"] == "planted").any()
    half = table["spearman_p"] / 2  # for a positive correlation; of 1 − p, tiny p would be 0
    table = table.assign(p=half.where(table["spearman"] > 0, 1 - half))
    for statistics, rows in table[table["statistics"].isin(STATISTICS)].groupby("statistics", sort=False):
        p = _correct(rows.groupby("method", sort=False)["p"].max())
        for metric, part in rows.groupby("method", sort=False):
            n_embeddings = _count(pd.Series(part["embedding"].unique()), "embedding")
            note = f"{_count(part['spearman'], 'space')} of {n_embeddings} of the corpus {corpus}"
            note += f"; {PLANTED_TEXT}" if is_generated and statistics != "planted" else ""
            n = int(part["n"].fillna(0).max())
            cases = _cases(part["spearman"])
            yield Cell(metric, STATISTICS[statistics], *cases, n, "occupations", note, 0.0, p[metric])


def silhouette(tables: Tables) -> Iterator[Cell]:
    """Yield scores over biases and lists, and error rates of a metric's tests on part of the words."""
    columns = {"accuracy": "accuracy", "relative_accuracy": "relative_accuracy", "auc": "auc",
               "robustness_biased": "robustness", "words_needed_biased": "words_needed"}  # fmt: skip
    for metric, part in tables["scores"].groupby("metric", sort=False):
        for column, criterion in columns.items():
            if criterion in ("accuracy", "robustness") and part["relative"].astype(bool).all():
                yield Cell(metric, criterion, note=UNBOUNDED)
                continue
            if criterion == "words_needed" and (never := part[column].isna().sum()):
                yield Cell(metric, criterion, note=f"no number of words is enough in {never} of {len(part)} cases")
                continue
            note = _count(part[column], "case") + ": biases and lists"
            chance, n = (0.5 if criterion == "auc" else np.nan), int(part["n_shuffles"].max())
            yield Cell(metric, criterion, *_cases(part[column]), n, WORDS, note, chance)
    tests = tables["false_positives"]
    tests = tests[(tests["bias"] != "all") & (tests["share"] < 1)]
    for form, ending in FORMS.items():
        of_form = tests[tests["form"] == form]
        kinds = of_form["bias"].unique()
        for metric, part in of_form.groupby("metric", sort=False):
            yield from _error_rates(metric, ending, part.set_index("bias").reindex(kinds))


def _error_rates(metric: str, ending: str, kinds: pd.DataFrame) -> Iterator[Cell]:
    """Yield the false-positive rate and the power of a test for its worst kind of bias (the index of `kinds`).

    Of kinds with the same power, the one with the most false positives is the worst.
    """
    rates = kinds["false_positive_rate"]
    worst = {
        "false_positive_rate": rates.idxmax if rates.max() > LEVEL else rates.idxmin,
        "power": kinds.sort_values("false_positive_rate_high", ascending=False, kind="stable")["power"].idxmin,
    }
    for rate, model in (("false_positive_rate", "unbiased"), ("power", "biased")):
        if kinds[rate].isna().any():
            missing = ", ".join(kinds.index[kinds[rate].isna()])
            yield Cell(metric, rate + ending, note=f"the test has no p-value for some kinds of bias: {missing}")
            continue
        row = kinds.loc[worst[rate]()]
        note = ", ".join(f"{kind} {value:.2f}" for kind, value in kinds[rate].items()) + f"; {row['test']}"
        chance = LEVEL if model == "unbiased" else row["false_positive_rate_high"]
        values = row[[rate, f"{rate}_low", f"{rate}_high"]]
        yield Cell(metric, rate + ending, *values, int(row[f"n_{model}"]), TESTS, note, chance)


def same(tables: Tables) -> Iterator[Cell]:
    """Yield R² of words and sets with the planted bias, retraining variability and subsampling variability."""
    summary, sets, correlations = (tables[f"tables/{name}"] for name in ("summary", "sets", "correlations"))
    correlations = correlations[correlations["learned"]]
    is_tested = (correlations["against"] == "training") & (correlations["metric"] != "unmasking")
    correlations = correlations[is_tested]
    p = _test_correlations(correlations, "ground_truth", "metric")
    for row in summary[(summary["against"] == "training") & (summary["metric"] != "unmasking")].itertuples():
        note = f"upper bound by unmasking: {row.upper_bound:.2f}" if np.isfinite(row.upper_bound) else ""
        key = row.ground_truth, row.metric
        interval = row.low, row.high
        yield Cell(row.metric, key[0], row.r2_mean, *interval, row.models, MODELS, note, 0.0, p.get(key))
    sets = sets[sets["against"] == "absolute"]
    for row in sets.assign(p=_correct(sets["p"])).itertuples():
        note = "Σ|0.5 − p| by unmasking; p is of the means of distributions"
        yield Cell(row.metric, "sets", row.r2, row.low, row.high, row.n, MODELS, note, 0.0, row.p)
    for row in tables["tables/retraining_variability"].itertuples():
        values, note = (row.difference, row.low, row.high), row.note if isinstance(row.note, str) else ""
        yield Cell(row.metric, "retraining_variability", *values, row.models, MODELS, note)
    for row in tables["tables/subsampling_variability"].itertuples():
        values, note = ([np.nan] * 3, UNBOUNDED) if row.relative else ((row.deviation, row.low, row.high), "")
        yield Cell(row.metric, "subsampling_variability", *values, row.models, MODELS, note)


def intrinsic(tables: Tables) -> Iterator[Cell]:
    """Yield correlations of words with planted bias by attribute, sign-flip rates and minimum detectable effects."""
    references = ("data", "unmasking")
    words, correlations = (
        table[(table["first"] == "data") & ~table["second"].isin(references)]
        for table in (tables["tables/words"], tables["tables/correlations"])
    )
    p = _test_correlations(correlations, "attribute", "second")
    for row in words[words["attribute"].isin(["gender", "ethnicity", "religion"])].itertuples():
        note, key = f"{row.n} occupations per model", (row.attribute, row.second)
        values = row.r_mean, row.low, row.high
        yield Cell(row.second, f"groups_{row.attribute}", *values, row.models, MODELS, note, 0.0, p.get(key))
    signs, effects = (
        table[(table["attribute"] == SHARED) & ~table["metric"].isin(references)]
        for table in (tables["tables/retraining_variability"], tables["tables/min_detectable_effect"])
    )
    for row in signs.itertuples():
        rate = row.sign_flip_rate
        yield Cell(row.metric, "sign_flip_rate", rate, n=row.distributions, unit="distributions", note=SHARED)
    for row in effects.itertuples():
        note = SHARED if np.isfinite(row.strength) else "it detects gender bias of no strength"
        note += f"; maximum detection rate {row.max_detection_rate:.2f}"
        yield Cell(row.metric, "min_detectable_effect", row.strength, n=1, unit="attribute", note=note)


def downstream(tables: Tables) -> Iterator[Cell]:
    """Yield pairwise ranking accuracies of the declared form on biographies, with their chance level."""
    table = tables["tables/ranking"]
    is_shown = (table["form"] == DECLARED) & (table["set"] == SET) & (table["attribute"] == SHARED)
    table = table[is_shown & (table["score"] != DOWNSTREAM)]
    for row in table.assign(p=table.groupby("ground_truth")["p"].transform(_correct)).itertuples():
        criterion = "ranking_planted" if row.ground_truth == PLANTED else "ranking"
        accuracy = row.ranking_accuracy
        if not np.isfinite(accuracy):
            yield Cell(row.score, criterion, note=row.reason if isinstance(row.reason, str) else "")
            continue
        notes = [f"{row.version} texts", f"by chance {row.chance:.2f}"]
        if np.isfinite(row.reliability):
            notes.append(f"reliability of the ground truth {row.reliability:.2f}, upper bound {row.upper_bound:.2f}")
        yield Cell(row.score, criterion, accuracy, row.low, row.high, row.n_models, MODELS, "; ".join(notes),
                   row.chance, row.p)  # fmt: skip


def properties(tables: Tables) -> Iterator[Cell]:
    """Yield the verdicts at set level with two groups, by property; the note has verdicts of other forms."""
    table = tables["properties"]
    table = table.assign(value=table["verdict"].map(VERDICTS), n_groups=table["n_groups"].astype(str))
    for (metric, name), part in table.groupby(["metric", "property"], sort=False):
        judged = part[part["value"].notna()]
        is_declared = (judged["level"] == "set") & (judged["n_groups"] == "2")
        others = "; ".join(
            f"{row.level} level, {row.n_groups} groups: {row.verdict}"
            for row in judged[~is_declared].itertuples()
            if not is_declared.any() or row.verdict != judged.loc[is_declared, "verdict"].iloc[0]
        )
        if not is_declared.any():
            yield Cell(metric, PROPERTIES[name], note=others or part["reason"].iloc[0])
            continue
        (row,) = judged[is_declared].itertuples()
        note = "; ".join(filter(None, [row.reason, others]))
        yield Cell(metric, PROPERTIES[name], row.value, n=int(row.n_evaluations), unit="evaluations", note=note)


def reliability(tables: Tables) -> Iterator[Cell]:
    """Yield slopes against frequency in shuffled text and, on the first other corpus, reliability, over embeddings.

    The value by chance of a slope without its sign is that of independent normal scores.
    """
    slopes = tables["frequency"]
    for metric, part in slopes[slopes["is_shuffled"].astype(bool)].groupby("metric", sort=False):
        n, sizes = int(part["n"].max()), part["slope"].abs()
        note = _count(sizes, "embedding") + " of shuffled text"
        yield Cell(metric, "frequency_dependence", *_cases(sizes), n, "words or sets", note, (2 / np.pi / n) ** 0.5)
    table = tables["reliability"]
    for metric, part in table[table["corpus"].isin(table["corpus"].head(1))].groupby("metric", sort=False):
        for column, criterion in {"test_retest": "test_retest", "internal_pairs": "internal_consistency"}.items():
            note = f"{_count(part[column], 'embedding')} of the corpus {part['corpus'].iloc[0]}"
            yield Cell(metric, criterion, *_cases(part[column]), int(part["n"].max()), "words or sets", note, 0.0)


def calibration(tables: Tables) -> Iterator[Cell]:
    """Yield recovery and minimum detectable dose on the first model with its first test, for the worse form in ALONG.

    Doses in other directions hardly change any value, and some metrics measure the difference of the lists of targets
    alone; the note has all forms.
    """
    table = tables["calibration"]
    first = table[["model", "test"]].head(1)
    place = "".join(f"; vectors of the model {row.model}, test {row.test}" for row in first.itertuples())
    for metric, part in table.merge(first).groupby("metric", sort=False):
        part = part.set_index("form")
        yield _worst_recovery(metric, part, place)
        if not part["max_dose"].isna().any():
            yield _worst_dose(metric, part, place)
    for row in tables["skipped"].merge(first).itertuples():
        without = ["recovery"] if row.metric not in set(table["metric"]) else []
        yield from (Cell(row.metric, criterion, note=row.reason) for criterion in (*without, "min_detectable_dose"))


def _worst_recovery(metric: str, forms: pd.DataFrame, place: str) -> Cell:
    """Return the lowest recovery of the forms in ALONG; a value that never varies recovers nothing."""
    recovery = forms["recovery"].fillna(0)
    row = forms.loc[recovery[ALONG].idxmin()]
    note = ", ".join(f"{form} {format_decimal(value)}" for form, value in recovery.items())
    values = row[["recovery", "recovery_low", "recovery_high"]].astype(float).fillna(0)
    return Cell(metric, "recovery", *values, int(row["samples"]), "samples", note + place, 0.0)


def _worst_dose(metric: str, forms: pd.DataFrame, place: str) -> Cell:
    """Return the largest minimum detectable dose of the forms in ALONG; no value if it is above the largest dose."""
    doses, above = forms["min_detectable_dose"], f"above {forms['max_dose'].iloc[0]:g}"
    texts = [f"{form} {f'{dose:.2f}' if np.isfinite(dose) else above}" for form, dose in doses.items()]
    note, is_left_out = ", ".join(texts), doses.isna().any()
    if is_left_out:
        note = "the test is liberal with the association replaced"
    elif forms["is_liberal"].any():
        note += "; the test is liberal on other samples without association"
    row = forms.loc[doses[ALONG].fillna(np.inf).idxmax()]
    values = row[["min_detectable_dose", "dose_low", "dose_high"]].to_numpy(float)
    value, ends = (values[0] if np.isfinite(values[0]) else np.nan), values[1:]
    low, high = ends if np.isfinite(values).all() else (np.nan, np.nan)
    return Cell(metric, "min_detectable_dose", value, low, high, int(row["samples"]), "samples", note + place)


def seeds(tables: Tables) -> Iterator[Cell]:
    """Yield the standard deviation of the silhouette study's accuracy between seeds."""
    table = tables["scores"]
    for metric, part in table[table["quantity"] == "accuracy"].groupby("metric", sort=False):
        n, note = int(part["n_seeds"].max()), _count(part["std"], "case")
        yield Cell(metric, "seeds", *_cases(part["std"]), n, "seeds", note)


SOURCES: dict[str, Callable[[Tables], Iterator[Cell]]] = {
    source.__name__: source
    for source in (first_order, silhouette, same, intrinsic, downstream, properties, reliability, calibration, seeds)
}


def _test_correlations(correlations: pd.DataFrame, topic: str, metric: str) -> pd.Series:
    """Test whether mean r over models is above 0, by a t-test of the means of the distributions of planted bias.

    Returns p, corrected over the metrics of a topic, by topic and metric.
    """
    means = correlations.groupby([topic, metric, "distribution"])["r"].mean().dropna()

    def test(r: pd.Series) -> float:
        return scipy.stats.ttest_1samp(r, 0, alternative="greater").pvalue if len(r) > 1 else np.nan

    p = means.groupby(level=[0, 1]).agg(test)
    return p.groupby(level=0).transform(_correct) if len(p) else p


def _correct(p: pd.Series) -> pd.Series:
    return pd.Series(correct_holm(p.to_numpy(float)), p.index)


def _cases(values: pd.Series) -> tuple[float, float, float]:
    """Return mean, minimum and maximum of the cases with a value."""
    return values.mean(), values.min(), values.max()


def _count(values: pd.Series, noun: str) -> str:
    n = int(values.notna().sum())
    missing = f" ({len(values) - n} without a value)" if n < len(values) else ""
    return f"{n} {noun}{'s' * (n != 1)}{missing}"
