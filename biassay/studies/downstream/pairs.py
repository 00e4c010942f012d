"""Pairs of sentences that differ in a group: the valid ones of CrowS-Pairs, and pairs made from templates.

A pair is valid if all that differs between its sentences are terms of one group on each side, two groups of one
attribute (same-2024 §4.2.3, §4.3.1), by the words between spaces, in lower case and without punctuation but hyphens.
"""

import re
from collections.abc import Iterator, Mapping
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.language_models.group_templates import Templates, mentions
from biassay.numerics.seeds import seed_of
from biassay.studies.downstream import records
from biassay.support import registry

COLUMNS = [
    "attribute", "group_stereotypical", "group_antistereotypical", "direction", "stereotypical", "antistereotypical",
    "masked",
]  # fmt: skip
READ = ("sent_more", "sent_less", "stereo_antistereo", "bias_type")
TYPES = {"race-color": "race", "gender": "gender", "religion": "religion", "age": "age"}  # of CrowS-Pairs
DIRECTIONS = ("stereo", "antistereo")
MASK = "[MASK]"  # stands for whatever a model has as its mask
DRAWN = 41  # purpose of seeds

Terms = Mapping[str, Mapping[str, list[str]]]


def crows(path: str | Path, defining: Terms) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Valid pairs of a file of CrowS-Pairs' form (COLUMNS), and what became of all: attribute, pairs, valid.

    sent_more is the sentence that names the group that the pair is about. Raises ValueError, naming file and line, for
    what `records.read` refuses, lacking columns, an empty cell, an unknown direction, and a file without valid pairs.
    """
    rows, counts = [], {}
    for where, row in _rows(path):
        registry.check_names(f"{where}: stereo_antistereo", [row["stereo_antistereo"]], DIRECTIONS)
        attribute = TYPES.get(row["bias_type"])
        if attribute not in defining:
            continue
        of_type = counts.setdefault(attribute, [0, 0])
        of_type[0] += 1
        found = compare(row["sent_more"], row["sent_less"], defining[attribute])
        if found is not None:
            of_type[1] += 1
            of_pair = dict(zip(("group_stereotypical", "group_antistereotypical", "masked"), found, strict=True))
            sentences = {"stereotypical": row["sent_more"], "antistereotypical": row["sent_less"]}
            sentences["direction"] = row["stereo_antistereo"]
            rows.append({"attribute": attribute, **of_pair, **sentences})
    if not rows:
        raise ValueError(f"{path}: has no pair that differs in terms of two groups of {', '.join(defining)} only")
    report = pd.DataFrame(
        [(name, *of_type) for name, of_type in counts.items()], columns=["attribute", "pairs", "valid"]
    )
    return pd.DataFrame(rows)[COLUMNS], report


def _rows(path: str | Path) -> Iterator[tuple[str, dict[str, str]]]:
    """Where each row begins, as file and line, and its cells."""
    for number, (place, record) in enumerate(records.read(path)):
        where = f"{path}, {place}"
        for name in READ:
            if number == 0:
                records.column(path, record, [name])
            if records.empty(record.get(name)) or not isinstance(record[name], str):
                raise ValueError(f"{where}, column {name}: has no text")
        yield where, {name: " ".join(record[name].split()) for name in READ}


def compare(stereotypical: str, antistereotypical: str, groups: Mapping[str, list[str]]) -> tuple[str, str, str] | None:
    """The groups that two sentences name where they differ, and the first one with these words masked; None if they
    differ in anything else, or not in two groups."""
    words = [list(re.finditer(r"\S+", sentence)) for sentence in (stereotypical, antistereotypical)]
    plain = [[_plain(word[0]) for word in of_side] for of_side in words]
    spans, named = [], [set(), set()]
    for kind, start, end, other_start, other_end in SequenceMatcher(None, *plain, autojunk=False).get_opcodes():
        if kind == "equal":
            continue
        for side, span in enumerate((plain[0][start:end], plain[1][other_start:other_end])):
            named[side].add(_group(" ".join(span), groups))
        spans.append((start, end))
    if len(spans) == 0 or any(len(of_side) != 1 for of_side in named):
        return None
    first, second = named[0].pop(), named[1].pop()
    if first is None or second is None or first == second:
        return None
    return first, second, _masked(stereotypical, [(words[0][start], words[0][end - 1]) for start, end in spans])


def made(material: Templates, probabilities: Mapping[str, np.ndarray], n: int, *, seed: int) -> pd.DataFrame:
    """n pairs of each attribute from the test templates (COLUMNS), with occupations: the first sentence names the group
    that is the likelier of two by probabilities (occupations, groups), the direction in which bias is planted."""
    random, rows = np.random.default_rng(seed_of(seed, DRAWN)), []
    for name, attribute in material.attributes.items():
        asked = mentions(material.test, name)
        places = random.permutation(len(asked) * len(material.occupations))[:n]
        for place in places.tolist():
            template, mention = asked[place % len(asked)]
            occupation = place // len(asked)
            two = random.choice(len(attribute.groups), 2, replace=False)
            likely = two[np.argsort(-probabilities[name][occupation, two], kind="stable")]
            stereotypical, antistereotypical = (
                template.fill(material.occupations[occupation], mention, group) for group in likely
            )
            start, end = stereotypical.group_word
            names = [attribute.groups[group] for group in likely]
            masked = f"{stereotypical.text[:start]}{MASK}{stereotypical.text[end:]}"
            rows.append((name, *names, DIRECTIONS[0], stereotypical.text, antistereotypical.text, masked))
    return pd.DataFrame(rows, columns=COLUMNS)


def _plain(word: str) -> str:
    return re.sub(r"[^\w-]|_", "", word.lower())


def _group(span: str, groups: Mapping[str, list[str]]) -> str | None:
    """The group that a term stands for, with or without an article; None for another text."""
    span = re.sub(r"^an? ", "", span)
    plain = {name: [" ".join(map(_plain, term.split())) for term in terms] for name, terms in groups.items()}
    return next((name for name, terms in plain.items() if span in terms), None)


def _masked(sentence: str, spans: list[tuple[re.Match, re.Match]]) -> str:
    """A sentence with each span of words masked; punctuation before and behind it stays."""
    for first, last in reversed(spans):
        start = first.start() + len(re.match(r"[^\w-]*", first[0])[0])
        end = last.end() - len(re.search(r"[^\w-]*$", last[0])[0])
        sentence = f"{sentence[:start]}{MASK}{sentence[end:]}"
    return sentence
