"""Wiki markup, cleaned as gensim's patterns clean it, but in linear time."""

import time

import pytest
from gensim.corpora.wikicorpus import filter_wiki
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
def test_markup_is_cleaned_as_by_gensim_s_patterns(text):
    assert markup.strip_markup(text) == filter_wiki(text)


@pytest.mark.parametrize("unit", ["<ref>", "<ref ", "<math>", "<!--", "[[File:a|", "[http://a ", "&lt;", "{|\n", "{{"])
def test_starts_without_ends_take_linear_time(unit):
    started = time.process_time()
    wikitext.paragraphs(unit * (300_000 // len(unit)))
    assert time.process_time() - started < 5  # quadratic time would be minutes
