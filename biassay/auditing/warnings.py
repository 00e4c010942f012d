"""Warnings of an audit, in words: limits of the lists, the vectors and the tests."""

from math import comb

import numpy as np
import pandas as pd

from biassay.auditing import numbers
from biassay.auditing.questions import SIDES
from biassay.auditing.scoring import LEVEL, NOISE
from biassay.auditing.source_vectors import SENTENCES, SourceVectors
from biassay.auditing.word_lists import UsedWords

COLUMNS = ["source", "test", "kind", "text"]
MIN_WORDS = 8  # of a list; the smallest of WEAT's lists
MAX_RANK_RATIO = 3.0  # of the median ranks of two lists
MAX_MISSING = 0.2  # share of a list
MAX_NAMED = 6  # words listed in a warning


def for_source(source: SourceVectors, used: list[UsedWords]) -> list[tuple[str, str]]:
    """Return (kind, text) of the warnings about a source as a whole."""
    texts = [("reading", note) for note in source.notes]
    if source.kind == "model":
        texts.append(
            ("sentences", f"each word is put into {len(SENTENCES)} sentences such as “{SENTENCES[0].format('nurse')}”, "
             "whatever its part of speech; other sentences may give other values")
        )  # fmt: skip
    elif source.ranks is None:
        texts.append(
            ("frequency", "the source does not order words by frequency: the lists may differ in frequency, and the "
             "random words have any frequency")
        )  # fmt: skip
    else:
        texts.append(
            ("frequency", "word frequency is taken from the order of the source, as in GloVe and word2vec files; if "
             "the order is another one, ignore the ranks and the comparison with random words")
        )  # fmt: skip
    n_targets = max((sum(map(len, one.targets.values())) for one in used), default=0)
    if len(source.pool) < 2 * n_targets:
        texts.append(
            ("random words", f"only {len(source.pool)} random words: too few to compare the values with random words")
        )
    return texts


def for_test(used: UsedWords, source: SourceVectors, rows: pd.DataFrame) -> list[tuple[str, str]]:
    """Return (kind, text) of the warnings about one test; `rows` are its rows of the table."""
    return [
        *_few_words(used),
        *_missing_words(used),
        *_overlaps(used),
        *_frequency(used, source),
        *_noise(rows),
        *_low_power(rows),
    ]


def _few_words(used: UsedWords) -> list[tuple[str, str]]:
    lists = [(name, len(words)) for side in SIDES for name, words in used.lists(side).items()]
    short = [f"{name} {size}" for name, size in lists if size < MIN_WORDS]
    if not short:
        return []
    sides = [list(map(len, used.lists(side).values())) for side in SIDES]
    min_p_values = [1 / comb(sum(sizes), sizes[0]) for sizes in sides if len(sizes) == 2]
    text = f"few words: {', '.join(short)}; other words of the same kind may give very different values"
    if min_p_values and max(min_p_values) > LEVEL:
        text += f"; no permutation of these words can give a p below {max(min_p_values):.2f}"
    elif min_p_values:
        text += f"; the smallest p that permutations can give is {max(min_p_values):.2g}, before correction"
    return [("few words", text)]


def _missing_words(used: UsedWords) -> list[tuple[str, str]]:
    texts = []
    for (side, name), words in used.missing.items():
        size = len(getattr(used.question, side)[name])
        if len(words) > MAX_MISSING * size:
            named = ", ".join(words[:MAX_NAMED]) + (", …" if len(words) > MAX_NAMED else "")
            texts.append(f"{len(words)} of {size} words of {name} are missing or lack their partner: {named}")
    return [("missing", text) for text in texts]


def _overlaps(used: UsedWords) -> list[tuple[str, str]]:
    return [
        ("overlap", f"{first} and {second} share words ({len(words)}): {', '.join(words[:MAX_NAMED])}")
        for first, second, words in used.overlaps()
    ]


def _frequency(used: UsedWords, source: SourceVectors) -> list[tuple[str, str]]:
    ranks, texts = used.median_ranks(source), []
    for side in SIDES:
        side_ranks = {name: rank for (list_side, name), rank in ranks.items() if list_side == side}
        if len(side_ranks) < 2 or max(side_ranks.values()) <= MAX_RANK_RATIO * min(side_ranks.values()):
            continue
        medians = ", ".join(f"{name} {rank:,.0f}" for name, rank in side_ranks.items())
        texts.append(
            f"{side} differ in frequency (median ranks: {medians}), which can change metrics that depend on vector "
            "length (RIPA, ECT, RNSB, second-order factors) and makes the vectors of rare words noisier"
        )
    return [("frequency", text) for text in texts]


def _noise(rows: pd.DataFrame) -> list[tuple[str, str]]:
    noisy = rows[rows["finding"] == NOISE]
    if noisy.empty:
        return []
    values = ", ".join(
        f"{numbers.name(row.metric, row.level)} {numbers.number(row.value)} "
        f"(95 % of random words within {numbers.number(row.random_q95)} of no bias)"
        for row in noisy.itertuples()
    )
    return [("noise", f"significant, but no larger than with random words of similar frequency: {values}")]


def _low_power(rows: pd.DataFrame) -> list[tuple[str, str]]:
    metrics = rows[np.isinf(rows["min_detectable_effect"].astype(float))]["metric"].tolist()
    if not metrics:
        return []
    text = f"power below 80 % with these lists for any value within the metric's range: {', '.join(metrics)}"
    return [("power", text)]
