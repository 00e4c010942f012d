"""The study's figures, read back from their artists."""

import numpy as np
import pytest
from matplotlib.colors import to_hex

from biassay.report import plots
from biassay.report.formatting import metric_label
from tests.artists import dots, panels, ticks, words
from tests.downstream import study
from tests.scripted import draw

VIOLET, ORANGE = plots.FIRST, plots.SECOND


def given(paths, *names):
    return {name: paths[name] for name in names}


@pytest.fixture(scope="module")
def correlations(made):
    return draw(
        "downstream/plot_correlations.py", ["classes", "sets"], input=given(made[0], "by_class", "by_pair", "cases")
    )


def lines(axis, width):
    """Data of the lines of a width."""
    return [np.column_stack(line.get_data()) for line in axis.lines if line.get_linewidth() == width]


def test_correlations_within_models(made, correlations):
    figure, by_class, by_pair = correlations["classes"], made[1]["by_class"], made[1]["by_pair"]
    titles = [axis.get_title() for axis in figure.axes]
    assert titles == ["comments, race: classes", "biographies, gender: classes", "sentences, gender: pairs",
                      "sentences, race: pairs"]  # fmt: skip
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "model with p < 0.05, not corrected", "other model", "median", "scrubbed texts or pairs", "raw texts"
    ]  # fmt: skip
    assert figure.axes[0].get_ylabel() == "Pearson's r of a model"
    parts = [("comments", "race"), ("biographies", "gender"), ("sentences", "gender"), ("sentences", "race")]
    for axis, (name, attribute) in zip(figure.axes, parts, strict=True):
        table = (
            by_class[(by_class["n_directions"] == 0) & (by_class["classes"] == "all")]
            if name != "sentences"
            else by_pair
        )
        table = table[(table["set"] == name) & (table["attribute"] == attribute)]
        if name == "sentences":
            table = table[~table["signed"]].assign(version="")
        metrics = list(dict.fromkeys(table["metric"]))
        places, labels = ticks(axis, "x")
        assert places == list(range(len(metrics)))
        assert labels == [metric_label(metric) for metric in metrics]
        kinds = list(dict.fromkeys(table["version"]))
        shown, medians = [part for part in dots(axis) if part.label.startswith("_")], lines(axis, 2)  # without the key
        for place, metric in enumerate(metrics):
            for kind in kinds:
                of = table[(table["metric"] == metric) & (table["version"] == kind)].dropna(subset="r")
                sure, unsure = shown.pop(0), shown.pop(0)
                colour = to_hex(ORANGE if kind == "raw" else VIOLET)
                for part, rows, face in ((sure, of[of["p"] < 0.05], colour), (unsure, of[of["p"] >= 0.05], "none")):
                    np.testing.assert_allclose(part.places[:, 1], rows["r"])
                    middle = place + {"scrubbed": -0.18, "raw": 0.18, "": 0}[kind]
                    assert (np.abs(part.places[:, 0] - middle) <= 0.111).all()
                    assert part.edges == [colour]
                    assert part.faces == [face]
                if len(of):
                    line = medians.pop(0)
                    assert line[:, 1].tolist() == pytest.approx([of["r"].median()] * 2)
                    assert line[:, 0].mean() == pytest.approx(middle)
        assert not shown
        assert not medians


def test_one_model_is_in_the_middle(made, tmp_path):
    paths = dict(made[0])
    for name in ("by_class", "by_pair"):
        table = made[1][name]
        table[table["model"] == "planted_3"].to_csv(tmp_path / f"{name}.csv", index=False)
        paths[name] = tmp_path / f"{name}.csv"
    figure = draw(
        "downstream/plot_correlations.py", ["classes", "sets"], input=given(paths, "by_class", "by_pair", "cases")
    )
    places = [x for part in dots(figure["classes"].axes[2]) for x in part.places[:, 0]]
    assert sorted(places) == [0, 1, 2, 3]


def test_sets_and_their_bias(made, correlations):
    figure, cases = correlations["sets"], made[1]["cases"]
    cases = cases[(cases["group_words"] == "raw") & (cases["version"] != "raw")]
    assert panels(figure) == (4, 5)
    rows = [("biographies", "gender"), ("comments", "race"), ("sentences", "gender"), ("sentences", "race")]
    for row, (name, attribute) in zip(np.reshape(figure.axes, (4, 5)), rows, strict=True):
        assert row[0].get_ylabel() == "downstream bias"
        assert [axis.get_title(loc="left") for axis in row] == [f"{name}, {attribute}", "", "", "", ""]
        for axis, metric in zip(row, study.METRICS, strict=True):
            assert axis.get_xlabel() == f"|{metric_label(metric)}|"
            of = cases[(cases["set"] == name) & (cases["attribute"] == attribute) & (cases["metric"] == metric)]
            of = of.dropna(subset=["value", "bias"])
            found = dots(axis)
            assert [part.label for part in found] == [str(k) for k in sorted(set(of["n_directions"]))]
            for part, (_, expected) in zip(found, of.groupby("n_directions"), strict=True):
                np.testing.assert_allclose(part.places, expected[["value", "bias"]])
            assert list(words(axis).values()) == ([] if len(of) else ["no value"])
    assert [text.get_text() for text in figure.legends[0].get_texts()] == ["0", "1"]


