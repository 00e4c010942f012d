"""Wiki markup becomes plain text in linear time."""

import time

import pytest

from biassay.corpora import wikitext


def test_only_tags_are_dropped_and_a_literal_sign_is_kept():
    text = "At p &lt; 0.05 <!-- a\n> b --> he\n\n<i\nclass=x>or</i> she<br/> had 3 > 2 or 1<2."
    assert wikitext.paragraphs(text) == ["At p < 0.05 he", "or she had 3 > 2 or 1<2."]


@pytest.mark.parametrize(
    "unit", ["<ref>", "<ref ", "<math>", "<!--", "[[File:a|", "[http://a ", "[a|", "&lt;", "<a ", "{|\n", "{{"]
)
def test_starts_without_ends_take_linear_time(unit):
    started = time.process_time()
    wikitext.paragraphs(unit * (300_000 // len(unit)))
    assert time.process_time() - started < 5  # quadratic time would be minutes
