"""Grammatical gender as a confounder: targets in both forms, and lists with the same share of each gender."""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np

from biassay.auditing import languages
from biassay.auditing.questions import Question
from biassay.auditing.source_vectors import SourceVectors, UsedWords

MAX_DIFFERENCE = 0.15  # of the shares of a gender in two lists of targets
BOTH_FORMS, BALANCED, UNCONTROLLED = "both forms", "balanced", "not controlled"


def add_both_forms(source: SourceVectors, questions: Iterable[Question]) -> SourceVectors:
    """Add the mean vector of both forms of each target that has two, and the rank of its rarer form.

    A target is missing if a form is, or if both have one vector, as in tables that were pruned.
    """
    forms = {word: pair for question in questions for word, pair in question.both_forms.items()}
    if not forms:
        return source
    spellings = {word: [source.find_spelling(form) for form in pair] for word, pair in forms.items()}
    found = {
        word: pair
        for word, pair in spellings.items()
        if None not in pair and not np.array_equal(*(source.rows[form] for form in pair))
    }
    ranks = source.ranks and source.ranks | {word: max(map(source.ranks.get, pair)) for word, pair in found.items()}
    variants = {variant: _add_means(rows, found) for variant, rows in source.variants.items()}
    bare = source.bare and add_both_forms(source.bare, questions)
    return replace(source, rows=_add_means(source.rows, found), ranks=ranks, variants=variants, bare=bare)


def _add_means(rows: dict[str, np.ndarray], forms: dict[str, list[str]]) -> dict[str, np.ndarray]:
    return rows | {word: mean_of_forms(*(rows[form] for form in pair)) for word, pair in forms.items()}


def mean_of_forms(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """Return the mean of the vectors (t, d) of two forms, each scaled to their mean length."""
    lengths = [np.linalg.norm(rows, axis=-1, keepdims=True) for rows in (first, second)]
    directions = [rows / np.where(length > 0, length, 1) for rows, length in zip((first, second), lengths, strict=True)]
    return sum(directions) / 2 * (sum(lengths) / 2)


def find_control(question: Question) -> str:
    """Return how a test controls for the grammatical gender of its targets; "" in a language without it."""
    if not languages.load(question.language).genders:
        return ""
    if question.noun_genders:
        return BALANCED
    targets = {word for words in question.targets.values() for word in words}
    return BOTH_FORMS if targets == set(question.both_forms) else UNCONTROLLED


def describe_imbalance(used: UsedWords) -> str:
    """Say which lists of targets differ in their shares of a grammatical gender; "" if none do."""
    if find_control(used.question) != BALANCED:
        return ""
    noun_genders = {word.lower(): gender for word, gender in used.question.noun_genders.items()}
    for gender in languages.load(used.question.language).genders:
        shares = {
            name: np.mean([noun_genders.get(word.lower()) == gender for word in words])
            for name, words in used.targets.items()
        }
        if max(shares.values()) - min(shares.values()) > MAX_DIFFERENCE:
            shown = ", ".join(f"{name} {share:.0%}" for name, share in shares.items())
            return f"lists of targets differ in grammatical gender (words found that are {gender}: {shown})"
    return ""
