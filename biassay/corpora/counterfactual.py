"""A corpus without the bias of another: two groups' words are turned into each other in sentences chosen at random.

Counterfactual data substitution (Hall Maudslay et al. 2019, there by document): a fair coin a sentence, so that in
expectation no context outside of the lists can tell the groups apart.
"""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from biassay.corpora.corpus import END, FILES, Corpus
from biassay.support import arrays, guard, vocabulary
from biassay.support.logs import Progress
from biassay.words import target_lists

RARE = 20  # words that occur less often stay, as by chance none might be left of them


@dataclass(frozen=True)
class Partners:
    """The words that a word may be turned into, of the other group.

    start: (|W| + 1,) int64, word w has the partners at start[w] to start[w + 1]. partner: (n,) int32, their ids. upto:
    (n,) float64, w + the share, 0 to 1, of the word's partners up to this one, so that it ascends over all words.
    """

    start: np.ndarray
    partner: np.ndarray
    upto: np.ndarray

    @property
    def has_any(self) -> np.ndarray:
        """(|W| + 1,) bool; the last one, which END points at, is False."""
        return np.append(np.diff(self.start) > 0, False)

    def draw(self, ids: np.ndarray, random: np.random.Generator) -> np.ndarray:
        """A partner of each of `ids`, which must have one, drawn by frequency."""
        places = np.searchsorted(self.upto, ids + random.random(len(ids)), side="right")
        return self.partner[np.clip(places, self.start[ids], self.start[ids + 1] - 1)]


def partners(path: str | Path, words: list[str], counts: np.ndarray) -> Partners:
    """Partners by a file of two groups (see `silhouette.lists`), lower-cased.

    Paired groups: the word beside it. Else words are paired by their rank in frequency, where those of the longer group
    go round the shorter one again. A word with several partners draws one by its frequency. None have words of both
    groups, rarer than RARE, or not in the vocabulary. Raises ValueError for a faulty file and if no word has a partner.
    """
    groups, paired = target_lists.read_groups(path, lower=True, allow_duplicates=True)
    ids = {word: i for i, word in enumerate(words) if counts[i] >= RARE}
    first, second = groups.values()
    both = set(first) & set(second)
    if paired:
        pairs = [(a, b) for a, b in zip(first, second, strict=True) if not both & {a, b} and a in ids and b in ids]
        pairs = [(ids[a], ids[b]) for a, b in pairs]
    else:
        ranked = [_ranked([ids[w] for w in group if w in ids and w not in both], counts) for group in (first, second)]
        length = max(map(len, ranked)) if all(ranked) else 0
        pairs = [(ranked[0][i % len(ranked[0])], ranked[1][i % len(ranked[1])]) for i in range(length)]
    if not pairs:
        raise ValueError(
            f"{path}: no word has a partner that is {RARE} times or more in the corpus; choose other words"
        )
    logging.info("%s: %d pairs in the corpus", path, len(pairs))
    return _partners(sorted(pairs + [(b, a) for a, b in pairs]), counts)


def _ranked(ids: list[int], counts: np.ndarray) -> list[int]:
    return sorted(ids, key=lambda i: (-counts[i], i))


def _partners(pairs: list[tuple[int, int]], counts: np.ndarray) -> Partners:
    """From (word, partner), sorted."""
    word, partner = np.array(pairs, dtype=np.int64).T
    start = np.searchsorted(word, np.arange(len(counts) + 1))
    weight = counts[partner].astype(float)
    total = np.bincount(word, weight, minlength=len(counts))[word]
    before = np.concatenate(([0], np.cumsum(weight)))[:-1]
    upto = word + (before + weight - before[start[word]]) / total
    return Partners(start, partner.astype(np.int32), upto)


def swap(source: str | Path, paths: list[str], folder: str | Path, *, seed: int) -> dict:
    """Write the counterfactual of the encoded corpus in `source` to `folder`, with the same vocabulary and counts anew.

    A sentence and file of `paths` has one fair coin, which says whether all its words of the file's groups are turned.
    The files are applied one after another; where a word is in several, that no context tells the groups apart is exact
    for the last of them only. Ids do not quite fall by count any more. Returns the summary: the source's, and how many
    tokens were turned by each file. Raises ValueError for a faulty file or one that is given twice, and if a word
    does not occur any more.
    """
    guard.check_different("swap", paths)
    corpus, out = Corpus.open(source), Path(folder)
    with guard.reading(Path(source) / "summary.json", "summary of a corpus"):
        summary = dict(json.loads((Path(source) / "summary.json").read_text("utf-8")))
    tables = [partners(path, corpus.words, corpus.counts) for path in paths]
    counts, turned = np.zeros(len(corpus.words), dtype=np.int64), np.zeros(len(paths), dtype=np.int64)
    progress = Progress("swapping", len(corpus.tokens) / 1e6, "M tokens")
    with arrays.Writer(out / "tokens.npy", np.int32) as writer:
        for tokens, places in _swapped(corpus, tables, seed):
            counts += np.bincount(tokens[tokens != END], minlength=len(counts))
            turned += places
            writer.append(tokens)
            progress.add(len(tokens) / 1e6)
        if not counts.all():
            word = corpus.words[int(np.argmin(counts))]
            raise ValueError(f"{source}: no {word!r} is left after the swap; raise the corpus's min_count")
    summary |= {"swapped": dict(zip(map(str, paths), turned.tolist(), strict=True))}
    with guard.writing(*(out / name for name in FILES)):
        vocabulary.write(out / "words.txt", corpus.words)
        arrays.save(out / "counts.npy", counts)
        (out / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")
    logging.info("turned: %s", ", ".join(f"{count} by {path}" for path, count in summary["swapped"].items()))
    return summary


def _swapped(corpus: Corpus, tables: list[Partners], seed: int) -> Iterator[tuple[np.ndarray, list[int]]]:
    """Chunks of tokens after the swap, each with how many of them every table turned."""
    coins = [np.random.default_rng([seed, 5, number]) for number in range(len(tables))]
    draws = [np.random.default_rng([seed, 6, number]) for number in range(len(tables))]
    has_any = [table.has_any for table in tables]
    for chunk in corpus.chunks():
        tokens, turned = chunk.copy(), []
        ends = np.flatnonzero(tokens == END)
        for number, table in enumerate(tables):
            places = np.flatnonzero(has_any[number][tokens])
            heads = coins[number].random(len(ends)) < 0.5
            places = places[heads[np.searchsorted(ends, places)]]
            tokens[places] = table.draw(tokens[places], draws[number])
            turned.append(len(places))
        yield tokens, turned
