"""What an audit concludes about a test, and its warnings; templates/conclusions.txt words them."""

from itertools import combinations

import numpy as np
import pandas as pd

from biassay.auditing import grammatical_gender, languages, numbers, questions
from biassay.auditing.findings import (
    ASSOCIATION,
    FOUND,
    INCONCLUSIVE,
    LEVEL,
    NEUTRAL_SENTENCES,
    NONE,
    RANDOM_WORDS,
    REASONS,
    TOO_FEW,
    UNSPECIFIC,
    UNTESTED,
)
from biassay.auditing.questions import BARE, SIDES, Question
from biassay.auditing.sentence_pairs import SentencePairs
from biassay.auditing.source_vectors import SourceVectors, UsedWords
from biassay.auditing.trust import CARE, TRUSTED
from biassay.report.rendering import load_macros

MACROS = load_macros("conclusions.txt", package="biassay.auditing")
MIN_WORDS = 8  # of a list; the smallest of WEAT's lists
MAX_RANK_RATIO = 3.0  # of the median ranks of two lists
MAX_MISSING = 0.2  # share of a list of a shipped test; of a user's own lists, each missing word is named
MAX_NAMED = 6  # words listed in a warning


def summarize(
    question: Question | SentencePairs, n_words: int, n_asked: int, table: pd.DataFrame, trust: pd.DataFrame
) -> dict:
    """Return a row of the summary: numbers of metrics that find an association, and the conclusion.

    n_words of n_asked words have a vector. Only metrics that compare groups with targets and could be tested are
    included. The conclusion counts clusters of those that the board trusts; if there are none, of those to be used with
    care; if there are none either, of all.
    """
    rows = table[(table["test"] == question.name) & (table["sides"] == ASSOCIATION)]
    is_tested = ~rows["finding"].isin(INCONCLUSIVE)
    untested, rows = set(rows.loc[~is_tested, "finding"]), rows[is_tested]
    verdicts = rows["metric"].map(trust.set_index("metric")["verdict"])
    kind = next((kind for kind in (TRUSTED, CARE) if (verdicts == kind).any()), "")
    counted = rows[verdicts == kind] if kind else rows
    found, counted_found = (part[part["finding"] == FOUND] for part in (rows, counted))
    directions = {text for text in counted_found["direction"] if text and not text.startswith("towards ")}
    clusters, is_pairs = list_clusters(counted_found), isinstance(question, SentencePairs)
    direction = directions.pop() if len(directions) == 1 else ""
    finding = FOUND if clusters else NONE if len(rows) else TOO_FEW if TOO_FEW in untested else UNTESTED
    conclusion = word(
        "conclusion", kind=kind, n=counted["cluster"].nunique(), found=clusters, direction=direction,
        finding=finding, n_words=n_words, n_asked=n_asked, unit="pairs" if is_pairs else "words",
        unspecific=list_clusters(counted[counted["finding"] == UNSPECIFIC]),
        random=NEUTRAL_SENTENCES if is_pairs else RANDOM_WORDS,
        others=found.loc[~found["metric"].isin(counted["metric"]), "metric"].tolist(),
        is_compared=bool(len(rows) or untested),
    )  # fmt: skip
    return {
        "source": table["source"].iloc[0], "test": question.name, "title": question.title, "finding": finding,
        "n_words": n_words, "n_asked": n_asked,
        "n_metrics": len(rows), "n_found": len(found), "n_counted": counted["cluster"].nunique(),
        "n_counted_found": len(clusters), "verdict": kind, "found_by": " ".join(counted_found["metric"]),
        "direction": direction, "conclusion": conclusion,
    }  # fmt: skip


def list_clusters(rows: pd.DataFrame) -> list[list[str]]:
    """Return the names of the metrics of each cluster in rows of one test and the same sides."""
    return [metrics.tolist() for _, metrics in rows.groupby("cluster", sort=False)["metric"]]


def warn_of_source(source: SourceVectors, used: list[UsedWords]) -> list[tuple[str, str]]:
    """Return (kind, text) of the warnings about a source as a whole."""
    warnings = [("reading", note) for note in source.notes]
    if source.kind == "model":
        sentences = languages.load(used[0].question.language).sentences
        example = sentences[0].format(next(iter(used[0].groups.values()))[0])
        warnings.append(("sentences", word("model_sentences", n=len(sentences), example=example)))
    else:
        warnings.append(("ranks", word("ranks", has_ranks=source.ranks is not None)))
    n_targets = max(sum(map(len, one.targets.values())) for one in used)
    if len(source.pool) < 2 * n_targets:
        warnings.append(("few random words", word("few_random_words", n=len(source.pool))))
    return warnings


