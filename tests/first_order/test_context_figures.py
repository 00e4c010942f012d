"""Figures of context words: every bar from its row, in the colour of its group, dark where it is definitional."""

import numpy as np
import pandas as pd
import pytest

from scripts.first_order import plot_contexts
from tests.report import reading

DARK, LIGHT = ("#54278f", "#b35806"), ("#b39ddb", "#fdb863")  # of the first group and the second
WORDS = {"nurse": -0.0312, "smith": 0.1256, "clerk": 0.0, "judge": -2.0, "baker": 0.5}


@pytest.fixture(scope="module")
def tables():
    """Parts of context words in five occupations, of which one has fewer, and weights in two classifiers."""
    random, rows = np.random.default_rng(3), []
    for word, bias in WORDS.items():
        for group, sign in (("female", 1), ("male", -1)):
            for rank in range(1, 3 if word == "clerk" else 4):
                effect = sign * random.uniform(0.01, 1)
                rows.append(("wiki", word, bias, group, rank, f"{word}_{group}{rank}", effect, rank == 2))
    names = ["corpus", "occupation", "bias", "group", "rank", "context", "effect", "definitional"]
    contexts = pd.DataFrame(rows, columns=names)
    told = contexts[:14].rename(columns={"effect": "weight"})[["group", "rank", "context", "weight"]]
    told = told.assign(state=["debiased"] * 6 + ["original"] * 8)
    reached = [
        ("wiki", "vectors", "original", 0.11, 0.12, 0.15, 0.16),
        ("wiki", "explicit", "original", 0.876, 0.591, 0.17, 0.184),
        ("wiki", "vectors", "debiased", 0.13, 0.14, 0.19, 0.21),
        ("wiki", "explicit", "debiased", 0.7849, 0.613, 0.22, 0.23),
    ]
    names = ["corpus", "space", "state", "accuracy", "majority", "accuracy_published", "majority_published"]
    return contexts, told, pd.DataFrame(reached, columns=names)


@pytest.fixture(scope="module")
def figures(tables, tmp_path_factory):
    folder = tmp_path_factory.mktemp("contexts")
    paths = [str(folder / f"{name}.csv") for name in ("contexts", "top_features", "accuracies")]
    for table, path in zip(tables, paths, strict=True):
        table.to_csv(path, index=False)
    found = reading.drawn(plot_contexts.main, "wiki", *paths, ["e.svg", "e.png"], ["w.svg", "w.png"])
    assert list(found) == [("e.svg", "e.png"), ("w.svg", "w.png")]
    return list(found.values())


def check_bars(axis, rows, value):
    """Bars from the largest value above to the least below."""
    rows = rows.sort_values(value, ascending=False)
    places = range(len(rows))
    assert reading.ticks(axis) == dict(zip(places, rows["context"], strict=True))
    assert axis.get_ylim() == (len(rows) - 0.5, -0.5)
    bars = axis.patches
    assert [bar.get_width() for bar in bars] == pytest.approx(rows[value].tolist())
    assert [bar.get_y() + bar.get_height() / 2 for bar in bars] == pytest.approx(list(places))
    definitional = rows["definitional"] if "definitional" in rows else [False] * len(rows)
    shades = [(DARK if dark else LIGHT)[int(v < 0)] for v, dark in zip(rows[value], definitional, strict=True)]
    assert [reading.to_hex(bar.get_facecolor()) for bar in bars] == shades
    assert reading.lines(axis)[0][:2] == ([0, 0], [0, 1])
    assert 0 < axis.get_lines()[0].get_linewidth() < 1


def test_parts_of_context_words(tables, figures):
    figure = figures[0]
    assert reading.heading(figure).startswith("wiki: ")
    shown = [axis for axis in figure.axes if axis.get_visible()]
    assert len(figure.axes) == 8  # two lines of four
    names = ["nurse (-0.031)", "smith (+0.126)", "clerk (+0.000)", "judge (-2.000)", "baker (+0.500)"]
    assert [axis.get_title() for axis in shown] == names
    assert [axis.get_xlabel() for axis in shown] == ["effect on the bias"] * 5
    for axis, word in zip(shown, WORDS, strict=True):
        check_bars(axis, tables[0][tables[0]["occupation"] == word], "effect")
    assert reading.size(figure) == (12.8, 2 * (0.9 + 6 * 0.18) + 0.6)


def test_weights_of_context_words(tables, figures):
    """Of the classifier on explicit vectors."""
    figure = figures[1]
    assert reading.heading(figure).startswith("wiki: context words")
    names = {
        "original": "original (accuracy 0.88, majority 0.59)\npublished accuracy 0.17, majority 0.18",
        "debiased": "debiased (accuracy 0.78, majority 0.61)\npublished accuracy 0.22, majority 0.23",
    }
    assert [axis.get_title() for axis in figure.axes] == list(names.values())
    assert [axis.get_xlabel() for axis in figure.axes] == ["weight in the classifier"] * 2
    for axis, state in zip(figure.axes, names, strict=True):
        check_bars(axis, tables[1][tables[1]["state"] == state], "weight")
    assert reading.size(figure) == (7.5, 0.9 + 8 * 0.18 + 0.6)


def test_panels_stand_in_lines_of_four_with_small_letters(figures):
    assert [reading.grid(figure) for figure in figures] == [(2, 4), (1, 2)]
    for axis in figures[0].axes[:5] + figures[1].axes:
        names = [axis.xaxis.label, *axis.get_xticklabels(), *axis.get_yticklabels()]
        assert {name.get_fontsize() for name in names} == {8}
        assert axis.title.get_fontsize() == 9
        assert not axis.yaxis.get_gridlines()[0].get_visible()
        assert axis.xaxis.get_gridlines()[0].get_visible()
        axis.set_xlim(0, 5)
        assert len(axis.get_xticks()) <= 5  # so that numbers have room in a narrow panel


def test_one_occupation_and_nothing_to_learn(tables, tmp_path):
    """A panel alone, and panels without bars."""
    paths = [str(tmp_path / f"{name}.csv") for name in ("contexts", "top_features", "accuracies")]
    for table, path in zip((tables[0][:6], tables[1][:0], tables[2]), paths, strict=True):
        table.to_csv(path, index=False)
    one, none = reading.drawn(plot_contexts.main, "wiki", *paths, ["e.svg"], ["w.svg"]).values()
    assert [axis.get_title() for axis in one.axes] == ["nurse (-0.031)"]
    assert [len(axis.patches) for axis in none.axes] == [0, 0]
