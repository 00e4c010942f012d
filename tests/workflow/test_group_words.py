"""The words of groups for the slots of templates, checked at the start: slots, forms, and tokens of the model."""

import copy
import functools
import json
import re
import shutil
from pathlib import Path

import pytest
import yaml

from biassay.language_models import model_files, templates
from biassay.workflow import board, contents
from biassay.workflow import config as settings
from tests.running import ROOT

DEFAULT = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
board.expand_own(DEFAULT)
TINY = ROOT / "resources/models/bert-tiny-enwiki"
NOUNS = 'training: ["The {noun} is {a_occ}."]\ntest: ["{Noun} was {a_occ}."]\n'


def test_the_default_is_that_of_the_library():
    assert DEFAULT["same"]["groups"] == templates.GROUP_WORDS


def changed(change):
    config = copy.deepcopy(DEFAULT)
    for group, forms in change.items():
        config["same"]["groups"].setdefault(group, {}).update(forms)
    return config


@pytest.mark.bad_input(
    "group words in slots", "refused at the start; the message names group, slot and word, and the subword tokens"
)
@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"male": {"noun": ["man"]}}, "male: has the slots pronoun, possessive, noun; female has pronoun, possessive"),
        ({"female": {"pronoun": ["she", "mary"]}}, "male.pronoun: has 1 forms; female has 2"),
        ({"male": {"pronoun": ["she"]}}, "male.pronoun: 'she' is also a form of female"),
        ({"male": {"pronoun": [" he"]}}, "male.pronoun: invalid word ' he'"),
        ({"female": {"pronoun": [""]}}, "female.pronoun: invalid word ''"),
        ({"female": {"occ": ["a"]}, "male": {"occ": ["b"]}}, "the slot occ is reserved for the occupation"),
        ({"female": {"Noun": ["a"]}}, "same.groups.female: 'Noun' does not match"),
        ({"other": {"pronoun": ["they"]}}, "same.groups: unknown key 'other'; expected one of: female, male"),
        ({"male": {"pronoun": []}}, "same.groups.male.pronoun: [] should be non-empty"),
    ],
)
def test_groups_that_do_not_fit_are_refused(change, message):
    with pytest.raises(ValueError, match="config: ") as caught:
        settings.check(changed(change), ROOT / "config.schema.yaml")
    assert message in str(caught.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"male": {"noun": ["xylophonist"]}}, "male: 'xylophonist' has the tokens x, ##yl, ##op, ##hon, ##ist in the"),
        (
            {"female": {"noun": ["✂"]}},
            "female: '✂' has the tokens [UNK] in the language model 'tiny'; expected one token",
        ),
        ({"male": {"noun": ["[MASK]"]}}, "male: '[MASK]' has '[MASK]', a special token of the language model 'tiny'"),
        ({"female": {"noun": ["a [CLS]"]}}, "female: 'a [CLS]' has '[CLS]', a special token"),
        ({}, None),
    ],
)
def test_a_word_of_several_pieces_is_told_at_the_start(tmp_path, monkeypatch, change, message):
    monkeypatch.chdir(ROOT)
    (tmp_path / "nouns.yaml").write_text(NOUNS)
    config = changed({"female": {"noun": ["Woman"]}, "male": {"noun": ["man"]}})
    config["same"]["templates"] = str(tmp_path / "nouns.yaml")
    for group, forms in change.items():
        config["same"]["groups"][group] |= forms
    if not message:
        return contents.check(config)
    with pytest.raises(ValueError, match=r"config: same\.groups") as caught:
        contents.check(config)
    assert message in str(caught.value)


@pytest.mark.bad_input("special tokens as words", "refused; the message names the text and the token")
@pytest.mark.parametrize(
    ("keys", "old", "new"),
    [
        (["same", "templates"], "training:\n  - ", "training:\n  - 'The [SEP] {occ} likes {possessive} job.'\n  - "),
        (["same", "occupations"], "\nnurse,", "\n[PAD],"),
        (["intrinsic", "templates"], "male: male", 'male: "[MASK]"'),
        (["intrinsic", "templates"], "neutral: their", 'neutral: "[CLS] their"'),
        (["downstream", "planted", "templates"], "neutral: them", 'neutral: "[UNK]"'),
        (["downstream", "defining"], "white: [white,", 'white: ["[MASK]",'),
    ],
)
def test_a_special_token_in_a_file_is_refused_at_the_start(tmp_path, monkeypatch, keys, old, new):
    monkeypatch.chdir(ROOT)
    config = copy.deepcopy(DEFAULT)
    *above, key = keys
    section = functools.reduce(dict.__getitem__, above, config)
    content = Path(section[key]).read_text("utf-8")
    assert old in content
    path = tmp_path / Path(section[key]).name
    path.write_text(content.replace(old, new, 1), "utf-8")
    section[key] = str(path)
    with pytest.raises(ValueError, match=re.escape(str(path))) as caught:
        contents.check(config)
    assert re.search(r"\[[A-Z]+\]", new)[0] in str(caught.value)
    assert "special token" in str(caught.value)


def test_what_no_template_asks_for_is_not_asked_of_the_model(monkeypatch):
    monkeypatch.chdir(ROOT)
    contents.check(changed({"female": {"noun": ["xylophonist"]}, "male": {"noun": ["man"]}}))


def test_slots_of_the_templates_have_as_many_forms(monkeypatch):
    monkeypatch.chdir(ROOT)
    config = changed({"female": {"pronoun": ["she", "mary"]}, "male": {"pronoun": ["he", "john"]}})
    with pytest.raises(ValueError, match=r"same.yaml need equally many forms: pronoun has 2, possessive has 1"):
        contents.check(config)


def test_pieces_by_the_kind_of_tokenizer(tmp_path):
    """Lower-case or not as the folder says, a tokenizer.json, or none that is known."""
    words = ["She", "hairdresser"]
    assert model_files.subword_tokens(TINY, words) == {"She": ["she"], "hairdresser": ["hair", "##dre", "##sser"]}
    assert model_files.subword_tokens(TINY / "vocab.txt", ["She"]) == {"She": ["she"]}
    shutil.copy(TINY / "vocab.txt", tmp_path)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": False}))
    assert model_files.subword_tokens(tmp_path, ["She", "she"]) == {"She": ["[UNK]"], "she": ["she"]}
    tokenizers = pytest.importorskip("tokenizers")
    vocabulary = {"<unk>": 0, "▁She": 1, "s": 2, "▁": 3, "h": 4, "e": 5}
    whole = tokenizers.Tokenizer(tokenizers.models.Unigram([(word, -float(n)) for word, n in vocabulary.items()], 0))
    whole.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    whole.save(str(tmp_path / "tokenizer.json"))
    assert model_files.subword_tokens(tmp_path, ["She"]) == {"She": ["▁She"]}
    assert model_files.subword_tokens(tmp_path / "other", ["She"]) == {}
    (tmp_path / "tokenizer.json").write_text("{")
    with pytest.raises(ValueError, match=r"tokenizer.json"):
        model_files.subword_tokens(tmp_path, ["She"])
