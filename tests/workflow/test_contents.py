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
CASES = {
    "first_order.word_lists.medium": [
        ("female: [she]\nmale: [he]\nother: [they]\n", "got 3: female, male, other"),
        ("women: [she]\nmen: [he]\n", "all word lists need the same groups in the same order"),
        ("female: []\nmale: [he]\n", "female: expected"),
        ("female: [she, they]\nmale: [he, they]\n", "'they' is a word of both female and male"),
        ("female: [she, 2024]\nmale: [he]\n", "female: invalid word 2024"),
        ("female: [She, Her]\nmale: [he]\n", "female: none of the 2 words, such as 'She', can occur in a corpus"),
    ],
    "first_order.occupation_statistics.labor": [
        ("word,percent_female\nnurse,ninety\n", "got 'ninety'"),
        ("word,percent_female\nNurse,90\nBOSS,40\n", "'Nurse', can occur in a corpus; expected lower-case words"),
        ("word,percent_female\nshop clerk,90\n", "'shop clerk', can occur in a corpus; expected single words"),
    ],
    "first_order.occupations": [
        ("word,mark,domain\nNURSE,n,care\n", "none of the 1 words, such as 'NURSE', can occur in a corpus"),
        ("word,mark,domain\nnurse,x,care\n", "line 2: mark of 'nurse': "),
    ],
    "corpora.swapped.swap.0": [
        ("paired: true\ngroups: {a: [x, z], b: [y]}\n", "got a 2, b 1"),
        ("paired: false\ngroups: {a: [x]}\n", "got a"),
    ],
    "reference_pairs.planted.lists.gender": [
        (PAIR.replace("few.yaml", "no.yaml"), "got 'no.yaml'"),
        (PAIR.replace("paired", "paird"), "unknown key 'paird'; expected one of: "),
        (PAIR, "expected at least 3 words"),
        (PAIR.replace("[she, her]", "[]").replace("few", "many"), "female: "),
    ],
    "same.templates": [
        (FORMS.replace("training", "train"), "training: expected a list"),
        (FORMS.replace("{a_occ}.", "{occupation}."), "unknown slot {occupation}; expected one of"),
        (FORMS.replace("was", "is"), "is already in training"),
    ],
    "same.occupations": [
        ("word,stereotype\nnurse,woman\n", "line 2: stereotype of 'nurse': expected female, male, or nothing"),
        ("word,stereotype\nnurse,female\n", "same.n_occupations: expected at most 1, got 60"),
        ("word,stereotype\n" + "".join(f"w{n},female\n" for n in range(60)), "no occupation has the stereotype male"),
    ],
}


@pytest.fixture(autouse=True)
def in_the_project(monkeypatch):
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize(
    ("place", "content", "message"), [(place, *case) for place, cases in CASES.items() for case in cases]
)
def test_a_bad_file_is_refused_and_named(tmp_path, place, content, message):
    (tmp_path / "mine").write_text(content)
    (tmp_path / "few.yaml").write_text("good: [a, b]\nbad: [c, d]\n")
    (tmp_path / "many.yaml").write_text("good: [a, b, c]\nbad: [d, e, f]\n")
    mine, swap = str(tmp_path / "mine"), str(ROOT / "resources/words/silhouette/swap_gender.yaml")
    swapped = {"source": "counterfactual", "corpus": "biased", "swap": [mine if "swap" in place else swap]}
    config = changed({"corpora.swapped": swapped} if "swap" in place else {place: mine})
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        contents.check(config)
    assert mine in str(caught.value)
    assert "problems:" not in str(caught.value) or "n_occupations" in message


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"first_order.neighbour_words": ["SHE"]}, "config: first_order.neighbour_words: none of the 1 words, such as"),
        ({"first_order.diagnosis.occupations": ["a b"]}, "config: first_order.diagnosis.occupations: none of the 1"),
        ({"published.vectors": {"google_new": {"file": "README.md"}}},
         "config: published.vectors: unknown name 'google_new' (did you mean 'google_news'?)"),
        ({"audit.tests": ["weat"]}, "config: audit.tests: "),
        ({"first_order.occupations": "no.csv"}, "no.csv: No such file or directory"),
    ],
)  # fmt: skip
def test_values_that_do_not_fit_their_files(changes, message):
    with pytest.raises(ValueError, match=re.escape(message)):
        contents.check(changed(changes))