def warn_of_pairs(n_controls: dict[str, int], rows: pd.DataFrame) -> list[tuple[str, str]]:
    """Return (kind, text) of the warnings about pairs of sentences."""
    warnings = [("controls", word("controls", **n_controls))]
    if n_missing := sum(n_controls.values()) - int(rows["n_words"].max()):
        warnings.append(("missing", word("missing_pairs", n=n_missing)))
    return warnings + _warn_of_rows(rows, NEUTRAL_SENTENCES)


def warn_of_test(used: UsedWords, rows: pd.DataFrame) -> list[tuple[str, str]]:
    """Return (kind, text) of the warnings about one test; `rows` are its rows of the table."""
    warnings, sensitive = [], used.question.sensitive
    if control := grammatical_gender.find_control(used.question):
        language = languages.load(used.question.language).name
        warnings.append(("grammatical gender", word("grammatical_gender", control=control, language=language)))
    if short := [one for one in used.lists if len(one.words) < MIN_WORDS]:
        smallest = rows.loc[rows["sides"] == ASSOCIATION, "min_p_value"].min()
        text = word("few_words", lists=short, min_p_value=0.0 if np.isnan(smallest) else smallest, level=LEVEL)
        warnings.append(("few words", text))
    is_shipped = used.question.name.removesuffix(BARE) in questions.shipped_tests(used.question.language)
    for one in used.lists:
        if len(one.missing) > MAX_MISSING * one.n_asked * is_shipped:
            named = [each for each in one.missing if each not in sensitive]
            text = word("missing", list=one, words=named, max_named=MAX_NAMED, paired=used.question.paired)
            warnings.append(("missing", text))
    for first, second in combinations(used.lists, 2):
        if shared := sorted(set(first.words) & set(second.words)):
            named = [each for each in shared if each not in sensitive]
            names = {"first": first.name, "second": second.name}
            warnings.append(("overlap", word("overlap", **names, n=len(shared), words=named, max_named=MAX_NAMED)))
    for side in SIDES:
        lists = [one for one in used.lists if one.side == side]
        ranks = [one.median_rank for one in lists]
        if max(ranks) > MAX_RANK_RATIO * min(ranks):
            warnings.append(("frequency", word("frequency", side=side, lists=lists)))
    return warnings + _warn_of_rows(rows)


def _warn_of_rows(rows: pd.DataFrame, random: str = RANDOM_WORDS) -> list[tuple[str, str]]:
    """Return (kind, text) of the warnings about values of one test."""
    warnings = []
    if len(unspecific := rows[rows["finding"] == UNSPECIFIC]):
        text = word("unspecific", rows=list(unspecific.itertuples()), random=random, numbers=numbers)
        warnings.append(("random words", text))
    varied = rows[(rows["finding"] == FOUND) & (rows["sides"] == ASSOCIATION) & rows["variant_low"].notna()]
    if len(varied):
        crossing = varied[(varied["variant_low"] < varied["b_0"]) & (varied["variant_high"] > varied["b_0"])]
        text = word("variants", rows=list(varied.itertuples()), crossing=crossing["metric"].tolist(), numbers=numbers)
        warnings.append(("variants", text))
    is_untested = rows["finding"].isin([TOO_FEW, UNTESTED]) & (rows["reason"] != REASONS["p"])  # a property of a metric
    for (finding, reason), untested in rows[is_untested].groupby(["finding", "reason"], sort=False):
        text = word("untested", finding=finding, metrics=_name_metrics(untested), reason=reason)
        warnings.append((finding, text))
    if len(weak := rows[np.isinf(rows["min_detectable_effect"].astype(float))]):
        warnings.append(("power", word("power", metrics=_name_metrics(weak))))
    return warnings


def _name_metrics(rows: pd.DataFrame) -> list[str]:
    return list(map(numbers.name, rows["metric"], rows["level"]))


def word(macro: str, **values: object) -> str:
    """Return the sentence of a macro of templates/conclusions.txt."""
    return " ".join(getattr(MACROS, macro)(**values).split())
