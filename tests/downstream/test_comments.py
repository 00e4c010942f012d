"""Comments in the formats of public files, in harmless sentences of our own."""

import csv
import json
import re

import numpy as np
import pytest

from biassay.studies.downstream import comments

DEFINING = {
    "gender": {"male": ["man", "men", "he"], "female": ["woman", "women", "she"]},
    "religion": {"christian": ["church"], "muslim": ["mosque"], "jewish": ["synagogue"]},
    "race": {"white": ["white"], "black": ["black"]},
}
SENTENCES = [
    ("the woman sings", True), ("a man's song", False), ("a Man and a woman", True), ("nobody sings", False),
    ("MEN at sea, men\nat home", True), ("she", False), ("the  woman sings", True), ("women's day", False),
    ("a shepherd, manly", True),
]  # fmt: skip
FORMS = {
    "madlibs": (["Text", "Label", "Template"], lambda text, toxic: [text, "BAD" if toxic else "NOT_BAD", "x"]),
    "hatecheck": (["", "test_case", "label_gold"], lambda t, toxic: ["0", t, "hateful" if toxic else "non-hateful"]),
    "numbers": ([" comment ", "TOXIC"], lambda text, toxic: [text, "1" if toxic else " 0.0 "]),
}


def write(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


@pytest.mark.parametrize("form", FORMS)
def test_a_comment_is_of_the_group_that_it_names(form, tmp_path, caplog):
    header, row = FORMS[form]
    path = write(tmp_path / "a.csv", header, [row(*sentence) for sentence in SENTENCES])
    texts = comments.read_labelled(path, "gender", DEFINING)
    assert texts.raw == ["the woman sings", "a man's song", "MEN at sea, men at home", "women's day"]
    assert texts.scrubbed == ["the sings", "a song", "at sea, at home", "day"]
    assert texts.groups.tolist() == [1, 0, 0, 1]
    assert texts.labels.tolist() == [[1, 0], [0, 1], [1, 0], [0, 1]]
    assert texts.labels.dtype == np.uint8
    assert (texts.attribute, texts.names, texts.classes) == ("gender", ["male", "female"], ["toxic", "not toxic"])
    assert "4 comments of gender kept; dropped: 2 of no group, 1 of several groups, 1 repeated" in caplog.text
    assert "sings" not in caplog.text


def test_the_first_of_two_labels_holds(tmp_path, caplog):
    rows = [("a mosque", "bad"), ("a  mosque", "not_bad"), ("The Church", "not_bad")]
    texts = comments.read_labelled(write(tmp_path / "a.csv", ["text", "label"], rows), "religion", DEFINING)
    assert texts.count_texts().tolist() == [[0, 1], [1, 0], [0, 0]]
    assert "1 repeated with the other label" in caplog.text


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"text": "the man", "label": "maybe"}, "row 1, column label: expected one of 1, 1.0, bad"),
        ({"words": "the man", "label": 1}, "lacks the column 'comment_text' or 'test_case'"),
        ({"text": "man.", "label": 1}, "no comment belongs to exactly one group"),
    ],
)
def test_labelled_comments_with_an_error(content, message, tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps(content))
    with pytest.raises(ValueError, match=rf"a\.jsonl(, |: ){re.escape(message)}") as error:
        comments.read_labelled(path, "gender", DEFINING)
    assert "the man" not in str(error.value)


HEADER = ["id", "comment_text", "toxicity", "male", "female", "transgender", "white", "black"]
JIGSAW = [  # toxicity, male, female, transgender, white, black; group of gender, is_toxic
    ("the man sings", 1, 1, 0, 0, 0, 0, (0, True)),
    ("a woman, a woman", 0.33, 0, 0.67, 0.33, 0, 0, (1, False)),
    ("the woman of the man", np.nextafter(0.66, 1), 0, 1, 0, "", "", (1, True)),
    ("undecided toxicity, man", 0.66, 1, 0, 0, 0, 0, None),
    ("undecided toxicity, man", 0.34, 1, 0, 0, 0, 0, None),
    ("undecided identity", 0, 1, 0.34, 0, 0, 0, None),
    ("undecided identity of another attribute", 0, 1, 0, 0, 0.5, 0, None),
    ("two of gender", 0, 1, 1, 0, 0, 0, None),
    ("one of gender, one of race", 0, 1, 0, 0, 0, 0.9, None),
    ("one of gender, one without words", 0, 1, 0, 1, 0, 0, None),
    ("race only", 0, 0, 0, 0, 1, 0, None),
    ("no identity", 0, 0, 0, 0, 0, 0, None),
    ("not annotated", 0, "", "", "", "", "", None),
    ("without toxicity", "", 1, 0, 0, 0, 0, None),
]


