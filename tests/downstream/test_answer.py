"""Every part of the study's page, against the tables that it was made of."""

import re

import numpy as np
import pandas as pd
import pytest

from biassay.report.formatting import format_decimal, format_p_value, metric_label
from biassay.studies.downstream import verdicts
from tests.downstream import study
from tests.markup import Page
from tests.scripted import run

TABLES = ("models", "classifiers", "shares", "ranking", "correlations", "sets", "robustness", "titles")
HEADINGS = [
    "Which of two models has more downstream bias?", "Which of two models has more planted bias?",
    "Classifiers and pairs of sentences", "Within a model: do scores of classes and pairs agree with their bias?",
    "Over models: do scores of all texts or pairs agree with the bias?", "How many texts are needed?",
    "Are titles alone enough?", "How to read this",
]  # fmt: skip
GROUPS = [("biographies", "gender"), ("comments", "race"), ("sentences", "gender"), ("sentences", "race")]


def page(paths, folder, **changed):
    """The page of the tables at paths, some of them replaced."""
    for name, table in changed.items():
        table.to_csv(folder / f"{name}.csv", index=False)
        paths = paths | {name: folder / f"{name}.csv"}
    out = {"page": folder / "answer.html", "findings": folder / "findings.csv"}
    run("downstream/answer.py", input={name: paths[name] for name in TABLES}, output=out)
    html, told = (path.read_text("utf-8") for path in out.values())
    assert not re.search(r"\bnan\b|(src|href)=|<(html|head|body|h1|h2)\b", html)
    assert "nan" not in told
    assert told.count("\n") == 9  # four verdicts and a title for each of four figures
    return Page(html)


@pytest.fixture(scope="module")
def answered(made, tmp_path_factory):
    return page(made[0], tmp_path_factory.mktemp("answer"))


def between(row):
    return f" [{format_decimal(row.low)}, {format_decimal(row.high)}]" if np.isfinite(row.low) else ""


def test_headings_and_models(answered):
    assert answered.texts["h3"] == HEADINGS
    assert len(answered.tables) == 8
    assert answered.texts["p"][0].startswith("8 language models, 6 of them with planted bias of 3 strengths.")
    assert "0.00 at strength 0, 0.35 at strength 0.5 and 0.70 at strength 1" in answered.texts["p"][0]


def test_without_planted_models(made, tmp_path):
    models = made[1]["models"]
    for table in (models[models["strength"].isna()], models[["name", "job", "kind"]][:2]):
        found = page(made[0], tmp_path, models=table)
        assert found.texts["p"][0] == "2 language models."


@pytest.mark.parametrize(("number", "ground_truth"), [(0, "downstream"), (1, "planted")])
def test_ranking(made, answered, number, ground_truth):
    table = made[1]["ranking"]
    table = table[(table["ground_truth"] == ground_truth) & (table["version"] != "raw")]
    head, *rows = answered.rows(number)
    scores = list(dict.fromkeys(table["score"]))
    assert head == [
        "set and attribute",
        "pairs",
        *("Downstream bias" if s == "downstream" else metric_label(s) for s in scores),
    ]
    expected = []
    for (name, attribute, terms), of in table.groupby(["set", "attribute", "group_words"], sort=False):
        cells = [
            f"{name}, {attribute}" + (", group words debiased too" if terms == "debiased" else ""),
            str(of["n_pairs"].max()),
        ]
        for score in scores:
            found = of[of["score"] == score]
            if not len(found):
                cells.append("–")
                continue
            row = next(found.itertuples())
            p = format_p_value(row.p_holm) if np.isfinite(row.p_holm) else ""
            published = f"published {format_decimal(row.published)}" if np.isfinite(row.published) else ""
            cells.append(format_decimal(row.ranking_accuracy) + between(row) + p + published)
        expected.append(cells)
    assert rows == expected
    assert len(rows) == (6 if ground_truth == "downstream" else 4)


def ranking(*rows):
    """A table of ranking: score, accuracy, corrected p; terms."""
    table = pd.DataFrame(
        [(*row, "raw")[:4] for row in rows], columns=["score", "ranking_accuracy", "p_holm", "group_words"]
    )
    return table.assign(set="bios", attribute="gender", version="scrubbed", ground_truth="downstream", n_models=6,
    n_pairs=12,
                        chance=0.5, low=np.nan, high=np.nan, published=np.nan)  # fmt: skip


@pytest.mark.parametrize("ground_truth", ["downstream", "planted"])
def test_verdicts(made, tmp_path, ground_truth):
    table = ranking(("same", 0.9, 0.01), ("weat", 0.4, 0.2)).assign(ground_truth=ground_truth)
    found = page(made[0], tmp_path, ranking=table)
    assert found.texts["p"][1:3] == [verdicts.describe_ranking(table, of).sentence for of in ("downstream", "planted")]


def spread(values):
    median, low, high = (format_decimal(value, 3) for value in (values.median(), values.min(), values.max()))
    return f"{median} {low} to {high}" if values.notna().any() else "–"


