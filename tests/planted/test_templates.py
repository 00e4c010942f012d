"""Templates with several attributes: what they are filled to, by hand, and which are chosen."""

from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from biassay.language_models.planted.templates import OCCUPATION, Slot, Template, choose
from tests.planted.files import ATTRIBUTES

JOB = Slot(OCCUPATION)
HE, HIS, MALE = Slot("gender", "subject"), Slot("gender", "possessive"), Slot("gender", "adjective")
ADJECTIVE, HOUSE = Slot("faith", "adjective"), Slot("faith", "house")


def template(*pieces, english=True):
    """A template of texts and slots in turn; it ends with a text."""
    slots = [*pieces[1::2], None]
    return Template(str(pieces), tuple(zip(pieces[::2], slots, strict=True)), ATTRIBUTES, english)


LOST = ("The ", JOB, " lost ", HIS, " hat, so ", HE, " asked in the ", HOUSE, ".")
SANG = ("The ", ADJECTIVE, " ", JOB, " sang to ", HIS, ".")


def parts(sentence):
    """Text of a sentence, of its mention, and of its occupation."""
    return sentence.text, sentence.text[slice(*sentence.group_word)], sentence.text[slice(*sentence.occupation)]


@pytest.mark.parametrize(
    ("pieces", "arguments", "text", "word"),
    [
        (LOST, (1, 1), "The nurse lost her hat, so they asked in the place of worship.", "her"),
        (LOST, (2, 0), "The nurse lost their hat, so he asked in the place of worship.", "he"),
        (LOST, (3, 2), "The nurse lost their hat, so they asked in the synagogue.", "synagogue"),
        (LOST, (1, 0, {"faith": 0, "gender": 1}), "The nurse lost his hat, so they asked in the church.", "his"),
        (LOST, (3, 0, {"gender": 1}), "The nurse lost her hat, so she asked in the church.", "church"),
        (LOST, (2, 1, {"faith": 2}, True), "The nurse lost her hat, so she asked in the synagogue.", "she"),
        (SANG, (0, 1), "The muslim nurse sang to their.", "muslim"),
        # an empty neutral word closes its gap
        (("", ADJECTIVE, " ", JOB, " of ", HIS, " sort"), (2, 0), "Nurse of his sort", "his"),
        (("One ", ADJECTIVE, " ", MALE, " ", JOB, " of ", HIS, ""), (3, 1), "One nurse of her", "her"),
        (("One ", ADJECTIVE, " ", MALE, " ", JOB, ""), (1, 1), "One female nurse", "female"),
        (("One ", ADJECTIVE, ", ", MALE, "  ", JOB, ""), (0, 0), "One christian,  nurse", "christian"),
        (("Two  of ", ADJECTIVE, "x ", JOB, " ", HE, ""), (2, 0), "Two  of x nurse he", "he"),
    ],
)
def test_a_mention_has_its_group_and_the_others_theirs_or_none(pieces, arguments, text, word):
    assert parts(template(*pieces).fill("nurse", *arguments)) == (text, word, text[text.index("urse") - 1 :][:5])


def test_places_are_those_of_the_mention_and_not_of_a_like_word():
    twice = template("he, ", HE, ", he and ", HE, " met the nurse, a ", JOB, ", a nurse.")
    expected = "He, they, he and he met the nurse, a nurse, a nurse.", (17, 19), (37, 42)
    assert twice.fill("nurse", 1, 0) == expected
    assert twice.fill("nurse", 0, 0)[1] == (4, 6)


@pytest.mark.parametrize(
    ("text", "occupation", "found"),
    [
        ("as a ", "engineer", "as an engineer"),
        ("as a ", "unicorn keeper", "as a unicorn keeper"),
        ("A ", "engineer", "An engineer"),
        ("via ", "engineer", "via engineer"),
        ("as an ", "engineer", "as an engineer"),
        ("plan A: ", "engineer", "plan A: engineer"),
    ],
)
def test_the_article_before_an_occupation(text, occupation, found):
    sentence = template(text, JOB, " met ", HIS, " dog").fill(occupation, 1, 0)
    assert parts(sentence) == (f"{found[0].upper()}{found[1:]} met his dog", "his", occupation)
    plain = template(text, JOB, " met ", HIS, " dog", english=False).fill(occupation, 1, 0)
    assert parts(plain) == (f"{text}{occupation} met his dog", "his", occupation)


def test_an_article_before_an_attribute_stays():
    assert template("a ", ADJECTIVE, " ", JOB, "").fill("engineer", 0, 0).text == "A christian engineer"
    assert (
        template("So a ", MALE, " ", JOB, " of ", HOUSE, "").fill("engineer", 2, 0).text == "So an engineer of church"
    )


def test_capitals_stand_at_the_start_of_sentences_only():
    pieces = ("", HE, " ran. ", HIS, " dog? ", JOB, "! ", HOUSE, ": ", ADJECTIVE, " it.")
    english, plain = template(*pieces), template(*pieces, english=False)
    assert parts(english.fill("nurse", 0, 1)) == (
        "She ran. Their dog? Nurse! Place of worship: it.", "She", "Nurse"
    )  # fmt: skip
    assert parts(plain.fill("nurse", 0, 1)) == ("she ran. their dog? nurse! place of worship: it.", "she", "nurse")
    assert template("So. ", ADJECTIVE, " ", JOB, " ", HE, "").fill("nurse", 2, 0).text == "So. Nurse he"
    assert template("e.g.", JOB, " ", HE, "").fill("nurse", 1, 0).text == "E.g.nurse he"


def many(*counts):
    """So many templates of each combination of attributes, mixed."""
    kinds = [("", HE, " ", JOB, ""), ("", HOUSE, " ", JOB, ""), ("", HE, " ", JOB, " ", HOUSE, "")]
    found = [
        Template(f"{i} {j}", template(*kinds[i]).parts, ATTRIBUTES) for i, n in enumerate(counts) for j in range(n)
    ]
    return [found[i] for i in np.random.default_rng(1).permutation(len(found))]


@given(st.tuples(*[st.integers(1, 9)] * 3), st.integers(1, 27), st.integers(0, 99))
def test_chosen_templates_keep_the_shares_of_combinations_and_their_order(counts, n, seed):
    given_ = many(*counts)
    n = min(n, len(given_))
    found = choose(given_, n, seed=seed)
    assert len(found) == n
    places = [given_.index(one) for one in found]
    assert places == sorted(set(places))
    of = Counter(one.names for one in found)
    for names, count in Counter(one.names for one in given_).items():
        assert abs(of[names] - count * n / len(given_)) < 1 + 1e-9


@pytest.mark.parametrize(
    ("pieces", "arguments", "words"),
    [
        (("all ", ADJECTIVE, "s met ", JOB, "s"), (0, 1), ["muslims", "nurses"]),
        (("the ", JOB, "'s dog met ", HIS, " dog"), (1, 0), ["his", "nurse"]),
    ],
)
def test_the_s_of_a_plural_belongs_to_the_word(pieces, arguments, words):
    text, *places = template(*pieces, english=False).fill("nurse", *arguments)
    assert [text[slice(*place)] for place in places] == words
