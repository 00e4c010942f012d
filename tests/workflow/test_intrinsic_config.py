"""The intrinsic study's part of the configuration: each message for what is wrong in it."""

import copy
import json
import re
from functools import partial

import pytest

from biassay.workflow import config as settings
from biassay.workflow import contents, study_config, study_metrics
from tests.running import ROOT
from tests.workflow import changes as configuration

changed = partial(configuration.changed, study="intrinsic")
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


@pytest.mark.bad_input(
    "values across the configuration", "refused at the start; the message names key, value and expected values"
)
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"min_p": [0.05, 0.8]}, "intrinsic: expected min_p < max_p, got 0.8 and 0.8"),
        ({"max_p": [0.1, 0.9]}, "intrinsic: expected min_p < max_p, got 0.2 and 0.1"),
        ({"detection.min_p": 0.9}, "intrinsic.detection: expected min_p < max_p, got 0.9 and 0.8"),
        ({"detection.max_p": 0.05}, "intrinsic.detection: expected min_p < max_p, got 0.05 and 0.05"),
        *(({"detection.strengths": given}, f"strengths: expected [] or increasing numbers from 0, got {given}")
          for given in ([0], [0.2, 1], [0, 1, 0.5])),
        ({"detection.strengths": [0, 1.5]}, "intrinsic.detection.strengths.1: expected a number ≤ 1, got 1.5"),
        ({"detection.strengths": [0, 0]}, "intrinsic.detection.strengths: [0, 0] has non-unique elements"),
        ({"detection.strength": [0]}, "intrinsic.detection: unknown key 'strength' (did you mean 'strengths'?)"),
        ({"min_p": []}, "intrinsic.min_p: [] "),
        ({"min_p": [0.1, 0.1]}, "intrinsic.min_p: [0.1, 0.1] has non-unique elements"),
        ({"max_p": [1.2]}, "intrinsic.max_p.0: expected a number ≤ 1, got 1.2"),
        ({"n_occupations": 3}, "intrinsic.n_occupations: expected a number ≥ 4, got 3"),
        ({"n_templates.training": 0}, "intrinsic.n_templates.training: expected a number ≥ 1, got 0"),
        ({"min_r": 1.1}, "intrinsic.min_r: expected a number ≤ 1, got 1.1"),
        ({"attempts": 0}, "intrinsic.attempts: expected a number ≥ 1, got 0"),
        ({"pooling": "max"}, "intrinsic.pooling: unknown value 'max'; expected one of: mean, cls, word"),
        ({"label_noise": -0.1}, "intrinsic.label_noise: expected a number ≥ 0, got -0.1"),
        ({"label_sentences": 0}, "intrinsic.label_sentences: expected a number ≥ 1, got 0"),
        ({"reliability.share": 0}, "intrinsic.reliability.share: expected a number > 0, got 0"),
        ({"reliability.sample": 5}, "intrinsic.reliability: unknown key 'sample' (did you mean 'samples'?)"),
        ({"intersections": [["gender"]]}, "intrinsic.intersections.0: ['gender'] is too short"),
        ({"intersections": [["gender", "gender"]]}, "intersections.0: ['gender', 'gender'] has non-unique elements"),
        ({"resamples": 9}, "intrinsic.resamples: expected a number ≥ 10, got 9"),
        ({"language_model": "bert"}, "intrinsic.language_model: unknown name 'bert'; expected one of: tiny"),
        ({"templates": "no.yaml"}, "intrinsic.templates: there is no file 'no.yaml'"),
        ({"metrics": ["wea"]}, "intrinsic.metrics: unknown name 'wea' (did you mean 'weat'?); expected one of: "),
        ({"metrics": []}, "intrinsic.metrics: [] "),
        ({"metrics": ["data"], "variants.data": {"metric": "mac"}},
         "intrinsic.metrics: 'data' is reserved"),
        ({"metrics": ["mac", "unmasking"], "variants.unmasking": {"metric": "mac"}},
         "intrinsic.metrics: 'unmasking' is reserved"),
        ({"metrics": ["pll"]}, "intrinsic.metrics: 'pll' takes a language model, but this study measures vectors"),
        ({"metrics": ["first_order"]}, "intrinsic.metrics: 'first_order' takes explicit vectors, which"),
        ({"variants.direct_bias_1.metric": "direct"}, "direct_bias_1.metric: unknown name 'direct' (did you mean"),
        ({"variants.direct_bias_1.metric": "aul"}, "intrinsic.metrics: 'aul' takes a language model"),
        ({"variants.direct_bias_1.options": {"n_direction": 1}}, "options: unknown option 'n_direction'"),
        ({"variants.direct_bias_1.options": {"n_directions": 0}}, "direct_bias_1.options.n_directions: expected"),
        ({"variants.direct_bias_1.range": [0, 1, 0]}, "variants.direct_bias_1: unknown key 'range'"),
        ({"variants.mac": {"options": {"k": 1}}}, "intrinsic.variants.mac.options: unknown option 'k'"),
    ],
)  # fmt: skip
def test_errors_name_key_value_and_choices(changes, message):
    with pytest.raises(ValueError, match=re.escape(f"{message}")) as caught:
        settings.check(changed(changes), ROOT / "config.schema.yaml")
    assert "problems:" not in str(caught.value)


