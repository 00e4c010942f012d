"""Files of templates with several attributes that are broken: the file, the key and the value are named."""

import re

import pytest

from biassay.language_models import template_files
from tests.language_models.group_material import OURS, PUBLISHED, changed, drop, write

pytestmark = pytest.mark.bad_input("templates of several groups", "refused; file, list and template or key are named")

GENDER = ("attributes", "gender")
SUBJECT = (*GENDER, "forms", "subject")


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("occupations",), drop, "occupations: None; give a list of one or more"),
        (("occupations",), ["nurse"], "occupations: nurse; give two or more"),
        (("occupations",), [], r"occupations: \[\]; give a list of one or more"),
        (("occupations",), "nurse", "occupations: 'nurse'; give a list of one or more"),
        (("occupations",), ["nurse", "cook", "nurse"], "occupations: 'nurse' stands twice"),
        (("occupations",), ["nurse", 3], "occupations: invalid word 3"),
        (("occupations",), ["nurse", " cook"], "occupations: invalid word ' cook'"),
        (("occupations",), {"a": 1} | {f"{i}": "x" * 9 for i in range(9)}, r"occupations: .{80}; give a list"),
        (("attributes",), drop, "attributes: None; give a mapping of names"),
        (("attributes",), {}, "attributes: {}; give a mapping of names"),
        (("attributes",), ["gender"], r"attributes: \['gender'\]; give a mapping of names"),
        (("attributes", 7), {}, "attributes: invalid word 7"),
        (("attributes", "../../x"), OURS["attributes"]["gender"], "attributes: invalid name '../../x'"),
        (("attributes", "/somewhere/x"), OURS["attributes"]["gender"], "attributes: invalid name '/somewhere/x'"),
        (("attributes", "occupation"), OURS["attributes"]["gender"], "attributes.occupation: {.*; give a name other"),
        (("attributes", "age"), ["old"], r"attributes.age: \['old'\]; give a name other than occupation, groups and f"),
        ((*GENDER, "forms"), drop, "attributes.gender: {'groups': .*; give a name other than occupation, groups and"),
        ((*GENDER, "more"), 1, "attributes.gender: {.*; give a name other than occupation, groups and forms"),
        ((*GENDER, "groups"), ["male"], "attributes.gender.groups: male; give two or more, none of them neutral"),
        ((*GENDER, "groups"), ["male", "neutral"], "attributes.gender.groups: male, neutral; give two or more, none"),
        ((*GENDER, "groups"), ["male", True], "attributes.gender: groups: invalid word True"),
        ((*GENDER, "groups"), ["male", "male"], "attributes.gender: groups: 'male' stands twice"),
        ((*GENDER, "forms"), {}, "attributes.gender: forms: {}; give a mapping of names"),
        (SUBJECT, "he", "attributes.gender.forms.subject: 'he'; give a term for each of male, female, neutral"),
        (
            (*SUBJECT, "neutral"),
            drop,
            "forms.subject: {'male': 'he', 'female': 'she'}; give a term for each of male, f",
        ),
        ((*SUBJECT, "other"), "it", "forms.subject: {.*; give a term for each of male, female, neutral"),
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
        (("training",), drop, "training: None; give a list of one or more"),
        (("test",), [], r"test: \[\]; give a list of one or more"),
        (("test", 1), OURS["test"][0], "test: 'In the {faith.house} a {occupation} sang.' stands twice"),
        (
            ("test", 1),
            OURS["training"][0],
            "'Once {gender.subject} became a {occupation}.' stands in training and test",
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
            "has an article before {gender.adjective}, which tells the group; t",
        ),
        ("An {gender.adjective} {occupation}", "has an article before {gender.adjective}, which tells the group; take"),
        ("{occupation} and A {gender.adjective}", "has an article before {gender.adjective}, which tells the group"),
        ("{gender.subject} {occupation", "a brace without its counterpart"),
        ("{gender.subject} occupation} {occupation}", "a brace without its counterpart"),
        ("{{gender.subject}} {occupation}", "a brace without its counterpart"),
        ("The {occupation} came.", "has 1 occupations and 0 slots of attributes; give one {occupation}, and one attr"),
        ("{gender.subject} of {faith.house}", "has 0 occupations and 2 slots of attributes; give one {occupation}"),
        ("{gender.subject} {occupation} {occupation}", "has 2 occupations and 1 slots of attributes; give one"),
        ("Nobody came.", "has 0 occupations and 0 slots of attributes; give one {occupation}, and one attribute or"),
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
        (("target",), drop, "occupations: None; give a list of one or more"),
        (("target",), "WORK", "occupations: None; give a list of one or more"),
        (("JOB",), ["nurse"], "occupations: nurse; give two or more"),
        (("protected_attr",), "GENDER", "protected_attr: 'GENDER'; give a list of one or more"),
        (("protected_attr",), [], r"protected_attr: \[\]; give a list of one or more"),
        (
            ("protected_attr",),
            ["GENDER", "AGE"],
            "AGE, AGE_neutral: give lists of the groups' terms, and as many neutr",
        ),
        (("protected_attr",), ["GENDER", "../../FAITH"], "protected_attr: invalid name '../../FAITH'"),
        (("protected_attr",), ["GENDER", "gender"], "protected_attr: 'gender'"),
        (("protected_attr",), ["GENDER", "Occupation"], "protected_attr: 'Occupation'"),
        (("GENDER",), [], "GENDER, GENDER_neutral: give lists of the groups' terms, and as many neutral ones"),
        (("GENDER",), "he", "GENDER, GENDER_neutral: give lists of the groups' terms, and as many neutral ones"),
        (
            ("GENDER_neutral",),
            drop,
            "GENDER, GENDER_neutral: give lists of the groups' terms, and as many neutral ones",
        ),
        (("GENDER_neutral",), ["they"], "GENDER, GENDER_neutral: give lists of the groups' terms, and as many neutral"),
        (
            ("GENDER_neutral",),
            "they",
            "GENDER, GENDER_neutral: give lists of the groups' terms, and as many neutral on",
        ),
        (("GENDER_neutral", 1), ["x"], r"GENDER_neutral: invalid word \['x'\]"),
        (("GENDER", 1), "man", "GENDER, form 1: 'man'; give a list of one or more"),
        (("GENDER", 1), ["man", "woman", "child"], "GENDER, form 1: has 3 terms; form 0 has 2"),
        (("GENDER", 1), ["man", "man"], "GENDER, form 1: 'man' stands twice"),
        (("GENDER", 0), ["he", None], "GENDER, form 0: invalid word None"),
        (("GENDER",), [["he"]], "GENDER, form 0: he; give two or more"),
        (("templates_train",), drop, "templates_train: None; give a list of one or more"),
        (("templates_test",), ["the GENDER1 is a JOB."], "test: no template mentions faith"),
        (("templates_test", 1), "GENDER0 is a JOB.", "'GENDER0 is a JOB.' stands in training and test"),
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
