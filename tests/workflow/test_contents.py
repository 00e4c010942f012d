"""Small files that a configuration names are checked at the start of a run, and all problems are reported."""

import copy
import functools
import json
import re
from pathlib import Path

import pytest
import yaml

from biassay.workflow import contents
from tests.running import ROOT, copy_project, snakemake
from tests.workflow.changes import DEFAULT, a_set, changed, crows

PAIR = "paired: true\ngroups:\n  female: [she, her]\n  male: [he, his]\ntargets: few.yaml\n"
FORMS = 'training: ["{Pronoun} is {a_occ}."]\ntest: ["{Pronoun} was {a_occ}."]\n'
NOUNS = 'training: ["The {noun} is {a_occ}."]\ntest: ["{Noun} was {a_occ}."]\n'
CASES = {
    "first_order.word_lists.medium": [
        ("female: [she]\nmale: [he]\nother: [they]\n", "got 3: female, male, other"),
        ("women: [she]\nmen: [he]\n", "all word lists need the same groups in the same order"),
        ("male: [he]\nfemale: [she]\n", "expected female before male"),
        ("female: [she, her]\nmale: [he]\n", "since the i-th words correspond, got female 2, male 1"),
        ("female: []\nmale: [he]\n", "female: expected"),
        ("female: [she, they]\nmale: [he, they]\n", "'they' is a word of both female and male"),
        ("female: [She, Her]\nmale: [he, him]\n", "female: none of the 2 words, such as 'She', can occur in a corpus"),
    ],
    "first_order.occupation_statistics.labor": [
        ("word,percent_female\nshop clerk,90\n", "'shop clerk', can occur in a corpus; expected single words"),
    ],
    "first_order.occupations": [
        ("word,mark,domain\nNURSE,n,care\n", "none of the 1 words, such as 'NURSE', can occur in a corpus"),
        ("word,mark,domain\nnurse,x,care\n", "line 2: mark of 'nurse': "),
    ],
    "corpora.swapped.swap.0": [("paired: true\ngroups: {a: [x, z], b: [y]}\n", "got a 2, b 1")],
    "reference_pairs.planted.lists.gender": [
        (PAIR, "expected at least 3 words"),
    ],
    "reliability.pairs": [("female: [she, her]\nmale: [he]\n", "equal length, since the i-th words correspond")],
    "same.templates": [
        (FORMS.replace("{a_occ}.", "{occupation}."), "unknown slot {occupation}; expected one of"),
    ],
    "same.occupations": [
        ("word,stereotype\nnurse,woman\n", "line 2: stereotype of 'nurse': expected female, male, or nothing"),
        ("word,stereotype\nnurse,female\n", "same.n_occupations: expected at most 1, got 60"),
        ("word,stereotype\n" + "".join(f"w{n},female\n" for n in range(60)), "no occupation has the stereotype male"),
    ],
}


def refuse(config, message):
    """Check a configuration with one problem, or none if the message is None."""
    if message is None:
        return contents.check(config)
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        contents.check(config)
    assert "problems:" not in str(caught.value) or "n_occupations" in message
    return str(caught.value)


@pytest.mark.parametrize(
    ("place", "content", "message"), [(place, *case) for place, cases in CASES.items() for case in cases]
)
def test_a_bad_file_is_refused_and_named(tmp_path, place, content, message):
    (tmp_path / "mine").write_text(content)
    (tmp_path / "few.yaml").write_text("good: [a, b]\nbad: [c, d]\n")
    mine = str(tmp_path / "mine")
    swapped = {"source": "counterfactual", "corpus": "biased", "swap": [mine]}
    assert mine in refuse(changed({"corpora.swapped": swapped} if "swap" in place else {place: mine}), message)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"first_order.neighbour_words": ["SHE"]}, "config: first_order.neighbour_words: none of the 1 words, such as"),
        ({"published.vectors": {"google_new": {"file": "README.md"}}}, "config: published.vectors: unknown name 'goog"),
        ({"audit.tests": ["weat"]}, "config: audit.tests: "),
        ({"first_order.occupations": "no.csv"}, "no.csv: No such file or directory"),
        (
            {"same.groups.female.pronoun": ["she", "mary"], "same.groups.male.pronoun": ["he", "john"]},
            "need equally many forms: pronoun has 2, possessive has 1",
        ),
    ],
)
def test_values_that_do_not_fit_their_files(changes, message):
    refuse(changed(changes), message)


