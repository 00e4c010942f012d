"""Defining sets: what is read, what is refused, and what is taken out of texts."""

import pytest

from biassay.words import defining_sets
from tests.running import ROOT

SHIPPED = ROOT / "resources/words/defining.yaml"


def test_the_shipped_sets_have_the_sizes_of_the_paper():
    found = defining_sets.read(SHIPPED)
    assert {name: (len(groups), len(next(iter(groups.values())))) for name, groups in found.items()} == {
        "race": (3, 15), "ethnicity": (5, 10), "religion": (5, 14), "gender": (2, 25), "age": (2, 8),
    }  # fmt: skip
    assert list(found["gender"]) == ["male", "female"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("source: x\n", "got none"),
        ("../../sex: {male: [he], female: [she]}\n", "'../../sex'"),
        ("sex: {male: [he], female: [He]}\n", "'He' is in two groups: male and female"),
        ("sex: {male: [he, him], female: [she]}\n", "male 2, female 1"),
    ],
)
def test_malformed_sets_are_refused(tmp_path, content, message):
    path = tmp_path / "sets.yaml"
    path.write_text(content)
    with pytest.raises(ValueError, match=message) as raised:
        defining_sets.read(path)
    assert str(raised.value).startswith(str(path))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("He saw her father's house.", "saw house."),
        ("The theme: there is a shelter", "The theme: there is a shelter"),
        ("he-man and mother-in-law", "he-man and mother-in-law"),
        ("an African American, an african-american and AFRICAN\nAMERICAN", "an , an and"),
        ("father fathers fatherly", "fatherly"),
        ("", ""),
        ("यह नर है, वह नर्स है", "यह है, वह नर्स है"),
    ],
)
def test_terms_go_as_whole_words_with_their_possessive(text, expected):
    terms = defining_sets.compile_pattern(["he", "her", "father", "fathers", "African American", "african", "नर"])
    assert defining_sets.remove_terms(text, terms) == expected
