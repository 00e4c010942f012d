"""Figures of factors (F3–F5): every point, bar and name from its row, bands and colours from before debiasing."""

import numpy as np
import pandas as pd
import pytest

from biassay.report import plots
from scripts.first_order import plot_factors
from tests.report import reading

GREY = "#b8b8b8"
COLOURS = {  # side: of a gender-specific word, and of a neutral one
    "female": ("#54278f", "#b39ddb"),
    "male": ("#b35806", "#fdb863"),
    "unbiased": (GREY, GREY),
    "undefined": (GREY, GREY),
}
METHODS = {"second_order_cosine": "cosine of vectors", "first_order": "Λ1, first order"}
BANDS = {"second_order_cosine": 0.0312, "first_order": 0.0978}
NAMED = 4
LEGEND = {
    "unbiased": GREY,
    "biased female, gender-neutral": "#b39ddb",
    "biased female, gender-specific": "#54278f",
    "biased male, gender-neutral": "#fdb863",
    "biased male, gender-specific": "#b35806",
    "gender-neutral word": "o",
    "gender-specific word": "^",
}


@pytest.fixture(scope="module")
def table():
    """Twelve words by method and state, of which each third is specific; one has no bias value."""
    random, tables = np.random.default_rng(6), []
    for method in ("first_order", "second_order_cosine"):
        for state in ("original", "debiased"):
            rows = pd.DataFrame({"word": [f"w{i}" for i in range(12)], "neutral": np.arange(12) % 3 > 0})
            rows = rows.assign(method=method, state=state)
            rows[["factor_female", "factor_male"]] = random.uniform(0, 1, (12, 2))
            rows.loc[5, ["factor_female", "factor_male"]] = np.nan
            if (method, state) == ("first_order", "original"):  # one leans to male, one to neither
                rows["factor_male"] *= np.where(np.arange(12) == 2, 5, 0.3 * rows["factor_female"])
                rows.loc[3, "factor_male"] = rows.loc[3, "factor_female"]
            rows["bias"] = rows["factor_female"] - rows["factor_male"]
            rows["side"] = np.where(rows["bias"] > 0, "female", "male")
            rows.loc[rows["bias"].abs() < 0.15, "side"] = "unbiased"
            rows.loc[5, "side"] = "undefined"
            tables.append(rows)
    found = pd.concat(tables)
    assert set(found["side"]) == set(COLOURS)
    return found


@pytest.fixture(scope="module")
def figures(table, tmp_path_factory):
    folder, labels = tmp_path_factory.mktemp("factors"), []
    bands = [("wiki", m, s, band * (2 if s == "debiased" else 1)) for m, band in BANDS.items()
             for s in ("debiased", "original")]  # fmt: skip
    pd.DataFrame(bands, columns=["corpus", "method", "state", "band"]).to_csv(folder / "bands.csv", index=False)
    table.to_csv(folder / "factors.csv", index=False)
    given = (str(folder / "factors.csv"), str(folder / "bands.csv"), "wiki", NAMED)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plots, "name_points", lambda *arguments: labels.append(arguments))
        found = reading.drawn(plot_factors.main, *given, ["f.svg", "f.png"], ["h.svg"], ["d.svg"])
    assert list(found) == [("f.svg", "f.png"), ("h.svg",), ("d.svg",)]
    assert len(labels) == 4
    return *found.values(), labels


def colour(row):
    return COLOURS[row["side"]][int(row["neutral"])]


def check_panel(axis, rows, before):
    """Points of neutral and of specific words, on axes alike."""
    rows = rows.dropna()
    colours = {row["word"]: colour(row) for _, row in before.iterrows()}
    sets = reading.points(axis)
    for (dots, of_dots, marker), neutral, shape in zip(sets, (True, False), "o^", strict=True):
        part = rows[rows["neutral"] == neutral]
        np.testing.assert_allclose(dots, part[["factor_female", "factor_male"]])
        assert of_dots == [colours[word] for word in part["word"]]
        assert marker == shape
    values = rows[["factor_female", "factor_male"]].to_numpy()
    margin = 0.08 * (values.max() - values.min())
    ends = [values.min() - margin, values.max() + margin]
    assert axis.get_xlim() == axis.get_ylim() == pytest.approx(ends)
    (diagonal,) = reading.lines(axis)
    assert [*diagonal[0], *diagonal[1]] == pytest.approx(ends * 2)
    assert (axis.get_xlabel(), axis.get_ylabel()) == ("female factor", "male factor")
    assert axis.get_aspect() == 1
    return ends


def of(table, method, state):
    return table[(table["method"] == method) & (table["state"] == state)]