def test_classifiers_and_pairs(made, answered):
    classifiers, shares = made[1]["classifiers"], made[1]["shares"]
    expected = []
    for (name, version, k), of in classifiers.groupby(["set", "version", "n_directions"], sort=False):
        used = of[of["is_valid"]]
        expected.append(
            [name, version, str(k), f"{len(used)} of 8", format_decimal(of["recall"].median()), spread(used["gap"])]
        )
    assert answered.rows(2)[1:] == expected
    assert expected[0][3] == "6 of 8"
    assert answered.rows(3)[1:] == [["sentences", attribute, "15", spread(of["share_stereotypical"])]
                                    for attribute, of in shares.groupby("attribute", sort=False)]  # fmt: skip


def test_classifiers_of_which_none_counts(made, tmp_path):
    found = page(made[0], tmp_path, classifiers=made[1]["classifiers"].assign(is_valid=False))
    assert {(row[3], row[5]) for row in found.rows(2)[1:]} == {("0 of 8", "–")}


def test_correlations(made, answered):
    table = made[1]["correlations"]
    table = table[((table["units"] == "pairs") & (table["signed"].astype(str) == "False"))
                  | ((table["units"] == "classes") & (table["n_directions"] == 0)
                     & (table["classes"] == "all"))]  # fmt: skip
    expected = [
        [row.set, row.attribute, "pairs" if row.units == "pairs" else f"classes, {row.version} texts",
         metric_label(row.metric),
         f"{format_decimal(row.median)} quartiles {format_decimal(row.lower_quartile)}, "
         f"{format_decimal(row.upper_quartile)}",
         f"{row.n_significant} of {row.n_models}"]
        for row in table.itertuples()
    ]  # fmt: skip
    assert answered.rows(4)[1:] == expected
    assert {row[2] for row in expected} == {"pairs", "classes, raw texts", "classes, scrubbed texts"}
    sets = made[1]["sets"]
    sets = sets[(sets["group_words"] == "raw") & (sets["version"] != "raw")]
    assert answered.rows(5)[1:] == [
        [row.set, row.attribute, metric_label(row.metric), format_decimal(row.r) + between(row), str(row.n_cases)]
        for row in sets.itertuples()
    ]


def deviation(row):
    return " ± ".join(f"{row[name]:.3f}" for name in ("mean", "std"))


def test_fewer_texts_and_titles(made, answered):
    robustness, titles = made[1]["robustness"], made[1]["titles"]
    expected = []
    for (name, metric, again), of in robustness.groupby(["set", "metric", "regrouped"], sort=False):
        most, fewest = of.sort_values("n_texts").iloc[-1], of.sort_values("n_texts").iloc[0]
        cells = [f"{deviation(row)} {row['n_texts']} texts" if np.isfinite(row["mean"]) else "–"
                 for row in (fewest, most)]  # fmt: skip
        expected.append([name, metric_label(metric) + (", groups by the texts of the subset" if again else ""), *cells])
    assert answered.rows(6)[1:] == expected
    assert any("–" in row for row in expected) == robustness["mean"].isna().any()
    assert answered.rows(7)[1:] == [
        [
            row["set"],
            metric_label(row["metric"]),
            deviation(row),
            f"{row['published']:.3f}" if np.isfinite(row["published"]) else "–",
        ]
        for _, row in titles.iterrows()
    ]


def test_the_fewest_texts_and_the_most(made, tmp_path):
    row = made[1]["robustness"][:1].assign(metric="same", regrouped=False, std=0.5)
    table = pd.concat([row.assign(n_texts=texts, mean=texts / 100) for texts in (20, 80, 10, 40)])
    found = page(made[0], tmp_path, robustness=table)
    assert found.rows(6)[1][2:] == ["0.100 ± 0.500 10 texts", "0.800 ± 0.500 80 texts"]


@pytest.mark.parametrize(
    ("options", "said", "tables"),
    [
        ({"sets": ()}, {"The study has no texts."}, 5),
        ({"pair_sets": ()}, {"The study has no pairs of sentences."}, 7),
        ({"units": {"tiny": ["tiny"]}, "sets": ()}, {"The study has no texts.", verdicts.EMPTY["planted"]}, 4),
        ({"units": {"deep": ["deep"]}, "sets": ()},
         {"The study has no texts.", "The study has no pairs of sentences.", verdicts.EMPTY["downstream"], "–"}, 0),
    ],
)  # fmt: skip
def test_studies_of_less_are_told_too(tmp_path, options, said, tables):
    found = page(study.write(tmp_path, **options), tmp_path)
    assert found.texts["h3"] == HEADINGS
    assert said <= set(found.texts["p"])
    assert len(found.tables) == tables


def test_names_are_not_read_as_html(made, tmp_path):
    changed = {name: made[1][name].replace("biographies", "<b>&") for name in TABLES[1:]}
    found = page(made[0], tmp_path, **changed)
    assert all("<b>&" in " ".join(row[0] for row in found.rows(number)) for number in (0, 1, 2, 4, 5, 6, 7))
