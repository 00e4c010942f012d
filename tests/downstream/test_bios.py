"""BIOS in the forms that it goes by, and files that are none."""

import gzip
import json

import numpy as np
import pandas as pd
import pytest

from biassay.studies.downstream import bios, records
from tests.downstream.wiki import DEFINING

SECRET = "Ada Quill paints"
ROWS = [
    {"raw": "Ada Quill is a nurse. She likes his boat.", "start_pos": 21, "bio": "_ likes her boat.",
     "titles": ["nurse", "Yoga_Teacher"], "gender": "F"},
    {"raw": "Tom Brink is a nurse. He reads.", "start_pos": 21, "bio": "_ reads.", "titles": ["nurse"], "gender": "M"},
    {"raw": "Al Zed is a yoga teacher. He's tall.", "start_pos": 25, "bio": "_'s tall.", "titles": ["yoga teacher"],
     "gender": "male"},
]  # fmt: skip


def write(path, rows):
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(lines.encode()))
    elif path.suffix == ".parquet":
        pd.DataFrame(rows).to_parquet(path)
    elif path.suffix == ".csv":
        pd.DataFrame(rows).assign(titles=[";".join(row["titles"]) for row in rows]).to_csv(path, index=False)
    else:
        path.write_text("\n" + lines)
    return path


def read(path, **options):
    return bios.read(path, defining=DEFINING, **{"min_texts": 1, **options})


@pytest.mark.parametrize("name", ["b.jsonl", "b.jsonl.gz", "b.csv", "b.parquet"])
def test_records_are_read_from_every_kind_of_file(tmp_path, name, caplog):
    found = read(write(tmp_path / name, ROWS))
    assert (found.attribute, found.names, found.classes) == ("gender", ["male", "female"], ["nurse", "yoga teacher"])
    assert found.raw == ["She likes his boat.", "He reads.", "He's tall."]
    assert found.scrubbed == ["_ likes boat.", "_ reads.", "_'s tall."]
    assert found.groups.tolist() == [1, 0, 0]
    assert found.labels.tolist() == [[1, 1], [1, 0], [0, 1]]
    assert "scrubbed" not in caplog.text
    assert "boat" not in caplog.text


def test_numbers_of_professions_and_genders_are_read_and_the_missing_column_told(tmp_path, caplog):
    rows = [
        {"hard_text": "She reads.", "profession": 13, "gender": 1},
        {"hard_text": "He 's in.", "profession": 26, "gender": 0},
    ]
    for name in ("b.jsonl", "b.parquet"):
        found = read(write(tmp_path / name, rows))
        assert found.classes == ["nurse", "teacher"]
        assert (found.raw, found.scrubbed) == (["She reads.", "He 's in."], ["reads.", "'s in."])
        assert found.groups.tolist() == [1, 0]
    assert "b.jsonl: no column scrubbed or bio: " in caplog.text
    (tmp_path / "b.csv").write_text("hard_text,profession,gender\nShe reads.,27,1\nHe does.,poet,0.0\n")
    assert read(tmp_path / "b.csv").classes == ["poet", "yoga teacher"]
    assert len(bios.PROFESSIONS) == 28
    assert list(bios.PROFESSIONS) == sorted(bios.PROFESSIONS)


GOOD = {"raw": SECRET, "scrubbed": "x", "title": "poet", "gender": "F"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"raw": " "}, "raw: expected text, got an empty cell"),
        ({"raw": np.nan}, "raw: expected text, got an empty cell"),
        ({"raw": 5}, "raw: expected text, got int"),
        ({"scrubbed": None}, "scrubbed: expected text, got an empty cell"),
        ({"gender": 2}, "gender: expected one of: .*got '2'"),
        ({"gender": True}, "gender: expected one of: .*got 'True'"),
        ({"gender": f"a long long text {SECRET}"}, "gender: expected one of: .*got 'a long long '"),
        ({"title": ""}, "title: expected titles .*, got an empty cell"),
        ({"title": []}, "title: expected one or more titles"),
        ({"title": ["poet", 3]}, "title: expected titles .*, got int"),
        ({"start_pos": 16}, "start_pos: expected a position from 0 to 15, got 16"),
        ({"start_pos": -1}, "start_pos: expected a position .*, got -1"),
        ({"start_pos": SECRET}, "start_pos: expected a position"),
    ],
)
def test_an_invalid_value(tmp_path, change, message):
    path = write(tmp_path / "b.jsonl", [GOOD, {**GOOD, **change}])
    with pytest.raises(ValueError, match=rf"^{path}, line 3, column {message}") as raised:  # the first line is empty
        read(path)
    assert SECRET not in str(raised.value)


@pytest.mark.parametrize(("profession", "message"), [(28, "expected 0 to 27"), (-1, "expected titles")])
def test_an_unknown_number_of_a_profession(tmp_path, profession, message):
    row = {"hard_text": "x", "profession": profession, "gender": 0}
    with pytest.raises(ValueError, match=f"line 2, column profession: {message}"):
        read(write(tmp_path / "b.jsonl", [row]))


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({}, "lacks the column 'raw' or 'hard_text'"),
        ({"raw": "x", "sex": 1}, "lacks the column 'titles' or 'title' or 'profession'; it has: raw, sex"),
        ({"raw": "x", "title": "a"}, "lacks the column 'gender'"),
    ],
)
def test_a_missing_column(tmp_path, row, message):
    with pytest.raises(ValueError, match=f"b.jsonl: {message}"):
        read(write(tmp_path / "b.jsonl", [row]))


def test_too_many_titles_are_no_classes(tmp_path):
    rows = [{**GOOD, "title": f"t{number}"} for number in range(bios.MAX_TITLES + 1)]
    with pytest.raises(ValueError, match="line 202, column title: more than 200 different titles"):
        read(write(tmp_path / "b.jsonl", rows))


def test_the_line_that_turns_a_pickle_into_json_lines_does(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.to_pickle(ROWS, "BIOS.pkl")
    code = records.TO_JSON.split('"', 1)[1].rsplit('"', 1)[0]
    monkeypatch.setattr("sys.argv", ["-c", "BIOS.pkl"])
    exec(code, {})
    assert len(read(tmp_path / "bios.jsonl")) == 3
