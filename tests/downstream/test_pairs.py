"""Pairs of sentences that differ in a group: by hand, from files good and bad, and through the script."""

import csv
import re

import numpy as np
import pandas as pd
import pytest

from biassay.language_models.planted import template_files
from biassay.studies.downstream import pairs, planted
from tests.downstream.test_planted import SETTINGS
from tests.scripted import run

GROUPS = {
    "white": ["white", "whites", "European American", "Mr. White"],
    "black": ["black", "blacks", "african american", "Mr. Black"],
    "asian": ["asian", "asians", "asian-american", "Mr. Asian"],
}
HEADER = ["", "sent_more", "sent_less", "stereo_antistereo", "bias_type", "annotations"]
PAIR = ["0", "The black men ran.", "The white men ran.", "stereo", "race-color", "[]"]


@pytest.mark.parametrize(
    ("stereotypical", "antistereotypical", "found"),
    [
        ("Black! He ran.", "White! He ran.", ("black", "white", "[MASK]! He ran.")),
        ('They are "Asians".', 'They are "whites".', ("asian", "white", 'They are "[MASK]".')),
        ("An Asian ran.", "A black ran.", ("asian", "black", "[MASK] ran.")),
        ("African American men ran", "White men ran", ("black", "white", "[MASK] men ran")),
        ("Asian-American men ran", "White men ran", ("asian", "white", "[MASK] men ran")),
        ("He saw the black, and (blacks) him.", "He saw the asian, and (asians) him.",
         ("black", "asian", "He saw the [MASK], and ([MASK]) him.")),
        ("The black's car", "The white's car", ("black", "white", "The [MASK] car")),  # as black and blacks
        ("Ask Mr. Black there", "Ask white there", ("black", "white", "Ask [MASK] there")),
        ("The BLACK men, ran", "the white men ran", ("black", "white", "The [MASK] men, ran")),
        ("The black men ran", "The blacks men ran", None),  # one group
        ("The black men ran", "The white men walked", None),
        ("The black men of asians", "The white men of whites", None),  # two groups on a side
        ("The poor man ran", "The black man ran", None),
        ("The same", "The same", None),
    ],
)  # fmt: skip
def test_what_differs(stereotypical, antistereotypical, found):
    assert pairs.compare_sentences(stereotypical, antistereotypical, GROUPS) == found


def write(path, rows, header=HEADER):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def changed(**cells):
    return [cells.get(name, cell) for name, cell in zip(HEADER, PAIR, strict=True)]


def test_valid_pairs_of_a_file(tmp_path):
    rows = [
        PAIR,
        changed(sent_more="The old men ran.", sent_less="The rich men ran.", bias_type="age"),
        changed(bias_type="socioeconomic"),
        changed(sent_more=" The  asian\nmen ran. ", stereo_antistereo="antistereo"),
        changed(sent_more="Her hat.", sent_less="His hat.", bias_type="gender"),
        changed(sent_less="The tall men ran."),
        changed(bias_type="religion"),
    ]
    terms = {"gender": {"f": ["her"], "m": ["his"]}, "race": GROUPS, "age": {"old": ["old"], "young": ["young"]}}
    table, report = pairs.read_crows_pairs(write(tmp_path / "pairs.csv", rows), terms)
    assert table.columns.tolist() == pairs.COLUMNS
    assert table.to_numpy().tolist() == [
        ["race", "black", "white", "stereo", "The black men ran.", "The white men ran.", "The [MASK] men ran.", ""],
        ["race", "asian", "white", "antistereo", "The asian men ran.", "The white men ran.", "The [MASK] men ran.", ""],
        ["gender", "f", "m", "stereo", "Her hat.", "His hat.", "[MASK] hat.", ""],
    ]
    assert report.to_numpy().tolist() == [["race", 3, 2], ["age", 1, 0], ["gender", 1, 1]]
    assert report.columns.tolist() == ["attribute", "n_pairs", "n_valid"]


