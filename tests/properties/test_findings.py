"""Sentences on properties: each changes with the table of verdicts."""

import pandas as pd
import pytest

from biassay.studies.properties.findings import findings
from tests.properties.handmade import tabulated, verdict
from tests.scripted import run

NAMES = ("comparable", "trustworthy", "skew", "stereotype")
B_0 = "b = b_0 on biased targets, orthogonal groups"


def of(level, *said, groups=2, reason=B_0):
    """Verdicts on the four properties, or the two of single words: y, n, c or –."""
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
    assert verdicts[0].startswith("Of 2 metrics only mine comes through the search for counterexamples")
    assert verdicts[1].endswith("): mine and other of sets of words, mine and other of single words.")
    assert verdicts[2].startswith("Trustworthy (“no bias” if, and only if,")
    assert verdicts[2].endswith("): mine of sets of words, other of single words.")
    assert verdicts[3].endswith("): mine and other of sets of words.")
    assert verdicts[4].endswith("): mine of sets of words.")
    assert verdicts[5:] == ["The properties do not apply to RNSB."]
    assert titles == {
        "figures/properties": verdicts[0],
        "figures/counterexamples/comparable": "No counterexample to the property “comparable” was found",
        "figures/counterexamples/trustworthy": (
            "Not always trustworthy (“no bias” of words that lean to a group): mine and other"
        ),
        "figures/counterexamples/skew": "No counterexample to the property “skew” was found",
        "figures/counterexamples/stereotype": (
            "Not always sensitive to stereotypes (“no bias” of words that lean to different groups): other"
        ),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("verdicts", "said"),
    [
        ({"mine": ONE["other"], "other": ONE["mine"]}, "Of 2 metrics only other comes through"),
        ({"mine": ONE["mine"], "other": ONE["mine"]}, "Of 2 metrics mine and other come through"),
        ({"mine": ONE["other"], "other": ONE["other"]}, "Of 2 metrics none comes through"),
        ({"mine": ONE["mine"]}, "Of 1 metric only mine comes through"),
        ({"mine": of("set", *"yyyc")}, "Of 1 metric none comes through"),
        ({"mine": of("word", *"yy")}, "No metric of sets of words was judged."),
        ({"rnsb": ONE["rnsb"]}, "The properties apply to none of the metrics."),
    ],
)
def test_the_headline_follows_the_table(tmp_path, verdicts, said):
    assert sentences(tmp_path, verdicts)[0][0].startswith(said)


def test_conditions_and_false_alarms_are_told(tmp_path):
    alarm = "b = 0.300 in place of 0 on targets equally near all groups, near groups"
    verdicts, titles = sentences(tmp_path, {"mine": of("set", *"nnnc", reason=alarm)})
    assert verdicts[4].endswith("): none of sets of words; mine if the words are told by stereotype.")
    title = titles["figures/counterexamples/trustworthy"]
    assert title == "Not always trustworthy (words that lean to a group, or words that do not, misjudged): mine"
    assert titles["figures/counterexamples/stereotype"].endswith(": mine")


@pytest.mark.parametrize(
    ("three", "said"),
    [
        ("yyyy", "With three groups no property is lost."),
        ("ynyn", "mine (trustworthy and stereotype) loses a property."),
    ],
)
def test_what_three_groups_cost(tmp_path, three, said):
    verdicts = {"mine": of("set", *"yyyy") + of("set", *three, groups=3), "rnd": of("set", *"yyyy")}
    assert sentences(tmp_path, verdicts)[0][5].endswith(said)


def test_published_verdicts_that_come_out(tmp_path):
    """Printed: MAC has none of the properties."""
    verdicts, _ = sentences(tmp_path, {"mac": of("set", *"nnnn")})
    assert verdicts[-1] == "4 of 4 published verdicts come out."
    verdicts, _ = sentences(tmp_path, {"mac": of("set", *"nnyn")})
    assert verdicts[-1] == "3 of 4 published verdicts come out; not MAC, skew (yes, printed no)."


def test_n_says_how_many_were_judged(tmp_path):
    table, _ = tabulated(tmp_path, ONE)
    found = findings(pd.read_csv(table))
    assert [finding.n for finding in found[:2]] == ["2 metrics", "2 metrics"]
    assert all(finding.test.startswith("search for counterexamples") for finding in found[:5])