def test_ranking(made):
    table = made[1]["ranking"]
    figure = draw("downstream/plot_ranking.py", ["ranking"], input=given(made[0], "ranking"))["ranking"]
    groups = [("downstream", "biographies", "gender"), ("downstream", "comments", "race"),
              ("downstream", "sentences", "gender"), ("downstream", "sentences", "race")]  # fmt: skip
    groups += [("planted", *group[1:]) for group in groups]
    titles = [axis.get_title(loc="left") for axis in figure.axes if axis.axison]
    assert panels(figure) == (3, 3)
    for axis, (ground_truth, name, attribute), title in zip(figure.axes, groups, titles, strict=False):
        of = table[(table["ground_truth"] == ground_truth) & (table["set"] == name) & (table["attribute"] == attribute)
                   & (table["group_words"] == "raw") & (table["version"] != "raw")]  # fmt: skip
        said = "downstream bias (extremes)" if ground_truth == "downstream" else "planted strength"
        assert title == f"{name}, {attribute}\n{said}, {of['n_pairs'].max()} pairs"
        names = ["downstream bias" if n == "downstream" else metric_label(n) for n in of["score"]]
        assert ticks(axis, "y") == (list(range(len(of))), names)
        points = dots(axis)
        for place, row in enumerate(of.itertuples()):
            for part, value, marker in (
                (points.pop(0), row.ranking_accuracy, "o"),
                (points.pop(0), row.published, "x"),
            ):
                expected = [] if np.isnan(value) else [[value, place]]
                np.testing.assert_allclose(part.places[np.isfinite(part.places).all(axis=1)].tolist(), expected)
                assert part.marker == marker
            for width, ends in ((9, (row.chance_low, row.chance_high)), (1.4, (row.low, row.high))):
                np.testing.assert_allclose(lines(axis, width)[place], [[end, place] for end in ends])
        assert lines(axis, 0.6)[0][:, 0].tolist() == [0.5, 0.5]
        assert axis.get_ylim() == (len(of) - 0.4, -0.6)
        assert axis.get_xlim() == (-0.04, 1.04)
    assert [text.get_text() for text in figure.legends[0].get_texts()] == [
        "score, with 95 % interval over models", "middle 95 % of chance", "published, other models"
    ]  # fmt: skip
    assert [bool(axis.get_xlabel()) for axis in figure.axes] == [False] * 5 + [True] * 3 + [False]
    assert len(titles) == len(groups)
    assert not figure.axes[8].axison
    width, height = figure.get_size_inches()
    most = table.groupby(["ground_truth", "set", "attribute"])["score"].nunique().max()
    assert 0.25 < height / (3 * most) < 0.6  # inches for a score
    assert width >= max(3 * 3, height)
    points, published, *_ = dots(figure.axes[0])
    chance, interval, *_ = figure.axes[0].lines
    assert chance.zorder < interval.zorder < points.above < published.above


def test_a_ranking_of_one_pair_has_a_panel_of_its_own(made, tmp_path):
    made[1]["ranking"][:1].assign(n_pairs=1).to_csv(tmp_path / "ranking.csv", index=False)
    figure = draw("downstream/plot_ranking.py", ["ranking"], input={"ranking": tmp_path / "ranking.csv"})["ranking"]
    assert panels(figure) == (1, 1)
    assert figure.axes[0].get_title(loc="left").endswith(", 1 pair")
    assert figure.axes[0].get_xlabel()


@pytest.mark.parametrize(
    "options",
    [{"sets": ()}, {"pair_sets": ()}, {"units": {"deep": ["deep"]}}, {"units": {"tiny": ["tiny"]}, "sets": ()},
     {"units": {"deep": ["deep"]}, "sets": ()}],
)  # fmt: skip
def test_studies_of_less_are_drawn_too(tmp_path, options):
    paths = study.write(tmp_path, **options)
    figures = draw(
        "downstream/plot_correlations.py", ["classes", "sets"], input=given(paths, "by_class", "by_pair", "cases")
    )
    figures |= draw("downstream/plot_ranking.py", ["ranking"], input=given(paths, "ranking"))
    figures |= draw("downstream/plot_robustness.py", ["robustness"], input=given(paths, "robustness", "titles"))
    assert all(figure.get_suptitle() for figure in figures.values())
    drawn = {title.split(",")[0] for figure in figures.values() for axis in figure.axes
             for title in (axis.get_title(), axis.get_title(loc="left")) if title}  # fmt: skip
    names = {*options.get("sets", ["biographies", "comments"]), *options.get("pair_sets", ["sentences"])}
    unseen = {"sentences"} if options.get("units") == {"deep": ["deep"]} else set()  # an encoder has no scores of them
    assert drawn == names - unseen
