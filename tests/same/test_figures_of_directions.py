"""The figures of bias directions (Figures 7, 8) and of the effect size (Figure 2)."""

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

from biassay.metrics import weat
from biassay.studies.same import effect_size, scores
from scripts.same import demonstrate_effect_size, plot_words
from tests.artists import dots, legend, strokes, ticks
from tests.same import inputs, study
from tests.scripted import draw

PUBLISHED = "published mean (BERT-base, 330 models)"
RED = "#b2182b"


@pytest.fixture(autouse=True)
def closed():
    yield
    plt.close("all")


def angles(same, direct, angle):
    """The figure of angles for models with these R² and angles."""
    differences = pd.DataFrame({"r2_same": same, "r2_direct_bias": direct, "angle": angle}, dtype=float)
    differences["difference"] = differences["r2_same"] - differences["r2_direct_bias"]
    groups = pd.DataFrame({"category": ["similar", "between", "worse"], "angle_mean": [11.0, 22.0, 33.0],
                           "published": [10.9, np.nan, 17.6]})  # fmt: skip
    return plot_words.draw_angles(differences, groups)


def test_angles_fill_the_models_that_same_sees():
    figure = angles([0.6, 0.9, 0.59, 0.7, np.nan, 0.8], [0.7, 0.1, 0.2, 0.1, 0.3, np.nan], [10, 20, 30, 35, 40, 50])
    (axis,) = figure.axes
    sees, less = dots(axis)
    np.testing.assert_allclose(sees.places, [(10, -0.1), (20, 0.8), (35, 0.6)])
    np.testing.assert_allclose(less.places, [(30, 0.39)])
    assert (sees.faces, less.faces, sees.edges, less.edges) == (["#000000"], ["none"], ["#555555"], ["#555555"])
    assert {(found.marker, found.size, found.width) for found in (sees, less)} == {("o", 20, 0.7)}
    limits = {line.get_ydata()[0]: (line.get_linestyle(), line.get_linewidth()) for line in axis.lines}
    assert limits == {0.25: (":", 0.8), 0.4: (":", 0.8)}
    means = [(lines.ends[0, 0, 0], lines.ends[0, :, 1].tolist(), *lines[1:]) for lines in strokes(axis)]
    assert means == [
        (10.9, [pytest.approx(-0.1), 0.25], RED, 1.4, True), (11, [pytest.approx(-0.1), 0.25], "#000000", 1.4, False),
        (17.6, [0.4, pytest.approx(0.8)], RED, 1.4, True), (33, [0.4, pytest.approx(0.8)], "#000000", 1.4, False),
    ]  # fmt: skip
    entries = {"SAME has R² ≥ 0.6 (3)": "#000000", "SAME has a lower R² (1)": "none", PUBLISHED: RED,
               "mean of the category's filled points": "#000000"}  # fmt: skip
    assert legend(figure) == (entries, 2, False, 8)
    assert (axis.get_xlabel(), axis.get_ylabel()) == (
        "angle between the first principal component and the mean direction (degrees)", "R² of SAME − R² of Direct Bias"
    )  # fmt: skip
    assert axis.get_xlim()[0] == 0
    assert tuple(figure.get_size_inches()) == (6.6, 4.4)
    assert sees.above == less.above == 3 > axis.lines[0].zorder


def test_angles_without_differences():
    figure = angles([np.nan], [np.nan], [10])
    spans = [lines.ends[0, :, 1].tolist() for lines in strokes(figure.axes[0])]
    assert spans == [[0, 0.25], [0, 0.25], [0.4, 0.6], [0.4, 0.6]]
    assert list(legend(figure).entries)[:2] == ["SAME has R² ≥ 0.6 (0)", "SAME has a lower R² (0)"]
    spans = [lines.ends[0, :, 1].tolist() for lines in strokes(angles([0.7], [0.2], [10]).axes[0])]
    assert spans == [[0, 0.25], [0, 0.25], [0.4, 0.6], [0.4, 0.6]]


def test_angles_of_the_study(tmp_path):
    paths = study.write(tmp_path)
    figure = draw("same/plot_words.py", ("words", "angles"), input=paths)["angles"]
    rows = study.read(paths)["differences"].dropna(subset="difference")
    found = np.vstack([found.places for found in dots(figure.axes[0])])
    np.testing.assert_allclose(sorted(map(tuple, found)), sorted(map(tuple, rows[["angle", "difference"]].to_numpy())))
    assert len(rows) == 14  # of 15 models one has no score of SAME that varies


STEPS = pd.DataFrame(
    {"step": ["mild words", "one of Y replaced", "one of X replaced"], "x_1": ["a", "a", "a"], "x_2": ["b", "b", "c"],
     "y_1": ["d", "d", "d"], "y_2": ["e", "f", "e"], "s_x_1": [0.1, 0.2, 0.3], "s_x_2": [0.4, 0.5, 0.6],
     "s_y_1": [-0.1, -0.2, -0.3], "s_y_2": [-0.4, -0.5, -0.6], "effect_size": [2.0, 1.5, 1.2],
     "mean_absolute": [0.7, 0.8, 0.9], "same": [0.05, 0.15, 0.25], "same_skew": [-0.1, 0, 0.1],
     "same_stereotype": [0.35, 0.4, 0.45]}
)  # fmt: skip