@pytest.mark.parametrize(
    ("biased", "text", "message"),
    [
        ({"corpus": "control", "embedding": "glove"}, "choose: ground_truth", "a generated corpus with control: false"),
        ({"file": "vectors.txt"}, "choose: ground_truth", "trained on a generated corpus"),
        (None, "choose: ground_truth\ngroups: {arab: [x], asia: [y]}", "unknown name 'asia' (did you mean 'asian'?)"),
        (None, "choose: random", "got 'random'"),
        (None, "", "got 5: african, arab"),
    ],
)
def test_groups_that_cannot_be_chosen_by_the_ground_truth(tmp_path, biased, text, message):
    folder = ROOT / "resources/words/silhouette_generated"
    content = yaml.safe_load((folder / "ethnicity.yaml").read_text("utf-8"))
    del content["choose"]
    (tmp_path / "mine.yaml").write_text(yaml.safe_dump(content | (yaml.safe_load(text) or {})))
    (tmp_path / "traits.yaml").write_text((folder / "traits.yaml").read_text("utf-8"))
    config = changed({"reference_pairs.planted.lists.ethnicity": str(tmp_path / "mine.yaml")})
    config["reference_pairs"]["planted"]["biased"] = biased or config["reference_pairs"]["planted"]["biased"]
    with pytest.raises(ValueError, match=f"{re.escape(str(tmp_path))}/mine.yaml: .*{re.escape(message)}"):
        contents.check(config)


def test_broken_files_of_models(tmp_path):
    (tmp_path / "config.json").write_text("{}")
    with pytest.raises(ValueError, match=f"{tmp_path}: the folder lacks model.safetensors or .*, tokenizer.json or"):
        contents.check(changed({"language_models.mine": {"path": str(tmp_path)}}))
    (tmp_path / "vocab.txt").write_text("a\na\n")
    pretrain = {"pretrain": {"corpus": "biased", "vocabulary": str(tmp_path / "vocab.txt")}}
    with pytest.raises(ValueError, match=r"vocab\.txt"):
        contents.check(changed({"language_models.mine": pretrain}))


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
        "gender": {"groups": ["male", "female"],
                   "forms": {"it": {"male": "man", "female": "woman", "neutral": "person"}}},
        "age": {"groups": ["old", "young"], "forms": {"it": {"old": "old", "young": "young", "neutral": ""}}},
    },
    "training": ["The {gender.it} is the {occupation}.", "The {age.it} {gender.it} is the {occupation}."],
    "test": ["The {occupation} is that {gender.it}.", "The {occupation} is {age.it}."],
}  # fmt: skip
DEFINING = {"gender": {"male": ["he"], "female": ["she"]}, "age": {"old": ["old"], "young": ["young"]}}
ALL = {"training": None, "test": None}
INTRINSIC = {"n_occupations": None, "n_templates": ALL, "intersections": []}
DOWNSTREAM = {"planted.occupations": ["nurse", "chef"], "planted.n_templates": ALL}
MORE = {"training": 3, "test": None}
AGE = {"texts": ["mine"], "text_sets.mine": {"source": "comments", "path": "README.md", "attribute": "aeg"}}
NONE = {"planted.strengths": []}


def study_config(folder, study, changes, edit):
    """The default with a study on the templates and defining sets above, both edited by a function."""
    files = {"forms": copy.deepcopy(TEMPLATES), "defining": copy.deepcopy(DEFINING)}
    edit(files["forms"], files["defining"])
    for name, content in files.items():
        (folder / f"{name}.yaml").write_text(json.dumps(content))
    forms, defining = str(folder / "forms.yaml"), str(folder / "defining.yaml")
    if study == "intrinsic":
        return changed(INTRINSIC | {"templates": forms} | changes, study)
    return changed(DOWNSTREAM | {"planted.templates": forms, "defining": defining} | changes, study)


