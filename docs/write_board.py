"""Write the tables of docs/board.md: `python docs/write_board.py`.

They show the board that comes with biassay, and its means over five seeds: docs/board_seeds.csv and
docs/board_pairwise.csv, which `snakemake --cores 2 board --config 'seeds=[1, 2, 3, 4, 5]'` writes to results/board/.
"""

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from biassay.report.formatting import format_decimal, metric_label
from biassay.studies.board import page
from biassay.studies.board.board import assessed_criteria, assessed_metrics, orient_values
from biassay.studies.board.criteria import BY_KEY, LOWER, YES
from biassay.words import resources

FOLDER = Path(__file__).parent
PAGE = FOLDER / "board.md"
FILES = {
    "board": resources.shipped_path("board") / "board.csv",
    "seeds": FOLDER / "board_seeds.csv",
    "pairwise": FOLDER / "board_pairwise.csv",
}
END = "<!-- end -->"
MIN_CRITERIA = 6  # criteria by which a metric of the tables has values


def fill_page() -> str:
    """Return the page with its tables."""
    text = PAGE.read_text("utf-8")
    for name, write in {"board": write_values, "seeds": write_means}.items():
        begin = f"<!-- {name}: written by docs/write_board.py -->\n"
        before, _, rest = text.partition(begin)
        text = f"{before}{begin}{write()}{END}{rest.partition(END)[2]}"
    return text


def write_values() -> str:
    """Return the board with one row per criterion, so that it fits a page; the best values are bold."""
    cells = _table("board").dropna(subset="value").set_index(["metric", "criterion"])

    def row(criterion: str, metrics: list[str]) -> list[str]:
        oriented = orient_values(cells.reset_index(), [criterion])[criterion].reindex(metrics)
        best = page.format_cell(cells.loc[(oriented.idxmax(), criterion)])
        texts = {name: page.format_cell(cells.loc[(name, criterion)]) for name in oriented.dropna().index}
        return [_bold(texts.get(name, "–"), texts.get(name) == best) for name in metrics]

    return _by_criterion(row)


def write_means() -> str:
    """Return means over seeds ± the standard deviation between seeds; bold: behind no other metric in any seed."""
    cells = _table("seeds").set_index(["metric", "criterion"])
    pairwise = _table("pairwise").set_index("criterion")

    def row(criterion: str, metrics: list[str]) -> list[str]:
        texts = {
            name: _mean_and_std(criterion, cells.loc[(name, criterion)])
            for name in metrics
            if (name, criterion) in cells.index
        }
        lower, behind = BY_KEY[criterion].better == LOWER, set()
        for pair in pairwise.loc[pairwise.index == criterion].itertuples():  # ahead: has the larger value
            behind |= {pair.first} if (pair.n_first_ahead if lower else pair.n_second_ahead) else set()
            behind |= {pair.second} if (pair.n_second_ahead if lower else pair.n_first_ahead) else set()
        return [_bold(texts[name], name not in behind) if name in texts else "–" for name in metrics]

    return _by_criterion(row)


def _by_criterion(row: Callable[[str, list[str]], list[str]]) -> str:
    """Return a table with one row per criterion and one column per metric with values by MIN_CRITERIA criteria."""
    board = _table("board")
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


def _table(name: str) -> pd.DataFrame:
    return pd.read_csv(FILES[name])


if __name__ == "__main__":
    PAGE.write_text(fill_page(), "utf-8")
