"""Biographies found in small articles about invented persons: classes, groups, and what is scrubbed."""

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from biassay.studies.downstream import articles, biographies, first_sentences
from tests.downstream.wiki import BODY, DEFINING, article, marked, plain

FINDER = biographies.Finder(DEFINING)
ACTOR = article("Ada Quill", "Ada Quill (born 1 May 1950) was a Welsh actress and singer.", "female")
POET = article("Tom Brink", "Tom Brink (1900–1950) was an English poet, film director and physicist.")
SMALL = {"min_texts": 1, "defining": DEFINING}


@pytest.mark.parametrize("markup", [True, False])
def test_biographies_are_found_labelled_and_scrubbed(tmp_path, markup, caplog):
    others = [
        article("Brink County", "Brink County is a county in the west."),
        article("Lists", "Lists of poets may refer to many."),
        article("Myth", "Tom Brink, in Norse mythology, was a poet."),
        article("Eve Glim", "Eve Glim was a Danish painter.", body="Of this person nothing is known at all."),
        article(
            "Max Orr", "Max Orr was a poet.", body="His wife knew him. She and he wrote. Her life was long, so his."
        ),
    ]
    path = tmp_path / "wiki.txt"
    path.write_text((marked if markup else plain)(ACTOR, *others, POET), "utf-8")
    found = biographies.read([str(path)], markup, **SMALL)
    assert (found.attribute, found.names) == ("gender", ["male", "female"])
    assert found.classes == ["actor", "director", "physicist", "poet", "singer"]
    assert found.groups.tolist() == [1, 0]
    assert found.labels.tolist() == [[1, 0, 0, 0, 1], [0, 1, 1, 1, 0]]
    assert found.raw == [BODY["female"].format(name="Quill"), BODY["male"].format(name="Brink")]
    assert found.scrubbed[0] == (
        "grew up near the sea. left school early, and helped. Later moved to the city, where kept a boat and a garden "
        "for many years of work."
    )
    assert found.scrubbed[1] == found.scrubbed[0]
    assert "7 articles, 2 biographies; dropped: {'no clear gender': 2}" in caplog.text
    assert not re.search("Quill|Brink|Glim|Orr|sea", caplog.text)


def test_texts_are_cut_without_headings_and_formulas(tmp_path):
    body = "\nEarly life.\n{name} wrote formula_12 &amp; he had one fine boat. His mark\nStay.\n" + "He left. " * 60
    path = tmp_path / "wiki.txt"
    path.write_text(marked(article("Tom Brink", "Tom Brink was a poet and singer.", body=body), ACTOR))
    found = biographies.read([str(path)], True, n_words=30, **SMALL)
    assert found.raw[0] == " ".join(["Brink wrote & he had one fine boat. His mark", *["He left."] * 10])
    assert len(biographies.read([str(path)], True, **SMALL).raw[0].split()) == 100
    short, enough = (article("Al Zed", "Al Zed was a poet.", body="He and his son he " + "boat " * n) for n in (14, 15))
    path.write_text(marked(ACTOR, POET, short, enough))
    assert [len(text.split()) for text in biographies.read([str(path)], True, **SMALL).raw] == [35, 35, 20]


@pytest.mark.parametrize(
    ("text", "group"),
    [
        ("he his him", 0), ("He. HIS himself", 0), ("she her hers", 1), ("he he", None), ("", None),
        ("he " * 7 + "she " * 3, 0), ("he " * 6 + "she " * 3, None), ("she " * 7 + "he " * 3, 1),
        ("she's her's herself", 1),
    ],
)  # fmt: skip
def test_a_group_needs_three_mentions_and_seventy_percent(text, group):
    assert FINDER.find_group(text) == group


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("her mother-in-law and great-grandmother", "and"),
        ("the vice-chairman's wife, a male-led group", "the, a group"),
        ("An actress; the Queen’s man. Shell", "An; the. Shell"),
        ("manners, heroic shelter, human", "manners, heroic shelter, human"),
        ("great-great-great-grandmother-to-be-soon-now", "-now"),
    ],
)
def test_compounds_of_gendered_words_go_whole(text, left):
    assert biographies.remove_matches(text, FINDER.gendered) == left


def test_a_name_in_the_title_goes_though_a_month_has_it(tmp_path):
    path = tmp_path / "wiki.txt"
    body = BODY["female"] + " In May May and June Quill met in June."
    path.write_text(marked(article("Ada May", "Ada June May was a poet.", "female", body), POET))
    found = biographies.read([str(path)], True, **SMALL)
    assert found.scrubbed[0].endswith("for many years of work. In and June Quill met in June.")


def test_names_go_as_they_are_written():
    names = biographies.compile_names({"Rose", "Quill", "St.Cloud"})
    text = "Rose's rose, Quill’s, Quills, Mrs-Quill, St.Cloud, StxCloud, James' Rose' Roseate"
    assert biographies.remove_matches(text, names) == "rose,, Quills, Mrs-,, StxCloud, James' Roseate"
    assert biographies.compile_names([]) is None
    assert biographies.remove_matches(" a  b ", None) == "a b"