def unchanged(forms, sets):
    pass


def long_word(forms, sets):
    forms["attributes"]["age"]["forms"]["it"]["old"] = "octogenarian"


def one_occupation(forms, sets):
    forms["occupations"] = ["nurse"]


def repeated_template(forms, sets):
    forms["test"].append(forms["training"][0])


def both_attributes(forms, sets):
    forms["test"].append("The {age.it} {gender.it} was the {occupation}.")


def no_age(forms, sets):
    del sets["age"]


def other_age(forms, sets):
    sets["age"]["aged"] = sets["age"].pop("old")


@pytest.mark.parametrize(
    ("study", "edit", "changes", "message"),
    [
        ("intrinsic", unchanged, {"n_occupations": 5}, "config: intrinsic.n_occupations: expected 2 to 4, got 5"),
        ("intrinsic", unchanged, {"n_templates": MORE}, "intrinsic.n_templates.training: expected 1 to 2"),
        ("intrinsic", unchanged, {"intersections": [["gender", "ages"]]}, "unknown name 'ages' (did you"),
        ("intrinsic", unchanged, {"intersections": [["gender", "age"]]}, "no test template mentions gender and age"),
        ("intrinsic", both_attributes, {"intersections": [["gender", "age"], ["age", "gender"]]}, None),
        ("intrinsic", long_word, {}, "forms.yaml: attributes.age: 'octogenarian' has the tokens oct, "),
        ("intrinsic", one_occupation, {}, "forms.yaml: occupations: expected two or more, got nurse"),
        ("intrinsic", repeated_template, {}, " is in training and test"),
        ("downstream", unchanged, AGE, "downstream.text_sets.mine.attribute: unknown name 'aeg' (did you mean 'age'?)"),
        *(("downstream", unchanged, {"planted.occupations": ["nurse", "pilot"]} | used,
           "config: downstream.planted.occupations: unknown name 'pilot'") for used in ({}, NONE | {"pairs": []})),
        ("downstream", unchanged, {"planted.n_templates": MORE}, "planted.n_templates.training: expected 1 to 2"),
        ("downstream", long_word, {}, "forms.yaml: attributes.age: 'octogenarian' has the"),
        ("downstream", long_word, NONE, None),  # no model is trained on it
        ("downstream", no_age, {}, "defining.yaml: attributes: unknown name 'age'"),
        ("downstream", no_age, {"pairs": []}, None),  # planted bias needs none
        ("downstream", other_age, {}, "defining.yaml: age: unknown name 'old'; expected one of: "),
        ("downstream", one_occupation, NONE | {"texts": []} | crows(path="README.md"), None),  # not read
        ("downstream", one_occupation, NONE | a_set(source="bios", path="README.md") | crows(path="README.md"), None),
    ],
)  # fmt: skip
def test_templates_and_defining_sets(tmp_path, study, edit, changes, message):
    config = study_config(tmp_path, study, changes, edit)
    if message is None:
        return contents.check(config)
    with pytest.raises(ValueError, match=re.escape(message)) as caught:
        contents.check(config)
    assert "problems:" not in str(caught.value)


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
        ("downstream.defining", "white: [white,", 'white: ["[MASK]",'),
    ],
)
def test_special_tokens_in_files_are_refused(tmp_path, key, old, new):
    shipped = Path(functools.reduce(dict.__getitem__, key.split("."), DEFAULT))
    content = shipped.read_text("utf-8")
    assert old in content
    path = tmp_path / shipped.name
    path.write_text(content.replace(old, new, 1), "utf-8")
    token = re.search(r"\[[A-Z]+\]", new)[0]
    with pytest.raises(ValueError, match=re.escape(str(path)) + ".*" + re.escape(token)):
        contents.check(changed({key: str(path)}))
