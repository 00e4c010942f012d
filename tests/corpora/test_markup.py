"""Wiki markup, cleaned as gensim's patterns clean it, but in linear time."""

import time

import pytest
from gensim.corpora import wikicorpus
from hypothesis import given, settings
from hypothesis import strategies as st

from biassay.corpora import markup, wikitext

TOKENS = [
    "[", "]", "{", "}", "|", "!", "a", "3", "=", "<", ">", "(", ")", ",", ";", ":", "*", "#", "é", "or", "[[", "]]",
    "{{", "}}", "||", "|||", "!!", "|-", "|}", "{|", "==", "</", "/>", "bc", "''", "&amp;", "&lt;", "&#91;", "<br/>",
    "<ref>", "</ref>", "<ref", "<!--", "-->", "<nowiki>", "</nowiki>", "<math>", "</math>", "<gallery>", "</gallery>",
    "[http://x.y", "File:", "Image", "[[File:", "Category:", "[[de:x]]", "style=", "rowspan", "align=", "__TOC__",
    "|a|b|", " ", "  ", "\n", "\n\n", "\t", "\n[[en:x]]", "[http:// ",
]  # fmt: skip


@settings(max_examples=300)
@given(st.lists(st.sampled_from(TOKENS), max_size=30).map("".join))
def test_markup_is_cleaned_as_by_gensim_s_patterns_except_that_of_tags(text):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(wikicorpus, "RE_P11", markup.TAG)  # gensim's drops what is between any < and the next >
        assert markup.strip_markup(text) == wikicorpus.filter_wiki(text)


def test_only_tags_are_dropped_and_a_literal_sign_is_kept():
    text = "At p &lt; 0.05 <!-- a\n> b --> he\n\n<i\nclass=x>or</i> she<br/> had 3 > 2 or 1<2."
    assert markup.strip_markup(text) == "At p < 0.05  he\n\nor she had 3 > 2 or 1<2."


@pytest.mark.parametrize(
    "unit", ["<ref>", "<ref ", "<math>", "<!--", "[[File:a|", "[http://a ", "&lt;", "<a ", "{|\n", "{{"]
)
def test_starts_without_ends_take_linear_time(unit):
    started = time.process_time()
    wikitext.paragraphs(unit * (300_000 // len(unit)))
    assert time.process_time() - started < 5  # quadratic time would be minutes
