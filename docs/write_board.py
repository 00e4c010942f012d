"""Write the table of docs/board.md from the board that comes with biassay: `python docs/write_board.py`."""

from pathlib import Path

import pandas as pd

from biassay.figures import curves
from biassay.studies.board import page
from biassay.studies.board.board import judged, ordered, oriented
from biassay.studies.board.criteria import BY_KEY, LESS
from biassay.words import resources

PAGE = Path(__file__).parent / "board.md"
BEGIN, END = "<!-- board: written by docs/write_board.py -->\n", "<!-- end -->"
FEWEST = 6  # criteria that a metric of the table has values of, at least


def text() -> str:
    """The page with its table."""
    before, _, rest = PAGE.read_text("utf-8").partition(BEGIN)
    return f"{before}{BEGIN}{table()}{END}{rest.partition(END)[2]}"


def table() -> str:
    """The board with a row a criterion, so that it fits a page; the best of each in bold."""
    board = pd.read_csv(resources.shipped("board") / "board.csv")
    known = board[board["value"].notna()]
    counts = known.groupby("metric").size()
    metrics = [name for name in ordered(board) if counts[name] >= FEWEST]
    cells = known.set_index(["metric", "criterion"])
    lines = [["criterion", *(curves.label(name) for name in metrics)], ["---"] * (len(metrics) + 1)]
    for key in judged(board):
        turned = oriented(board, [key])[key].reindex(metrics)
        if turned.isna().all():
            continue
        title = f"{BY_KEY[key].title}{' ↓' if BY_KEY[key].better == LESS else ''}"
        best = page.cell_text(cells.loc[(turned.idxmax(), key)])
        lines.append([title, *(_cell(cells, name, key, best) for name in metrics)])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines) + "\n↓: less is better.\n"


def _cell(cells: pd.DataFrame, name: str, key: str, best: str) -> str:
    if (name, key) not in cells.index:
        return "–"
    said = page.cell_text(cells.loc[(name, key)])
    return f"**{said}**" if said == best else said


if __name__ == "__main__":
    PAGE.write_text(text(), "utf-8")
