"""Templates, groups' words and defining sets are checked at the start: their format, and the tokens of the model."""

import copy
import functools
import json
import re
from pathlib import Path

import pytest

from biassay.workflow import contents
from tests.running import ROOT
from tests.workflow.changes import DEFAULT, a_set, changed, crows

TEMPLATES = {
    "occupations": ["nurse", "chef", "editor", "baker"],
    "attributes": {
        "gender": {"groups": ["male", "female"],
                   "forms": {"it": {"male": "man", "female": "woman", "neutral": "person"}}},
        "age": {"groups": ["old", "young"], "forms": {"it": {"old": "old", "young": "young", "neutral": ""}}},
    },
    "training": ["The {gender.it} is the {occupation}.", "The {age.it} {gender.it} is the {occupation}."],
    "test": ["The {occupation} is that {gender.it}.", "The {occupation} is {age.it}."],
}  # fmt: skip
DEFINING = {"gender": {"male": ["he"], "female": ["she"]}, "age": {"old": ["old"], "young": ["young"]}}
ALL = {"training": None, "test": None}


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


def write(folder, name, content, change=None):
    """Write a file, changed by a function or not; return its path."""
    content = copy.deepcopy(content)
    if change:
        change(content)
    (folder / name).write_text(json.dumps(content))
    return str(folder / name)


def intrinsic(folder, change=None, **study):
    path = write(folder, "forms.yaml", TEMPLATES, change)
    valid = {"n_occupations": None, "n_templates": ALL, "intersections": [], "templates": path}
    return changed(valid | study, "intrinsic")


def downstream(folder, change=None, change_terms=None, **study):
    paths = {"planted.templates": write(folder, "forms.yaml", TEMPLATES, change),
             "defining": write(folder, "defining.yaml", DEFINING, change_terms)}  # fmt: skip
    return changed({"planted.occupations": ["nurse", "chef"], "planted.n_templates": ALL} | paths | study, "downstream")


def add(part, template):
    return lambda content: content[part].append(template)


def old(word):
    return lambda content: content["attributes"]["age"]["forms"]["it"].update(old=word)


def rename(*keys, to):
    def change(sets):
        *above, last = keys
        node = functools.reduce(dict.__getitem__, above, sets)
        node[to] = node.pop(last)

    return change


ONE = lambda content: content.update(occupations=["nurse"])  # noqa: E731


