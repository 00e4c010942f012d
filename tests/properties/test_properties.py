"""The study's script by script: verdicts of a metric, table with published verdicts, findings and figures."""

import json

import numpy as np
import pandas as pd
import pytest

from biassay.studies.properties import findings
from scripts.properties import check
from tests.running import ROOT
from tests.scripted import draw

PRINTED = ROOT / "resources/published/properties.csv"
NAMES = ("comparable", "trustworthy", "skew", "stereotype")
SIGNS = {"y": "yes", "n": "no", "c": "conditional", "–": "not applicable"}
OWN = """
import numpy as np
from biassay import Level, Metric
METRIC = Metric(summary="first number", source="mine", word=Level(-1.0, 1.0))
def word_bias(targets, groups):
    return targets[:, 0] / np.linalg.norm(targets, axis=1)
"""


def verdict(level, name, result, groups=2, examples=(), min_distance=float("nan"), reason="b = b_0 for biased targets"):
    return {"level": level, "n_groups": groups, "property": name, "verdict": result, "reason": reason,
            "n_evaluations": 7, "min_distance": min_distance, "examples": list(examples)}  # fmt: skip


def verdicts(level, signs, groups=2, reason="b = b_0 for biased targets"):
    """Verdicts on the four properties, or the two of the word level, by a letter each."""
    return [verdict(level, name, SIGNS[sign], groups, reason=reason) for name, sign in zip(NAMES, signs, strict=False)]


def example(targets, labels=(), value=0.0):
    groups = [[[2.0, 0.0], [0.0, 3.0]], [[-1.0, 0.0], [0.0, -1.0]]]
    return {"setting": "near", "groups": groups, "targets": targets, "labels": list(labels), "value": value}


def run_tabulate(folder, by_metric):
    """Write properties.csv and findings.csv from verdicts by metric; return both tables, and the figures by name."""
    files = [folder / f"{metric}.json" for metric in by_metric]
    for file, found in zip(files, by_metric.values(), strict=True):
        file.write_text(json.dumps(found))
    out = {"table": folder / "properties.csv", "findings": folder / "findings.csv"}
    given = {"input": {"verdicts": files, "published": PRINTED}, "params": {"verdicts": list(by_metric)}}
    figures = draw("properties/tabulate.py", ["properties", *NAMES], output=out, **given)
    return pd.read_csv(out["table"]), pd.read_csv(out["findings"], keep_default_na=False), figures


def test_a_metric_of_ones_own_is_checked(tmp_path):
    """A metric that looks at the first number only has no bias for words that are nearer to one group."""
    (tmp_path / "own.py").write_text(OWN)
    check.main({"own": str(tmp_path / "own.py")}, 1, 2, [str(tmp_path / "own.json")])
    found = json.loads((tmp_path / "own.json").read_text())
    assert [(v["level"], v["n_groups"], v["property"], v["verdict"]) for v in found] == [
        ("word", 2, "comparable", "yes"), ("word", 2, "trustworthy", "no")
    ]  # fmt: skip
    (shown,) = found[1]["examples"]
    (target,), groups = shown["targets"], [np.array(group) for group in shown["groups"]]
    near = [np.mean(group @ target / np.linalg.norm(group, axis=1)) / np.linalg.norm(target) for group in groups]
    assert abs(near[0] - near[1]) > 0.1
    assert target[0] / np.linalg.norm(target) == pytest.approx(shown["value"], abs=1e-6)
    assert shown["value"] == pytest.approx(0, abs=1e-4)


def test_published_verdicts_are_of_two_groups(tmp_path):
    shown = [example([[1.0, 0.0]], [1], 0.5)]
    found = [verdict("word", "trustworthy", "yes"), verdict("set", "trustworthy", "no"),
             verdict("set", "stereotype", "yes"), verdict("set", "trustworthy", "no", 3, shown, 0.1234)]  # fmt: skip
    table = run_tabulate(tmp_path, {"weat": found})[0]
    assert table["published"].tolist()[:3] == ["yes", "no", "conditional"]
    assert table["agrees"].tolist()[:3] == [True, True, False]
    assert table.loc[3, ["published", "agrees"]].isna().all()
    assert (table.loc[3, "min_distance"], json.loads(table.loc[3, "counterexamples"])) == (0.123, shown)


ONE = {
    "mine": verdicts("set", "yyyy") + verdicts("word", "yn"),
    "other": verdicts("set", "ynyn") + verdicts("word", "yy"),
    "rnsb": verdicts("set", "––––"),
}


