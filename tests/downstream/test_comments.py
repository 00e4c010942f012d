"""Comments with identities in them, in the formats of three public files, in harmless sentences of our own."""

import csv
import json
import re

import numpy as np
import pandas as pd
import pytest

from biassay.studies.downstream import comments

DEFINING = {
    "gender": {"male": ["man", "men", "he"], "female": ["woman", "women", "she"]},
    "religion": {
        "christian": ["christian", "church"],
        "muslim": ["muslim", "mosque"],
        "jewish": ["jewish", "synagogue"],
    },
}
SENTENCES = [
    ("the woman sings", True),
    ("a man's song", False),
    ("a Man and a woman", True),
    ("nobody sings", False),
    ("MEN at sea, men\nat home", True),
    ("she", False),
    ("the  woman sings", True),
    ("women's day", False),
    ("a shepherd, manly", True),
]
FORMS = {
    "madlibs": (["Text", "Label", "Template"], lambda text, toxic: [text, "BAD" if toxic else "NOT_BAD", "x"]),
    "intersectional": (["template", "toxicity", "phrase"], lambda t, toxic: ["x", "toxic" if toxic else "nontoxic", t]),
    "hatecheck": (
        ["", "functionality", "test_case", "label_gold", "target_ident"],
        lambda text, toxic: ["0", "x", text, "hateful" if toxic else "non-hateful", "women"],
    ),
    "numbers": ([" comment ", "TOXIC"], lambda text, toxic: [text, "1" if toxic else " 0.0 "]),
    "words": (["comment_text", "target"], lambda text, toxic: [text, "True" if toxic else "no"]),
}  # fmt: skip


def write(path, header, rows):
    with open(path, "w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([header, *rows])
    return path


@pytest.mark.parametrize("form", FORMS)
def test_a_comment_is_of_the_one_group_that_it_names(form, tmp_path, caplog):
    header, row = FORMS[form]
    found = comments.read(write(tmp_path / "a.csv", header, [row(*case) for case in SENTENCES]), "gender", DEFINING)
    assert found.raw == ["the woman sings", "a man's song", "MEN at sea, men at home", "women's day"]
    assert found.scrubbed == ["the sings", "a song", "at sea, at home", "day"]
    assert found.groups.tolist() == [1, 0, 0, 1]
    assert found.labels.tolist() == [[1, 0], [0, 1], [1, 0], [0, 1]]
    assert (found.attribute, found.names, found.classes) == ("gender", ["male", "female"], ["toxic", "not toxic"])
    assert (found.labels.dtype, found.groups.dtype) == (np.uint8, np.int64)
    assert "4 comments of gender kept; dropped: 2 of no group, 1 of several groups, 1 repeated\n" in caplog.text
    assert "sings" not in caplog.text


def test_a_group_without_comments_stays_and_the_first_of_two_labels_holds(tmp_path, caplog):
    rows = [("a mosque", "bad"), ("a  mosque", "not_bad"), ("The Church", "not_bad")]
    found = comments.read(write(tmp_path / "a.csv", ["text", "label"], rows), "religion", DEFINING)
    assert found.count_texts().tolist() == [[0, 1], [1, 0], [0, 0]]
    assert "1 repeated with the other label" in caplog.text
    found.save(tmp_path / "stored")


def test_names_of_columns_are_looked_for_in_an_order(tmp_path):
    path = write(tmp_path / "a.csv", ["text", "label", "toxicity", "phrase"], [("a man", "x", "toxic", "a woman")])
    with pytest.raises(ValueError, match="line 2, column 'label': unknown label"):
        comments.read(path, "gender", DEFINING)
    path = write(tmp_path / "b.csv", ["text", "label", "toxicity", "phrase"], [("a man", "bad", "0", "a woman ran")])
    found = comments.read(path, "gender", DEFINING)
    assert found.raw == ["a woman ran"]
    assert found.labels.tolist() == [[1, 0]]


def test_a_byte_order_mark_and_empty_lines_are_skipped(tmp_path):
    (tmp_path / "a.csv").write_bytes(b"\xef\xbb\xbftext,label\r\n\r\nthe man ran,BAD\r\n\r\n")
    assert comments.read(tmp_path / "a.csv", "gender", DEFINING).raw == ["the man ran"]


def test_other_kinds_of_files_have_other_kinds_of_labels(tmp_path):
    table = pd.DataFrame({"Text": [text for text, _ in SENTENCES], "Toxic": [toxic for _, toxic in SENTENCES]})
    table.to_parquet(tmp_path / "a.parquet")
    table.astype({"Toxic": int}).to_json(tmp_path / "a.jsonl.gz", orient="records", lines=True)
    table.astype({"Toxic": float}).to_csv(tmp_path / "a.csv.bz2", index=False)
    for name in ("a.parquet", "a.jsonl.gz", "a.csv.bz2"):
        found = comments.read(tmp_path / name, "gender", DEFINING)
        assert found.raw == ["the woman sings", "a man's song", "MEN at sea, men at home", "women's day"]
        assert found.labels.tolist() == [[1, 0], [0, 1], [1, 0], [0, 1]]


@pytest.mark.bad_input("files of comments", "refused; the message names file, line and column, and quotes no comment")
@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({"text": ["the man"], "label": 1}, "a.jsonl, line 2, column 'text': expected text, got list"),
        ({"text": "a man", "label": ["the man"]}, "a.jsonl, line 2, column 'label': unknown label"),
        ({"text": "a man", "label": None}, "a.jsonl, line 2, column 'label': unknown label"),
        ({"text": "a man"}, "a.jsonl, line 2, column 'label': unknown label"),
    ],
)
def test_cells_that_only_other_kinds_of_files_can_have(row, message, tmp_path):
    lines = [{"text": None, "label": 0}, row]
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, lines)))
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        comments.read(tmp_path / "a.jsonl", "gender", DEFINING)
    assert "the man" not in str(error.value)


