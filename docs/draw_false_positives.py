"""Draw img/false_positives.svg from the table in silhouette.md: `python docs/draw_false_positives.py`."""

import re
from pathlib import Path
from typing import NamedTuple

from biassay.report import plots

DOCS = Path(__file__).resolve().parent
PAGE, FIGURE = DOCS / "silhouette.md", DOCS / "img/false_positives.svg"
BIASES = ("gender", "ethnicity", "religion")
FORMS = {"groups": "words of both groups reassigned", "targets": "words of both lists of targets reassigned"}
MEAN_STD = re.compile(r"(\d+) ± (\d+)")
NOMINAL = 5  # percent
TITLE = "False positives and power of bias tests by kind of bias, five seeds"
COLOURS = {"false_positives": "#b2182b", "power": "#2166ac"}
HEIGHTS = {"false_positives": 0.13, "power": -0.13}


class Rates(NamedTuple):
    """Rates of concluded bias by kind of bias, in percent: mean and standard deviation between seeds, None: no test."""

    metric: str
    form: str
    false_positives: tuple
    power: tuple


def read_rates(page: str) -> list[Rates]:
    """Read the rows of the table of false positives and power; raise ValueError if there are none."""
    rows = []
    for line in page.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 8 and cells[1] in FORMS:
            values = [tuple(map(int, match.groups())) if (match := MEAN_STD.fullmatch(cell)) else None
                      for cell in cells[2:]]  # fmt: skip
            rows.append(Rates(*cells[:2], tuple(values[:3]), tuple(values[3:])))
    if not rows:
        raise ValueError(f"{PAGE}: expected rows of a metric, groups or targets, and six rates, such as `48 ± 16`")
    return rows


def describe_figure(rows: list[Rates]) -> str:
    """Describe the figure for readers who do not see it."""
    texts = [f"{row.metric}, {row.form}: {_describe(row.false_positives)}; {_describe(row.power)}" for row in rows]
    return f"False positives; power for {', '.join(BIASES)}, % of tests. {'. '.join(texts)}."


def _describe(rates: tuple) -> str:
    return ", ".join("none" if rate is None else "{} ± {}".format(*rate) for rate in rates)


def draw(rows: list[Rates], path: Path) -> None:
    """Draw a panel per form and kind of bias; a dot for false positives, a circle for power, lines of one std."""
    parts = {form: [row for row in rows if row.form == form] for form in FORMS}
    with plots.plt.rc_context({"svg.fonttype": "none", "font.family": "sans-serif", "font.size": 9}):
        figure, axes = plots.plt.subplots(
            2, 3, figsize=(6.2, 6.6), sharex=True, sharey="row",
            gridspec_kw={"height_ratios": [len(part) + 2 for part in parts.values()], "wspace": 0.15},
        )  # fmt: skip
        for (form, part), panels in zip(parts.items(), axes, strict=True):
            for number, (bias, axis) in enumerate(zip(BIASES, panels, strict=True)):
                axis.axvline(NOMINAL, color="#555555", linewidth=1, linestyle="--")
                for place, row in enumerate(part):
                    for kind, height in HEIGHTS.items():
                        if rate := getattr(row, kind)[number]:
                            _mark(axis, *rate, place + height, kind)
                axis.set(xlim=(0, 100), ylim=(len(part) - 0.5, -0.6), xticks=[0, 50, 100])
                axis.set_title(f"{FORMS[form]}\n{bias}" if not number else bias, loc="left", fontsize=9)
            panels[0].set_yticks(range(len(part)), [row.metric for row in part])
        axes[1, 1].set_xlabel("tests that conclude bias, % (dashed: 5 %)")
        for kind, label in (
            ("false_positives", "unbiased control: false positives"), ("power", "planted bias: power")
        ):  # fmt: skip
            axes[0, 0].plot([], [], "o", color=COLOURS[kind], markerfacecolor=_fill(kind), label=label)
        figure.legend(loc="outside upper center", ncols=2, frameon=False)
        figure.savefig(path, metadata={"Date": None, "Title": TITLE, "Description": describe_figure(rows)})
        plots.plt.close(figure)


def _mark(axis: plots.plt.Axes, mean: int, std: int, height: float, kind: str) -> None:
    ends = max(mean - std, 0), min(mean + std, 100)
    axis.plot(ends, [height] * 2, color=COLOURS[kind], linewidth=1.3, alpha=0.7)
    axis.plot(mean, height, "o", markersize=4.5, color=COLOURS[kind], markerfacecolor=_fill(kind), clip_on=False)


def _fill(kind: str) -> str:
    return "white" if kind == "power" else COLOURS[kind]


if __name__ == "__main__":
    draw(read_rates(PAGE.read_text("utf-8")), FIGURE)
