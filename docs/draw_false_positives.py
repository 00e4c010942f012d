"""Draw img/false_positives.svg from the table of silhouette.md, five seeds: `python docs/draw_false_positives.py`."""

import re
from pathlib import Path
from typing import NamedTuple

from biassay.figures import plots

DOCS = Path(__file__).resolve().parent
PAGE, FIGURE = DOCS / "silhouette.md", DOCS / "img/false_positives.svg"
MEAN_STD = re.compile(r"(\d+) ± (\d+)")
NOMINAL = 5  # per cent
NOTE = "* its own permutation test; the others: words reassigned to the groups"
TITLE = "False positives and power of tests of bias, five seeds"
COLOURS = {"false": "#b2182b", "true": "#2166ac"}


class Rates(NamedTuple):
    """How often bias is concluded, in per cent, mean and standard deviation between seeds."""

    metric: str
    test: str
    false: tuple[int, int]  # without bias
    true: tuple[int, int]  # with bias


def table(page: str) -> list[Rates]:
    """The rows of the table of false positives and power, in the page's order; raises ValueError if there are none."""
    rows = []
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 7 and all(map(MEAN_STD.fullmatch, cells[-2:])):
            figures = [tuple(map(int, MEAN_STD.fullmatch(cell).groups())) for cell in cells[-2:]]
            rows.append(Rates(cells[0], cells[1], *figures))
    if not rows:
        raise ValueError(f"{PAGE}: no row with false positives and power, as `48 ± 16`, in its last two columns")
    return rows


def described(rows: list[Rates]) -> str:
    """What the figure shows, in words, for those who do not see it."""
    said = [f"{row.metric}: {row.false[0]} ± {row.false[1]}, {row.true[0]} ± {row.true[1]}" for row in rows]
    return f"Bias concluded, % of draws, without and with bias. {'; '.join(said)}."


def draw(rows: list[Rates], path: Path) -> None:
    """A row a metric: a dot for the false positives, a circle for the power, lines of a standard deviation."""
    with plots.plt.rc_context({"svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10}):
        figure, axis = plots.plt.subplots(figsize=(7.2, 4.3))
        axis.axvline(NOMINAL, color="#555555", linewidth=1, linestyle="--")
        axis.text(NOMINAL + 1, -0.95, "5 % false positives are allowed", fontsize=9, color="#555555", va="center")
        for place, row in enumerate(rows):
            for kind, fill, height in (("false", COLOURS["false"], 0.13), ("true", "white", -0.13)):
                mean, std = getattr(row, kind)
                ends = max(mean - std, 0), min(mean + std, 100)
                axis.plot(ends, [place + height] * 2, color=COLOURS[kind], linewidth=1.3, alpha=0.7)
                axis.plot(mean, place + height, "o", color=COLOURS[kind], markerfacecolor=fill, clip_on=False)
        axis.plot([], [], "o", color=COLOURS["false"], label="text without bias: false positives")
        axis.plot([], [], "o", color=COLOURS["true"], markerfacecolor="white", label="text with planted bias: power")
        axis.set(xlim=(0, 100), ylim=(len(rows) - 0.5, -1.4), xlabel=f"tests that conclude bias, % of draws\n{NOTE}")
        axis.set_yticks(range(len(rows)), [f"{row.metric}{'*' * ('its own' in row.test)}" for row in rows])
        axis.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False)
        figure.savefig(path, metadata={"Date": None, "Title": TITLE, "Description": described(rows)})
        plots.plt.close(figure)


if __name__ == "__main__":
    draw(table(PAGE.read_text("utf-8")), FIGURE)
