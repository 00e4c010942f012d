"""Vectors with and without a planted association, and files of them, for the tests of audits."""

import numpy as np
import yaml

from biassay.auditing import source_vectors
from biassay.auditing.questions import Question
from biassay.auditing.source_vectors import SourceVectors

D = 12


def question(groups=8, targets=8, paired=False, **options):
    """A test of two groups and two lists of targets, with made-up words."""
    named = {
        "groups": {g: [f"{g}word{'abcdefghijklmnop'[i]}" for i in range(groups)] for g in ("her", "his")},
        "targets": {c: [f"{c}{'abcdefghijklmnop'[i]}" for i in range(targets)] for c in ("care", "craft")},
    }
    return Question("ours", "Ours", paired=paired, **(named | options))


def vectors(example, strength, seed=1, pool=300, t=1):
    """Random vectors; `strength` moves the first group and targets in one direction, the second in the other."""
    random = np.random.default_rng(seed)
    direction = np.zeros(D)
    direction[0] = strength
    rows = {word: random.standard_normal((t, D)) for word in example.words}
    for lists_of in (example.groups, example.targets):
        for sign, words in zip((1, -1), lists_of.values(), strict=False):
            for word in words:
                rows[word] = rows[word] + sign * direction
    others = [f"x{''.join(row)}" for row in random.choice(list("abcdefghijklmnopqrstuvwxyz"), (pool, 6))]
    rows |= {word: random.standard_normal((t, D)) for word in others}
    ranks = {word: rank for rank, word in enumerate(random.permutation(list(rows)), 1)}
    return SourceVectors("ours", "ours", "vectors", rows, ranks, sorted(others), len(rows))


def used(example, source):
    return source_vectors.find_words(example, source)


def write(path, source):
    """Write a file in GloVe's format, in the order of the ranks."""
    words = sorted(source.rows, key=source.ranks.get)
    lines = [" ".join([word, *(f"{value:.4f}" for value in source.rows[word][0])]) for word in words]
    path.write_text("\n".join(lines) + "\n")
    return path


def yaml_of(example):
    """The text of a YAML file with a test."""
    sides = {"groups": dict(example.groups), "targets": dict(example.targets), "paired": example.paired}
    return yaml.safe_dump(sides, sort_keys=False)
