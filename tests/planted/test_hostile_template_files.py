"""Files of templates with several attributes that are broken: the file, the key and the value are named."""

import re

import pytest

from biassay.language_models.planted import template_files
from tests.planted.files import OURS, PUBLISHED, changed, drop, write

pytestmark = pytest.mark.bad_input(
    "templates of several groups", "refused; the message names file, list, and template or key"
)

GENDER = ("attributes", "gender")
SUBJECT = (*GENDER, "forms", "subject")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("occupations",), drop, "occupations: .* got None"),
        (("occupations",), ["nurse"], "occupations: .* got nurse"),
        (("occupations",), [], r"occupations: .* got \[\]"),
        (("occupations",), "nurse", "occupations: .* got 'nurse'"),
        (("occupations",), ["nurse", "cook", "nurse"], "occupations: 'nurse' is there twice"),
        (("occupations",), ["nurse", 3], "occupations: invalid word 3"),
        (("occupations",), ["nurse", " cook"], "occupations: invalid word ' cook'"),
        (("occupations",), {"a": 1} | {f"{i}": "x" * 9 for i in range(9)}, r"occupations: .* got .{80}"),
        (("attributes",), drop, "attributes: .* got None"),
        (("attributes",), {}, "attributes: .* got {}"),
        (("attributes",), ["gender"], r"attributes: .* got \['gender'\]"),
        (("attributes", 7), {}, "attributes: invalid word 7"),
        (("attributes", "../../x"), OURS["attributes"]["gender"], "attributes: invalid name '../../x'"),
        (("attributes", "/somewhere/x"), OURS["attributes"]["gender"], "attributes: invalid name '/somewhere/x'"),
        (("attributes", "occupation"), OURS["attributes"]["gender"], "attributes.occupation: .* got {"),
        (("attributes", "age"), ["old"], r"attributes.age: .* got \['old'\]"),
        ((*GENDER, "forms"), drop, "attributes.gender: .* got {'groups': .*"),
        ((*GENDER, "more"), 1, "attributes.gender: .* got {.*"),
        ((*GENDER, "groups"), ["male"], "attributes.gender.groups: .* got male"),
        ((*GENDER, "groups"), ["male", "neutral"], "attributes.gender.groups: .* got male, neutral"),
        ((*GENDER, "groups"), ["male", True], "attributes.gender: groups: invalid word True"),
        ((*GENDER, "groups"), ["male", "male"], "attributes.gender: groups: 'male' is there twice"),
        ((*GENDER, "forms"), {}, "attributes.gender: forms: .* got {}"),
        (SUBJECT, "he", "attributes.gender.forms.subject: .* got 'he'"),
        (
            (*SUBJECT, "neutral"),
            drop,
            "forms.subject: .* got {'male': 'he', 'female': 'she'}",
        ),
        ((*SUBJECT, "other"), "it", "forms.subject: .* got {.*"),
        ((*SUBJECT, "male"), "", "attributes.gender.forms.subject.male: invalid word ''"),
        ((*SUBJECT, "male"), None, "attributes.gender.forms.subject.male: invalid word None"),
        ((*SUBJECT, "neutral"), None, "attributes.gender.forms.subject.neutral: invalid word None"),
        ((*SUBJECT, "neutral"), "they ", "forms.subject.neutral: invalid word 'they '"),
        ((*SUBJECT, "male"), "she", "attributes.gender: form subject: two groups have the same term: she, she"),
        (
            (*GENDER, "forms", 1),
            {"male": "he", "female": "she", "neutral": ""},
            "gender.forms: invalid word 1",
        ),
        (("training",), drop, "training: .* got None"),
        (("test",), [], r"test: .* got \[\]"),
        (("test", 1), OURS["test"][0], "test: 'In the {faith.house} a {occupation} sang.' is there twice"),
        (
            ("test", 1),
            OURS["training"][0],
            "'Once {gender.subject} became a {occupation}.' is in training and test",
        ),
        (("test", 1), 5, "test: invalid word 5"),
        (("test", 1), drop, "test: no template mentions gender"),
        (("training",), OURS["training"][:1], "training: no template mentions faith"),
    ],
)
def test_our_form(tmp_path, path, value, message):
    file = write(tmp_path, changed(OURS, path, value))
    with pytest.raises(ValueError, match=rf"^{re.escape(str(file))}: .*{message}"):
        template_files.read(file)


