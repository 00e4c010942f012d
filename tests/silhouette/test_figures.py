"""Figures of the silhouette study."""

import numpy as np
import pandas as pd

from biassay.core.csv_tables import select_rows
from biassay.studies.silhouette import curves
from scripts.silhouette import plot, plot_scores
from tests.silhouette import study

VALUES = ["mean", "min", "max", "q05", "q25", "q75", "q95"]


def test_silhouettes_have_a_panel_per_metric_and_list(folder, results, drawn, tmp_path):
    table = results["silhouettes"].copy()
    table.loc[table["n_words"] <= 2, VALUES] = np.nan  # few words: no value
    table.to_csv(tmp_path / "gaps.csv", index=False)
    plot.main(tmp_path / "gaps.csv", folder / "scores.csv", "gender", ["whole"], ["zoomed"])
    for figure in drawn.values():
        panels = [axis for axis in figure.axes if axis.get_visible()]
        assert len(panels) == len(results["scores"])
        rows = select_rows(table, metric="weat", list="groups", model="biased")
        lines = [line.get_ydata() for axis in panels for line in axis.get_lines()]
        assert any(len(line) == len(rows) and np.allclose(line, rows["mean"], equal_nan=True) for line in lines)
    assert (-2, 2) in [axis.get_ylim() for axis in drawn["whole"].axes]


def test_scores_and_convergence(folder, results, drawn):
    files = study.files_of_tests(folder)
    tests = {name: files[name] for name in ("weat", "clustering")}
    plot_scores.main(folder / "scores.csv", folder / "convergence.csv", study.PUBLISHED, tests, folder / "p_values.csv",
                     ["r"], ["a"], ["l"], ["c"], ["p"])  # fmt: skip
    axis = next(axis for axis in drawn["r"].axes if axis.get_title() == "gender, targets")
    expected = select_rows(results["scores"], list="targets", relative=False)["robustness_biased"]
    np.testing.assert_allclose(np.asarray(axis.collections[0].get_offsets())[:, 0], expected)
    published = [dots.get_label() for dots in axis.collections if dots.get_label().startswith("published")]
    assert published == ["published GloVe", "published Numberbatch"]
    assert len(drawn["a"].axes) == 2
    assert len(drawn["l"].axes[0].get_yticks()) == len(study.METRICS)
    groups, *_, no_test = drawn["p"].axes
    rows = select_rows(pd.read_csv(files["weat"]), form="groups", model="unbiased", share=0.9)
    np.testing.assert_allclose(groups.lines[2].get_xdata()[1:], np.sort(rows["p"].dropna()))
    assert "it takes no groups" in " ".join(no_test.texts[0].get_text().split())
    changes = curves.measure_changes(results["convergence"])
    expected = select_rows(changes, metric="weat", score="robustness_biased")
    np.testing.assert_allclose(drawn["c"].axes[0].lines[0].get_ydata(), expected["mean"].clip(1e-4))
    np.testing.assert_allclose(drawn["c"].axes[0].lines[1].get_ydata(), expected["max"].clip(1e-4))


def test_scores_of_metrics_without_a_range(folder, results, drawn, tmp_path):
    course = results["convergence"]
    course = course[course["n_shuffles"] == course["n_shuffles"].max()]  # as with shuffles: 1
    names = {"scores": select_rows(results["scores"], relative=True), "convergence": course}
    for name, table in names.items():
        table.to_csv(tmp_path / f"{name}.csv", index=False)
    tests = {"gweat": study.files_of_tests(folder)["gweat"]}
    plot_scores.main(*(tmp_path / f"{name}.csv" for name in names), study.PUBLISHED, tests, folder / "p_values.csv",
                     ["r"], ["a"], ["l"], ["c"], ["p"])  # fmt: skip
    assert next(text.get_text() for text in drawn["r"].texts) == "no metric has a range"
    assert len(drawn["l"].axes[0].get_yticks()) == 1
