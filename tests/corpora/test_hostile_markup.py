"""Markup of wikis, cleaned in linear time as gensim's patterns and ours, plainly written, clean it."""

import re

from gensim.corpora.wikicorpus import filter_wiki
from hypothesis import given, settings
from hypothesis import strategies as st

from biassay.corpora import markup, wikitext

TOKENS = [
    "[", "]", "[[", "]]", "{", "}", "{{", "}}", "|", "||", "|||", "!", "!!", "|-", "|}", "{|", "a", "bc", "3", "=",
    "==", "<", "</", ">", "/>", "<ref>", "<ref ", "<ref", "</ref>", "</ref  >", "<!--", "-->", "<nowiki>", "</nowiki>",
    "<math>", "</math>", "<gallery>", "</gallery>", "<score>", "[http://x.y", "[http:// ", "File:", "Image", "image",
    "Category:", "[[File:", "[[de:x]]", "\n[[en:", "\n[[en:x]]", "&amp;", "&lt;", "&#91;", "style=", "class=",
    "3colspan", "rowspan", "bgcolor", "align=", "scope=", "(", ")", ",", ";", "or", "and", "''", "__TOC__", "<br/>",
    ":", "*", "#", "é", "|a|b|", " ", "  ", "\n", "\n\n", "\t", "\xa0",
]  # fmt: skip
MARKUP = st.lists(st.sampled_from(TOKENS), max_size=30).map("".join)


@settings(max_examples=400)
@given(MARKUP)
def test_markup_is_cleaned_as_by_gensim_s_patterns(text):
    assert markup.strip_markup(text) == filter_wiki(text)


@settings(max_examples=300)
@given(MARKUP)
def test_elements_and_brackets_are_dropped_as_by_the_plain_patterns(text):
    """The patterns as one would write them first, which take quadratic time and more."""
    names = "ref|gallery|imagemap|timeline|math|chem|ce|score|hiero|graph|mapframe|syntaxhighlight|source|templatedata"
    content = re.compile(rf"<({names})\b[^<>]*>.*?</\1\s*>", re.IGNORECASE | re.DOTALL | re.ASCII)  # as in wikitext
    assert wikitext._remove_elements(text) == content.sub(" ", text)
    line = re.sub(r"\(\s*[,;:\s]*(?:or|and|also)?[,;:\s]*\)", "", text)
    line = re.sub(r"[ \t\xa0]+", " ", re.sub(r"\(\s*[,;:][\s,;:]*", "(", line))
    assert wikitext._tidy(text) == re.sub(r" +([,.;:!?)])", r"\1", line).strip()
    own = r"\s*(?:File|Category)\s*:"
    dropped = re.compile(rf"\[\[{own}(?:[^\[\]]|\[[^\[\]]*\])*\]\]", re.IGNORECASE)
    assert wikitext._links(("File", "Category"))[1].sub("", text) == dropped.sub("", text)


def test_a_caption_takes_the_place_of_its_file():
    assert markup.strip_markup("a [[File:x.jpg|thumb|The [b] c]] d") == "a [[File:x.jpg|thumb|The b c d".replace(
        "[[", ""
    )
    assert markup.strip_markup("a [[Image x|c]] d") == "a c d"
    assert markup.strip_markup("see [http://x.y the press] and [ftp://z]") == "see  the press and "
    assert markup.strip_markup("x\n[[en:A]]\n[[fr:B]]\n") == "x\n"
    assert markup.strip_markup("x\n[[en:A]]\n[[fr:B]]\ny") == "x\nen:A\nfr:B\ny"


REPEATED = [
    "<ref>", "<ref ", "<math>", "<nowiki>", "<gallery>", "<!--", "<", "<a", "</ref", "</ref ", "{{", "{", "[[", "[",
    "[[File:", "[[File:a [b] ", "[[Image", "[[a|", "[|", "[a|", "[http://a", "[http://a ", "\n[[en:", "\n[[en:a]]",
    "\n[[en:a]] ", "{|\n", "{|", "|-", "|}", "\n!", "  !", "  |", "  ! a|", "||", "|||", "!!", "'", "''", "==", "= ",
    "&amp;", "&", "__", "__A", "(", ")", "( or", "[[Category:", "[]", "<br", "<br ", "<ref/>", "\nstyle=", "{|\n|}\n",
    "<score></ref>", "{{a}}", "{{{", "]]", "[[]]", "a http://b ", "\n=a=\n",
]  # fmt: skip
TWO = [
    ("(", " ", ""), ("", "( ,;:", ""), ("(", " ,", "or ; ;"), ("<ref>", "<math>", "</score>"),
    ("[http://a", " ", "\n]"), ("", "[[File:a ", "] "), ("\n", "  !", "|"), ("=", "a=", ""), ("{|", "\n{|", "|}"),
    ("<ref", " ", ">"), ("[[de", "-a", ":]]"), ("&#", "1", ";"), ("[", "\n", "]"), ("http://", "a", ""),
    ("{{", "{{}}", ""),
]  # fmt: skip
