"""Files that the downstream study's configuration names: templates and defining sets, read at the start."""

import copy
import json
import re

import pytest

from biassay.workflow import contents
from tests.running import ROOT
from tests.workflow.changes import a_set, changed, crows
from tests.workflow.test_intrinsic_config import TEMPLATES


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


DEFINING = {"gender": {"male": ["he"], "female": ["she"]}, "age": {"old": ["old"], "young": ["young"]}}


def given(folder, templates=lambda content: None, terms=lambda content: None, **study):
    """The default configuration with templates and defining sets of one's own, some of them changed."""
    content, sets = copy.deepcopy(TEMPLATES), copy.deepcopy(DEFINING)
    templates(content)
    terms(sets)
    (folder / "forms.yaml").write_text(json.dumps(content))
    (folder / "defining.yaml").write_text(json.dumps(sets))
    fine = {"planted.occupations": ["nurse", "chef"], "planted.n_templates": {"training": None, "test": None}}
    paths = {"planted.templates": str(folder / "forms.yaml"), "defining": str(folder / "defining.yaml")}
    return changed(fine | paths | study)


def put(content, word):
    content["attributes"]["age"]["forms"]["it"]["old"] = word


def rename(sets, name, other):
    sets[other] = sets.pop(name)


AGE = {"texts": ["mine"], "text_sets.mine": {"source": "comments", "path": "README.md", "attribute": "aeg"}}


@pytest.mark.bad_input(
    "templates of several groups", "refused at the start; the message names file, list, template or term"
)
@pytest.mark.parametrize(
    ("templates", "terms", "study", "message"),
    [
        (None, None, AGE, "config: downstream.text_sets.mine.attribute: unknown name 'aeg' (did you mean 'age'?)"),
        (None, None, {"planted.occupations": ["nurse", "pilot"]},
         "config: downstream.planted.occupations: unknown name 'pilot'; expected one of: nurse, chef, editor, baker"),
        (None, None, {"planted.n_templates": {"training": 3, "test": None}},
         "config: downstream.planted.n_templates.training: expected 1 to 2 templates, got 3"),
        (None, None, {"planted.n_templates": {"training": None, "test": 1}},
         "config: downstream.planted.n_templates.test: 1 "),
        (lambda c: put(c, "octogenarian"), None, {}, "{folder}/forms.yaml: attributes.age: 'octogenarian' has the"),
        (lambda c: c.update(occupations=["nurse"]), None, {}, "{folder}/forms.yaml: occupations: expected two"),
        (None, lambda s: rename(s, "age", "agee"), {},
         "{folder}/defining.yaml: attributes: unknown name 'age' (did you mean 'agee'?)"),
        (None, lambda s: rename(s["age"], "old", "aged"), {},
         "{folder}/defining.yaml: age: unknown name 'old'; expected one of: young, aged"),
        (None, lambda s: s.update(age={"old": ["old"]}), {}, "{folder}/defining.yaml: age: expected two"),
    ],
)  # fmt: skip
def test_files_are_read_at_the_start(tmp_path, templates, terms, study, message):
    config = given(tmp_path, templates or (lambda c: None), terms or (lambda s: None), **study)
    with pytest.raises(ValueError, match=re.escape(message.format(folder=tmp_path))) as caught:
        contents.check(config)
    assert "problems:" not in str(caught.value)


@pytest.mark.parametrize(
    ("templates", "terms", "study"),
    [
        (None, None, {}),
        (lambda c: put(c, "octogenarian"), None, {"planted.strengths": []}),  # no model is trained on it
        (None, lambda s: s.pop("age"), {"pairs": []}),  # what is planted needs none
        (lambda c: c.update(occupations=["nurse"]), None,
         {"planted.strengths": [], "texts": []} | crows(path="README.md")),  # nobody reads them
        (lambda c: c.update(occupations=["nurse"]), None,
         {"planted.strengths": []} | a_set(source="bios", path="README.md") | crows(path="README.md")),
    ],
)  # fmt: skip
def test_files_that_are_right(tmp_path, templates, terms, study):
    contents.check(given(tmp_path, templates or (lambda c: None), terms or (lambda s: None), **study))


@pytest.mark.parametrize("study", [{}, {"planted.strengths": []}, {"planted.strengths": [], "pairs": []}])
def test_occupations_are_checked_whoever_reads_them(tmp_path, study):
    with pytest.raises(ValueError, match=r"downstream.planted.occupations: unknown name 'pilot'"):
        contents.check(given(tmp_path, **{"planted.occupations": ["nurse", "pilot"]} | study))
