"""The script that collects texts: every source by its name, the store, and the datasheet."""

import json

import pandas as pd
import pytest

from biassay.studies.downstream.texts import Texts
from scripts.downstream import collect_texts
from tests.downstream.wiki import article, marked
from tests.running import ROOT
from tests.scripted import run

DEFINING = ROOT / "resources/words/defining.yaml"
PATH = str(ROOT / "resources/templates/biographies.yaml")


GROUND_TRUTH = pd.DataFrame(
    [("race", "chef", "white", 0.5), ("gender", "nurse", "male", 0), ("gender", "nurse", "female", 1),
     ("gender", "chef", "female", 0.25), ("gender", "chef", "male", 0.75)],
    columns=["attribute", "occupation", "group", "probability"],
)  # fmt: skip


def collected(folder, source, files, options):
    out = {"texts": folder / "texts", "sheet": folder / "sheet.csv"}
    params = {"source": source, "options": options, "seed": 3}
    given = {"files": files, "ground_truth": [folder / "planted.csv"] * (source == "generated"), "words": DEFINING}
    run("downstream/collect_texts.py", input=given, params=params, output=out)
    return Texts.open(out["texts"]), pd.read_csv(out["sheet"], keep_default_na=False)


def test_generated_texts_are_stored_and_described(tmp_path, caplog):
    GROUND_TRUTH.to_csv(tmp_path / "planted.csv", index=False)
    found, sheet = collected(tmp_path, "generated", [PATH], {"n": 60, "proxy": 0})
    assert len(found) == 60
    assert sheet["class"].tolist() == ["", "nurse", "chef"]
    assert sheet["n_texts"].tolist() == [60, 30, 30]
    assert sheet["male"].tolist() == [int((found.groups == 0).sum()), *found.count_texts()[0].tolist()]
    male = int((found.groups == 0).sum())
    assert f"60 texts, 2 classes, male {male}, female {60 - male}" in caplog.text
    assert found.count_texts()[0, 0] == 0  # nurses, of whom none is planted to be male
    assert found.count_texts()[0, 1] > found.count_texts()[1, 1]
    assert "classes with too few texts of a group: nurse, chef" in caplog.text
    assert not any(text in caplog.text for text in found.raw)


def test_texts_of_wikipedia_are_collected(tmp_path):
    wiki = tmp_path / "wiki.txt"
    wiki.write_text(marked(
        article("Ada Quill", "Ada Quill is an actress and poet.", "female"),
        article("Al Zed", "Al Zed is a poet and actor."),
    ))  # fmt: skip
    found, _ = collected(tmp_path, "wikipedia", [wiki], {"markup": True, "min_texts": 2, "n_words": 25})
    assert found.classes == ["actor", "poet"]
    assert found.groups.tolist() == [1, 0]
    assert [len(text.split()) for text in found.raw] == [25, 25]


@pytest.mark.parametrize(
    ("source", "rows", "options"),
    [("jigsaw", [{"comment_text": "a man ran", "toxicity": 1, "male": 1, "female": 0}], {"attribute": "gender"}),
     ("comments", [{"text": "a man ran", "label": 1}], {"attribute": "gender"}),
     ("bios", [{"raw": "x", "title": sex, "gender": sex} for sex in "MF"], {"min_texts": 1})],
)  # fmt: skip
def test_files_of_rows_are_collected(tmp_path, source, rows, options):
    (tmp_path / "a.jsonl").write_text("\n".join(map(json.dumps, rows)))
    found, sheet = collected(tmp_path, source, [tmp_path / "a.jsonl"], options)
    assert len(found) == len(rows)
    assert sheet["class"].tolist() == ["", *found.classes]


def test_several_files_of_a_source_of_one(tmp_path):
    with pytest.raises(ValueError, match="texts of the source bios: expected one file, got 2"):
        collect_texts.collect("bios", ["a.jsonl", "b.jsonl"], {}, [], {}, 1)