@pytest.mark.bad_input("files of comments", "refused; the message names file, line and column, and quotes no comment")
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "a.csv: the file has no rows"),
        (b"text,label\n", "a.csv: the file has no rows"),
        (
            b"text,label\nthe man ran,maybe\n",
            "a.csv, line 2, column 'label': unknown label; expected one of: 1, 1.0, bad",
        ),
        (b'text,label\nx,1\n"the\nman",1\nthe man,2\n', "a.csv, line 5, column 'label': unknown label"),
        (b"words,label\nthe man ran,1\n", "a.csv: lacks the column 'comment_text' or 'test_case'"),
        (b"the man ran,1\nthe man sings,0\n", "'text'; it has: none"),
        (b"a,b,c,d,e,f,g,h\n" * 2, "'text'; it has: a, b, c, d, e, f, g, h"),
        (b"a,b,c,d,e,f,g,h,i\n" * 2, "'text'; it has: a, b, c, d, e, f, g, h, …"),
        (b"text,labels\nthe man ran,1\n", "a.csv: lacks the column 'label_gold' or 'label'"),
        (b"text,label,Text\nthe man,1,x\n", "a.csv: 2 columns are named 'text'"),
        (b"text,label\nthe man,1\nthe man\n", "a.csv, line 3: expected 2 cells as in the header, got 1"),
        (b"text,label\nthe man,1,2\n", "a.csv, line 2: expected 2 cells as in the header, got 3"),
        (b"text,label\nthe man,1\nthe m\xe4n,1\n", "a.csv, line 3: not UTF-8 text"),
        (b'text,label\nthe man,1\n"the man"s,1\n', "a.csv, line 3: not a CSV table"),
        (b'text,label\nthe man,1\n"the man,1\n' + b"the man,1\n" * 20_000, "a.csv, line 3: not a CSV table"),
        (b"text,label\n" + b"man " * (1 << 18) + b",1\n", "a.csv, line 2: longer than 1 MiB"),
        (b"text,label\nnobody ran,1\n", "a.csv: no comment belongs to exactly one group of gender (male, female)"),
        (b"text,label\nman.,1\n", "a.csv: no comment belongs to exactly one group"),
    ],
)
def test_a_file_that_is_no_such_table_is_named(content, message, tmp_path):
    (tmp_path / "a.csv").write_bytes(content)
    with pytest.raises(ValueError, match=re.escape(message)) as error:
        comments.read(tmp_path / "a.csv", "gender", DEFINING)
    assert "the man" not in str(error.value)


def test_an_attribute_without_defining_sets_and_a_missing_file(tmp_path):
    with pytest.raises(ValueError, match="attribute: unknown name 'age'"):
        comments.read(tmp_path / "a.csv", "age", DEFINING)
    with pytest.raises(OSError, match="No such file"):
        comments.read(tmp_path / "a.csv", "gender", DEFINING)