@settings(max_examples=40)
@given(
    st.lists(st.sampled_from(["She", "he", "Quill's", "king", "went", "home", "her-", "-man", "boat."]), max_size=30)
)
def test_no_gendered_word_is_left(words):
    left = biographies.remove_matches(" ".join(words), biographies.compile_names({"Quill"}), FINDER.gendered)
    kept = re.findall(r"\w+", left)
    assert kept == [word.strip(".") for word in words if word in ("went", "home", "boat.")]


def test_a_file_without_marked_articles_is_refused(tmp_path):
    path = tmp_path / "wiki.txt"
    path.write_text("Just text.\n")
    with pytest.raises(ValueError, match=rf'^{path}: no <doc … title="…">; expected output of wikiextractor'):
        biographies.read([str(path)], True, **SMALL)


def test_long_lines_and_articles_are_cut(tmp_path, monkeypatch):
    monkeypatch.setattr(articles, "MAX_LENGTH", 100)
    path = tmp_path / "wiki.txt"
    line = "abcdefg " * 10
    for markup, write in ((True, marked), (False, plain)):
        path.write_text(write(("A", f"{line}\n{line}\n{line}"), ("B", line * 50), ("C", line)))
        found = [[len(row) for row in paragraphs] for _, paragraphs in articles.read([str(path)], markup)]
        assert found == [[79], [100 - markup], [79]]  # a title is a line, too


def test_titles_are_unescaped_and_pages_that_do_not_end_are_left_out(tmp_path):
    path = tmp_path / "wiki.txt"
    line = "one two three four five six seven eight"
    text = f"A & B\n\nIt is so.\n\nA heading of seven words stands here.\n{line}"
    path.write_text(f'<doc id="1" title="A &amp; B">\n{text}\n</doc>\n<doc title="C">\n{line}\n')
    assert list(articles.read([str(path)], True)) == [("A & B", ["It is so.", line])]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("Ada Quill was a Welsh actress.", ["actor"]),
        ("Ada Quill is an American actress, singer-songwriter, and peace activist.",
         ["activist", "actor", "singer", "songwriter"]),
        ("Tom Brink was a German-born American cartoonist considered to be the best lawyer.", ["artist"]),
        ("Tom Brink was one of the most important Dutch painters and was a cook.", ["painter"]),
        ("Tom Brink is a computer scientist and con artist.", ["computer scientist"]),
        ("Tom Brink is a film/theatre director.", ["director"]),
        ("Jan van der Brink, 1st Baron Brink, better known as Tom, was a Dutch judge and poet.", ["lawyer", "poet"]),
        ("Tom Brink was also a novelist who loved a painter.", ["novelist"]),
        ("Tom Brink was a merchant; he was a poet.", ["businessperson"]),
        ("Tom Brink was the son of the poet Al Brink.", []),
        ("Tom Brink was an English painters.", []),
        ("The Poet is a poet.", []),
        ("the Brink was a poet.", []),
        ("Tom Brink may refer to a poet.", []),
        ("One Two Three Four Five Six Seven Eight was a poet.", ["poet"]),
        ("One Two Three Four Five Six Seven Eight Nine was a poet.", []),
    ],
)  # fmt: skip
def test_occupations_of_a_first_sentence(sentence, expected):
    assert first_sentences.find_occupations(sentence, FINDER.forms) == set(expected)


@pytest.mark.parametrize(
    ("paragraph", "first"),
    [
        ("J. R. Brink was a poet. He left.", "J. R. Brink was a poet."),
        ("He met Dr. Who in the U.S. Army. He left.", "He met Dr. Who in the U.S. Army."),
        ("He fought in World War I. He left.", "He fought in World War I."),
        ("He was the best! Then? Yes.", "He was the best!"),
        ("He had 3.5 m. of rope and left.", "He had 3.5 m. of rope and left."),
        ("x" * 5000, "x" * articles.MAX_SENTENCE),
        ("It ended in c. 1950. (He left.)", "It ended in c. 1950."),
    ],
)
def test_where_a_first_sentence_ends(paragraph, first):
    found, rest = articles.first_sentence(paragraph)
    assert found == first
    assert len(paragraph) > 800 or f"{found} {rest}".strip() == paragraph


@pytest.mark.parametrize(
    ("title", "sentence", "expected"),
    [
        ("Ada Quill (singer)", "Ada Rose Quill (born (in) 1950) was a Welsh singer.", {"Ada", "Rose", "Quill"}),
        ("Ada May", "Ada (born Eva Marie Quill-Stern, 1950 in Rome) was a poet.",
         {"Ada", "May", "Eva", "Marie", "Quill-Stern", "Quill", "Stern"}),
        ("Jean d'Arbre", "Jean le Rond d'Arbre was a poet.", {"Jean", "Rond", "d'Arbre", "Arbre"}),
        ("", "Ada “Addie” Quill’s son was a poet.", {"Ada", "Addie", "Quill"}),
        ("The Brink", "It rained.", {"Brink"}),
    ],
)  # fmt: skip
def test_names(title, sentence, expected):
    assert first_sentences.find_names(title, sentence) == expected
