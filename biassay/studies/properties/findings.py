"""What the verdicts say, in sentences: which metrics have which property, and what each figure shows."""

from collections.abc import Iterator

import pandas as pd

from biassay.figures.findings import Finding
from biassay.figures.formatting import join_names, metric_label
from biassay.studies.properties.verdicts import CONDITIONAL, NO, NOT_APPLICABLE, PROPERTIES, YES

MEANINGS = {
    "comparable": "Comparable (the same extremes whatever words the groups have)",
    "trustworthy": "Trustworthy (“no bias” if, and only if, no word leans to a group)",
    "skew": "Sensitive to skew (never “no bias” where words lean to one group on average)",
    "stereotype": "Sensitive to stereotypes (never “no bias” where words lean to different groups)",
}
SHOWN = {
    "comparable": "extremes depend on the words of the groups",
    "trustworthy": "“no bias” of words that lean to a group",
    "skew": "“no bias” of words that lean to one group on average",
    "stereotype": "“no bias” of words that lean to different groups",
}
FALSE_ALARM = "words that lean to a group, or words that do not, misjudged"
ADJECTIVES = {"skew": "sensitive to skew", "stereotype": "sensitive to stereotypes"}
MISSED = "b = b_0"  # how the reason of a verdict begins where bias was missed
TEST = "search for counterexamples; that none was found is no proof"


def findings(table: pd.DataFrame) -> list[Finding]:
    """Verdicts and titles of figures, of a table of verdicts as properties.csv."""
    judged = table[table["verdict"] != NOT_APPLICABLE]
    if not len(judged):
        return [Finding("", "The properties apply to none of the metrics.", n=metrics(table))]
    verdicts = [_all_properties(judged), *(_property(judged, name) for name in PROPERTIES), *_more_groups(judged)]
    verdicts += [*_published(judged), *_not_applicable(table)]
    titles = [verdicts[0]._replace(result="figures/properties")]
    titles += [counterexamples(judged, name) for name in PROPERTIES]
    return [*(verdict for verdict in verdicts if verdict.sentence), *titles]


def counterexamples(judged: pd.DataFrame, name: str) -> Finding:
    """The title of the figure of counterexamples to one property, of two groups."""
    rows = judged[(judged["n_groups"] == 2) & (judged["property"] == name)]
    result, n = f"figures/counterexamples/{name}", metrics(rows)
    against = rows[rows["verdict"].isin([NO, CONDITIONAL])]
    if not len(against):
        return Finding(result, f"No counterexample to the property “{name}” was found", TEST, n)
    missed = against["reason"].astype(str).str.startswith((MISSED, "missed"))
    shown = FALSE_ALARM if name == "trustworthy" and not missed.all() else SHOWN[name]
    said = f"Not always {ADJECTIVES.get(name, name)} ({shown}): {_names(against)}"
    return Finding(result, said, TEST, n)


def metrics(rows: pd.DataFrame) -> str:
    """How many metrics rows are of."""
    number = rows["metric"].nunique()
    return f"{number} metric{'' if number == 1 else 's'}"


def _all_properties(judged: pd.DataFrame) -> Finding:
    """Which metrics have no counterexample to any property, with two groups and sets of words."""
    rows = judged[(judged["n_groups"] == 2) & (judged["level"] == "set")]
    if not len(rows):
        return Finding("", "No metric of sets of words was judged.", TEST, metrics(judged))
    kept = (rows["verdict"] == YES).groupby(rows["metric"], sort=False).all()
    names = [metric_label(name) for name in kept.index[kept]]
    who = f"only {names[0]} comes" if len(names) == 1 else f"{join_names(names)} come" if names else "none comes"
    what = "with scores that compare between word lists and say “no bias” only where there is none"
    said = f"Of {metrics(rows)} {who} through the search for counterexamples {what}"
    return Finding("", f"{said} (sets of words, two groups).", TEST, metrics(rows))


def _property(judged: pd.DataFrame, name: str) -> Finding:
    """Which metrics have a property, of sets of words and of single words, with two groups."""
    rows = judged[(judged["n_groups"] == 2) & (judged["property"] == name)]
    parts = []
    for level, words in (("set", "of sets of words"), ("word", "of single words")):
        of_level = rows[rows["level"] == level]
        if len(of_level):
            parts.append(f"{_names(of_level[of_level['verdict'] == YES]) or 'none'} {words}")
    halves = rows[(rows["level"] == "set") & (rows["verdict"] == CONDITIONAL)]
    rest = f"; {_names(halves)} if the words are told by stereotype" if len(halves) else ""
    return Finding("", f"{MEANINGS[name]}: {', '.join(parts)}{rest}." if parts else "", TEST, metrics(rows))


def _more_groups(judged: pd.DataFrame) -> Iterator[Finding]:
    """What metrics lose with three groups."""
    rows = judged[judged["level"] == "set"].pivot_table(
        "verdict", ["metric", "property"], "n_groups", "first", sort=False
    )
    if not {2, 3} <= set(rows):
        return
    rows = rows.dropna(subset=[2, 3])
    lost = rows[(rows[2] != NO) & (rows[3] == NO)].reset_index()
    number = rows.index.get_level_values("metric").nunique()
    parts = [f"{metric_label(name)} ({join_names(of['property'])})" for name, of in lost.groupby("metric", sort=False)]
    said = f"{join_names(parts)} lose{'s' if len(parts) == 1 else ''} a property" if parts else "no property is lost"
    yield Finding("", f"With three groups {said}.", TEST, f"{number} metrics")


def _published(judged: pd.DataFrame) -> Iterator[Finding]:
    """How many printed verdicts come out, and which do not."""
    known = judged[judged["published"].notna()]
    if not len(known):
        return
    others = known[known["published"] != known["verdict"]]
    parts = [f"{metric_label(row.metric)}, {row.property} ({row.verdict}, printed {row.published})" for row in
             others.itertuples()]  # fmt: skip
    rest = f"; not {join_names(parts)}" if parts else ""
    said = f"{len(known) - len(others)} of {len(known)} published verdicts come out{rest}."
    yield Finding("", said, TEST, f"{len(known)} published verdicts")


def _not_applicable(table: pd.DataFrame) -> Iterator[Finding]:
    rows = table[table["verdict"] == NOT_APPLICABLE]
    if len(rows):
        yield Finding("", f"The properties do not apply to {_names(rows)}.", n=metrics(rows))


def _names(rows: pd.DataFrame) -> str:
    found = [metric_label(name) for name in rows["metric"].unique()]
    return join_names(found) if found else ""