@pytest.mark.parametrize(
    ("biased", "text", "message"),
    [
        ({"corpus": "control", "embedding": "glove"}, "choose: ground_truth", "a generated corpus with control: false"),
        ({"file": "vectors.txt"}, "choose: ground_truth", "trained on a generated corpus"),
        (None, "choose: ground_truth\ngroups: {arab: [x], asia: [y]}", "unknown name 'asia' (did you mean 'asian'?)"),
        (None, "choose:", "got 5: african, arab"),
    ],
)
def test_groups_that_cannot_be_chosen_by_the_ground_truth(tmp_path, biased, text, message):
    folder = ROOT / "resources/words/silhouette_generated"
    content = yaml.safe_load((folder / "ethnicity.yaml").read_text("utf-8")) | yaml.safe_load(text)
    (tmp_path / "mine.yaml").write_text(
        yaml.safe_dump({key: value for key, value in content.items() if value is not None})
    )
    (tmp_path / "traits.yaml").write_text((folder / "traits.yaml").read_text("utf-8"))
    config = changed({"reference_pairs.planted.lists": {"ethnicity": str(tmp_path / "mine.yaml")}})
    config["reference_pairs"]["planted"]["biased"] = biased or config["reference_pairs"]["planted"]["biased"]
    assert str(tmp_path / "mine.yaml") in refuse(config, message)