def test_factors_with_the_band_of_unbiased_words(table, figures):
    figure = figures[0]
    assert reading.heading(figure) == "wiki: factors of occupations"
    assert [axis.get_title() for axis in figure.axes] == [
        "cosine of vectors (band ±0.031)", "Λ1, first order (band ±0.098)"
    ]  # fmt: skip
    for axis, (method, band) in zip(figure.axes, BANDS.items(), strict=True):
        rows = of(table, method, "original")
        low, high = check_panel(axis, rows, rows)
        grey = axis.collections[0].get_paths()[0].vertices
        corners = {(low, low - band), (low, low + band), (high, high - band), (high, high + band)}
        assert {tuple(np.round(corner, 9)) for corner in grey} == {tuple(np.round(corner, 9)) for corner in corners}
    check_legend(figure, 7)


def test_debiased_factors_have_the_colours_of_before_and_no_band(table, figures):
    figure = figures[2]
    assert reading.heading(figure).startswith("wiki: factors of occupations after hard debiasing")
    assert [axis.get_title() for axis in figure.axes] == list(METHODS.values())
    for axis, method in zip(figure.axes, METHODS, strict=True):
        check_panel(axis, of(table, method, "debiased"), of(table, method, "original"))
        assert len(axis.collections) == 2
    check_legend(figure, 7)


def check_legend(figure, entries):
    found = {}
    for name, handle in reading.legend(figure).items():
        line = hasattr(handle, "get_marker")
        found[name] = handle.get_marker() if line else reading.to_hex(handle.get_facecolor())
        assert not line or handle.get_linewidth() == 0
    assert found == dict(list(LEGEND.items())[:entries])


def test_sizes_and_thin_lines(figures):
    factors, histograms, debiased, _ = figures
    assert reading.size(factors) == reading.size(debiased) == (12, 7)
    assert reading.size(histograms) == (10, 3.6)
    for figure in (factors, histograms, debiased):
        assert reading.grid(figure) == (1, 2)
        assert reading.columns(figure) == (3 if figure is histograms else 4)
        assert all(0 < line.get_linewidth() < 1 for axis in figure.axes for line in axis.get_lines())
    for axis in factors.axes:
        neutral, specific = (dots.get_sizes().item() for dots in axis.collections[1:])
        assert 10 < neutral < specific / 1.5 < 20
        band, line, dots = (axis.collections[0].zorder, axis.get_lines()[0].zorder, axis.collections[1].zorder)
        assert band <= line <= dots
        assert all(dots.get_linewidths() == 0 for dots in axis.collections[:3])


def test_the_most_biased_words_are_named_away_from_the_diagonal(table, figures):
    for i, arguments in enumerate(figures[3]):
        figure, state = (figures[0], "original") if i < 2 else (figures[2], "debiased")
        method = list(METHODS)[i % 2]
        axis, points, names, others, away = arguments
        assert axis is figure.axes[i % 2]
        rows = of(table, method, state).dropna().set_index("word")
        order = rows["bias"].sort_values().index
        ends = [word for word in order[:NAMED] if rows["bias"][word] < 0]
        ends += [word for word in order[-NAMED:] if rows["bias"][word] > 0]
        assert names == sorted(ends, key=lambda word: -abs(rows["bias"][word]))
        chosen = names
        np.testing.assert_allclose(points, rows.loc[chosen, ["factor_female", "factor_male"]])
        np.testing.assert_allclose(np.sort(others, axis=0), np.sort(rows[["factor_female", "factor_male"]], axis=0))
        assert away.tolist() == [[1, -1] if rows["bias"][word] > 0 else [-1, 1] for word in chosen]


def test_histograms_count_occupations_by_bias_and_colour(table, figures):
    figure = figures[1]
    assert reading.heading(figure) == "wiki: bias of occupations"
    assert figure.axes[0].get_ylabel() == "occupations"
    limit = table[table["state"] == "original"]["bias"].abs().max()
    for axis, (method, name) in zip(figure.axes, METHODS.items(), strict=True):
        assert axis.get_title() == f"{name} (band ±{BANDS[method]:.3f})"
        assert axis.get_xlabel() == "bias, positive towards female"
        rows = of(table, method, "original").dropna()
        bars = [bar for bar in axis.patches if bar.get_height()]
        assert sum(bar.get_height() for bar in bars) == 11
        edges = np.linspace(-limit, limit, 42)
        for _, row in rows.iterrows():
            place = min(np.searchsorted(edges, row["bias"], "right") - 1, 40)
            same = [bar for bar in bars if abs(bar.get_x() - edges[place]) < 1e-9]
            assert colour(row) in {reading.to_hex(bar.get_facecolor()) for bar in same}
            assert same[0].get_width() == pytest.approx(edges[1] - edges[0])
        assert reading.lines(axis)[0][:2] == ([0, 0], [0, 1])
    assert len({max(bar.get_y() + bar.get_height() for bar in axis.patches) for axis in figure.axes}) == 2
    assert figure.axes[0].get_ylim() == figure.axes[1].get_ylim()
    assert figure.axes[0].get_xlim() == figure.axes[1].get_xlim()
    check_legend(figure, 5)
