"""Comments in the format of Jigsaw's Unintended Bias files, in harmless sentences of our own."""

import csv
import json
import re

import pandas as pd
import pytest

from biassay.studies.downstream import jigsaw

DEFINING = {
    "gender": {"male": ["man", "he"], "female": ["woman", "she"]},
    "race": {"white": ["white"], "black": ["black"]},
}
HEADER = ["id", "comment_text", "toxicity", "male", "female", "transgender", "white", "black"]
ROWS = [  # toxicity, male, female, transgender, white, black; what comes of it for gender
    ("the man sings", 1, 1, 0, 0, 0, 0, (0, True)),
    ("a woman, a woman", 0.33, 0, 0.67, 0.33, 0, 0, (1, False)),
    ("the woman of the man", 0.661, 0, 1, 0, "", "", (1, True)),
    ("undecided toxicity, man", 0.66, 1, 0, 0, 0, 0, None),
    ("undecided toxicity, man", 0.34, 1, 0, 0, 0, 0, None),
    ("undecided identity", 0, 1, 0.34, 0, 0, 0, None),
    ("undecided identity of another attribute", 0, 1, 0, 0, 0.5, 0, None),
    ("two of gender", 0, 1, 1, 0, 0, 0, None),
    ("one of gender, one of race", 0, 1, 0, 0, 0, 0.9, None),
    ("one of gender, one without terms", 0, 1, 0, 1, 0, 0, None),
    ("race only", 0, 0, 0, 0, 1, 0, None),
    ("no identity", 0, 0, 0, 0, 0, 0, None),
    ("not annotated", 0, "", "", "", "", "", None),
    ("without toxicity", "", 1, 0, 0, 0, 0, None),
]


def write(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


def table(path, rows, header=HEADER, first=0):
    return write(path, header, [[first + number, *row[:7]] for number, row in enumerate(rows)])


def write_as(path, table):
    """A table in the kind of file that a name tells."""
    kind = path.suffixes[0]
    if kind == ".parquet":
        table.to_parquet(path, index=False)
    elif kind == ".csv":
        table.to_csv(path, index=False)
    else:
        table.to_json(path, orient="records", lines=True)


def test_the_rule_by_hand(tmp_path, caplog):
    found = jigsaw.read([table(tmp_path / "all_data.csv", ROWS)], "gender", DEFINING)
    expected = [(row[0], *row[7]) for row in ROWS if row[7]]
    assert list(zip(found.raw, found.groups.tolist(), (found.labels[:, 0] == 1).tolist(), strict=True)) == expected
    assert found.scrubbed == ["the sings", "a , a", "the of the man"]
    assert (found.labels.sum(axis=1) == 1).all()
    assert (found.attribute, found.names, found.classes) == ("gender", ["male", "female"], ["toxic", "not toxic"])
    told = "gender: 3 comments kept; dropped: 4 undecided, 3 of several identities, 2 not annotated"
    assert told in caplog.text
    assert "1 of another identity" in caplog.text
    assert "1 of no identity" in caplog.text
    assert "sings" not in caplog.text
    assert jigsaw.read([tmp_path / "all_data.csv"], "race", DEFINING).raw == ["race only"]


def test_files_are_pooled_and_an_id_is_read_once(tmp_path, caplog):
    train = table(tmp_path / "train.csv", ROWS[:2], [name.replace("toxicity", "target") for name in HEADER])
    test = table(tmp_path / "test.csv", [ROWS[0], ROWS[2]], first=1)
    header, *rows = list(csv.reader(train.read_text("utf-8").splitlines()))
    found = jigsaw.read([train, test], "gender", DEFINING)
    assert found.raw == [ROWS[0][0], ROWS[1][0], ROWS[2][0]]
    assert "dropped: 1 repeated" in caplog.text
    without_id = [write(tmp_path / name, header[1:], [row[1:] for row in rows]) for name in ("plain.csv", "same.csv")]
    assert len(jigsaw.read(without_id, "gender", DEFINING)) == 4
    assert "dropped: none" in caplog.text


def test_toxicity_goes_before_target_and_columns_are_found_anywhere(tmp_path):
    header = ["target", "black", "female", "toxicity", "male", "comment_text", "white"]
    path = write(tmp_path / "a.csv", header, [(0, 0, 0, 1, 1, "a man ran\nand ran", 0)])
    found = jigsaw.read([path], "gender", DEFINING)
    assert found.labels.tolist() == [[1, 0]]
    assert found.raw == ["a man ran\nand ran"]


@pytest.mark.parametrize("name", jigsaw.IDENTITIES)
def test_every_identity_of_the_files_is_looked_at(name, tmp_path):
    header = ["comment_text", "toxicity", "male", "female", *({name} - {"male", "female"})]
    extra = [1] if len(header) == 5 else []
    path = write(
        tmp_path / "a.csv", header, [("a man ran", 0, 1, 0, *extra), ("the man ran", 0, 1, 0, *[0] * len(extra))]
    )
    assert len(jigsaw.read([path], "gender", DEFINING)) == (1 if extra else 2)


@pytest.mark.parametrize("name", ["a.csv.gz", "a.jsonl", "a.jsonl.xz", "a.parquet"])
def test_other_kinds_of_files_have_numbers_and_nothing_in_their_cells(name, tmp_path):
    given = pd.DataFrame([row[:7] for row in ROWS], columns=HEADER[1:]).replace("", None)
    given.insert(0, "id", [1, 2, 3, 1, *[None] * (len(ROWS) - 4)])
    given = given.astype({column: float for column in HEADER[2:]} | {"id": "Int64"})
    write_as(tmp_path / name, pd.concat([given, given[:2]]))
    found = jigsaw.read([tmp_path / name], "gender", DEFINING)
    expected = [(row[0], *row[7]) for row in ROWS if row[7]]
    assert list(zip(found.raw, found.groups.tolist(), (found.labels[:, 0] == 1).tolist(), strict=True)) == expected
    plain = table(tmp_path / "b.csv", ROWS[:1], first=1)
    assert len(jigsaw.read([tmp_path / name, plain], "gender", DEFINING)) == 3


def test_comments_without_an_id_are_not_the_same(tmp_path):
    rows = [[" ", *row[:7]] for row in ROWS[:3]]
    assert len(jigsaw.read([write(tmp_path / "a.csv", HEADER, rows)], "gender", DEFINING)) == 3


@pytest.mark.bad_input("files of comments", "refused; the message names file, line and column, and quotes no comment")
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"male": [1]}, "column 'male': expected a number from 0 to 1"),
        ({"male": 10**400}, "column 'male': expected a number from 0 to 1"),
        ({"toxicity": {"secret": 1}}, "column 'toxicity': expected a number from 0 to 1"),
        ({"comment_text": ["secret"]}, "column 'comment_text': expected text, got list"),
        ({"comment_text": 5}, "column 'comment_text': expected text, got int"),
    ],
)
def test_cells_that_only_other_kinds_of_files_can_have(change, message, tmp_path):
    good = {"comment_text": "a man", "toxicity": 0, "male": 1, "female": None}
    path = tmp_path / "a.jsonl"
    path.write_text("\n".join(json.dumps(row) for row in (good, good | change)))
    with pytest.raises(ValueError, match=re.escape(f"a.jsonl, line 2, {message}")) as error:
        jigsaw.read([path], "gender", DEFINING)
    assert "secret" not in str(error.value)