def test_effect_size_is_drawn_row_by_row():
    figure = demonstrate_effect_size.draw(STEPS, "model 3 (of none)")
    words, weat, same = figure.axes
    rows = np.arange(3)
    expected = [("s_x_1", -0.19, "^", "#000000"), ("s_x_2", -0.09, "^", "#000000"), ("s_y_1", 0.09, "v", "#ffffff"),
                ("s_y_2", 0.19, "v", "#ffffff")]  # fmt: skip
    for found, (column, offset, marker, face) in zip(dots(words), expected, strict=True):
        np.testing.assert_allclose(found.places, np.column_stack([STEPS[column], rows + offset]))
        assert (found.marker, found.faces, found.edges, found.size, found.width) == (
            marker, [face], ["#000000"], 34, 0.9
        )  # fmt: skip
    (d,), (mean, skew, spread) = dots(weat), dots(same)
    for found, column, look in (
        (d, "effect_size", ("D", ["#000000"], 26)), (mean, "same", ("o", ["#54278f"], 28)),
        (skew, "same_skew", ("x", ["#666666"], 26)), (spread, "same_stereotype", ("s", ["none"], 28)),
    ):  # fmt: skip
        np.testing.assert_allclose(found.places, np.column_stack([STEPS[column], rows]))
        assert (found.marker, found.faces, found.size) == look
    assert (spread.edges, spread.width) == (["#b35806"], 1.2)
    assert (spread.above, mean.above, d.above, dots(words)[0].above) == (4, 3, 3, 3)  # above the lines
    assert figure.get_suptitle() == "More stereotyped words lower the effect size: model 3 (of none)"
    assert ticks(words, "y") == ([0, 1, 2], ["mild words\nX: a, b\nY: d, e", "one of Y replaced\nX: a, b\nY: d, f",
                                             "one of X replaced\nX: a, c\nY: d, e"])  # fmt: skip
    risen = demonstrate_effect_size.draw(STEPS.assign(effect_size=[1.3, 1.5, 1.2]), "it").get_suptitle()
    assert risen == "More stereotyped words do not lower the effect size: it"


def test_effect_size_has_axes_limits_and_a_legend():
    figure = demonstrate_effect_size.draw(STEPS, "it")
    words, weat, same = figure.axes
    assert [axis.get_title() for axis in figure.axes] == ["the words", "WEAT", "SAME"]
    assert [axis.get_xlabel() for axis in figure.axes] == [
        "s(w, A, B): closer to female  ←   → closer to male", "effect size d", "value"
    ]  # fmt: skip
    assert weat.get_xlim() == (1, 2.1)
    assert {axis.get_ylim() for axis in figure.axes} == {(2.5, -0.5)}
    (zero,), (least,) = words.lines, weat.lines
    assert [list(line.get_xdata()) for line in (zero, least)] == [[0, 0], [pytest.approx(2 / 3**0.5)] * 2]
    assert [(line.get_linestyle(), line.get_linewidth()) for line in (zero, least)] == [("-", 0.8), (":", 0.9)]
    entries = {"words of X": "#000000", "words of Y": "#ffffff", "effect size d (WEAT)": "#000000",
               "lower bound of d, 2/√3": "#000000", "SAME": "#54278f", "SAME skew": "#666666",
               "SAME stereotype": "none"}  # fmt: skip
    assert legend(figure) == (entries, 4, False, 8)
    assert words.get_shared_y_axes().joined(words, same)
    assert tuple(figure.get_size_inches()) == (9.6, 4.6)
    for axis in figure.axes:
        low, high = axis.get_xlim()
        assert all(low < x < high for found in dots(axis) for x in found.places[:, 0])


@pytest.mark.parametrize("n", [12, 6])
def test_effect_size_of_the_example_model(tmp_path, n):
    """The embeddings of the model that divides most evenly, an occupation the mean over its sentences."""
    words, plan = [f"w{i}" for i in range(n)], {model: int(model > 4) for model in range(8)}
    models = pd.DataFrame({"model": [4, 7], "distribution": 0, "mean": [0.3, 0.5], "spread": 0.2, "repeat": 0,
                           "r2": 0.9, "learned": True})  # fmt: skip
    models.to_csv(tmp_path / "models.csv", index=False)
    share = {4: np.linspace(0.1, 0.6, n), 7: np.linspace(0.1, 0.8, n)}
    bias = [(model, word, p, p) for model in (4, 7) for word, p in zip(words, share[model], strict=True)]
    pd.DataFrame(bias, columns=["model", "occupation", "training", "unmasking"]).to_csv(tmp_path / "bias.csv")
    pd.DataFrame({"word": words, "stereotype": ""}).to_csv(tmp_path / "occupations.csv", index=False)
    given = {"models": tmp_path / "models.csv", "bias": tmp_path / "bias.csv",
             "plan": inputs.plan(tmp_path, plan), "occupations": tmp_path / "occupations.csv",
             "encoded": inputs.encoded(tmp_path, plan, n, 3)}  # fmt: skip
    figure = draw("same/demonstrate_effect_size.py", ["figure"], input=given, params={"pooling": "cls"},
                  output={"table": tmp_path / "steps.csv"})["figure"]  # fmt: skip
    steps = pd.read_csv(tmp_path / "steps.csv")
    embedded = scores.read_embeddings(tmp_path / "chunk 1/7", "cls", [""] * n)
    if n == 6:
        assert len(steps) == 0
        assert "model 7 (μ = 0.5, σ = 0.2): too few occupations" in figure.axes[0].texts[0].get_text()
        return
    assert list(steps) == [*effect_size.COLUMNS, "model"]
    assert set(steps["model"]) == {7}
    assert figure.get_suptitle().endswith(" the effect size: model 7 (μ = 0.5, σ = 0.2)")
    found = weat.word_bias(embedded.targets.mean(axis=1), embedded.groups)
    for row in steps.to_dict("records"):
        for name in ("x_1", "x_2", "y_1", "y_2"):
            assert row[f"s_{name}"] == pytest.approx(found[words.index(row[name])], rel=1e-4)
