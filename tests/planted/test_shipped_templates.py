"""The templates of `intrinsic` keep their own rules: read as plain YAML, by no reader of ours."""

import re
from collections import Counter
from pathlib import Path

import pytest
import yaml

FILE = yaml.safe_load(Path("resources/templates/intrinsic.yaml").read_text(encoding="utf-8"))
VOCABULARY = set(Path("resources/models/bert-tiny-enwiki/vocab.txt").read_text(encoding="utf-8").splitlines())
ATTRIBUTES = FILE["attributes"]
ALL = FILE["training"] + FILE["test"]
SLOT = re.compile(r"\{(\w+)\.(\w+)\}")
COUNTS = {  # templates with one, two and three attributes, and with each attribute
    "training": ([92, 61, 12], {"gender": 145, "ethnicity": 60, "religion": 45}),
    "test": ([65, 40, 8], {"gender": 82, "ethnicity": 53, "religion": 34}),
}
ARTICLE = re.compile(r"\b(a|an) \{\w+\.", re.IGNORECASE)
NO_ADJECTIVE = re.compile(r"[^\s\w{]|$| (and|or|but)\b")  # what may not follow a slot that can be empty
QUESTION = re.compile(r"(Was|Where|Why|What|Which|How|Did|Do|Does|Will|Would|Could|Can|Has|Have) ")
ASIDE = r"(?:, an? [^,]+,)?(?: once| later| really)?"  # what may stand between a subject and its verb
SUITS_ALL = re.compile(  # in a statement: he, she and they alike
    rf"{ASIDE} (will|would|can|could|should|must|might|\w+ed|became|came|drew|found|gave|grew|had|knew|met|said|sold"
    r"|spoke|taught|told|wrote)\b"
)
BARE = re.compile(rf"{ASIDE} (?!(?:is|are|was|were|has|does)\b)\w+[^s\W]\b")  # behind a question's first verb


def terms(form):
    return [term for group, term in form.items() if group != "neutral"]


def fixed(template):
    return " ".join(re.sub(r"\{[\w.]+\}", " ", template).lower().split())


@pytest.mark.parametrize("part", COUNTS)
def test_numbers_of_templates(part):
    numbers, mentions = COUNTS[part]
    asked = [{name for name, _ in SLOT.findall(template)} for template in FILE[part]]
    assert [sum(len(names) == count for names in asked) for count in (1, 2, 3)] == numbers
    assert Counter(name for names in asked for name in names) == mentions
    assert len(asked) == sum(numbers)


def test_templates_differ():
    assert len({fixed(template) for template in ALL}) == len({template.lower() for template in ALL}) == len(ALL) == 278
    starts = Counter(" ".join(template.lower().split()[:4]) for template in ALL)
    assert max(starts.values()) <= 6
    again = [template for template in ALL if max(Counter(name for name, _ in SLOT.findall(template)).values()) > 1]
    assert 0 < len(again) <= 10


@pytest.mark.parametrize("template", ALL)
def test_a_template_is_a_plain_sentence(template):
    assert template.count("{occupation}") == 1
    assert not re.search(r"\{occupation\}\w", template)
    assert re.fullmatch(r"([A-Z]|\{\w+\.\w+\}).*[.?]", template)
    assert not re.search(r"  | [.,?]|[{}]", re.sub(r"\{[\w.]+\}", "x", template))
    assert template.endswith("?") == bool(QUESTION.match(template))
    assert 5 <= len(template.split()) <= 18
    assert not ARTICLE.search(template)
    for match in SLOT.finditer(template):
        form = ATTRIBUTES[match[1]]["forms"][match[2]]
        if not form["neutral"]:
            assert match.start()
            assert not NO_ADJECTIVE.match(template[match.end() :])
        if match[2] == "subject":
            before, behind = template[: match.start()], template[match.end() :]
            asks = re.search(r"(Would|Will|Did|did) $", before)
            assert (BARE if asks else SUITS_ALL).match(behind)


def test_nothing_of_a_group_stands_outside_its_slot():
    words = {word for attribute in ATTRIBUTES.values() for form in attribute["forms"].values() for word in terms(form)}
    words |= {"they", "them", "their", "themselves"}
    for template in ALL:
        assert not words & set(re.findall(r"\w+", fixed(template))), template
        assert not [word for word in FILE["occupations"] if re.search(rf"\b{word}s?\b", fixed(template))], template


def test_forms():
    assert {name: attribute["groups"] for name, attribute in ATTRIBUTES.items()} == {
        "gender": ["male", "female"],
        "ethnicity": ["black", "white", "asian", "hispanic", "arab"],
        "religion": ["christian", "muslim", "jewish", "hindu"],
    }
    assert len(ATTRIBUTES["ethnicity"]["forms"]) >= 10
    for attribute in ATTRIBUTES.values():
        for form in attribute["forms"].values():
            assert list(form) == [*attribute["groups"], "neutral"]
            assert len(set(form.values())) == len(form)
            assert set(terms(form)) <= VOCABULARY
            assert form["neutral"] == " ".join(form["neutral"].split())


def test_every_form_is_trained_before_it_is_asked():
    forms = {(name, form) for name, attribute in ATTRIBUTES.items() for form in attribute["forms"]}
    assert {slot for template in FILE["training"] for slot in SLOT.findall(template)} == forms
    assert {slot for template in FILE["test"] for slot in SLOT.findall(template)} <= forms


def test_occupations():
    occupations = FILE["occupations"]
    assert len(set(occupations)) == len(occupations) == 100
    assert occupations == sorted(occupations)
    for occupation in occupations:
        assert re.fullmatch(r"[a-z]+( [a-z]+)?", occupation)
        assert not re.search(r"(men|man|woman|women|ess|lady|boy|girl|s)$", occupation)
