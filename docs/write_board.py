"""Write the tables of docs/board.md: `python docs/write_board.py`.

They are of the board that comes with biassay, and of its means over five seeds, board_seeds.csv and board_pairwise.csv
beside it: what `snakemake --cores 2 board --config 'seeds=[1, 2, 3, 4, 5]'` writes to results/board/.
"""

from collections.abc import Callable
from pathlib import Path

import pandas as pd

from biassay.figures.formatting import format_decimal, metric_label
from biassay.studies.board import page
from biassay.studies.board.board import judged, ordered, oriented
from biassay.studies.board.criteria import BY_KEY, LESS, YES
from biassay.words import resources

FOLDER = Path(__file__).parent
PAGE = FOLDER / "board.md"
FILES = {
    "board": resources.shipped_path("board") / "board.csv",
    "seeds": FOLDER / "board_seeds.csv",
    "pairwise": FOLDER / "board_pairwise.csv",
}
END = "<!-- end -->"
FEWEST = 6  # criteria that a metric of the table has values of, at least


def text() -> str:
    """The page with its tables."""
    said = PAGE.read_text("utf-8")
    for name, write in {"board": table, "seeds": seeds}.items():
        begin = f"<!-- {name}: written by docs/write_board.py -->\n"
        before, _, rest = said.partition(begin)
        said = f"{before}{begin}{write()}{END}{rest.partition(END)[2]}"
    return said


def table() -> str:
    """The board with a row a criterion, so that it fits a page; the best of each in bold."""
    cells = _table("board").dropna(subset="value").set_index(["metric", "criterion"])

    def shown(criterion: str, metrics: list[str]) -> list[str]:
        turned = oriented(cells.reset_index(), [criterion])[criterion].reindex(metrics)
        best = page.cell_text(cells.loc[(turned.idxmax(), criterion)])
        said = {name: page.cell_text(cells.loc[(name, criterion)]) for name in turned.dropna().index}
        return [_bold(said.get(name, "–"), said.get(name) == best) for name in metrics]

    return _by_criterion(shown)


def seeds() -> str:
    """Means over seeds ± the standard deviation between them; in bold what is behind no other in any seed."""
    cells = _table("seeds").set_index(["metric", "criterion"])
    pairwise = _table("pairwise").set_index("criterion")

    def shown(criterion: str, metrics: list[str]) -> list[str]:
        said = {
            name: _spread(criterion, cells.loc[(name, criterion)])
            for name in metrics
            if (name, criterion) in cells.index
        }
        less, behind = BY_KEY[criterion].better == LESS, set()
        for row in pairwise.loc[pairwise.index == criterion].itertuples():  # ahead: has the larger value
            behind |= {row.first} if (row.n_first_ahead if less else row.n_second_ahead) else set()
            behind |= {row.second} if (row.n_second_ahead if less else row.n_first_ahead) else set()
        return [_bold(said[name], name not in behind) if name in said else "–" for name in metrics]

    return _by_criterion(shown)


def _by_criterion(shown: Callable[[str, list[str]], list[str]]) -> str:
    """A table with a row a criterion and a column a metric that the board has values of by FEWEST criteria at least."""
    board = _table("board")
    known = board[board["value"].notna()]
    counts = known.groupby("metric").size()
    metrics = [name for name in ordered(board) if counts.get(name, 0) >= FEWEST]
    lines = [["criterion", *(metric_label(name) for name in metrics)], ["---"] * (len(metrics) + 1)]
    for key in judged(board):
        if known.loc[known["criterion"] == key, "metric"].isin(metrics).any():
            title = f"{BY_KEY[key].title}{' ↓' if BY_KEY[key].better == LESS else ''}"
            lines.append([title, *shown(key, metrics)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n↓: less is better.\n"


def _bold(text: str, bold: bool) -> str:
    return f"**{text}**" if bold else text


def _spread(criterion: str, cell: pd.Series) -> str:
    """A mean over seeds ± the standard deviation; a verdict that is the same in all seeds as a word."""
    if BY_KEY[criterion].better == YES and cell["std"] == 0:
        return page.WORDS[cell["mean"]]
    digits = page.DIGITS.get(criterion, 2)
    mean, spread = (f"{cell[part]:.0f}" if digits == 0 else format_decimal(cell[part]) for part in ("mean", "std"))
    return f"{mean} ± {spread}" + (f" ({cell['n_seeds']:.0f})" if cell["n_seeds"] < 5 else "")


def _table(name: str) -> pd.DataFrame:
    return pd.read_csv(FILES[name])


if __name__ == "__main__":
    PAGE.write_text(text(), "utf-8")
