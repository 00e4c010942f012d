"""Tables of the board with one row per criterion, so that they fit a page.

`python docs/generated/board.py results/board` prints the table of means over several seeds for docs/board.md, from a
run with `seeds: [1, 2, 3, 4, 5]`.
"""

import sys
from collections.abc import Callable
from pathlib import Path

import pandas as pd

from biassay.report.formatting import format_decimal, metric_label
from biassay.studies.board import page
from biassay.studies.board.board import assessed_criteria, assessed_metrics, orient_values
from biassay.studies.board.criteria import BY_KEY, LOWER, YES
from biassay.words import resources

MIN_CRITERIA = 6  # criteria by which a metric of the tables has values


def format_values() -> str:
    """Return the board that comes with biassay; the best values are bold."""
    board = pd.read_csv(resources.shipped_path("board") / "board.csv")
    cells = board.dropna(subset="value").set_index(["metric", "criterion"])

    def row(criterion: str, metrics: list[str]) -> list[str]:
        oriented = orient_values(cells.reset_index(), [criterion])[criterion].reindex(metrics)
        best = page.format_value(criterion, cells.loc[(oriented.idxmax(), criterion), "value"])
        texts = {
            name: page.format_value(criterion, cells.loc[(name, criterion), "value"])
            for name in oriented.dropna().index
        }
        return [_bold(texts.get(name, "–"), texts.get(name) == best) for name in metrics]

    return _by_criterion(board, row)


def format_means(board: pd.DataFrame, seeds: pd.DataFrame, pairwise: pd.DataFrame) -> str:
    """Return means over seeds ± the standard deviation between seeds; bold: behind no other metric in any seed."""
    cells = seeds.set_index(["metric", "criterion"])

    def row(criterion: str, metrics: list[str]) -> list[str]:
        pairs = pairwise[pairwise["criterion"] == criterion]
        larger = {*pairs.loc[pairs["n_first_ahead"] > 0, "first"], *pairs.loc[pairs["n_second_ahead"] > 0, "second"]}
        smaller = {*pairs.loc[pairs["n_first_ahead"] > 0, "second"], *pairs.loc[pairs["n_second_ahead"] > 0, "first"]}
        behind = larger if BY_KEY[criterion].better == LOWER else smaller
        texts = {name: _mean_and_std(criterion, cells.loc[(name, criterion)]) for name in metrics
                 if (name, criterion) in cells.index}  # fmt: skip
        return [_bold(texts[name], name not in behind) if name in texts else "–" for name in metrics]

    return _by_criterion(board, row)


def _by_criterion(board: pd.DataFrame, row: Callable[[str, list[str]], list[str]]) -> str:
    """Return a table with one column per metric with values by MIN_CRITERIA criteria."""
    valued = board[board["value"].notna()]
    counts = valued.groupby("metric").size()
    metrics = [name for name in assessed_metrics(board) if counts.get(name, 0) >= MIN_CRITERIA]
    lines = [["criterion", *(metric_label(name) for name in metrics)], ["---"] * (len(metrics) + 1)]
    for key in assessed_criteria(board):
        if valued.loc[valued["criterion"] == key, "metric"].isin(metrics).any():
            title = f"{BY_KEY[key].title}{' ↓' if BY_KEY[key].better == LOWER else ''}"
            lines.append([title, *row(key, metrics)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n↓: lower is better.\n"


def _bold(text: str, is_bold: bool) -> str:
    return f"**{text}**" if is_bold else text


def _mean_and_std(criterion: str, cell: pd.Series) -> str:
    """Return a mean over seeds ± the standard deviation, or a verdict that is the same in all seeds as a word."""
    if BY_KEY[criterion].better == YES and cell["std"] == 0:
        return page.WORDS[cell["mean"]]
    digits = page.DIGITS.get(criterion, 2)
    mean, std = (f"{cell[part]:.0f}" if digits == 0 else format_decimal(cell[part]) for part in ("mean", "std"))
    return f"{mean} ± {std}" + (f" ({cell['n_seeds']:.0f})" if cell["n_seeds"] < 5 else "")


if __name__ == "__main__":
    print(format_means(*(pd.read_csv(Path(sys.argv[1], f"{name}.csv")) for name in ("board", "seeds", "pairwise"))))
