"""BIOS in the forms that it goes by, and files that are none."""

import json

import pandas as pd
import pytest

from biassay.studies.downstream import bios, records
from tests.downstream.wiki import DEFINING

SECRET = "Ada Quill paints"
RAW = [
    "Ada Quill is a nurse. She likes his boat.",
    "Tom Brink is a nurse. He reads.",
    "Al Zed is a teacher. He's tall.",
]
BIO = ["_ likes her boat.", "_ reads.", "_'s tall."]
TITLES, GENDERS = [["nurse", "Yoga_Teacher"], ["nurse"], ["yoga teacher"]], ["F", "M", "male"]
ROWS = [
    {"raw": raw, "start_pos": raw.index(".") + 1, "bio": bio, "titles": titles, "gender": gender}
    for raw, bio, titles, gender in zip(RAW, BIO, TITLES, GENDERS, strict=True)
]


def write(path, rows):
    lines = "".join(json.dumps(row) + "\n" for row in rows)
    if path.suffix == ".parquet":
        pd.DataFrame(rows).to_parquet(path)
    elif path.suffix == ".csv":
        pd.DataFrame(rows).assign(titles=[";".join(row["titles"]) for row in rows]).to_csv(path, index=False)
    else:
        path.write_text("\n" + lines)
    return path


def read(path, **options):
    return bios.read(path, defining=DEFINING, **{"min_texts": 1, **options})


@pytest.mark.parametrize("name", ["b.jsonl", "b.csv"])
def test_records_are_read_from_every_kind_of_file(tmp_path, name, caplog):
    found = read(write(tmp_path / name, ROWS))
    assert (found.attribute, found.names, found.classes) == ("gender", ["male", "female"], ["nurse", "yoga teacher"])
    assert found.raw == ["She likes his boat.", "He reads.", "He's tall."]
    assert found.scrubbed == ["_ likes boat.", "_ reads.", "_'s tall."]
    assert found.groups.tolist() == [1, 0, 0]
    assert found.labels.tolist() == [[1, 1], [1, 0], [0, 1]]
    assert "scrubbed" not in caplog.text
    assert "boat" not in caplog.text


def test_numbers_of_professions_and_genders_are_read(tmp_path, caplog):
    rows = [
        {"hard_text": "She reads.", "profession": 13, "gender": 1},
        {"hard_text": "He 's in.", "profession": 26, "gender": 0},
        {"hard_text": "She, he.", "profession": 26, "gender": 1},
    ]
    for name in ("b.jsonl", "b.parquet"):
        texts = read(write(tmp_path / name, rows))
        assert texts.classes == ["nurse", "teacher"]
        assert (texts.raw, texts.scrubbed) == (["She reads.", "He 's in."], ["reads.", "'s in."])
        assert texts.groups.tolist() == [1, 0]
    assert "b.jsonl: no scrubbed or bio: " in caplog.text
    (tmp_path / "b.csv").write_text("hard_text,profession,gender\nShe reads.,27,1\nHe does.,poet,0.0\n")
    assert read(tmp_path / "b.csv").classes == ["poet", "yoga teacher"]
    with pytest.raises(ValueError, match=r"b\.jsonl, row 1, column profession: expected .* up to 27, got 28"):
        read(write(tmp_path / "b.jsonl", [rows[0] | {"profession": 28}]))
    with pytest.raises(ValueError, match=r"b\.jsonl: lacks the column 'titles' or 'title' or 'profession'; it has"):
        read(write(tmp_path / "b.jsonl", [{"raw": "x"}]))


def test_genders_over_chunks(tmp_path, monkeypatch):
    monkeypatch.setattr(records, "CHUNK", 3)
    genders = ["m", "Male", 0, 0.0, "F", "female ", 1, 1.0]
    texts = read(write(tmp_path / "b.jsonl", [{"raw": "x", "title": ["a", "b"], "gender": cell} for cell in genders]))
    assert texts.groups.tolist() == [0] * 4 + [1] * 4
    assert texts.groups.dtype == int


GOOD = {"raw": SECRET, "scrubbed": "x", "title": "poet", "gender": "F"}


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"scrubbed": None}, "row 2, column scrubbed: expected text, got an empty cell"),
        ({"gender": 2}, "row 2, column gender: expected M, F, .*, got 2"),
        ({"gender": f"a long long text {SECRET}"}, "row 2, column gender: expected .*, got a str"),
        ({"title": ["poet", 3]}, "row 2, column title: expected titles .*, got a list"),
        ({"title": "['poet', 'nurse']"}, "row 2, column title: expected titles .*, got a str"),
        ({"start_pos": 16}, "row 2, column start_pos: expected a position in the text, got 16"),
        ({"start_pos": SECRET}, "row 2, column start_pos: expected a position .*, got a str"),
        ({"title": [f"t{number}" for number in range(bios.MAX_TITLES)]}, "at most 200 different titles, got 201"),
    ],
)
def test_an_invalid_value(tmp_path, change, message):
    path = write(tmp_path / "b.jsonl", [GOOD, {**GOOD, **change}])
    with pytest.raises(ValueError, match=rf"^{path}(, |: expected ){message}") as raised:
        read(path)
    assert SECRET not in str(raised.value)


def test_the_line_that_turns_a_pickle_into_json_lines_does(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    pd.to_pickle(ROWS, "BIOS.pkl")
    code = records.TO_JSON.split('"', 1)[1].rsplit('"', 1)[0]
    monkeypatch.setattr("sys.argv", ["-c", "BIOS.pkl"])
    exec(code, {})
    assert len(read(tmp_path / "bios.jsonl")) == 3
