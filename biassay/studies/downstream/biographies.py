"""Biographies from Wikipedia text, with the occupations that their first sentences name.

A person's gender is that of most pronouns in the text; names, pronouns and gendered words are removed from scrubbed
texts. Texts about people are not logged.
"""

import logging
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from itertools import chain

import numpy as np
import pandas as pd

from biassay.studies.downstream import articles, first_sentences
from biassay.studies.downstream.texts import Texts, find_groups, make_texts
from biassay.words import files, resources

ATTRIBUTE = "gender"
PRONOUNS = {"male": ("he", "him", "his", "himself"), "female": ("she", "her", "hers", "herself")}
MIN_PRONOUNS, MIN_SHARE = 3, 0.7  # of one group's pronouns in an article, and among those of both groups
MIN_WORDS = 20  # of the text after the first sentence
MAX_HYPHENS = 3  # hyphenated words on either side of a gendered word
_POSSESSIVE = r"(?:['’]s?(?!\w))?"


def read(
    paths: list[str], markup: bool, *, defining: Mapping[str, Mapping[str, list[str]]], n_words: int = 100,
    min_texts: int = 30,
) -> Texts:  # fmt: skip
    """Find the biographies in text files, with or without markup as in `articles.read`.

    Raw texts are the first `n_words` words after the first sentence, without brackets; scrubbed texts lack the person's
    names and gendered words. Classes with fewer than `min_texts` texts are dropped, as are texts without a class.
    """
    finder = Finder(defining)
    found = [finder.find(title, paragraphs, n_words) for title, paragraphs in articles.read(paths, markup)]
    rows = pd.DataFrame([row for row in found if row], columns=["classes", "group", "raw", "scrubbed"])
    logging.info("%d articles, %d biographies; dropped: %s", len(found), len(rows), dict(finder.dropped) or "none")
    return make_texts(", ".join(paths[:3]), ATTRIBUTE, list(PRONOUNS), finder.classes, rows, min_texts)


class Finder:
    """Finds biographies with biassay's lists of occupations and of gendered words."""

    def __init__(self, defining: Mapping[str, Mapping[str, list[str]]]):
        lists = files.read_yaml(resources.shipped_path("words") / "biography_classes.yaml")
        self.classes, self.forms = list(lists["classes"]), {form.lower(): [] for form in lists["none"]}
        for name, form in ((name, form) for name, words in lists["classes"].items() for form in words):
            self.forms.setdefault(form.lower(), []).append(name)
        self.unreal = re.compile(rf"\b(?:{'|'.join(map(re.escape, lists['unreal']))})\b", re.IGNORECASE)
        groups = find_groups(defining, ATTRIBUTE, list(PRONOUNS))
        self.gendered = compile_terms(chain(*groups.values(), *lists["gendered"].values(), *PRONOUNS.values()))
        self.pronouns = [compile_terms(words) for words in PRONOUNS.values()]
        self.dropped = Counter()

    def find(self, title: str, paragraphs: list[str], n_words: int) -> tuple[set[str], int, str, str] | None:
        """Return a biography's classes, group, raw and scrubbed text; None for other articles, counted in `dropped`."""
        opening, _ = articles.first_sentence(paragraphs[0])
        first, rest = articles.first_sentence(articles.remove_brackets(paragraphs[0]))
        classes = first_sentences.find_occupations(first, self.forms)
        if not classes or self.unreal.search(first):
            return None
        body = [rest, *map(articles.remove_brackets, paragraphs[1:])]
        group = self.find_group("\n".join([first, *body]))
        if group is None:
            self.dropped["no clear gender"] += 1
            return None
        raw = " ".join(" ".join(body).split()[:n_words])
        if len(raw.split()) < MIN_WORDS:
            self.dropped["too short"] += 1
            return None
        names = compile_names(first_sentences.find_names(title, opening))
        return classes, group, raw, remove_matches(raw, names, self.gendered)

    def find_group(self, text: str) -> int | None:
        """Return the number of the group with a clear majority of the pronouns, or None."""
        counts = [len(pattern.findall(text)) for pattern in self.pronouns]
        group = int(np.argmax(counts))
        return group if counts[group] >= max(MIN_PRONOUNS, MIN_SHARE * sum(counts)) else None


def compile_terms(words: Iterable[str]) -> re.Pattern:
    """Compile a pattern for words in any case, including compounds: mother-in-law for mother."""
    forms = {re.escape(word.lower()).replace(r"\ ", r"[\s-]+") for word in words}
    inner = "|".join(sorted(forms, key=lambda form: (-len(form), form)))
    bound = rf"(?:-\w+){{0,{MAX_HYPHENS}}}"
    return re.compile(rf"(?<!\w)(?:\w+-){{0,{MAX_HYPHENS}}}(?:{inner}){bound}(?!\w){_POSSESSIVE}", re.IGNORECASE)


def compile_names(words: Iterable[str]) -> re.Pattern | None:
    """Compile a pattern for names, which is case-sensitive: Rose but not rose; None without names."""
    inner = "|".join(sorted(map(re.escape, set(words)), key=lambda form: (-len(form), form)))
    return re.compile(rf"(?<!\w)(?:{inner})(?!\w){_POSSESSIVE}") if inner else None


def remove_matches(text: str, *patterns: re.Pattern | None) -> str:
    """Remove all matches of patterns, and superfluous spaces."""
    for pattern in patterns:
        text = pattern.sub(" ", text) if pattern else text
    return re.sub(r"\s+([,.;:!?])", r"\1", " ".join(text.split()))
