"""Pairs of sentences that differ in a group: the valid pairs of CrowS-Pairs, and pairs made from templates.

A pair is valid if its sentences differ only in group words: those of one group on each side, two groups of one
attribute (same-2024 §4.2.3, §4.3.1). Words are separated by spaces and compared in lower case without punctuation
except hyphens.
"""

import re
from collections.abc import Mapping
from difflib import SequenceMatcher
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.language_models.planted.templates import Templates, mentions
from biassay.statistics.seeds import seed_of
from biassay.studies.downstream import records
from biassay.words import files

COLUMNS = [
    "attribute", "group_stereotypical", "group_antistereotypical", "stereo_antistereo", "stereotypical",
    "antistereotypical", "masked", "occupation",
]  # fmt: skip
CROWS_COLUMNS = ("sent_more", "sent_less", "stereo_antistereo", "bias_type")
ATTRIBUTES = {"race-color": "race", "gender": "gender", "religion": "religion", "age": "age"}  # by bias_type
DIRECTIONS = ("stereo", "antistereo")
MASK = "[MASK]"  # replaced by the mask token of each model
SAMPLED = 41  # purpose of seeds

GroupWords = Mapping[str, Mapping[str, list[str]]]  # by attribute and group


def read_crows_pairs(path: str | Path, defining: GroupWords) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Read the valid pairs of a file in the format of CrowS-Pairs: COLUMNS, and attribute, n_pairs and n_valid.

    stereotypical is sent_more, which names the group that the pair is about. Repeated pairs of an attribute are left
    out, with a warning. Raises ValueError, with file and row, if a column is missing, a cell is empty, a direction is
    unknown, or no pair is valid.
    """
    rows = pd.concat([_read_rows(path, part) for part in records.read(path)])
    rows = rows.assign(attribute=rows["bias_type"].map(ATTRIBUTES))
    rows = rows[rows["attribute"].isin(defining)]
    rows = files.drop_repeated(f"{path}, row", rows, ["stereotypical", "antistereotypical", "attribute"])
    sentences = zip(rows["stereotypical"], rows["antistereotypical"], rows["attribute"], strict=True)
    found = [compare_sentences(first, second, defining[attribute]) for first, second, attribute in sentences]
    is_valid = np.array([difference is not None for difference in found], bool)
    if not is_valid.any():
        raise ValueError(f"{path}: no pair differs only in words of two groups of {', '.join(defining)}")
    differences = [difference for difference in found if difference]
    pairs = rows[is_valid].reset_index(drop=True)
    pairs[["group_stereotypical", "group_antistereotypical", "masked"]] = differences
    pairs["occupation"] = ""
    counts = rows.assign(is_valid=is_valid).groupby("attribute", sort=False)["is_valid"].agg(["size", "sum"])
    return pairs[COLUMNS], counts.set_axis(["n_pairs", "n_valid"], axis=1).reset_index()


def _read_rows(path: str | Path, rows: pd.DataFrame) -> pd.DataFrame:
    texts = {name: records.read_texts(path, rows[records.find_column(path, rows, [name])]) for name in CROWS_COLUMNS}
    names = {"sent_more": "stereotypical", "sent_less": "antistereotypical"}
    table = pd.DataFrame(texts, rows.index).map(lambda text: " ".join(text.split())).rename(columns=names)
    records.check(
        path, table["stereo_antistereo"], table["stereo_antistereo"].isin(DIRECTIONS), " or ".join(DIRECTIONS)
    )
    return table


def compare_sentences(
    stereotypical: str, antistereotypical: str, groups: Mapping[str, list[str]]
) -> tuple[str, str, str] | None:
    """Return the groups of the words in which two sentences differ, and the first sentence with these words masked.

    None if the sentences differ in anything else, or not in two groups.
    """
    words = [list(re.finditer(r"\S+", sentence)) for sentence in (stereotypical, antistereotypical)]
    plain = [[_plain(word[0]) for word in side] for side in words]
    spans, named = [], [set(), set()]
    for kind, start, end, other_start, other_end in SequenceMatcher(None, *plain, autojunk=False).get_opcodes():
        if kind != "equal":
            named[0].add(_find_group(" ".join(plain[0][start:end]), groups))
            named[1].add(_find_group(" ".join(plain[1][other_start:other_end]), groups))
            spans.append(words[0][start:end])
    if any(len(side) != 1 for side in named):
        return None
    first, second = named[0].pop(), named[1].pop()
    if first is None or second is None or first == second:
        return None
    return first, second, _mask(stereotypical, spans)


def make_pairs(templates: Templates, probabilities: Mapping[str, np.ndarray], n: int, *, seed: int) -> pd.DataFrame:
    """Make n pairs of each attribute (COLUMNS) from the test templates.

    The stereotypical sentence names the group that is more likely in the occupation by the planted `probabilities`
    (occupations, groups).
    """
    random, rows = np.random.default_rng(seed_of(seed, SAMPLED)), []
    for name, attribute in templates.attributes.items():
        usable = mentions(templates.test, name)
        places = random.permutation(len(usable) * len(templates.occupations))[:n]
        for place in places.tolist():
            template, mention = usable[place % len(usable)]
            occupation = place // len(usable)
            two = random.choice(len(attribute.groups), 2, replace=False)
            by_likelihood = two[np.argsort(-probabilities[name][occupation, two], kind="stable")]
            stereotypical, antistereotypical = (
                template.fill(templates.occupations[occupation], mention, group) for group in by_likelihood
            )
            start, end = stereotypical.group_word
            names = [attribute.groups[group] for group in by_likelihood]
            masked = f"{stereotypical.text[:start]}{MASK}{stereotypical.text[end:]}"
            sentences = stereotypical.text, antistereotypical.text, masked
            rows.append((name, *names, DIRECTIONS[0], *sentences, templates.occupations[occupation]))
    return pd.DataFrame(rows, columns=COLUMNS)


def _plain(word: str) -> str:
    return re.sub(r"[^\w-]|_", "", word.lower())


def _find_group(span: str, groups: Mapping[str, list[str]]) -> str | None:
    """Return the group that a span of words names, with or without an article; None for other words."""
    span = re.sub(r"^an? ", "", span)
    plain = {name: [" ".join(map(_plain, term.split())) for term in terms] for name, terms in groups.items()}
    return next((name for name, terms in plain.items() if span in terms), None)


def _mask(sentence: str, spans: list[list[re.Match]]) -> str:
    """Mask spans of words in a sentence; keep the punctuation around them."""
    for words in reversed(spans):
        start = words[0].start() + len(re.match(r"[^\w-]*", words[0][0])[0])
        end = words[-1].end() - len(re.search(r"[^\w-]*$", words[-1][0])[0])
        sentence = f"{sentence[:start]}{MASK}{sentence[end:]}"
    return sentence