def test_what_is_right(monkeypatch):
    monkeypatch.chdir(ROOT)
    fine = {"detection.strengths": [0, 0.5, 1], "intersections": [], "n_occupations": None, "label_sentences": None,
            "n_templates": {"training": None, "test": None}}  # fmt: skip
    settings.check(changed(fine), "config.schema.yaml")
    contents.check(changed(fine))


@pytest.mark.parametrize(("strengths", "chunk", "number"), [([], 8, 1), ([], 3, 3), ([0, 1], 6, 3), ([0, 1], 18, 1)])
def test_chunks(strengths, chunk, number):
    """2 × 2 distributions × 2 repeats, and 5 of each strength."""
    config = changed({"detection.strengths": strengths, "chunk": chunk})
    assert study_config.intrinsic_chunks(config) == list(range(number))


def test_variants():
    chosen = study_metrics.chosen_metrics(changed({"metrics": ["direct_bias_1", "mac"]}), "intrinsic")
    assert chosen == {
        "direct_bias_1": {"metric": "direct_bias", "options": {"n_directions": 1}, "range": None},
        "mac": {"metric": "mac", "options": {}, "range": None},
    }


def given(folder, change=None, **study):
    """The default configuration with templates of one's own, some of them changed."""
    content = copy.deepcopy(TEMPLATES)
    (change or (lambda content: None))(content)
    (folder / "forms.yaml").write_text(json.dumps(content))
    fine = {"n_occupations": None, "n_templates": {"training": None, "test": None}, "intersections": []}
    return changed(fine | {"templates": str(folder / "forms.yaml")} | study)


def add(content, part, template):
    content[part].append(template)


def term(content, form, group, word):
    content["attributes"]["age"]["forms"][form][group] = word


@pytest.mark.bad_input(
    "templates of several groups", "refused at the start; the message names file, list, template or term"
)
@pytest.mark.parametrize(
    ("change", "study", "message"),
    [
        (None, {"n_occupations": 5},
         "config: intrinsic.n_occupations: expected 2 to 4, got 5 ({path})"),
        (None, {"n_templates": {"training": 3, "test": None}},
         "config: intrinsic.n_templates.training: expected 1 to 2 templates, got 3 ({path})"),
        (None, {"n_templates": {"training": None, "test": 1}},
         "config: intrinsic.n_templates.test: 1 "),
        (None, {"intersections": [["gender", "ages"]]},
         "config: intrinsic.intersections: unknown name 'ages' (did you mean 'age'?); expected one of: gender, age"),
        (None, {"intersections": [["gender", "age"]]},
         "config: intrinsic.intersections: no test template mentions gender and age"),
        (lambda c: term(c, "it", "old", "octogenarian"), {},
         "{path}: attributes.age: 'octogenarian' has the tokens oct, "),
        (lambda c: c.update(occupations=["nurse"]), {}, "{path}: occupations: expected two or more, got nurse"),
        (lambda c: add(c, "test", "The {age.it} editor."), {},
         "{path}: test: 'The {{age.it}} editor.': "),
        (lambda c: c.update(test=c["test"][:1]), {}, "{path}: test: no template mentions age"),
        (lambda c: add(c, "test", c["training"][0]), {}, " is in training and test"),
    ],
)  # fmt: skip
def test_templates_are_read_at_the_start(tmp_path, monkeypatch, change, study, message):
    monkeypatch.chdir(ROOT)
    with pytest.raises(ValueError, match=re.escape(message.format(path=tmp_path / "forms.yaml"))) as caught:
        contents.check(given(tmp_path, change, **study))
    assert "problems:" not in str(caught.value)


def test_templates_of_ones_own(tmp_path, monkeypatch):
    monkeypatch.chdir(ROOT)
    both = lambda content: add(content, "test", "The {age.it} {gender.it} was the {occupation}.")  # noqa: E731
    contents.check(given(tmp_path, both, intersections=[["gender", "age"], ["age", "gender"]]))
