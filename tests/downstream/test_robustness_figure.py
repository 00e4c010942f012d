"""The figure of scores on fewer texts and on titles, read back from its artists."""

import numpy as np
import pandas as pd
from matplotlib.colors import to_hex

from biassay.report import plots
from biassay.report.formatting import metric_label
from tests.artists import dots, ticks
from tests.downstream import study
from tests.scripted import draw


def test_robustness(made):
    given = {name: made[0][name] for name in ("robustness", "titles")}
    table, of_titles = made[1]["robustness"], made[1]["titles"]
    figure = draw("downstream/plot_robustness.py", ["robustness"], input=given)
    upper, lower = np.reshape(figure["robustness"].axes, (2, 2))
    for above, below, (name, attribute) in zip(
        upper, lower, [("biographies", "gender"), ("comments", "race")], strict=True
    ):
        assert above.get_title() == f"{name}, {attribute}"
        assert above.get_xscale() == "log"
        assert [above.get_ylim()[0], below.get_xlim()[0]] == [0, 0]
        assert to_hex(above.containers[0].lines[0].get_color()) == plots.series(0)
        of = table[table["set"] == name]
        assert ticks(above, "x")[1] == [str(n) for n in sorted(of["n_texts"].unique())]
        bars = list(above.containers)
        labels = []
        for metric in dict.fromkeys(of["metric"]):
            for again, rows in of[of["metric"] == metric].groupby("regrouped"):
                bar = bars.pop(0)
                np.testing.assert_allclose(
                    np.column_stack(bar.lines[0].get_data()).astype(float), rows[["n_texts", "mean"]]
                )
                ends = [segment[:, 1].tolist() for segment in bar.lines[2][0].get_segments()]
                np.testing.assert_allclose(
                    ends, np.column_stack([rows["mean"] - rows["std"], rows["mean"] + rows["std"]])
                )
                assert bar.lines[0].get_linestyle() == ("--" if again else "-")
                labels.append(metric_label(metric) + (", regrouped" if again else ""))
        assert not bars
        assert [text.get_text() for text in above.get_legend().get_texts()] == labels
        assert len({bar.lines[0].get_marker() for bar in above.containers}) == of["metric"].nunique()
        rows = of_titles[of_titles["set"] == name]
        (bar,) = below.containers
        np.testing.assert_allclose(
            np.column_stack(bar.lines[0].get_data()).astype(float), np.column_stack([rows["mean"], range(len(rows))])
        )
        (crosses,) = dots(below)
        assert crosses.marker == "x"
        known = [place for place in crosses.places.astype(float).tolist() if np.isfinite(place).all()]
        assert known == ([[0.0454, 0]] if name == "biographies" else [])
        assert ticks(below, "y")[1] == [metric_label(metric) for metric in rows["metric"]]


def test_more_metrics_than_markers(made, tmp_path):
    table = made[1]["robustness"]
    more = pd.concat([table.assign(metric=f"{name} {i}") for i in range(3) for name in study.METRICS])
    more.to_csv(tmp_path / "robustness.csv", index=False)
    figure = draw("downstream/plot_robustness.py", ["robustness"],
                  input={"robustness": tmp_path / "robustness.csv", "titles": made[0]["titles"]})  # fmt: skip
    assert len(figure["robustness"].axes[0].containers) == 15 * 2
