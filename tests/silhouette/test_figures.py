"""Figures and the interactive page of the silhouette study, from synthetic scores."""

import base64
import json

import numpy as np
import pandas as pd

from biassay.core.csv_tables import select_rows
from biassay.studies.silhouette import curves
from scripts.silhouette import plot, plot_scores, score
from tests.silhouette import believable


def test_silhouettes_have_a_panel_per_metric_and_list(results, drawn, tmp_path):
    table = pd.read_csv(results / "silhouettes.csv")
    table.loc[table["n_words"] <= 4, [*believable.QUANTILES, "mean"]] = np.nan  # few words: no value
    table.to_csv(tmp_path / "gaps.csv", index=False)
    plot.main(tmp_path / "gaps.csv", results / "scores.csv", "gender", ["whole"], ["zoomed"])
    for figure in drawn.values():
        panels = [axis for axis in figure.axes if axis.get_visible()]
        assert len(panels) == len(believable.METRICS) * 2
        rows = select_rows(table, bias="gender", metric="weat", list="groups", model="biased")
        lines = [line.get_ydata() for axis in panels for line in axis.get_lines()]
        assert any(len(line) == len(rows) and np.allclose(line, rows["mean"], equal_nan=True) for line in lines)
    assert (-2, 2) in [axis.get_ylim() for axis in drawn["whole"].axes]


def test_scores_and_convergence(results, drawn):
    p = {"form": ["groups"] * 4, "bias": ["gender"] * 4, "model": ["biased", "unbiased"] * 2, "share": 0.5,
         "shuffle": 0, "test": "t", "p": [0.1, 0.2, 0.3, 0.4], "min_p_value": 0.01}  # fmt: skip
    pd.DataFrame(p).to_csv(results / "weat_tests.csv", index=False)
    reasons = pd.DataFrame({"metric": ["weat"] * 2, "form": ["groups", "targets"], "reason": [None, "of a reason"]})
    reasons.to_csv(results / "p_values.csv", index=False)
    tests = {"weat": results / "weat_tests.csv"}
    plot_scores.main(results / "scores.csv", results / "convergence.csv", believable.PUBLISHED_SCORES, tests,
                     results / "p_values.csv", ["r"], ["a"], ["l"], ["c"], ["p"])  # fmt: skip
    scores = pd.read_csv(results / "scores.csv")
    axis = next(axis for axis in drawn["r"].axes if axis.get_title() == "gender, targets")
    expected = select_rows(scores, bias="gender", list="targets", relative=False)["robustness_biased"]
    np.testing.assert_allclose(np.asarray(axis.collections[0].get_offsets())[:, 0], expected)
    published = [dots.get_label() for dots in axis.collections if dots.get_label().startswith("published")]
    assert published == ["published GloVe", "published Numberbatch"]
    assert len(drawn["a"].axes) == 4
    assert len(drawn["l"].axes[0].get_yticks()) == len(believable.METRICS)
    groups, targets = drawn["p"].axes
    np.testing.assert_allclose(groups.lines[2].get_xdata()[1:], [0.2, 0.4])
    assert "of a reason" in " ".join(targets.texts[0].get_text().split())
    changes = curves.measure_changes(pd.read_csv(results / "convergence.csv"))
    expected = select_rows(changes, metric="ect_raw", score="robustness_biased")
    np.testing.assert_allclose(drawn["c"].axes[0].lines[0].get_ydata(), expected["mean"].clip(1e-4))
    np.testing.assert_allclose(drawn["c"].axes[0].lines[1].get_ydata(), expected["max"].clip(1e-4))


def decode(panel, model):
    values = np.frombuffer(base64.b64decode(panel["models"][model]), "<f4").reshape(-1, len(panel["n_words"]))
    return pd.DataFrame(values.T, index=panel["n_words"], columns=score.CURVES)


def test_the_interactive_page_holds_all_curves(results):
    silhouettes, scores = (pd.read_csv(results / f"{name}.csv") for name in ("silhouettes", "scores"))
    panels = json.loads(score.collect_panels(silhouettes, scores))["panels"]
    assert list(panels) == [f"{b}, {kind}" for b in believable.BIASES for kind in ("social groups", "targets")]
    panel = panels["ethnicity, targets"][1]
    assert (panel["name"], panel["whole"], panel["b_0"]) == ("WEAT", [-2, 2], 0)
    assert panels["gender, social groups"][2]["b_0"] is None
    keys = {"bias": "ethnicity", "list": "targets", "metric": "weat", "model": "unbiased"}
    table = select_rows(silhouettes, **keys).set_index("n_words")
    values = decode(panel, "unbiased")
    np.testing.assert_allclose(values, table.loc[values.index, values.columns], rtol=1e-6)
