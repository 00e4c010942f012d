"""Figures of the study: points, bars and panels are at the values of their rows."""

import numpy as np
import pandas as pd
import pytest

from biassay.report import plots
from biassay.studies.first_order import tables
from scripts.first_order import diagnose, plot_correlations
from tests import artists

PLACES = [("sg", "explicit", "first_order"), ("svd", "vectors", "second_order_cosine"), ("svd", "vectors", "mine"),
          ("sg", "vectors", "second_order_nnd")]  # fmt: skip
ORDER = [PLACES[0], PLACES[3], *PLACES[1:3]]  # embeddings together, in the order of the table


@pytest.fixture
def correlations():
    all_statistics = ("labor", "planted", "planted_clear")
    keys = [(corpus, *place, word_list, statistics) for corpus in ("control", "wiki") for statistics in all_statistics
            for place in PLACES for word_list in ("short", "long")]  # fmt: skip
    table = pd.DataFrame(keys, columns=[*tables.KEYS, "statistics"])
    values = np.random.default_rng(1).uniform(-1, 1, (len(table), len(tables.INTERVALS)))
    return table.assign(n=30 + np.arange(len(table)), **dict(zip(tables.INTERVALS, values.T, strict=True)))


def test_correlations_by_representation_and_by_word_list(correlations, drawn, tmp_path):
    paths = [tmp_path / f"{name}.csv" for name in ("correlations", "comparisons", "confounding", "false_positives")]
    correlations.to_csv(paths[0], index=False)
    comparison = "embedding,second_embedding,second_space,second_method,statistics,correlation,p_holm,n,verdict"
    for path in paths[1:]:
        path.write_text(f"corpus,word_list,method,{comparison}\n")  # nothing to compare
    figures = [f"{corpus}/{name}" for corpus in ("control", "wiki") for name in ("r", "r2", "w", "w2")]
    findings = tmp_path / "findings.csv"
    plot_correlations.main(*map(str, paths), "long", {"wiki": ["planted", "labor"]}, figures, str(findings))
    assert pd.read_csv(findings)["sentence"].tolist() == ["No two scores could be compared."]
    wiki = correlations[correlations["corpus"] == "wiki"]
    wiki = wiki.set_index(["statistics", "word_list", *tables.KEYS[1:4]]).sort_index()
    axes = drawn["wiki/r"].axes
    assert [axis.get_title().split(" (n")[0] for axis in axes] == ["Labor (planted)", "Planted ground truth"]
    for axis, statistics in zip(axes, ("labor", "planted"), strict=True):
        rows = wiki.loc[(statistics, "long")].loc[ORDER]
        kinds = [f"{kind}{part}" for kind in ("spearman", "pearson") for part in ("", "_published")]
        for name, dots in zip(kinds, artists.dots(axis), strict=True):
            np.testing.assert_allclose(dots.places[:, 0], rows[name])
    assert [label.get_text() for label in axes[0].get_yticklabels()] == [plots.label(*key) for key in ORDER]
    shown = [place for place in PLACES if place != PLACES[3]]  # without nnd
    for axis, statistics in zip(drawn["wiki/w"].axes, ("labor", "planted"), strict=True):
        lines = [line for line in axis.get_lines() if len(line.get_xdata()) == 2]
        for line, place in zip(lines, shown, strict=True):
            assert line.get_label() == plots.label(*place)
            values = [wiki.loc[(statistics, word_list, *place), "spearman"] for word_list in ("short", "long")]
            np.testing.assert_allclose(line.get_ydata(), values)


def test_effects_and_weights_of_context_words():
    rows = [(word, 0.5, f"{word}{group}{rank}", sign / rank, rank == 1)
            for word in ("nurse", "smith") for group, sign in (("f", 1), ("m", -1)) for rank in (1, 2)]  # fmt: skip
    contexts = pd.DataFrame(rows, columns=["occupation", "bias", "context", "effect", "definitional"])
    features = contexts.rename(columns={"effect": "weight"}).assign(state=["original"] * 4 + ["debiased"] * 4)
    accuracies = pd.DataFrame({"space": "explicit", "state": ["original", "debiased"]})
    accuracies = accuracies.assign(accuracy=0.9, majority=0.5, accuracy_published=0.8, majority_published=0.6)
    drawn = (diagnose.draw_effects("wiki", contexts), diagnose.draw_weights("wiki", features, accuracies))
    rows = contexts[:4].sort_values("effect", ascending=False, kind="stable")
    for figure in drawn:
        assert sum(axis.get_visible() for axis in figure.axes) == 2
        axis = figure.axes[0]
        assert [bar.get_width() for bar in axis.patches] == rows["effect"].tolist()
        assert [label.get_text() for label in axis.get_yticklabels()] == rows["context"].tolist()
        assert len({bar.get_facecolor() for bar in axis.patches}) == 4  # two groups, and definitional words