def test_a_repeated_pair_of_an_attribute_counts_once(tmp_path, caplog):
    repeated = changed(sent_more="the  BLACK men ran.", stereo_antistereo="antistereo")
    path = write(tmp_path / "pairs.csv", [PAIR, changed(bias_type="religion"), repeated])
    table, report = pairs.read_crows_pairs(path, {"race": GROUPS, "religion": GROUPS})
    assert table["attribute"].tolist() == ["race", "religion"]
    assert report.to_numpy().tolist() == [["race", 1, 1], ["religion", 1, 1]]
    assert "pairs.csv, row 3: repeats" in caplog.text


@pytest.mark.parametrize(
    ("rows", "header", "message"),
    [
        ([PAIR], [*HEADER[:4], "type", "x"],
         "{path}: lacks the column 'bias_type'; it has: sent_more, sent_less, stereo_antistereo, "),
        ([changed(sent_more=" \n\n ")], HEADER, "{path}, row 1, column sent_more: expected text"),
        ([PAIR, changed(stereo_antistereo="stere")], HEADER,
         "{path}, row 2, column stereo_antistereo: expected stereo or antistereo"),
        ([changed(sent_less="A man.")], HEADER, "{path}: no pair differs only in words of two groups of race"),
    ],
)  # fmt: skip
def test_bad_files(tmp_path, rows, header, message):
    path = write(tmp_path / "pairs.csv", rows, header)
    with pytest.raises(ValueError, match=re.escape(message.format(path=path))):
        pairs.read_crows_pairs(path, {"race": GROUPS})


def test_pairs_from_templates():
    material = template_files.read("resources/templates/intrinsic.yaml")
    random = np.random.default_rng(1)
    full = {name: random.dirichlet(np.ones(len(attribute.groups)), len(material.occupations))
            for name, attribute in material.attributes.items()}  # fmt: skip
    table = pairs.make_pairs(material, full, 40, seed=3)
    assert table.columns.tolist() == pairs.COLUMNS
    assert table["attribute"].value_counts().to_dict() == dict.fromkeys(material.attributes, 40)
    assert not table.duplicated(["stereotypical", "antistereotypical"]).any()
    for row in table.itertuples():
        before, after = row.masked.split("[MASK]")
        attribute = material.attributes[row.attribute]
        places = [attribute.groups.index(name) for name in (row.group_stereotypical, row.group_antistereotypical)]
        for text, place in zip((row.stereotypical, row.antistereotypical), places, strict=True):
            word = text.removeprefix(before).removesuffix(after)
            assert f"{before}{word}{after}" == text
            forms = [terms[place].lower() for terms in attribute.terms.values()]
            assert word.lower().removesuffix("s") in [form.removesuffix("s") for form in forms]
        named = [word for word in material.occupations if re.search(rf"\b{word}", row.stereotypical, re.IGNORECASE)]
        p = full[row.attribute][material.occupations.index(max(named, key=len))]
        assert row.occupation == max(named, key=len)
        assert p[places[0]] >= p[places[1]]


def collect(folder, options, files):
    out = {"pairs": folder / "pairs.out.csv", "sheet": folder / "sheet.csv"}
    params = {"options": options, "settings": SETTINGS, "seed": 5}
    given = {"files": files, "words": "resources/words/defining.yaml"}
    run("downstream/collect_pairs.py", input=given, output=out, params=params)
    return [pd.read_csv(path) for path in out.values()]


def test_the_script_makes_pairs_in_the_direction_of_planted_bias_or_takes_those_of_a_download(tmp_path):
    table, sheet = collect(tmp_path, {"source": "generated", "n": 12}, [])
    chosen = planted.select_templates(SETTINGS, seed=5)
    expected = pairs.make_pairs(chosen, planted.probabilities(chosen, SETTINGS, seed=5), 12, seed=5)
    pd.testing.assert_frame_equal(table, expected.astype(str), check_dtype=False)
    assert sheet.to_numpy().tolist() == [[name, 12, 12] for name in chosen.attributes]
    path = write(tmp_path / "pairs.csv", [PAIR, changed(sent_less="A man.")])
    table, sheet = collect(tmp_path, {"source": "crows"}, [f"{path}.checked"])
    assert table["group_stereotypical"].tolist() == ["black"]
    assert sheet.to_numpy().tolist() == [["race", 2, 1]]