def test_metrics_with_each_property(tmp_path):
    sentences = run_tabulate(tmp_path, ONE)[1]["sentence"]
    ends = [": mine and other at the set level, mine and other at the word level.",
            ": mine at the set level, other at the word level.", ": mine and other at the set level.",
            ": mine at the set level."]  # fmt: skip
    assert all(sentence.endswith(end) for sentence, end in zip(sentences.iloc[1:5], ends, strict=True))


@pytest.mark.parametrize(
    ("by_metric", "start"),
    [
        ({"mine": ONE["mine"], "other": ONE["mine"]}, "Of 2 metrics, mine and other have no"),
        ({"mine": verdicts("set", "yyyc")}, "The only metric has a counterexample"),
        ({"mine": verdicts("word", "yy")}, "No metric with a set level"),
        ({"rnsb": ONE["rnsb"]}, "The properties apply to none"),
    ],
)
def test_the_headline_follows_the_table(tmp_path, by_metric, start):
    assert run_tabulate(tmp_path, by_metric)[1]["sentence"][0].startswith(start)


def test_what_was_not_searched_is_not_claimed(tmp_path):
    """No set level has two groups, and no metric has both two and three."""
    found = {"mine": verdicts("word", "yn"), "other": verdicts("set", "yyyy", groups=3)}
    sentences = run_tabulate(tmp_path, found)[1]["sentence"]
    assert not sentences.str.startswith("With three groups").any()
    lost = run_tabulate(tmp_path, {"mine": verdicts("set", "yyyy") + verdicts("set", "yyyn", groups=3)})[1]["sentence"]
    assert "With three groups, mine (stereotype) loses properties." in lost.tolist()


def test_published_verdicts_that_the_search_confirms(tmp_path):
    """Published: MAC has none of the properties."""
    table = run_tabulate(tmp_path, {"mac": verdicts("set", "nnyn")})[0]
    (finding,) = findings.describe_published(table)
    assert " ".join(finding.sentence.split()).endswith(
        " 3 of 4 published verdicts; not MAC, skew (yes, published: no)."
    )


def test_table_as_a_figure(tmp_path):
    """One panel per number of groups and level; metrics with more properties first; published verdicts that differ."""
    results = {"comparable": "yes", "trustworthy": "no", "skew": "yes", "stereotype": "conditional"}
    by_metric = {
        "mac": [verdict("word", "trustworthy", "yes"), verdict("word", "comparable", "conditional")],
        "weat": [verdict("set", name, result) for name, result in results.items()],
        "same": [verdict("set", "skew", "yes"), verdict("word", "comparable", "yes")],
        "rnsb": [verdict("set", "skew", "not applicable")],
    }
    word, sets = run_tabulate(tmp_path, by_metric)[2]["properties"].axes
    assert [label.get_text() for label in word.get_yticklabels()] == ["SAME", "MAC", "WEAT"]
    cells = [{text.get_position(): text.get_text() for text in axis.texts} for axis in (word, sets)]
    assert cells[0] == {(0, 0): "✓", (0, 1): "(✓) ≠", (1, 1): "✓ ≠"}
    assert cells[1] == {(0, 2): "✓", (1, 2): "✗", (2, 2): "✓ ≠", (3, 2): "(✓)", (2, 0): "✓"}
    (axis,) = run_tabulate(tmp_path, {"rnsb": by_metric["rnsb"]})[2]["properties"].axes
    assert not axis.texts


def test_panels_of_counterexamples_in_a_plane(tmp_path):
    """Those of two dimensions, one figure per property; of single words only if there is none of sets."""
    solid = example([[0.0, 1.0, 0.0]])
    flat = [example([[1.0, 0.0]], value=value) for value in (0.123456, -1e-6, np.nan, -0.00041)]
    by_metric = {
        "weat": [verdict("set", "skew", "no", examples=[solid, flat[0]]),
                 verdict("word", "comparable", "no", examples=flat[:1], reason="the smallest value")],
        "mac": [verdict("word", "trustworthy", "no", examples=flat[:1]),
                verdict("set", "trustworthy", "no", examples=flat[1:])],
    }  # fmt: skip
    figures = run_tabulate(tmp_path, by_metric)[2]
    titles = {name: [axis.get_title() for axis in figures[name].axes if axis.get_visible()] for name in NAMES}
    assert titles == {
        "comparable": ["WEAT, word level\nsmallest b = 0.123"],
        "trustworthy": ["MAC\nb = 0", "MAC\nb = nan", "MAC\nb = −0.0004"],
        "skew": ["WEAT\nb = 0.123"],
        "stereotype": [],
    }