@pytest.mark.parametrize(
    ("change", "study", "message"),
    [
        (None, {"n_occupations": 5}, "config: intrinsic.n_occupations: expected 2 to 4, got 5"),
        (None, {"n_templates": {"training": 3, "test": None}}, "intrinsic.n_templates.training: expected 1 to 2"),
        (None, {"intersections": [["gender", "ages"]]}, "intrinsic.intersections: unknown name 'ages' (did you mean"),
        (None, {"intersections": [["gender", "age"]]}, "intersections: no test template mentions gender and age"),
        (old("octogenarian"), {}, "forms.yaml: attributes.age: 'octogenarian' has the tokens oct, "),
        (ONE, {}, "forms.yaml: occupations: expected two or more, got nurse"),
        (add("test", TEMPLATES["training"][0]), {}, " is in training and test"),
    ],
)  # fmt: skip
def test_templates_of_the_intrinsic_study(tmp_path, change, study, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        contents.check(intrinsic(tmp_path, change, **study))
    assert "problems:" not in str(caught.value)


def test_own_templates(tmp_path):
    both = add("test", "The {age.it} {gender.it} was the {occupation}.")
    contents.check(intrinsic(tmp_path, both, intersections=[["gender", "age"], ["age", "gender"]]))


AGE = {"texts": ["mine"], "text_sets.mine": {"source": "comments", "path": "README.md", "attribute": "aeg"}}
PILOT = {"planted.occupations": ["nurse", "pilot"]}
NONE = {"planted.strengths": []}


@pytest.mark.parametrize(
    ("change", "change_terms", "study", "message"),
    [
        (None, None, AGE, "config: downstream.text_sets.mine.attribute: unknown name 'aeg' (did you mean 'age'?)"),
        *((None, None, PILOT | used, "config: downstream.planted.occupations: unknown name 'pilot'")
          for used in ({}, NONE, NONE | {"pairs": []})),
        (None, None, {"planted.n_templates": {"training": 3, "test": None}},
         "config: downstream.planted.n_templates.training: expected 1 to 2 templates, got 3"),
        (old("octogenarian"), None, {}, "forms.yaml: attributes.age: 'octogenarian' has the"),
        (ONE, None, {}, "forms.yaml: occupations: expected two"),
        (None, rename("age", to="agee"), {}, "defining.yaml: attributes: unknown name 'age' (did you mean 'agee'?)"),
        (None, rename("age", "old", to="aged"), {}, "defining.yaml: age: unknown name 'old'; expected one of: young,"),
        (None, lambda sets: sets.update(age={"old": ["old"]}), {}, "defining.yaml: age: expected two"),
    ],
)  # fmt: skip
def test_files_of_the_downstream_study(tmp_path, change, change_terms, study, message):
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        contents.check(downstream(tmp_path, change, change_terms, **study))
    assert "problems:" not in str(caught.value)


@pytest.mark.parametrize(
    ("change", "change_terms", "study"),
    [
        (None, None, {}),
        (old("octogenarian"), None, NONE),  # no model is trained on it
        (None, lambda sets: sets.pop("age"), {"pairs": []}),  # planted bias needs none
        (ONE, None, NONE | {"texts": []} | crows(path="README.md")),  # templates that nobody reads
        (ONE, None, NONE | a_set(source="bios", path="README.md") | crows(path="README.md")),
    ],
)
def test_valid_files_of_the_downstream_study(tmp_path, change, change_terms, study):
    contents.check(downstream(tmp_path, change, change_terms, **study))


@pytest.mark.parametrize(
    ("group", "word", "message"),
    [
        ("male", "xylophonist", "male: 'xylophonist' has the tokens x, ##yl, ##op, ##hon, ##ist in the"),
        ("female", "✂", "female: '✂' has the tokens [UNK] in the language model 'tiny'; expected one token"),
        ("male", "[MASK]", "male: '[MASK]' has '[MASK]', a special token of the language model 'tiny'"),
        ("female", "Woman", None),
    ],
)
def test_words_in_slots_are_single_tokens(tmp_path, group, word, message):
    (tmp_path / "nouns.yaml").write_text('training: ["The {noun} is {a_occ}."]\ntest: ["{Noun} was {a_occ}."]\n')
    nouns = {"groups.female.noun": ["woman"], "groups.male.noun": ["man"], f"groups.{group}.noun": [word]}
    config = changed(nouns | {"templates": str(tmp_path / "nouns.yaml")}, "same")
    if message is None:
        return contents.check(config)
    with pytest.raises(ValueError, match=re.escape(f"config: same.groups.{message}")):
        contents.check(config)


def test_slots_of_templates_need_equally_many_forms():
    pronouns = {"groups.female.pronoun": ["she", "mary"], "groups.male.pronoun": ["he", "john"]}
    with pytest.raises(ValueError, match=r"same\.groups: .* pronoun has 2, possessive has 1"):
        contents.check(changed(pronouns, "same"))


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("same.templates", "training:\n  - ", "training:\n  - 'The [SEP] {occ} likes {possessive} job.'\n  - "),
        ("same.occupations", "\nnurse,", "\n[PAD],"),
        ("intrinsic.templates", "male: male", 'male: "[MASK]"'),
        ("intrinsic.templates", "neutral: their", 'neutral: "[CLS] their"'),
        ("downstream.planted.templates", "neutral: them", 'neutral: "[UNK]"'),
        ("downstream.defining", "white: [white,", 'white: ["[MASK]",'),
    ],
)
def test_special_tokens_in_files_are_refused(tmp_path, key, old, new):
    shipped = Path(functools.reduce(dict.__getitem__, key.split("."), DEFAULT))
    content = shipped.read_text("utf-8")
    assert old in content
    path = tmp_path / shipped.name
    path.write_text(content.replace(old, new, 1), "utf-8")
    with pytest.raises(ValueError, match=rf"{re.escape(str(path))}.* special token") as caught:
        contents.check(changed({key: str(path)}))
    assert re.search(r"\[[A-Z]+\]", new)[0] in str(caught.value)