def write_jigsaw(path, rows, first=0, header=HEADER):
    return write(path, header, [[first + number, *row[:7]] for number, row in enumerate(rows)])


def test_jigsaw_by_hand(tmp_path, caplog):
    path = write_jigsaw(tmp_path / "all_data.csv", JIGSAW)
    texts = comments.read_jigsaw([path], "gender", DEFINING)
    found = zip(texts.raw, texts.groups.tolist(), (texts.labels[:, 0] == 1).tolist(), strict=True)
    assert list(found) == [(row[0], *row[7]) for row in JIGSAW if row[7]]
    assert texts.scrubbed == ["the sings", "a , a", "the of the man"]
    assert (texts.labels.sum(axis=1) == 1).all()
    reasons = "4 undecided, 3 of several identities, 2 not annotated, 1 of another identity, 1 of no identity"
    assert f"3 comments of gender kept; dropped: {reasons}" in caplog.text
    assert "sings" not in caplog.text
    assert comments.read_jigsaw([path], "race", DEFINING).raw == ["race only"]


def test_jigsaw_reads_an_id_once(tmp_path, caplog):
    header = [name.replace("toxicity", "target") for name in HEADER]
    train = write_jigsaw(tmp_path / "train.csv", JIGSAW[:2], header=header)
    test = write_jigsaw(tmp_path / "test.csv", [JIGSAW[0], JIGSAW[2]], first=1)
    assert comments.read_jigsaw([train, test], "gender", DEFINING).raw == [row[0] for row in JIGSAW[:3]]
    assert "dropped: 1 repeated" in caplog.text
    without_id = write(tmp_path / "plain.csv", HEADER[1:], [row[:7] for row in [*JIGSAW[:3], JIGSAW[0]]])
    assert len(comments.read_jigsaw([without_id], "gender", DEFINING)) == 4


def test_jigsaw_considers_every_identity(tmp_path):
    others = sorted({*comments.IDENTITIES} - {"male", "female"})
    rows = [("a man ran", 0, 1, 0, *row) for row in np.eye(len(others), dtype=int)]
    header = ["comment_text", "toxicity", "male", "female", *others]
    path = write(tmp_path / "a.csv", header, [*rows, ("the man ran", 0, 1, 0, *[0] * len(others))])
    assert comments.read_jigsaw([path], "gender", DEFINING).raw == ["the man ran"]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"male": 1.01}, "row 2, column male: expected a number from 0 to 1 or an empty cell, got 1.01"),
        ({"toxicity": "secret"}, "row 2, column toxicity: expected a number from 0 to 1"),
        ({"black": -0.1}, "row 2, column black: expected a number from 0 to 1 or an empty cell, got -0.1"),
        ({"comment_text": 5}, "row 2, column comment_text: expected text, got 5"),
    ],
)
def test_jigsaw_with_an_invalid_cell(change, message, tmp_path):
    good = {"comment_text": "secret man", "toxicity": 0, "male": 1, "female": None}
    (tmp_path / "a.jsonl").write_text("\n".join(json.dumps(row) for row in (good, good | change)))
    with pytest.raises(ValueError, match=re.escape(f"a.jsonl, {message}")) as error:
        comments.read_jigsaw([tmp_path / "a.jsonl"], "gender", DEFINING)
    assert "secret" not in str(error.value)


def test_jigsaw_without_a_column(tmp_path):
    path = write(tmp_path / "a.csv", [name for name in HEADER if name != "female"], [[0] * 7])
    with pytest.raises(ValueError, match=r"a\.csv: lacks the column 'female'"):
        comments.read_jigsaw([path], "gender", DEFINING)
