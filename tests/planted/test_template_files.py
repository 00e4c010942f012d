"""Files of templates with several attributes, in both formats: their content, and errors that name file and key."""

import re

import pytest

from biassay.language_models.planted import template_files
from biassay.language_models.planted.templates import OCCUPATION, ProtectedAttribute, Slot
from tests.planted.files import ATTRIBUTES, DROP, OURS, PUBLISHED, changed, write

JOB = Slot(OCCUPATION)
GENDER = ("attributes", "gender")
SUBJECT = (*GENDER, "forms", "subject")


def test_our_format(tmp_path):
    house = {"neutral": "place of worship", "jewish": "synagogue", "christian": "church", "muslim": "mosque"}
    found = template_files.read(write(tmp_path, changed(OURS, ("attributes", "faith", "forms", "house"), house)))
    assert found.occupations == ["nurse", "engineer", "social worker"]
    assert found.attributes == ATTRIBUTES  # terms in the groups' order
    assert [template.text for template in found.training] == OURS["training"]
    assert found.training[2].parts == (
        ("The ", JOB), (" lost ", Slot("gender", "possessive")), (" hat, so ", Slot("gender", "subject")),
        (" asked in the ", Slot("faith", "house")), (".", None),
    )  # fmt: skip
    assert found.test[1].fill("nurse", 1, 0).text == "Who is they? His nurse."


def test_the_published_format(tmp_path, caplog):
    found = template_files.read(write(tmp_path, PUBLISHED))
    assert not caplog.records
    assert found.attributes["faith"] == ProtectedAttribute(
        ("christian", "muslim", "jewish"),
        {"0": ("christian", "muslim", "jewish"), "1": ("church", "mosque", "synagogue")},
        {"0": "", "1": "house"},
    )
    assert found.training[1].parts == (("the ", Slot("faith", "0")), (" ", JOB), (" and the ", Slot("gender", "1")),
                                       (" met.", None))  # fmt: skip
    assert found.training[1].fill("engineer", 2, 1).text == "the engineer and the woman met."
    assert found.test[0].fill("engineer", 1, 0).text == "a engineer saw the church."  # as it is written
    lines = ["GENDER0 met JOBs of the USA; FAITH0ly.", "I, a JOB: FAITH1 of GENDER1s, USA"]
    found = template_files.read(write(tmp_path, changed(PUBLISHED, ("templates_test",), lines)))
    assert found.test[0].fill("nurse", 0, 1, {"faith": 1}).text == "she met nurses of the USA; muslimly."
    path = write(tmp_path, changed(PUBLISHED, ("FAITH_neutral",), [None, "house", "believer"]))
    assert template_files.read(path).attributes["faith"].neutral == {"0": "", "1": "house"}
    assert "FAITH_neutral has 3 terms for 2 forms" in caplog.text


@pytest.mark.parametrize(
    ("line", "reason"),
    [
        ("the ETHNCITY0 JOB and GENDER0 met.", "ETHNCITY0"),
        ("the FAITH2 JOB.", "form of faith: unknown name '2'"),
        ("the JOB came.", "got 1 and 0"),
    ],
)
def test_a_published_template_that_cannot_be_filled_is_left_out_and_named(tmp_path, caplog, line, reason):
    before, after = PUBLISHED["templates_train"]
    path = write(tmp_path, changed(PUBLISHED, ("templates_train",), [before, line, after]))
    assert [template.text for template in template_files.read(path).training] == PUBLISHED["templates_train"]
    (warning,) = [record.getMessage() for record in caplog.records]
    assert warning.startswith(f"{path}: templates_train: left out {line!r}: ")
    assert reason in warning


@pytest.mark.parametrize(
    ("path", "value", "message"),
    [
        (("occupations",), ["nurse"], "occupations: .* got .'nurse'"),
        (("attributes",), {}, "attributes: .* got {}"),
        (("attributes", "../../x"), OURS["attributes"]["gender"], "attributes: invalid name '../../x'"),
        (("attributes", "occupation"), OURS["attributes"]["gender"], "attributes.occupation: .* got {"),
        ((*GENDER, "forms"), {}, "attributes.gender.forms: .* got {}"),
        ((*GENDER, "more"), 1, "attributes.gender: .* got {.*"),
        ((*GENDER, "groups"), ["male"], "attributes.gender.groups: .* got .'male'"),
        (SUBJECT, "he", "attributes.gender.forms.subject: .* got 'he'"),
        ((*SUBJECT, "neutral"), DROP, "forms.subject: .* got {'male': 'he', 'female': 'she'}"),
        ((*SUBJECT, "neutral"), None, "attributes.gender.forms.subject.neutral: invalid word None"),
        ((*SUBJECT, "male"), "she", "attributes.gender.forms.subject: duplicate word 'she'"),
        (("test", 1), OURS["training"][0], "'Once {gender.subject} became a {occupation}.' is in training and test"),
        (("test", 1), DROP, "test: no template mentions gender"),
        (("test", 1), "{gendr.subject} {occupation}", "unknown name 'gendr' .did you mean 'gender'"),
        (("test", 1), "{gender.object} {occupation}", "form of gender: unknown name 'object'"),
        (("test", 1), "An {gender.adjective} {occupation}", "'An .*: the article before gender.adjective"),
        (("test", 1), "{gender.subject} {occupation", "{ is not a slot"),
        (("test", 1), "The {occupation} came.", "'The {occupation} came.': .* got 1 and 0"),
        (("target",), "WORK", "WORK: .* got None"),
        (("protected_attr",), "GENDER", "protected_attr: .* got 'GENDER'"),
        (("protected_attr",), ["GENDER", "gender"], "protected_attr: 'gender'"),
        (("GENDER_neutral",), ["they"], "GENDER, GENDER_neutral: expected lists"),
        (("GENDER_neutral", 1), ["x"], r"gender.forms.1.neutral: invalid word \['x'\]"),
        (("GENDER", 1), ["man", "woman", "child"], "GENDER, form 1: expected 2 .* got .*child"),
        (("GENDER",), [5, ["he"]], "GENDER, form 0: .* got 5"),
        (("templates_test",), ["the GENDER1 is a JOB."], "test: no template mentions faith"),
    ],
)
def test_bad_files_are_named(tmp_path, path, value, message):
    content = PUBLISHED if path[0] in PUBLISHED else OURS
    file = write(tmp_path, changed(content, path, value))
    with pytest.raises(ValueError, match=rf"^{re.escape(str(file))}: .*{message}"):
        template_files.read(file)
