"""An open set of biographies from Wikipedia's text, with the occupations that their first sentences name.

A person's gender is that of most of the text's pronouns; names, pronouns and gendered words are scrubbed. Texts of
persons are not logged.
"""

import logging
from collections import Counter
from collections.abc import Mapping
from itertools import chain
from pathlib import Path

import numpy as np

from biassay.studies.downstream import articles, first_sentences, scrubbing
from biassay.studies.downstream.texts import Texts, gather, groups_of
from biassay.support import guard
from biassay.words import files, resources

ATTRIBUTE = "gender"
PRONOUNS = {"male": ("he", "him", "his", "himself"), "female": ("she", "her", "hers", "herself")}
MENTIONS, SHARE = 3, 0.7  # a group's pronouns at least: so many in an article, and of those of both groups
FEWEST_WORDS = 20  # of a text behind the first sentence


def read(
    paths: list[str],
    markup: bool,
    *,
    defining: Mapping[str, Mapping[str, list[str]]],
    words: int = 100,
    min_texts: int = 30,
    lists: str | Path | None = None,
) -> Texts:
    """Find the biographies of text files: with markup, wikiextractor's output, else paragraphs up to an empty line.

    raw: the first `words` words behind the first sentence, without brackets; scrubbed: these without the person's
    names and words that tell gender. Classes of fewer than `min_texts` texts go, and so do texts left without
    one. lists: a file like resources/words/biography_classes.yaml, which is taken if None.
    """
    guard.check_different("articles", paths)
    finder = Finder(lists or resources.shipped_path("words") / "biography_classes.yaml", defining)
    found, read = [], 0
    for article in articles.read(paths, markup):
        read += 1
        biography = finder.find(article, words)
        if biography:
            found.append(biography)
    logging.info("%d articles, %d biographies; left out: %s", read, len(found), dict(finder.dropped) or "none")
    return gather(", ".join(paths[:3]), ATTRIBUTE, list(PRONOUNS), finder.classes.names, found, min_texts)


class Finder:
    """Finds biographies by the word lists of a file."""

    def __init__(self, path: str | Path, defining: Mapping[str, Mapping[str, list[str]]]):
        content = files.read_yaml(path)
        self.classes = first_sentences.classes(path, content)
        groups = groups_of(defining, ATTRIBUTE, list(PRONOUNS))
        nouns = content.get("gendered") or {}
        nouns = {name: first_sentences.words_of(path, f"gendered.{name}", nouns.get(name)) for name in groups}
        self.scrubbed = scrubbing.terms(chain(*groups.values(), *nouns.values(), *PRONOUNS.values()))
        self.told = [scrubbing.terms(words) for words in PRONOUNS.values()]
        self.dropped = Counter()

    def find(self, article: articles.Article, words: int) -> tuple[list[int], int, str, str] | None:
        """A biography's classes, group, raw and scrubbed text, or None; `dropped` counts why."""
        opening, _ = articles.first_sentence(article.paragraphs[0])
        first, rest = articles.first_sentence(articles.without_brackets(article.paragraphs[0]))
        found = first_sentences.occupations(first, self.classes)
        if not found:
            return None
        body = [rest, *map(articles.without_brackets, article.paragraphs[1:])]
        group = self.group("\n".join([first, *body]))
        if group is None:
            self.dropped["no gender with a margin"] += 1
            return None
        raw = " ".join(" ".join(body).split()[:words])
        if len(raw.split()) < FEWEST_WORDS:
            self.dropped["too short"] += 1
            return None
        names = scrubbing.names(first_sentences.names(article.title, opening))
        return found, group, raw, scrubbing.without(raw, names, self.scrubbed)

    def group(self, text: str) -> int | None:
        """The number of the group that has most of a text's words that tell gender, by the margin."""
        counts = [len(pattern.findall(text)) for pattern in self.told]
        group = int(np.argmax(counts))
        return group if counts[group] >= max(MENTIONS, SHARE * sum(counts)) else None
