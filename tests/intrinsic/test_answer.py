"""Every part of the study's page, against the tables that it was made of."""

import re

import numpy as np
import pytest

from biassay.report import curves
from biassay.report.findings import describe_differences
from biassay.report.formatting import format_decimal, metric_label
from tests.intrinsic import believable
from tests.markup import Page
from tests.scripted import run

TABLES = ("models", "words", "signs", "comparisons", "sets", "set_comparisons", "min_detectable_effect", "reliability",
          "retraining_variability", "intersections")  # fmt: skip
SCORES = {"gender": ["weat", "same", "mac", "direct_bias_1"], "religion": ["same", "mac", "direct_bias_1"]}
NOTHING = {
    "signs": "No attribute of two groups has signed scores.",
    "min_detectable_effect": "No models for detection were trained: intrinsic.detection.strengths is empty.",
    "intersections": "Not measured: intrinsic.intersections is empty.",
}


def page(paths, folder, min_r=0.85, **tables):
    """The page of the tables at paths, some of them replaced."""
    for name, table in tables.items():
        table.to_csv(folder / f"{name}.csv", index=False)
        paths = paths | {name: folder / f"{name}.csv"}
    given = {name: paths[name] for name in TABLES}
    out = {"page": folder / "answer.html", "findings": folder / "findings.csv"}
    run("intrinsic/answer.py", input=given, params={"min_r": min_r}, output=out)
    html, findings = (path.read_text("utf-8") for path in out.values())
    assert not re.search(r"\bnan\b|(src|href)=|<(html|head|body|h1|h2)\b", html)
    assert "nan" not in findings
    assert "figures/words,Closest to the data at word level: " in findings.replace('"', "")
    return Page(html)


def cell(table, value, **keys):
    """r with its interval, as it stands in the page."""
    row = curves.select_rows(table, **keys)
    if not len(row) or np.isnan(row[value].item()):
        return "–"
    ends = [format_decimal(row[end].item()) for end in ("low", "high")]
    return format_decimal(row[value].item()) + (f" [{', '.join(ends)}]" if "–" not in ends else "")


@pytest.fixture(scope="module")
def answered(made, tmp_path_factory):
    return page(made[0], tmp_path_factory.mktemp("answer"))


def test_headings(answered):
    assert len(answered.texts["h3"]) == 8
    assert answered.texts["h4"] == ["gender", "religion"] * 2
    assert len(answered.tables) == 8


def test_what_models_have_learned(made, answered, tmp_path):
    models = made[1]["models"]
    grid = models[models["purpose"] == "grid"]
    medians = [format_decimal(np.median(grid[name])) for name in ("r", "r_gender", "r_religion")]
    sentence = answered.texts["p"][0]
    assert sentence.startswith(f"{(grid['r'] >= 0.85).sum()} of 12 models learned their bias")
    for fragment in ("at least 0.85", f"; {(grid['attempts'] > 1).sum()} needed more than one attempt"):
        assert fragment in sentence
    medians = f"Median r: {medians[0]}; {medians[1]} for gender and {medians[2]} for religion."
    start, end = sentence.split(medians)
    assert end.startswith(" 9 more ")
    assert 0 < (grid["r"] >= 0.85).sum() < 12
    assert page(made[0], tmp_path, models=grid).texts["p"][0] == start + medians


def test_occupations(made, answered):
    _, found = made
    for number, (attribute, names) in enumerate(SCORES.items()):
        tests = curves.select_rows(found["comparisons"], attribute=attribute, against="data")
        assert describe_differences(tests, {name: metric_label(name) for name in names}) in answered.texts["p"]
        head, *rows = answered.rows(number)
        assert head == ["metric", "mean r with the data", "mean r with unmasking"]
        expected = [
            ["unmasking", cell(found["words"], "r_mean", attribute=attribute, first="data", second="unmasking"), "–"]
        ]
        for name in names:
            cells = [cell(found["words"], "r_mean", attribute=attribute, first=ground_truth, second=name)
                     for ground_truth in ("data", "unmasking")]  # fmt: skip
            expected.append([metric_label(name), *cells])
        assert rows == expected
        assert all("[" in of for row in rows[1:] for of in row[1:])


def test_which_way(made, answered):
    signs = made[1]["signs"]
    head, *rows = answered.rows(2)
    assert head == ["attribute", "metric", "mean r with the data", "mean r with unmasking"]
    expected = [["gender", "unmasking", cell(signs, "r_mean", first="data", second="unmasking"), "–"]]
    for name, label in (("weat", "WEAT"), ("same", "SAME")):
        cells = [cell(signs, "r_mean", first=ground_truth, second=name) for ground_truth in ("data", "unmasking")]
        expected.append(["gender", label, *cells])
    assert rows == expected


