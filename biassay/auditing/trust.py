"""How far the board trusts each metric of an audit, with the reasons in words."""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.words import files, resources

COLUMNS = ["metric", "criterion", "value", "low", "high", "n", "unit", "page", "note"]
TRUSTED, CARE, NOT, UNJUDGED = "trusted", "with care", "not trusted", "not judged"
# A metric beyond the first limit is not trusted; beyond the second it is used with care. The first limit of false
# positives is high because an audit also compares every finding with random words.
LIMITS = {
    "false_positive_rate": ("above", 0.9, 0.075),
    "auc": ("below", 0.75, 0.9),
    "power": ("below", -1.0, 0.5),
    "trustworthy": ("below", -1.0, 0.5),
}
REQUIRED = ("false_positive_rate", "auc")  # without these a metric is not judged
SENTENCES = {
    "false_positive_rate": "its test finds bias in {percent} of samples of text without bias",
    "power": "its test finds planted bias in {percent} of samples",
    "auc": "its value is farther from no bias on biased than on unbiased text in {percent} of comparisons",
}
VERDICTS = {
    "trustworthy": {0.0: "it can report no bias where there is some, or bias where there is none"},
    "comparable": {0.0: "its largest possible value depends on the groups' words, so values of different lists cannot "
                        "be compared"},
}  # fmt: skip


def board_path() -> Path:
    """Return the path of biassay's board."""
    return resources.shipped_path("board") / "board.csv"


def read_board(file: str | Path | bool | None = None) -> pd.DataFrame | None:
    """Read the board: one row per metric and criterion.

    Parameters
    ----------
    file : path of another board than biassay's; False for none.

    Returns
    -------
    None for False, and if biassay comes without its board.

    Raises
    ------
    ValueError
        Names file and line if a board is missing, empty or malformed.
    """
    if file is False or (file is None and not board_path().is_file()):
        return None
    file = board_path() if file is None else file
    if not isinstance(file, str | Path) or not Path(file).is_file():
        raise ValueError(f"board: expected the path of a board.csv, or False for no board, got {str(file)!r:.200}")
    table = files.read_table(file, COLUMNS)[COLUMNS]
    for column in ("value", "low", "high", "n"):
        numbers = pd.to_numeric(table[column].replace("", None), errors="coerce")
        _check_rows(file, table[column], (table[column] != "") & ~np.isfinite(numbers), f"{column}: expected a number")
        table[column] = numbers
    is_outside = table["criterion"].isin([*LIMITS, *VERDICTS]) & ((table["value"] < 0) | (table["value"] > 1))
    _check_rows(file, table["value"], is_outside, "value: expected a number from 0 to 1")
    pairs = table["metric"] + ", " + table["criterion"]
    _check_rows(file, pairs, pairs.duplicated(), "expected one row per metric and criterion")
    return table


def _check_rows(file: str | Path, cells: pd.Series, is_wrong: pd.Series, expected: str) -> None:
    """Raise ValueError, with the file, the line and the cell, if a row is wrong."""
    for line, cell in cells[is_wrong].items():
        raise ValueError(f"{file}, line {line}: {expected}, got {cell!r:.80}")


def verdicts(metrics: list[str], table: pd.DataFrame | None) -> pd.DataFrame:
    """Return one row per metric: the verdict (TRUSTED, CARE, NOT or UNJUDGED), and the reasons in words.

    LIMITS decide between the first three; a metric without a value for each criterion of REQUIRED is not judged.
    """
    rows = []
    for metric in metrics:
        values = {} if table is None else _values(table, metric)
        verdict, decisive = _verdict(values)
        reasons = [text for name in dict.fromkeys([*decisive, *values]) if (text := _sentence(name, values))]
        if table is None:
            reasons = ["there is no board, so no metric is judged"]
        elif not reasons:
            reasons = ["the board has no value for this use of the metric"]
        rows.append({"metric": metric, "verdict": verdict, "reasons": "; ".join(reasons[:3])})
    return pd.DataFrame(rows, columns=["metric", "verdict", "reasons"])


def _values(table: pd.DataFrame, metric: str) -> dict[str, pd.Series]:
    chosen = table[(table["metric"] == metric) & table["value"].notna()]
    return {row["criterion"]: row for _, row in chosen.iterrows()}


def _verdict(values: dict[str, pd.Series]) -> tuple[str, list[str]]:
    """Return the verdict, and the criteria that decide it."""
    if any(name not in values for name in REQUIRED):
        return UNJUDGED, []
    beyond: dict[str, list[str]] = {NOT: [], CARE: []}
    for name, (side, not_trusted, care) in LIMITS.items():
        if name in values:
            value, sign = values[name]["value"], 1 if side == "above" else -1
            if sign * value > sign * not_trusted:
                beyond[NOT].append(name)
            elif sign * value > sign * care:
                beyond[CARE].append(name)
    for verdict in (NOT, CARE):
        if beyond[verdict]:
            return verdict, beyond[verdict]
    return TRUSTED, list(REQUIRED)


def _sentence(criterion: str, values: dict[str, pd.Series]) -> str:
    row = values[criterion]
    if criterion in SENTENCES:
        count = f" ({row['n']:,.0f} {row['unit']})" if pd.notna(row["n"]) and row["unit"] else ""
        return SENTENCES[criterion].format(percent=f"{100 * row['value']:.0f} %") + count
    return VERDICTS.get(criterion, {}).get(float(row["value"]), "")
