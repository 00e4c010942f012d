"""First sentences of articles about persons: where they end, and the occupations and names in them."""

import pytest

from biassay.studies.downstream import articles, first_sentences
from biassay.words import files
from tests.downstream.wiki import LISTS

CLASSES = first_sentences.read_classes(LISTS, files.read_yaml(LISTS))


def named(sentence):
    return [CLASSES.names[number] for number in first_sentences.find_occupations(sentence, CLASSES)]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ada Quill was a Welsh actress.", ["actor"]),
        ("Ada Quill is an American actress, singer-songwriter, and peace activist.",
         ["activist", "actor", "singer", "songwriter"]),
        ("Sir Tom Brink FRS was a famous English astronomer noted primarily for stars.", ["astronomer"]),
        ("Tom Brink was a German-born American cartoonist considered to be the best lawyer.", ["artist"]),
        ("Tom Brink was one of the most important Dutch painters and was a cook.", ["painter"]),
        ("Tom Brink was one of the composers of an opera.", ["composer"]),
        ("Tom Brink is a computer scientist and con artist.", ["computer scientist"]),
        ("Tom Brink is a film/theatre director.", ["director"]),
        ("Jan van der Brink, 1st Baron Brink, better known as Tom, was a Dutch judge and poet.", ["lawyer", "poet"]),
        ("Jean d'Arbre was a French mathematician, and later a poet in Rome.", ["mathematician", "poet"]),
        ("Brink was the poet of the court.", ["poet"]),
        ("Tom Brink was also a novelist who loved a painter.", ["novelist"]),
        ("Tom Brink was a merchant; he was a poet.", ["businessperson"]),
        ("Tom Brink was the son of the poet Al Brink.", []),
        ("Tom Brink was a friend to poets.", []),
        ("Tom Brink was an English painters.", []),
        ("Tom Brink were a band of a singer.", []),
        ("The Brinks is a group.", []),
        ("The Poet is a poet.", []),
        ("A poet is a writer.", []),
        ("An unknown man was a poet.", []),
        ("the Brink was a poet.", []),
        ("The Brink Report is a novel by a poet.", []),
        ("Brink County is a county.", []),
        ("Tom Brink is a fictional detective and lawyer.", []),
        ("Tom Brink, in Norse mythology, was a poet.", []),
        ("Tom Brink may refer to a poet.", []),
        ("Tom Brink played football.", []),
        ("", []),
        ("One Two Three Four Five Six Seven Eight was a poet.", ["poet"]),
        ("One Two Three Four Five Six Seven Eight Nine was a poet.", []),
    ],
)  # fmt: skip
def test_occupations_of_a_first_sentence(sentence, expected):
    assert named(sentence) == expected


@pytest.mark.parametrize(
    ("paragraph", "first"),
    [
        ("J. R. Brink was a poet. He left.", "J. R. Brink was a poet."),
        ("He met Dr. Who in the U.S. Army. He left.", "He met Dr. Who in the U.S. Army."),
        ("He fought in World War I. He left.", "He fought in World War I."),
        ('He was "the best". He left.', 'He was "the best".'),
        ("He was the best! Then? Yes.", "He was the best!"),
        ("He had 3.5 m. of rope and left.", "He had 3.5 m. of rope and left."),
        ("He left Mr. Brink", "He left Mr. Brink"),
        ("It ended in c. 1950. (He left.)", "It ended in c. 1950."),
    ],
)
def test_where_a_first_sentence_ends(paragraph, first):
    found, rest = articles.first_sentence(paragraph)
    assert found == first
    assert f"{found} {rest}".strip() == paragraph


def test_a_first_sentence_without_end_is_cut():
    assert articles.first_sentence("x" * 5000) == ("x" * articles.MAX_SENTENCE, "")


def test_brackets_in_brackets_go():
    assert articles.remove_brackets("Ada (born (in) 1950) [see] was a nurse (one) too.") == "Ada was a nurse too."


@pytest.mark.parametrize(
    ("title", "sentence", "expected"),
    [
        ("Ada Quill (singer)", "Ada Rose Quill (born 1 May 1950) was a Welsh singer.", {"Ada", "Rose", "Quill"}),
        ("Ada May", "Ada (born Eva Marie Quill-Stern, 1950 in Rome) was a poet.",
         {"Ada", "May", "Eva", "Marie", "Quill-Stern", "Quill", "Stern"}),
        ("Jean d'Arbre", "Jean le Rond d'Arbre was a poet.", {"Jean", "Rond", "d'Arbre", "Arbre"}),
        ("", "Ada “Addie” Quill’s son was a poet.", {"Ada", "Addie", "Quill"}),
        ("The Brink", "It rained.", {"Brink"}),
    ],
)  # fmt: skip
def test_names(title, sentence, expected):
    assert first_sentences.find_names(title, sentence) == expected
