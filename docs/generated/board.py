"""Tables of the board with one row per criterion, so that they fit a page, from resources/board/."""

from collections.abc import Callable, Collection

import pandas as pd

from biassay.report.formatting import metric_label
from biassay.studies.board import page
from biassay.studies.board.board import assessed_criteria, assessed_metrics, find_best, orient_intervals
from biassay.studies.board.criteria import BY_KEY, LOWER, NOMINAL
from biassay.words import resources

MIN_CRITERIA = 6  # criteria by which a metric of the tables has values
MARKS = {LOWER: " ↓", NOMINAL: " → 0.05"}


def format_values() -> str:
    """Return the board that comes with biassay; bold: supported and not distinguishable from the best."""
    board = read_table("board")
    return _format(board, lambda cell: page.format_value(cell["criterion"], cell["value"]),
                   lambda criterion: find_best(board, criterion))  # fmt: skip


def format_seeds() -> str:
    """Return means over seeds ± the standard deviation; bold: the range over the seeds reaches that of the best."""
    names = {"mean": "value", "std": "std", "min": "low", "max": "high"}
    seeds = read_table("seeds")[["metric", "criterion", "n_seeds", *names]].rename(columns=names)
    seeds = seeds[seeds["n_seeds"] > 1]

    def find_leading(criterion: str) -> list[str]:
        low, high = (ends[criterion].dropna() for ends in orient_intervals(seeds, [criterion]))
        return high.index[high >= low.max()].tolist()

    return _format(seeds, _mean_and_std, find_leading)


def read_table(name: str) -> pd.DataFrame:
    """Read resources/board/<name>.csv."""
    return pd.read_csv(resources.shipped_path("board") / f"{name}.csv")


def _format(
    table: pd.DataFrame, format_cell: Callable[[pd.Series], str], find_bold: Callable[[str], Collection[str]]
) -> str:
    """Return a table with one column per metric with values by MIN_CRITERIA criteria."""
    valued = table[table["value"].notna()]
    counts = valued["metric"].value_counts()
    metrics = [name for name in assessed_metrics(table) if counts[name] >= MIN_CRITERIA]
    lines = [["criterion", *(metric_label(name) for name in metrics)], ["---"] * (len(metrics) + 1)]
    for key in assessed_criteria(table):
        cells = {cell["metric"]: cell for _, cell in valued[valued["criterion"] == key].iterrows()}
        bold = find_bold(key)
        texts = [format_cell(cells[name]) if name in cells else "–" for name in metrics]
        if set(texts) != {"–"}:
            shown = [f"**{text}**" if name in bold else text for name, text in zip(metrics, texts, strict=True)]
            lines.append([BY_KEY[key].title + MARKS.get(BY_KEY[key].better, ""), *shown])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n↓: lower is better; → 0.05: nearer is better.\n"


def _mean_and_std(cell: pd.Series) -> str:
    text = page.format_mean_and_std(cell["criterion"], cell["value"], cell["std"])
    return text + (f" ({cell['n_seeds']:.0f})" if cell["n_seeds"] < 5 else "")