def test_keys_that_a_line_lacks_are_empty(tmp_path):
    rows = [
        {"comment_text": "a man", "toxicity": 0, "male": 1, "female": 0},
        {"comment_text": "the man", "toxicity": 0, "male": 1, "black": 1},
        {"comment_text": "the man ran", "toxicity": 0, "male": 1},
        {"toxicity": 0, "male": 1},
        {"comment_text": "the man ran", "male": 1},
    ]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert jigsaw.read([tmp_path / "a.jsonl"], "gender", DEFINING).raw == ["a man", "the man ran"]


@pytest.mark.bad_input("files of comments", "refused; the message names file, line and column, and quotes no comment")
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (
            "comment_text,male,female\nx,1,0\n",
            "a.csv: lacks the column 'toxicity' or 'target'; it has: comment_text, male",
        ),
        ("toxicity,male,female\n0,1,0\n", "a.csv: lacks the column 'comment_text'"),
        ("comment_text,toxicity,male\nx,0,1\n", "a.csv: lacks the column 'female'"),
        ("comment_text,toxicity,male,female,male\nx,0,1,0,1\n", "a.csv: the columns 3 and 5 have the same name"),
        (
            'comment_text,toxicity,male,female\nx y,0,1,0\n"x\ny",0,1.01,0\n',
            "a.csv, line 3, column 'male': expected a number",
        ),
        (
            "comment_text,toxicity,male,female\nx,0,1,-0.1\n",
            "a.csv, line 2, column 'female': expected a number from 0 to 1, got -0.1",
        ),
        (
            "comment_text,toxicity,male,female\nx,0,1,nan\n",
            "a.csv, line 2, column 'female': expected a number from 0 to 1, got nan",
        ),
        (
            "comment_text,toxicity,male,female\nx,inf,1,0\n",
            "a.csv, line 2, column 'toxicity': expected a number from 0 to 1, got inf",
        ),
        (
            "comment_text,toxicity,male,female\nx,secret,1,0\n",
            "a.csv, line 2, column 'toxicity': expected a number from 0",
        ),
        (
            "comment_text,toxicity,male,female,black\nx,0,1,0,secret\n",
            "a.csv, line 2, column 'black': expected a number",
        ),
        ("comment_text,toxicity,male,female\nx,0,0,0\n", "a.csv: no comment belongs to exactly one group of gender"),
    ],
)
def test_a_file_that_is_no_such_table_is_named(content, message, tmp_path):
    (tmp_path / "a.csv").write_text(content, "utf-8")
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        jigsaw.read([tmp_path / "a.csv"], "gender", DEFINING)
    assert "secret" not in str(error.value)


def test_an_attribute_without_defining_sets(tmp_path):
    with pytest.raises(ValueError, match="attribute: unknown name 'age'"):
        jigsaw.read([tmp_path / "a.csv"], "age", DEFINING)
