"""The figures of single models (Figures 5, 7, 8), against their tables."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest
import scipy.stats

from biassay.studies.same import agreement
from scripts.same import plot_examples
from tests.artists import dots, panels
from tests.same import study
from tests.same.answers import name_of, short
from tests.same.study import bias, word
from tests.same.test_figures_of_words import METRICS
from tests.same.test_values_of_words import answered
from tests.scripted import draw


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The tables and the figures by name."""
    paths = study.write(tmp_path_factory.mktemp("examples"))
    params = {"metrics": list(study.METRICS)}
    yield (
        study.read(paths),
        draw("same/plot_examples.py", ("example", "examples"), input=paths, params=params),
    )
    plt.close("all")


def check(axis, tables, ground_truth, metric, model):
    """A panel has a metric's scores against the ground truth of a model, and their R²."""
    scores, p = word(tables, metric, model), bias(tables, model, "training")
    words = sorted(set(scores) & set(p))
    expected = [
        (answered(ground_truth, "unmasking", p[word]), answered(ground_truth, metric, scores[word])) for word in words
    ]
    (found,) = dots(axis)
    places = np.ma.filled(found.places.astype(float), np.nan)
    np.testing.assert_allclose(sorted(map(tuple, places[np.isfinite(places).all(axis=1)])), sorted(expected))
    r2 = scipy.stats.pearsonr(*zip(*expected, strict=True))[0] ** 2
    assert axis.get_title() == f"{name_of(ground_truth, metric)}, R² = {short(r2)}"
    assert axis.get_xlabel() == ("|0.5 − p|" if ground_truth == "unsigned" else "p, share of male pronouns")
    assert (found.marker, found.faces, found.size, found.width) == ("o", ["#54278f"], 9, 0)


def rows_of(tables, metrics=study.METRICS):
    table = tables["correlations"]
    wanted = table["metric"].isin([*metrics, "unmasking"])
    return table[table["learned"] & (table["against"] == "training") & wanted]


def grid_of(tables):
    wide = {name: tables["bias"].pivot(index="model", columns="occupation", values=name) for name in
            ("training", "unmasking")}  # fmt: skip
    return plot_examples.tables.Grid(tables["models"].set_index("model"), **wide)


@pytest.mark.parametrize("metrics", [study.METRICS, ["mac", "same", "direct_bias"]])
def test_example_shows_how_all_metrics_answer_for_the_median_model(made, metrics):
    tables, figures = made
    rows, figure = rows_of(tables, metrics), figures["example"]
    if metrics != study.METRICS:
        figure = plot_examples.draw_example(grid_of(tables), rows, tables["scores_at"])
    means = {model: np.nanmean(part["r2"]) for model, part in rows.groupby("model")}
    model = sorted(means, key=means.get)[(len(means) - 1) // 2]
    row = tables["models"].set_index("model").loc[model]
    assert figure.get_suptitle().endswith(
        f": model {model}, the median one (μ = {row['mean']:g}, σ = {row['spread']:g})"
    )
    shown = {
        ground_truth: [name for name in names if name in [*metrics, "unmasking"]]
        for ground_truth, names in METRICS.items()
    }
    lines = 1 + -(-len(shown["unsigned"]) // 4)
    assert panels(figure) == (lines, 4)
    assert tuple(figure.get_size_inches()) == (
        pytest.approx(max(9.2, (0.5 + 2.2 * lines) / 0.73)),
        pytest.approx(0.5 + 2.2 * lines),
    )
    for ground_truth, first in (("signed", 0), ("unsigned", 4)):
        for axis, metric in zip(figure.axes[first:], shown[ground_truth], strict=False):
            check(axis, tables, ground_truth, metric, model)
    visible = [axis.get_visible() for axis in figure.axes]
    counts = [len(names) for names in shown.values()]
    assert visible == [place < counts[0] for place in range(4)] + [
        place < counts[1] for place in range(4 * lines - 4)
    ]  # fmt: skip


def test_example_without_a_model_and_models_without_scores(made):
    figure = plot_examples.draw_example(grid_of(made[0]), rows_of(made[0])[:0], made[0]["scores_at"])
    assert figure.get_suptitle().endswith(": no model learned its bias")
    assert not any(axis.get_visible() for axis in figure.axes)
    rows = pd.DataFrame({"model": [0, 1, 2, 3, 4, 5], "r2": [np.nan, 0.5, 0.1, np.nan, 0.2, 0.3]})
    rows = rows.assign(learned=rows["model"] != 4, against=["training"] * 5 + ["unmasking"])
    assert agreement.find_median_model(rows) == 2


def test_examples_of_direct_bias_similar_and_worse(made):
    tables, figures = made
    figure, groups = figures["examples"], tables["angles"].set_index("category")["example_model"]
    assert panels(figure) == (2, 3)
    assert groups[["similar", "worse"]].notna().all()
    for line, group in ((figure.axes[:3], "similar"), (figure.axes[3:], "worse")):
        for axis, (ground_truth, metric) in zip(
            line, [("signed", "same"), ("unsigned", "same"), ("unsigned", "direct_bias")], strict=True
        ):
            check(axis, tables, ground_truth, metric, groups[group])
        row = tables["models"].set_index("model").loc[groups[group]]
        assert line[0].get_ylabel() == (
            f"Direct Bias {group}:\nmodel {groups[group]:.0f} (μ = {row['mean']:g}, σ = {row['spread']:g})"
        )


def test_a_group_without_models_says_so(made):
    tables = made[0]
    groups = tables["angles"].assign(note="none there")
    groups.loc[groups["category"] == "worse", "example_model"] = np.nan
    figure = plot_examples.draw_examples(grid_of(tables), rows_of(tables), tables["scores_at"], groups)
    assert [text.get_text() for text in figure.axes[3].texts] == ["Direct Bias worse: none there"]
    assert [axis.get_visible() for axis in figure.axes] == [True] * 4 + [False] * 2