@pytest.mark.parametrize(
    ("line", "message"),
    [
        ("{age.old} {occupation}", "attribute: unknown name 'age'; expected one of: gender, faith"),
        (
            "{gendr.subject} {occupation}",
            "attribute: unknown name 'gendr' .did you mean 'gender'.*; expected one of: gender",
        ),
        (
            "{gender.object} {occupation}",
            "form of gender: unknown name 'object' .*expected one of: subject, possessive, adject",
        ),
        ("{gender} {occupation}", "form of gender: unknown name ''; expected one of: subject"),
        ("{gender.subject.x} {occupation}", "form of gender: unknown name 'subject.x'"),
        ("{} {occupation}", "attribute: unknown name ''; expected one of: gender, faith"),
        ("{occupation.x} {gender.subject}", "attribute: unknown name 'occupation'; expected one of: gender, faith"),
        (
            "{occupation} as a {gender.adjective} x",
            "the article before {gender.adjective}",
        ),
        ("An {gender.adjective} {occupation}", "the article before {gender.adjective}"),
        ("{occupation} and A {gender.adjective}", "the article before {gender.adjective}"),
        ("{gender.subject} {occupation", "unmatched brace"),
        ("{gender.subject} occupation} {occupation}", "unmatched brace"),
        ("{{gender.subject}} {occupation}", "unmatched brace"),
        ("The {occupation} came.", ".* got 1 and 0"),
        ("{gender.subject} of {faith.house}", ".* got 0 and 2"),
        ("{gender.subject} {occupation} {occupation}", ".* got 2 and 1"),
        ("Nobody came.", ".* got 0 and 0"),
    ],
)
@pytest.mark.parametrize("name", ["training", "test"])
def test_a_template_of_our_form(tmp_path, name, line, message):
    file = write(tmp_path, changed(OURS, (name, 1), line))
    with pytest.raises(ValueError, match=rf"^{re.escape(f'{file}: {name}: {line!r}: ')}{message}"):
        template_files.read(file)


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("target",), drop, "occupations: .* got None"),
        (("target",), "WORK", "occupations: .* got None"),
        (("JOB",), ["nurse"], "occupations: .* got nurse"),
        (("protected_attr",), "GENDER", "protected_attr: .* got 'GENDER'"),
        (("protected_attr",), [], r"protected_attr: .* got \[\]"),
        (
            ("protected_attr",),
            ["GENDER", "AGE"],
            "AGE, AGE_neutral: expected lists",
        ),
        (("protected_attr",), ["GENDER", "../../FAITH"], "protected_attr: invalid name '../../FAITH'"),
        (("protected_attr",), ["GENDER", "gender"], "protected_attr: 'gender'"),
        (("protected_attr",), ["GENDER", "Occupation"], "protected_attr: 'Occupation'"),
        (("GENDER",), [], "GENDER, GENDER_neutral: expected lists"),
        (("GENDER",), "he", "GENDER, GENDER_neutral: expected lists"),
        (
            ("GENDER_neutral",),
            drop,
            "GENDER, GENDER_neutral: expected lists",
        ),
        (("GENDER_neutral",), ["they"], "GENDER, GENDER_neutral: expected lists"),
        (
            ("GENDER_neutral",),
            "they",
            "GENDER, GENDER_neutral: expected lists",
        ),
        (("GENDER_neutral", 1), ["x"], r"GENDER_neutral: invalid word \['x'\]"),
        (("GENDER", 1), "man", "GENDER, form 1: .* got 'man'"),
        (("GENDER", 1), ["man", "woman", "child"], "GENDER, form 1: expected 2 .* got 3"),
        (("GENDER", 1), ["man", "man"], "GENDER, form 1: 'man' is there twice"),
        (("GENDER", 0), ["he", None], "GENDER, form 0: invalid word None"),
        (("GENDER",), [["he"]], "GENDER, form 0: .* got he"),
        (("templates_train",), drop, "templates_train: .* got None"),
        (("templates_test",), ["the GENDER1 is a JOB."], "test: no template mentions faith"),
        (("templates_test", 1), "GENDER0 is a JOB.", "'GENDER0 is a JOB.' is in training and test"),
        (("templates_train", 1), "the FAITH0 JIB and the GENDER1 met.", "training: no template mentions faith"),
    ],
)
def test_the_published_form(tmp_path, path, value, message):
    file = write(tmp_path, changed(PUBLISHED, path, value))
    with pytest.raises(ValueError, match=rf"^{re.escape(str(file))}: .*{message}"):
        template_files.read(file)


@pytest.mark.parametrize("content", [b"a: [", b"- a\n", b"\xff\xfe", b"a: 1\na: 2\n", b"a: &b [1]\nc: *b\n"])
def test_no_mapping_of_yaml(tmp_path, content):
    file = tmp_path / "templates.yaml"
    file.write_bytes(content)
    with pytest.raises(ValueError, match=rf"^{re.escape(str(file))}"):
        template_files.read(file)
