"""Draw img/false_positives.svg from the table in silhouette.md: `python docs/draw_false_positives.py`."""

import re
from pathlib import Path
from typing import NamedTuple

from biassay.report import plots

DOCS = Path(__file__).resolve().parent
PAGE, FIGURE = DOCS / "silhouette.md", DOCS / "img/false_positives.svg"
MEAN_STD = re.compile(r"(\d+) ± (\d+)")
NOMINAL = 5  # percent
NOTE = "* published permutation test; other metrics: random reassignment of words to the groups"
TITLE = "False positives and power of bias tests, five seeds"
COLOURS = {"false_positives": "#b2182b", "power": "#2166ac"}


class Rates(NamedTuple):
    """Rates of concluded bias in percent: mean and standard deviation between seeds."""

    metric: str
    test: str
    false_positives: tuple[int, int]
    power: tuple[int, int]


def read_rates(page: str) -> list[Rates]:
    """Read the rows of the table of false positives and power; raise ValueError if there are none."""
    rows = []
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 7 and all(map(MEAN_STD.fullmatch, cells[-2:])):
            figures = [tuple(map(int, MEAN_STD.fullmatch(cell).groups())) for cell in cells[-2:]]
            rows.append(Rates(cells[0], cells[1], *figures))
    if not rows:
        raise ValueError(
            f"{PAGE}: expected rows with false positives and power, such as `48 ± 16`, in the last columns; got none"
        )
    return rows


def describe_figure(rows: list[Rates]) -> str:
    """Describe the figure for readers who do not see it."""
    rates = [
        f"{row.metric}: {row.false_positives[0]} ± {row.false_positives[1]}, {row.power[0]} ± {row.power[1]}"
        for row in rows
    ]
    return f"False positives and power, % of tests. {'; '.join(rates)}."


def draw(rows: list[Rates], path: Path) -> None:
    """Draw one row per metric: a dot for false positives, a circle for power, lines of one standard deviation."""
    with plots.plt.rc_context({"svg.fonttype": "none", "font.family": "sans-serif", "font.size": 10}):
        figure, axis = plots.plt.subplots(figsize=(7.2, 4.3))
        axis.axvline(NOMINAL, color="#555555", linewidth=1, linestyle="--")
        axis.text(NOMINAL + 1, -0.95, "expected: 5 %", fontsize=9, color="#555555", va="center")
        for place, row in enumerate(rows):
            for kind, fill, height in (
                ("false_positives", COLOURS["false_positives"], 0.13),
                ("power", "white", -0.13),
            ):
                mean, std = getattr(row, kind)
                ends = max(mean - std, 0), min(mean + std, 100)
                axis.plot(ends, [place + height] * 2, color=COLOURS[kind], linewidth=1.3, alpha=0.7)
                axis.plot(mean, place + height, "o", color=COLOURS[kind], markerfacecolor=fill, clip_on=False)
        axis.plot([], [], "o", color=COLOURS["false_positives"], label="unbiased control: false positives")
        axis.plot([], [], "o", color=COLOURS["power"], markerfacecolor="white", label="planted bias: power")
        axis.set(xlim=(0, 100), ylim=(len(rows) - 0.5, -1.4), xlabel=f"tests that conclude bias, %\n{NOTE}")
        axis.set_yticks(range(len(rows)), [f"{row.metric}{'*' * ('its own' in row.test)}" for row in rows])
        axis.legend(loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=2, frameon=False)
        figure.savefig(path, metadata={"Date": None, "Title": TITLE, "Description": describe_figure(rows)})
        plots.plt.close(figure)


if __name__ == "__main__":
    draw(read_rates(PAGE.read_text("utf-8")), FIGURE)
