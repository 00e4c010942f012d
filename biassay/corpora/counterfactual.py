"""Counterfactual corpora: unbiased controls in which the words of two groups are swapped in random sentences.

Counterfactual data substitution (Hall Maudslay et al. 2019) flips a fair coin for each document; here, for each
sentence. In expectation, no context word outside of the lists then distinguishes the swapped words of the groups.
"""

import logging
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np

from biassay.core import arrays
from biassay.core.logs import Progress
from biassay.corpora import corpus as corpora
from biassay.corpora.corpus import END, Corpus
from biassay.words import target_lists

MIN_COUNT = 20  # rarer words are not swapped: by chance, none of them might remain


class Partners(NamedTuple):
    """The words of the other group that may replace each word.

    The partners of word w have the ids partner[start[w] : start[w + 1]]. `cumulative` is w plus the cumulative
    probability of the partners of w, from 0 to 1, and thus increases over all words.
    """

    start: np.ndarray
    partner: np.ndarray
    cumulative: np.ndarray

    @property
    def has_partner(self) -> np.ndarray:
        """Whether each word has a partner, shape (n_words + 1,). The last value, which END indexes, is False."""
        return np.append(np.diff(self.start) > 0, False)

    def draw(self, ids: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """Draw a partner of each id, by frequency. Each id must have a partner."""
        positions = np.searchsorted(self.cumulative, ids + random.random(len(ids)), side="right")
        return self.partner[np.clip(positions, self.start[ids], self.start[ids + 1] - 1)]


def find_partners(path: str | Path, words: list[str], counts: np.ndarray) -> Partners:
    """Find the partners of the words of two groups, lower-cased.

    In paired groups, the i-th words are partners. Other groups are paired by frequency rank; the words of the shorter
    group repeat. Words of both groups and words that occur less than MIN_COUNT times have no partner. Raises ValueError
    if the file is malformed (see `target_lists.read_swap`) or no word has a partner.
    """
    groups, paired = target_lists.read_swap(path)
    ids = {word: i for i, word in enumerate(words) if counts[i] >= MIN_COUNT}
    first, second = groups.values()
    shared = set(first) & set(second)
    if paired:
        pairs = [(a, b) for a, b in zip(first, second, strict=True) if not shared & {a, b} and a in ids and b in ids]
        pairs = [(ids[a], ids[b]) for a, b in pairs]
    else:
        ranked = [_rank([ids[w] for w in group if w in ids and w not in shared], counts) for group in (first, second)]
        length = max(map(len, ranked)) if all(ranked) else 0
        pairs = [(ranked[0][i % len(ranked[0])], ranked[1][i % len(ranked[1])]) for i in range(length)]
    if not pairs:
        raise ValueError(
            f"{path}: no word of a pair occurs {MIN_COUNT} times or more in the corpus; choose other words"
        )
    logging.info("%s: %d pairs in the corpus", path, len(pairs))
    _warn_of_unswapped(path, {*first, *second} - {words[i] for pair in pairs for i in pair}, words, counts)
    return _make_partners(sorted(pairs + [(b, a) for a, b in pairs]), counts)


def _warn_of_unswapped(path: str | Path, unswapped: set[str], words: list[str], counts: np.ndarray) -> None:
    """Warn of the words of the lists that are in the corpus and have no partner, the most frequent first."""
    found = sorted((-count, word) for word, count in zip(words, counts, strict=True) if word in unswapped)
    if found:
        named = ", ".join([f"{word} ({-count})" for count, word in found[:10]] + ["…"] * (len(found) > 10))
        reason = f"they or their partners occur less than {MIN_COUNT} or min_count times, or are in both lists"
        logging.warning("%s: %d words of the lists are never swapped, because %s: %s", path, len(found), reason, named)


def _rank(ids: list[int], counts: np.ndarray) -> list[int]:
    return sorted(ids, key=lambda i: (-counts[i], i))


def _make_partners(pairs: list[tuple[int, int]], counts: np.ndarray) -> Partners:
    """Make partners from sorted pairs (word, partner)."""
    word, partner = np.array(pairs, dtype=np.int64).T
    start = np.searchsorted(word, np.arange(len(counts) + 1))
    weight = counts[partner].astype(float)
    total = np.bincount(word, weight, minlength=len(counts))[word]
    before = np.concatenate(([0], np.cumsum(weight)))[:-1]
    cumulative = word + (before + weight - before[start[word]]) / total
    return Partners(start, partner.astype(np.int32), cumulative)


def swap(source: str | Path, paths: list[str], folder: str | Path, *, seed: int) -> dict:
    """Write the counterfactual of an encoded corpus, with the same vocabulary and new counts.

    For each YAML file of two groups, a fair coin for each sentence decides whether all words of the groups are swapped.
    Files are applied one after another; if a word is in several files, only the last one balances its contexts exactly.
    Ids are no longer exactly sorted by count. Returns the summary of the original corpus, with the number of swapped
    tokens by file. Raises ValueError if a file is malformed, or a word no longer occurs.
    """
    corpus, summary, out = Corpus.open(source), corpora.read_summary(source), Path(folder)
    tables = [find_partners(path, corpus.words, corpus.counts) for path in paths]
    counts, n_swapped = np.zeros(len(corpus.words), dtype=np.int64), np.zeros(len(paths), dtype=np.int64)
    progress = Progress("swapping", len(corpus.tokens) / 1e6, "M tokens")
    with arrays.Writer(out / "tokens.npy", np.int32) as writer:
        for tokens, n_in_chunk in _swap_chunks(corpus, tables, seed):
            counts += np.bincount(tokens[tokens != END], minlength=len(counts))
            n_swapped += n_in_chunk
            writer.append(tokens)
            progress.add(len(tokens) / 1e6)
        if not counts.all():
            word = corpus.words[int(np.argmin(counts))]
            raise ValueError(f"{source}: {word!r} no longer occurs after the swap; raise min_count of the corpus")
    summary |= {"swapped": dict(zip(map(str, paths), n_swapped.tolist(), strict=True))}
    corpora.write_vocabulary(out, corpus.words, counts, summary)
    logging.info("swapped tokens: %s", ", ".join(f"{count} by {path}" for path, count in summary["swapped"].items()))
    return summary


def _swap_chunks(corpus: Corpus, tables: list[Partners], seed: int) -> Iterator[tuple[np.ndarray, list[int]]]:
    """Yield chunks of tokens after the swap, each with the number of swapped tokens by table."""
    coins = [np.random.default_rng([seed, 5, number]) for number in range(len(tables))]
    random = [np.random.default_rng([seed, 6, number]) for number in range(len(tables))]
    has_partner = [table.has_partner for table in tables]
    for chunk in corpus.chunks():
        tokens, n_swapped = chunk.copy(), []
        ends = np.flatnonzero(tokens == END)
        for number, table in enumerate(tables):
            positions = np.flatnonzero(has_partner[number][tokens])
            heads = coins[number].random(len(ends)) < 0.5
            positions = positions[heads[np.searchsorted(ends, positions)]]
            tokens[positions] = table.draw(tokens[positions], random[number])
            n_swapped.append(len(positions))
        yield tokens, n_swapped
