"""The script that collects texts: every source by its name, the store, and the datasheet."""

import json

import pandas as pd
import pytest

from biassay.studies.downstream.texts import Texts
from scripts.downstream import collect_texts
from tests.downstream.wiki import article, marked
from tests.running import ROOT
from tests.scripted import run

PATH = ROOT / "resources/templates/biographies.yaml"
GROUND_TRUTH = """attribute,occupation,group,probability
race,chef,white,0.5
gender,nurse,male,0
gender,nurse,female,1
gender,chef,female,0.25
gender,chef,male,0.75
"""


def collected(folder, source, file, options):
    (folder / "planted.csv").write_text(GROUND_TRUTH)
    ground_truth = [folder / "planted.csv"] if source == "generated" else []
    given = {"files": [file], "ground_truth": ground_truth, "words": ROOT / "resources/words/defining.yaml"}
    out = {"texts": folder / "texts", "sheet": folder / "sheet.csv"}
    params = {"source": source, "options": options, "seed": 3}
    run("downstream/collect_texts.py", input=given, params=params, output=out)
    return Texts.open(out["texts"]), pd.read_csv(out["sheet"], keep_default_na=False)


def test_generated_texts_are_stored_and_described(tmp_path, caplog):
    found, sheet = collected(tmp_path, "generated", PATH, {"n": 60, "proxy": 0})
    male = int((found.groups == 0).sum())
    assert sheet["class"].tolist() == ["", "nurse", "chef"]
    assert sheet["n_texts"].tolist() == [60, 30, 30]
    assert sheet["n_texts_male"].tolist() == [male, 0, male]  # none of the nurses is planted to be male
    assert male > found.count_texts()[1, 1]
    assert f"60 texts, 2 classes, male {male}, female {60 - male}" in caplog.text
    assert not any(text in caplog.text for text in found.raw)


@pytest.mark.parametrize(
    ("source", "rows", "options"),
    [
        (
            "jigsaw",
            [{"comment_text": "a man ran", "toxicity": 1, "male": male, "female": 1 - male} for male in (0, 1)],
            {"attribute": "gender"},
        ),
        ("comments", [{"text": f"a {word} ran", "label": 1} for word in ("man", "woman")], {"attribute": "gender"}),
        ("bios", [{"raw": "x", "title": sex, "gender": sex} for sex in "MF"], {"min_texts": 1}),
        ("wikipedia", ["female", "male"], {"markup": True, "min_texts": 2, "n_words": 25}),
    ],
)
def test_files_are_collected(tmp_path, source, rows, options):
    path = tmp_path / "a.jsonl"
    if source == "wikipedia":
        path.write_text(marked(*(article("A Zed", "A Zed is a poet and actor.", group) for group in rows)))
    else:
        path.write_text("\n".join(map(json.dumps, rows)))
    found, sheet = collected(tmp_path, source, path, options)
    assert len(found) == len(rows)
    assert sheet["class"].tolist() == ["", *found.classes]


def test_a_group_without_texts_is_refused(tmp_path):
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"text": "a man ran", "label": 1}))
    with pytest.raises(ValueError, match=r"a\.jsonl: no text is about the group female, .*gender in .*defining\.yaml"):
        collected(tmp_path, "comments", path, {"attribute": "gender"})
    assert not (tmp_path / "texts").exists()


def test_several_files_of_a_source_of_one():
    with pytest.raises(ValueError, match="bios: expected one file, got 2"):
        collect_texts.collect("bios", ["a.jsonl", "b.jsonl"], {}, [], {}, 1)