def test_all_occupations_together(made, answered):
    sets = made[1]["sets"]
    for number, (attribute, names) in enumerate(SCORES.items(), start=3):
        names = [*names, "neighbours", "neighbours (leaking)"]
        tests = [curves.select_rows(made[1]["set_comparisons"], attribute=attribute, labels=kind, against="data")
                 for kind in ("noisy", "ideal")]  # fmt: skip
        noisy, ideal = (describe_differences(table, {name: metric_label(name) for name in names}) for table in tests)
        assert f"With noisy stereotypes: {noisy} With ideal stereotypes: {ideal}" in answered.texts["p"]
        head, *rows = answered.rows(number)
        kinds = [(ground_truth, kind) for kind in ("noisy", "ideal") for ground_truth in ("data", "unmasking")]
        assert head == ["metric", *(f"r with {ground_truth}, {kind}" for ground_truth, kind in kinds)]
        assert rows == [
            [metric_label(name), *(
                cell(sets, "r", attribute=attribute, labels=kind, first=ground_truth, second=name) for ground_truth,
                kind in kinds)]
            for name in ["unmasking", *names]
        ]  # fmt: skip
        assert [of == "–" for of in rows[0]] == [False, False, True, False, True]


def test_detection(made, answered, tmp_path):
    detected = made[1]["min_detectable_effect"]
    head, *rows = answered.rows(5)
    assert head == ["metric", "gender", "religion"]
    assert [row[0] for row in rows] == [metric_label(name) for name in ["unmasking", *believable.METRICS]]
    by = detected.set_index(["metric", "attribute"])
    for row, name in zip(rows, ["unmasking", *believable.METRICS], strict=True):
        for said, attribute in zip(row[1:], ("gender", "religion"), strict=True):
            if (name, attribute) not in by.index:
                assert said == "–"
                continue
            of = by.loc[(name, attribute)]
            gaps = f"; {100 * of['undefined']:.0f} % undefined" if of["undefined"] > 0 else ""
            if of["strength"] > 0:
                assert said == f"{format_decimal(of['divergence'], 3)} (strength {of['strength']:g}{gaps})"
            else:
                assert said == f"none ({100 * of['max_detection_rate']:.0f} % at the largest strength{gaps})"
    assert any("in 95 % of pairs of models" in text for text in answered.texts["p"])


def test_templates(made, answered, tmp_path):
    table = made[1]["reliability"].assign(min_sentences=[5.0, np.nan])
    for found, min_sentences in (
        (answered, made[1]["reliability"]["min_sentences"]),
        (page(made[0], tmp_path, reliability=table), table["min_sentences"]),
    ):
        head, *rows = found.rows(6)
        assert len(head) == 5
        for row, of, n in zip(rows, table.to_dict("records"), min_sentences, strict=True):
            assert row == [
                of["attribute"], f"{of['n_sampled']} of {of['n_sentences']}",
                " ± ".join(format_decimal(of[name], 3) for name in ("mean", "std")),
                {"gender": "–", "religion": "0.08"}[of["attribute"]],
                "more than available" if np.isnan(n) else f"{n:.0f}",
            ]  # fmt: skip


def test_repeats(made, answered):
    head, *rows = answered.rows(7)
    assert head == [
        "attribute",
        "metric",
        "relative difference, as printed",
        "symmetric",
        "published",
        "sign-flip rate",
    ]
    for row, of in zip(rows, made[1]["retraining_variability"].to_dict("records"), strict=True):
        differences = [format_decimal(of[name], 3) for name in ("difference_from_first", "difference")]
        assert row[:4] == [of["attribute"], metric_label(of["metric"]), *differences]
        assert row[4] == ("–" if np.isnan(of["published"]) else format_decimal(of["published"], 3))
        assert row[5] == ("–" if of["sign_flip_rate"] == 0 else f"{100 * of['sign_flip_rate']:.0f} %")
    assert {"–"} < {row[5] for row in rows}


def test_two_attributes(made, answered):
    mean = made[1]["intersections"].set_index("statistic")["mean"]
    (sentence,) = (text for text in answered.texts["p"] if text.startswith("Gender and religion: "))
    values = [format_decimal(mean[name]) for name in ("r", "r_product")]
    values.append(f"{format_decimal(mean['information'], 4)} nats")
    places = [sentence.index(value) for value in values]
    assert places == sorted(places)


def test_sections_with_nothing_to_show(made, tmp_path):
    for name, text in NOTHING.items():
        found = page(made[0], tmp_path, **{name: made[1][name].iloc[:0]})
        assert text in found.texts["p"]
    empty = made[1]["retraining_variability"].assign(
        difference_from_first=np.nan, difference=np.nan, sign_flip_rate=np.nan
    )
    assert (
        "Not computable: no distribution has two models."
        in page(made[0], tmp_path, retraining_variability=empty).texts["p"]
    )


def test_a_metric_without_values(made, tmp_path):
    """One metric that has no score of any model, and one model of the grid only: no cell says nan."""
    repeats = made[1]["retraining_variability"]
    repeats.loc[repeats["metric"] == "mac", ["difference_from_first", "difference", "sign_flip_rate"]] = np.nan
    found = page(
        made[0], tmp_path, retraining_variability=repeats, reliability=made[1]["reliability"].assign(std=np.nan)
    )
    assert found.rows(7)[7][1:] == ["MAC", "–", "–", "–", "–"]
    assert found.rows(6)[1][2] == format_decimal(made[1]["reliability"]["mean"][0], 3)