def test_broken_files_of_models(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    refuse(changed({"language_models.mine": {"path": str(tmp_path)}}), f"{tmp_path}: the folder lacks model.safeten")


def test_a_run_reports_all_problems_at_its_start(tmp_path):
    copy_project(tmp_path)
    (tmp_path / "list.yaml").write_text("female: []\nmale: [he]\n")
    (tmp_path / "shares.csv").write_text("word,percent_female\nnurse,ninety\n")
    config = {"first_order": {"word_lists": {"medium": "list.yaml"}, "occupation_statistics": {"labor": "shares.csv"}}}
    result = snakemake(tmp_path, "properties", config=config)
    output = result.stdout + result.stderr
    assert result.returncode != 0
    assert "2 problems:\n- list.yaml: female: " in output
    assert "\n- shares.csv, line 2: percent_female of 'nurse': " in output
    assert "Traceback" not in output
    assert not (tmp_path / "results").exists()


TEMPLATES = {
    "occupations": ["nurse", "chef", "editor", "baker"],
    "attributes": {
        "gender": {
            "groups": ["male", "female"],
            "forms": {"it": {"male": "man", "female": "woman", "neutral": "person"}},
        },
        "age": {"groups": ["old", "young"], "forms": {"it": {"old": "old", "young": "young", "neutral": ""}}},
    },
    "training": ["The {gender.it} is the {occupation}.", "The {age.it} {gender.it} is the {occupation}."],
    "test": ["The {occupation} is that {gender.it}.", "The {occupation} is {age.it}."],
}
DEFINING = {"gender": {"male": ["he"], "female": ["she"]}, "age": {"old": ["old"], "young": ["young"]}}
ALL, MORE = {"training": None, "test": None}, {"training": 3, "test": None}
INTRINSIC = {"n_occupations": None, "n_templates": ALL}
DOWNSTREAM = {"planted.occupations": ["nurse", "chef"], "planted.n_templates": ALL, "heads.n_directions": [1]}
AGE = a_set(source="comments", path="README.md", attribute="aeg")
NONE = {"planted.strengths": []}
EDITS = {  # place and value
    "long word": ("forms", "attributes", "age", "forms", "it", "old", "octogenarian"),
    "one occupation": ("forms", "occupations", ["nurse"]),
    "repeated": ("forms", "test", [*TEMPLATES["training"], *TEMPLATES["test"]]),
    "no age": ("defining", {"gender": DEFINING["gender"]}),
    "other age": ("defining", "age", {"aged": ["old"], "young": ["young"]}),
}


@pytest.mark.parametrize(
    ("study", "edit", "changes", "message"),
    [
        ("intrinsic", "", {"n_occupations": 5}, "config: intrinsic.n_occupations: expected 2 to 4, got 5"),
        ("intrinsic", "", {"n_templates": MORE}, "intrinsic.n_templates.training: expected 1 to 2"),
        ("intrinsic", "long word", {}, "forms.yaml: attributes.age: 'octogenarian' has the tokens oct, "),
        ("intrinsic", "repeated", {}, " is in training and test"),
        ("downstream", "", AGE, "downstream.text_sets.mine.attribute: unknown name 'aeg' (did you mean 'age'?)"),
        ("downstream", "", {"heads.n_directions": []}, None),
        ("downstream", "", {"heads.n_directions": [1, 3]}, "downstream.heads.n_directions: expected at most 1, which"),
        ("downstream", "", {"planted.occupations": ["nurse", "pilot"]}, "planted.occupations: unknown name 'pilot'"),
        ("downstream", "long word", NONE, None),  # no model is trained on it
        ("downstream", "no age", {}, "defining.yaml: attributes: unknown name 'age'"),
        ("downstream", "no age", {"pairs": []}, None),  # planted bias needs none
        ("downstream", "other age", {}, "defining.yaml: age: unknown name 'old'; expected one of: "),
        ("downstream", "one occupation", NONE | {"texts": []} | crows(path="README.md"), None),  # not read
        ("downstream", "one occupation", NONE | {"pairs": []}, "forms.yaml: occupations: expected"),
    ],
)
def test_templates_and_defining_sets(tmp_path, study, edit, changes, message):
    content = copy.deepcopy({"forms": TEMPLATES, "defining": DEFINING})
    if edit:
        *parents, last, value = EDITS[edit]
        functools.reduce(dict.__getitem__, parents, content)[last] = value
    paths = {name: str(tmp_path / f"{name}.yaml") for name in content}
    for name, path in paths.items():
        Path(path).write_text(json.dumps(content[name]))
    given = {"planted.templates": paths["forms"], "defining": paths["defining"]}
    given = DOWNSTREAM | given if study == "downstream" else INTRINSIC | {"templates": paths["forms"]}
    refuse(changed(given | changes, study), message)


@pytest.mark.parametrize(
    ("group", "word", "message"),
    [
        ("male", "xylophonist", "male: 'xylophonist' has the tokens x, ##yl, ##op, ##hon, ##ist in the"),
        ("male", "[MASK]", "male: '[MASK]' has '[MASK]', a special token of the language model 'tiny'"),
        ("female", "Woman", None),
    ],
)
def test_words_in_slots_are_single_tokens(tmp_path, group, word, message):
    (tmp_path / "nouns.yaml").write_text(NOUNS)
    nouns = {"groups.female.noun": ["woman"], "groups.male.noun": ["man"], f"groups.{group}.noun": [word]}
    config = changed(nouns | {"templates": str(tmp_path / "nouns.yaml")}, "same")
    refuse(config, message and f"config: same.groups.{message}")


@pytest.mark.parametrize(
    ("key", "old", "new"),
    [
        ("same.templates", "training:\n  - ", "training:\n  - 'The [SEP] {occ} likes {possessive} job.'\n  - "),
        ("intrinsic.templates", "male: male", 'male: "[MASK]"'),
        ("downstream.defining", "white: [white,", 'white: ["[MASK]",'),
    ],
)
def test_special_tokens_in_files_are_refused(tmp_path, key, old, new):
    shipped = Path(functools.reduce(dict.__getitem__, key.split("."), DEFAULT))
    content = shipped.read_text("utf-8")
    assert old in content
    path = tmp_path / shipped.name
    path.write_text(content.replace(old, new, 1), "utf-8")
    assert str(path) in refuse(changed({key: str(path)}), re.search(r"\[[A-Z]+\]", new)[0])
