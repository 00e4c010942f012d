"""Sentences on properties: each changes with the table of verdicts."""

import pandas as pd
import pytest

from biassay.studies.properties.findings import collect_findings
from tests.properties.handmade import tabulated, verdict
from tests.scripted import run

NAMES = ("comparable", "trustworthy", "skew", "stereotype")
B_0 = "b = b_0 for biased targets (setting 'orthogonal')"


def of(level, *said, groups=2, reason=B_0):
    """Verdicts on the four properties, or the two of the word level: y, n, c or –."""
    words = {"y": "yes", "n": "no", "c": "conditional", "–": "not applicable"}
    return [
        verdict(level, name, words[sign], groups) | {"reason": reason} for name, sign in zip(NAMES, said, strict=False)
    ]


def sentences(folder, verdicts):
    """The sentences of the script, verdicts in a list and titles by result."""
    table, _ = tabulated(folder, verdicts)
    run("properties/answer.py", input={"table": table}, output={"found": folder / "findings.csv"})
    found = pd.read_csv(folder / "findings.csv", keep_default_na=False)
    assert list(found) == ["result", "sentence", "test", "n"]
    return found[found["result"] == ""]["sentence"].tolist(), found.set_index("result")["sentence"].drop("").to_dict()


ONE = {
    "mine": of("set", *"yyyy") + of("word", *"yn"),
    "other": of("set", *"ynyn") + of("word", *"yy"),
    "rnsb": of("set", *"––––"),
}


def test_who_has_which_property(tmp_path):
    verdicts, titles = sentences(tmp_path, ONE)
    assert verdicts[0].startswith("Of 2 metrics, mine has no counterexample")
    assert verdicts[1].endswith("): mine and other at the set level, mine and other at the word level.")
    assert verdicts[2].startswith("Trustworthy (")
    assert verdicts[2].endswith("): mine at the set level, other at the word level.")
    assert verdicts[3].endswith("): mine and other at the set level.")
    assert verdicts[4].endswith("): mine at the set level.")
    assert verdicts[5:] == ["The properties do not apply to RNSB."]
    assert titles["figures/properties"] == verdicts[0]
    for name in ("comparable", "skew"):
        assert titles[f"figures/counterexamples/{name}"] == f"No counterexample to the property “{name}” was found"
    assert titles["figures/counterexamples/trustworthy"].endswith("(“no bias” for biased words): mine and other")
    assert titles["figures/counterexamples/stereotype"].startswith("Not always sensitive to stereotypes (")
    assert titles["figures/counterexamples/stereotype"].endswith("): other")
    assert len(titles) == 5


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        ({"mine": ONE["other"], "other": ONE["mine"]}, "Of 2 metrics, other has no"),
        ({"mine": ONE["mine"], "other": ONE["mine"]}, "Of 2 metrics, mine and other have no"),
        ({"mine": ONE["other"], "other": ONE["other"]}, "Of 2 metrics, all have a counterexample"),
        ({"mine": ONE["mine"]}, "Of 1 metric, mine has no"),
        ({"mine": of("set", *"yyyc")}, "Of 1 metric, all have a counterexample"),
        ({"mine": of("word", *"yy")}, "No metric with a set level was checked."),
        ({"rnsb": ONE["rnsb"]}, "The properties apply to none of the metrics."),
    ],
)
def test_the_headline_follows_the_table(tmp_path, verdicts, said):
    assert sentences(tmp_path, verdicts)[0][0].startswith(said)


def test_conditions_and_false_positives(tmp_path):
    reason = "b = 0.300 instead of 0 for targets equally near all groups (setting 'near')"
    verdicts, titles = sentences(tmp_path, {"mine": of("set", *"nnnc", reason=reason)})
    assert verdicts[4].endswith("): none at the set level; mine if the labels follow the stereotypes.")
    title = titles["figures/counterexamples/trustworthy"]
    assert title == "Not always trustworthy (“no bias” for biased words, or bias for unbiased words): mine"
    assert titles["figures/counterexamples/stereotype"].endswith(": mine")


@pytest.mark.parametrize(
    ("three", "said"),
    [
        ("yyyy", "With three groups, no property is lost."),
        ("ynyn", "mine (trustworthy and stereotype) loses properties."),
    ],
)
def test_what_three_groups_cost(tmp_path, three, said):
    verdicts = {"mine": of("set", *"yyyy") + of("set", *three, groups=3), "rnd": of("set", *"yyyy")}
    assert sentences(tmp_path, verdicts)[0][5].endswith(said)


def test_published_verdicts_that_come_out(tmp_path):
    """Printed: MAC has none of the properties."""
    verdicts, _ = sentences(tmp_path, {"mac": of("set", *"nnnn")})
    assert "4 of 4 published verdicts" in verdicts[-1]
    verdicts, _ = sentences(tmp_path, {"mac": of("set", *"nnyn")})
    assert verdicts[-1].endswith(" 3 of 4 published verdicts; not MAC, skew (yes, published: no).")


def test_n_says_how_many_were_judged(tmp_path):
    table, _ = tabulated(tmp_path, ONE)
    found = collect_findings(pd.read_csv(table))
    assert [finding.n for finding in found[:2]] == ["2 metrics", "2 metrics"]
    assert all(finding.test.startswith("search for counterexamples") for finding in found[:5])
