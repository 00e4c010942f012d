"""The script that collects texts: every source by its name, the store, and the datasheet."""

import json
from pathlib import Path

import numpy as np
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


def test_what_is_planted_of_the_gender_is_what_texts_are_generated_by(tmp_path):
    """In the table's order of occupations and groups, whatever another attribute has."""
    GROUND_TRUTH.to_csv(tmp_path / "planted.csv", index=False)
    found = collect_texts.planted_options(tmp_path / "planted.csv")
    assert found["occupations"] == ["nurse", "chef"]
    assert found["probabilities"].tolist() == [[0, 1], [0.75, 0.25]]


def test_texts_of_wikipedia_and_bios_are_collected(tmp_path):
    wiki = tmp_path / "wiki.txt"
    wiki.write_text(marked(
        article("Ada Quill", "Ada Quill is an actress and poet.", "female"),
        article("Al Zed", "Al Zed is a poet and actor."),
    ))  # fmt: skip
    found, _ = collected(tmp_path, "wikipedia", [wiki], {"markup": True, "min_texts": 2, "n_words": 25})
    assert found.classes == ["actor", "poet"]
    assert found.groups.tolist() == [1, 0]
    assert [len(text.split()) for text in found.raw] == [25, 25]
    rows = [{"raw": "x", "title": title, "gender": gender} for title, gender in (("a", "M"), ("b", "F"))]
    (tmp_path / "b.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert len(collected(tmp_path, "bios", [tmp_path / "b.jsonl"], {"min_texts": 1})[0]) == 2


@pytest.mark.parametrize(("source", "given"), [("jigsaw", ["a.csv", "b.csv"]), ("comments", ["a.csv"])])
def test_readers_of_comments_are_given_files_attribute_and_terms(monkeypatch, source, given):
    called = []
    texts = Texts("race", ["a", "b"], ["c"], ["x"], ["x"], np.array([0]), np.ones((1, 1)))

    def read(files, attribute, defining):
        called.append({"files": files, "attribute": attribute, "defining": defining})
        return texts

    monkeypatch.setattr(getattr(collect_texts, source), "read", read)
    assert collect_texts.collect(source, given, {"attribute": "race"}, {"race": {}}, 1) is texts
    files = given if source == "jigsaw" else "a.csv"
    assert called == [{"files": files, "attribute": "race", "defining": {"race": {}}}]


@pytest.mark.bad_input("labelled texts", "refused; the message names file, row and column or key, and quotes no text")
@pytest.mark.parametrize(
    ("source", "given", "message"),
    [
        (
            "tweets",
            [],
            "source of texts: unknown name 'tweets'; expected one of: generated, wikipedia, bios, jigsaw, comments",
        ),
        ("generated", [], "texts of the source generated: expected one file, got 0"),
        ("bios", ["a.jsonl", "b.jsonl"], "texts of the source bios: expected one file, got 2"),
    ],
)
def test_an_unknown_source_and_files_that_are_too_many_are_refused(tmp_path, source, given, message):
    GROUND_TRUTH.to_csv(ground_truth := tmp_path / "planted.csv", index=False)
    out = str(tmp_path / "t"), str(tmp_path / "s.csv")
    with pytest.raises(ValueError, match=message):
        collect_texts.main(source, given, {"n": 20}, ground_truth, str(DEFINING), 1, *out)
    assert not [path for path in out if Path(path).exists()]
