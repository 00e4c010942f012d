"""The board's trust in each metric: its verdict, and the reasons in words."""

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.auditing.result import TABLES
from biassay.studies.board import board as boards
from biassay.words import resources

VERDICTS = TRUSTED, CARE, NOT, UNJUDGED = "trusted", "with care", "not trusted", "not judged"
LEVEL = 0.05  # of the tests
# A metric beyond the first limit is not trusted; beyond the second it is used with care. The first limit of false
# positives is high because an audit also compares every finding with random words. Rates are those of tests that
# reassign the words of the groups, as an audit does by default, for the worst kind of bias. A false-positive rate is
# above the second limit with its whole interval; an AUC is judged by the smallest of its cases. That a test is
# conservative is no reason against it; that it lacks power is.
LIMITS = {
    "false_positive_rate": ("above", 0.9, LEVEL),
    "auc": ("below", 0.75, 0.9),
    "power": ("below", -1.0, 0.5),
    "trustworthy": ("below", -1.0, 0.5),
}
REQUIRED = ("false_positive_rate", "auc")  # without these a metric is not judged, unless it is not trusted anyway
SENTENCES = {
    "false_positive_rate": "its test with permuted groups finds bias in {:.0f} % of samples of text without bias, "
    "for the worst kind of bias",
    "power": "its test with permuted groups finds planted bias in {:.0f} % of samples, for the worst kind of bias",
    "auc": "its value is farther from no bias on biased than on unbiased text in {:.0f} % of comparisons",
}
NO = {  # sentences for the verdict no
    "trustworthy": "it can report no bias where there is some, or bias where there is none",
    "comparable": "its largest possible value depends on the groups' words, so values of different lists cannot "
    "be compared",
}
MAX_REASONS = 3
ROUNDING = 1e-9  # of floating point, in percent


def board_path() -> Path:
    """Return the path of biassay's board."""
    return resources.shipped_path("board") / "board.csv"


def read_board(file: str | Path | bool | None = None) -> pd.DataFrame | None:
    """Read biassay's board or another one: one row per metric and criterion; None for False."""
    if file is False:
        return None
    file = board_path() if file is None else file
    if not isinstance(file, str | Path) or not Path(file).is_file():
        raise ValueError(f"board: expected the path of a board.csv, or False for no board, got {str(file)!r:.200}")
    return boards.read_board(str(file))


def judge_metrics(metrics: Iterable[str], board: pd.DataFrame | None) -> pd.DataFrame:
    """Return one row per metric: the verdict, the reasons in words, and the false-positive rate of its test.

    LIMITS decide between TRUSTED, CARE and NOT; a metric without a value for each criterion of REQUIRED is UNJUDGED,
    unless another value is beyond the first limit.
    """
    rows = []
    for metric in metrics:
        cells = {}
        if board is not None:
            valued = board[(board["metric"] == metric) & board["value"].notna()]
            cells = {cell.criterion: cell for cell in valued.itertuples()}
        verdict, decisive = _judge(cells)
        reasons = [_explain(criterion, cells[criterion]) for criterion in dict.fromkeys([*decisive, *cells])]
        reasons = list(filter(None, reasons)) or ["the board has no value for this use of the metric"]
        if board is None:
            reasons = ["there is no board, so no metric is judged"]
        rate = cells["false_positive_rate"].value if "false_positive_rate" in cells else np.nan
        rows.append([metric, verdict, "; ".join(reasons[:MAX_REASONS]), rate])
    return pd.DataFrame(rows, columns=TABLES["trust"])


def _judge(cells: dict[str, tuple]) -> tuple[str, list[str]]:
    """Return the verdict, and the criteria that decide it."""
    beyond: dict[str, list[str]] = {NOT: [], CARE: []}
    for criterion, (side, *limits) in LIMITS.items():
        sign = 1 if side == "above" else -1
        for verdict, limit in zip(beyond, limits, strict=True):
            if criterion in cells and sign * _judged_value(criterion, cells[criterion], limit) > sign * limit:
                beyond[verdict].append(criterion)
                break
    if not beyond[NOT] and any(criterion not in cells for criterion in REQUIRED):
        return UNJUDGED, []
    return next(((verdict, criteria) for verdict, criteria in beyond.items() if criteria), (TRUSTED, list(REQUIRED)))


def _judged_value(criterion: str, cell: tuple, limit: float) -> float:
    """Return the number that is compared with a limit: low of an AUC, and of a rate compared with the level."""
    is_low = criterion == "auc" or (criterion == "false_positive_rate" and limit == LEVEL)
    return cell.low if is_low and cell.low == cell.low else cell.value


def _explain(criterion: str, cell: tuple) -> str:
    if criterion not in SENTENCES:
        return NO.get(criterion, "") if cell.value == 0 else ""
    count = f"{cell.n:,.0f} {cell.unit}" if cell.n == cell.n and isinstance(cell.unit, str) else ""
    detail = cell.note if isinstance(cell.note, str) and criterion != "auc" else ""
    if criterion == "auc" and cell.low == cell.low:
        detail = f"{np.floor(100 * cell.low + ROUNDING):.0f} % or more for each bias and list"
    facts = "; ".join(filter(None, [detail, count]))
    return SENTENCES[criterion].format(100 * cell.value) + (f" ({facts})" if facts else "")
