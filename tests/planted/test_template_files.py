"""Files of templates with several attributes: what is read of both forms."""

import logging
from pathlib import Path

import pytest

from biassay.language_models.planted import template_files
from biassay.language_models.planted.templates import ProtectedAttribute, Slot
from tests.planted.files import OURS, PUBLISHED, changed, write

JOB = Slot("occupation")


def test_our_form(tmp_path):
    found = template_files.read(write(tmp_path, OURS))
    assert found.occupations == ["nurse", "engineer", "social worker"]
    assert list(found.attributes) == ["gender", "faith"]
    assert found.attributes["gender"] == ProtectedAttribute(
        ("male", "female"),
        {"subject": ("he", "she"), "possessive": ("his", "her"), "adjective": ("male", "female")},
        {"subject": "they", "possessive": "their", "adjective": ""},
    )
    assert found.attributes["faith"].groups == ("christian", "muslim", "jewish")
    assert found.attributes["faith"].terms["house"] == ("church", "mosque", "synagogue")
    assert found.attributes["faith"].neutral == {"adjective": "", "house": "place of worship"}
    assert [template.text for template in found.training] == OURS["training"]
    assert [template.text for template in found.test] == OURS["test"]
    assert found.training[2].parts == (
        ("The ", JOB),
        (" lost ", Slot("gender", "possessive")),
        (" hat, so ", Slot("gender", "subject")),
        (" asked in the ", Slot("faith", "house")),
        (".", None),
    )
    assert found.training[1].names == ("gender", "faith")
    assert found.training[0].fill("engineer", 0, 1).text == "Once she became an engineer."
    assert found.test[1].fill("nurse", 1, 0).text == "Who is they? His nurse."


def test_terms_are_in_the_order_of_the_groups_and_not_of_the_file(tmp_path):
    house = {"neutral": "house", "jewish": "synagogue", "christian": "church", "muslim": "mosque"}
    found = template_files.read(write(tmp_path, changed(OURS, ("attributes", "faith", "forms", "house"), house)))
    assert found.attributes["faith"].terms["house"] == ("church", "mosque", "synagogue")


def test_an_article_may_stand_before_the_occupation_and_within_other_words(tmp_path):
    lines = ["A {occupation} met a friend. {gender.subject}: via {faith.adjective} plan A. {gender.subject}"]
    found = template_files.read(write(tmp_path, changed(OURS, ("test",), lines)))
    assert found.test[0].fill("engineer", 1, 0).text == "An engineer met a friend. He: via plan A. They"


def test_the_shipped_file():
    found = template_files.read("resources/templates/intrinsic.yaml")
    assert (len(found.occupations), len(found.training), len(found.test)) == (100, 165, 113)
    assert [len(attribute.groups) for attribute in found.attributes.values()] == [2, 5, 4]


def test_the_published_form(tmp_path, caplog):
    found = template_files.read(write(tmp_path, PUBLISHED))
    assert not caplog.records
    assert found.occupations == ["nurse", "engineer"]
    assert found.attributes == {
        "gender": ProtectedAttribute(
            ("he", "she"), {"0": ("he", "she"), "1": ("man", "woman")}, {"0": "they", "1": "person"}
        ),
        "faith": ProtectedAttribute(
            ("christian", "muslim", "jewish"),
            {"0": ("christian", "muslim", "jewish"), "1": ("church", "mosque", "synagogue")},
            {"0": "", "1": "house"},
        ),
    }
    assert found.training[1].parts == (
        ("the ", Slot("faith", "0")),
        (" ", JOB),
        (" and the ", Slot("gender", "1")),
        (" met.", None),
    )
    assert found.training[1].text == "the FAITH0 JOB and the GENDER1 met."
    assert found.training[1].fill("engineer", 2, 1).text == "the engineer and the woman met."
    assert found.test[0].fill("engineer", 1, 0).text == "a engineer saw the church."  # as it is written


FAULTS = [
    ("the ETHNCITY0 JOB and GENDER0 met.", "unknown slot ETHNCITY0"),
    ("many OCCUATIONs met GENDER0.", "unknown slot OCCUATIONs"),
    ("there GENDER0 met OCCUATIONs", "unknown slot OCCUATIONs"),
    ("the JOB and GENDER0 and XFAITH1.", "unknown slot XFAITH1"),
    ("the FAITH2 JOB.", "FAITH2 has no terms"),
    ("the GENDER JOB.", "GENDER has no terms"),
    ("the GENDER10 JOB.", "GENDER10 has no terms"),
    ("the JOB came.", "no attribute"),
    ("nobody came.", "it has 0 occupations"),
    ("GENDER0 came.", "it has 0 occupations"),
    ("the JOB and the JOB met GENDER0.", "it has 2 occupations"),
]


@pytest.mark.parametrize("key", ["templates_train", "templates_test"])
@pytest.mark.parametrize(("line", "reason"), FAULTS)
def test_a_published_template_that_cannot_be_filled_in_is_left_out_and_named(tmp_path, caplog, key, line, reason):
    before, after = PUBLISHED[key]
    path = write(tmp_path, changed(PUBLISHED, (key,), [before, line, after]))
    found = template_files.read(path)
    assert [template.text for template in found.training] == PUBLISHED["templates_train"]
    assert [template.text for template in found.test] == PUBLISHED["templates_test"]
    assert [record.getMessage() for record in caplog.records] == [f"{path}: {key}: left out {line!r}: {reason}"]
    assert caplog.records[0].levelno == logging.WARNING


def test_published_slots_stand_in_words_and_beside_capitals(tmp_path, caplog):
    lines = ["GENDER0 met JOBs of the USA; FAITH0ly.", "I, a JOB: FAITH1 of GENDER1s, USA"]
    found = template_files.read(write(tmp_path, changed(PUBLISHED, ("templates_test",), lines)))
    assert not caplog.records
    assert [template.slots[1] for template in found.test] == [JOB, Slot("faith", "1")]
    assert found.test[0].fill("nurse", 0, 1, {"faith": 1}).text == "she met nurses of the USA; muslimly."
    assert found.test[1].fill("nurse", 2, 0, {"faith": 2}).text == "I, a nurse: synagogue of mans, USA"


def test_a_longer_list_of_neutral_words_is_named_and_read_by_number(tmp_path, caplog):
    path = write(tmp_path, changed(PUBLISHED, ("FAITH_neutral",), [None, "house", "believer"]))
    found = template_files.read(path)
    assert "FAITH_neutral has 3 terms for 2 forms" in caplog.text
    assert found.attributes["faith"].neutral == {"0": "", "1": "house"}


def test_a_target_with_signs_of_regular_expressions_is_read_as_it_is(tmp_path):
    content = changed(changed(PUBLISHED, ("target",), "J.B"), ("J.B",), ["nurse", "cook"])
    lines = {"templates_train": ["GENDER0 is a J.B.", "FAITH0 J.B, a JXB."], "templates_test": ["J.B GENDER0 FAITH1."]}
    found = template_files.read(write(tmp_path, content | lines))
    assert found.training[1].parts[-1] == (", a JXB.", None)


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError):
        template_files.read(Path(tmp_path) / "none.yaml")
