"""The templates of `intrinsic` keep their own rules: read as plain YAML, by no reader of ours."""

import re
from collections import Counter
from pathlib import Path

import yaml

FILE = yaml.safe_load(Path("resources/templates/intrinsic.yaml").read_text(encoding="utf-8"))
VOCABULARY = set(Path("resources/models/bert-tiny-enwiki/vocab.txt").read_text(encoding="utf-8").splitlines())
ATTRIBUTES = FILE["attributes"]
ALL = FILE["training"] + FILE["test"]
SLOT = re.compile(r"\{(\w+)\.(\w+)\}")
COUNTS = {"training": [92, 61, 12], "test": [65, 40, 8]}  # templates with one, two and three attributes
NO_ADJECTIVE = re.compile(r"[^\s\w{]|$| (and|or|but)\b")  # what may not follow a slot that can be empty


def terms(form):
    return [term for group, term in form.items() if group != "neutral"]


def fixed(template):
    return " ".join(re.sub(r"\{[\w.]+\}", " ", template).lower().split())


def test_numbers_of_templates():
    for part, numbers in COUNTS.items():
        names = [{name for name, _ in SLOT.findall(template)} for template in FILE[part]]
        assert Counter(map(len, names)) == dict(zip((1, 2, 3), numbers, strict=True))
    assert len({fixed(template) for template in ALL}) == len(ALL) == 278


def test_templates_are_plain_sentences_that_name_no_group_outside_its_slot():
    words = {word for attribute in ATTRIBUTES.values() for form in attribute["forms"].values() for word in terms(form)}
    words |= {"they", "them", "their", "themselves"}
    for template in ALL:
        assert re.fullmatch(r"([A-Z]|\{\w+\.\w+\}).*[.?]", template), template
        assert not re.search(r"  | [.,?]|[{}]", re.sub(r"\{[\w.]+\}", "x", template)), template
        for match in SLOT.finditer(template):
            if not ATTRIBUTES[match[1]]["forms"][match[2]]["neutral"]:
                assert match.start(), template
                assert not NO_ADJECTIVE.match(template[match.end() :]), template
        assert not words & set(re.findall(r"\w+", fixed(template))), template
        assert not [word for word in FILE["occupations"] if re.search(rf"\b{word}s?\b", fixed(template))], template


def test_forms_are_trained_and_have_one_token_per_group():
    for attribute in ATTRIBUTES.values():
        for form in attribute["forms"].values():
            assert len(set(form.values())) == len(form)
            assert set(terms(form)) <= VOCABULARY
    forms = {(name, form) for name, attribute in ATTRIBUTES.items() for form in attribute["forms"]}
    assert {slot for template in FILE["training"] for slot in SLOT.findall(template)} == forms
    assert len(set(FILE["occupations"])) == 100
