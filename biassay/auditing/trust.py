"""Which metrics the board trusts for the question of an audit, and why, in words."""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.words import files, resources

COLUMNS = ["metric", "criterion", "value", "low", "high", "n", "of", "page", "note"]
TRUSTED, CARE, NOT, UNJUDGED = "trusted", "with care", "not trusted", "not judged"
# What decides: a metric is not trusted beyond the first limit, used with care beyond the second. An audit holds every
# finding against random words, so a test that errs often may be used with care, but not one that always errs.
LIMITS = {
    "false_positive_rate": ("above", 0.9, 0.075),
    "auc": ("below", 0.75, 0.9),
    "power": ("below", -1.0, 0.5),
    "trustworthy": ("below", -1.0, 0.5),
}
NEEDED = ("false_positive_rate", "auc")  # without these a metric is not judged
SENTENCES = {
    "false_positive_rate": "its test finds bias in {percent} of draws of text without bias",
    "power": "its test finds planted bias in {percent} of draws",
    "auc": "it is farther from no bias on the biased text than on the unbiased one in {percent} of comparisons",
}
VERDICTS = {
    "trustworthy": {0.0: "it can say “no bias” where there is some, or bias where there is none"},
    "comparable": {0.0: "how large it can be hangs on the groups' words, so that lists cannot be compared by it"},
}


def path() -> Path:
    """Where the board that comes with biassay lies."""
    return resources.shipped_path("board") / "board.csv"


def board(file: str | Path | bool | None = None) -> pd.DataFrame | None:
    """The board's table, with one row per metric and criterion.

    file: another than the one that comes with biassay; False: none. None where there is none, which only the board that
    comes with biassay may be. Raises ValueError, naming file and line, for a board that is missing, empty or malformed.
    """
    if file is False or (file is None and not path().is_file()):
        return None
    file = path() if file is None else file
    if not isinstance(file, str | Path) or not Path(file).is_file():
        raise ValueError(f"board: expected the path of a board.csv, or False for no board, got {str(file)!r:.200}")
    table = files.read_table(file, COLUMNS)[COLUMNS]
    for column in ("value", "low", "high", "n"):
        numbers = pd.to_numeric(table[column].replace("", None), errors="coerce")
        _check_rows(file, table[column], (table[column] != "") & ~np.isfinite(numbers), f"{column}: expected a number")
        table[column] = numbers
    beyond = table["criterion"].isin([*LIMITS, *VERDICTS]) & ((table["value"] < 0) | (table["value"] > 1))
    _check_rows(file, table["value"], beyond, "value: expected a number from 0 to 1")
    pairs = table["metric"] + ", " + table["criterion"]
    _check_rows(file, pairs, pairs.duplicated(), "expected one row of a metric and criterion")
    return table


def _check_rows(file: str | Path, cells: pd.Series, wrong: pd.Series, expected: str) -> None:
    """Raise ValueError, naming the file, the line and the cell, if a row is wrong."""
    for line, cell in cells[wrong].items():
        raise ValueError(f"{file}, line {line}: {expected}, got {cell!r:.80}")


def judged(metrics: list[str], table: pd.DataFrame | None) -> pd.DataFrame:
    """A row a metric: the verdict, one of TRUSTED, CARE, NOT and UNJUDGED, and the reasons in words.

    Not trusted, with care: beyond the limits of LIMITS; not judged: without a value for each of NEEDED.
    """
    rows = []
    for metric in metrics:
        values = {} if table is None else _values(table, metric)
        verdict, decisive = _verdict(values)
        reasons = [text for name in dict.fromkeys([*decisive, *values]) if (text := _sentence(name, values))]
        if table is None:
            reasons = ["this biassay has no board: none of its metrics is judged"]
        elif not reasons:
            reasons = ["the board has no value of it that speaks of this use"]
        rows.append({"metric": metric, "verdict": verdict, "reasons": "; ".join(reasons[:3])})
    return pd.DataFrame(rows, columns=["metric", "verdict", "reasons"])


def _values(table: pd.DataFrame, metric: str) -> dict[str, pd.Series]:
    chosen = table[(table["metric"] == metric) & table["value"].notna()]
    return {row["criterion"]: row for _, row in chosen.iterrows()}


def _verdict(values: dict[str, pd.Series]) -> tuple[str, list[str]]:
    """The verdict, and the criteria that decided it."""
    if any(name not in values for name in NEEDED):
        return UNJUDGED, []
    beyond: dict[str, list[str]] = {NOT: [], CARE: []}
    for name, (side, worst, care) in LIMITS.items():
        if name in values:
            value, sign = values[name]["value"], 1 if side == "above" else -1
            if sign * value > sign * worst:
                beyond[NOT].append(name)
            elif sign * value > sign * care:
                beyond[CARE].append(name)
    for verdict in (NOT, CARE):
        if beyond[verdict]:
            return verdict, beyond[verdict]
    return TRUSTED, list(NEEDED)


def _sentence(criterion: str, values: dict[str, pd.Series]) -> str:
    row = values[criterion]
    if criterion in SENTENCES:
        of = f" ({row['n']:,.0f} {row['of']})" if pd.notna(row["n"]) and row["of"] else ""
        return SENTENCES[criterion].format(percent=f"{100 * row['value']:.0f} %") + of
    return VERDICTS.get(criterion, {}).get(float(row["value"]), "")
