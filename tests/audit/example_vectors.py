"""Vectors with and without a planted association, and files of them, for the tests of audits."""

import numpy as np

from biassay.auditing import word_lists
from biassay.auditing.questions import Question
from biassay.auditing.source_vectors import SourceVectors

D = 12


def question(groups=8, targets=8, paired=False, **more):
    """Two groups and two lists of targets, of made-up words."""
    named = {
        "groups": {g: [f"{g}word{'abcdefghijklmnop'[i]}" for i in range(groups)] for g in ("her", "his")},
        "targets": {c: [f"{c}{'abcdefghijklmnop'[i]}" for i in range(targets)] for c in ("care", "craft")},
    }
    return Question("ours", "Ours", paired=paired, **(named | more))


def vectors(asked, strength, seed=1, pool=300, t=1):
    """Material of random vectors; `strength` moves the first group and targets one way, the second the other."""
    random = np.random.default_rng(seed)
    direction = np.zeros(D)
    direction[0] = strength
    rows = {word: random.standard_normal((t, D)) for word in asked.words}
    for lists_of in (asked.groups, asked.targets):
        for sign, words in zip((1, -1), lists_of.values(), strict=False):
            for word in words:
                rows[word] = rows[word] + sign * direction
    others = [f"x{''.join(row)}" for row in random.choice(list("abcdefghijklmnopqrstuvwxyz"), (pool, 6))]
    rows |= {word: random.standard_normal((t, D)) for word in others}
    ranks = {word: rank for rank, word in enumerate(random.permutation(list(rows)), 1)}
    return SourceVectors("ours", "ours", "vectors", rows, ranks, sorted(others), len(rows))


def used(asked, material):
    return word_lists.find_words(asked, material)


def write(path, material):
    """A file in GloVe's format, in the order of the ranks."""
    words = sorted(material.rows, key=material.ranks.get)
    lines = [" ".join([word, *(f"{value:.4f}" for value in material.rows[word][0])]) for word in words]
    path.write_text("\n".join(lines) + "\n")
    return path


def yaml_of(asked):
    """The text of a test's file."""
    sides = {"groups": dict(asked.groups), "targets": dict(asked.targets), "paired": asked.paired}
    lines = []
    for key, value in sides.items():
        if isinstance(value, dict):
            lines.append(f"{key}:")
            lines += [f"  {name}: [{', '.join(words)}]" for name, words in value.items()]
        else:
            lines.append(f"{key}: {str(value).lower()}")
    return "\n".join(lines) + "\n"
