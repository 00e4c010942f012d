"""A corpus on disk: token ids (memory-mapped) beside a vocabulary with counts."""

import json
import logging
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from biassay.corpora import plain_text
from biassay.support import arrays, guard, vocabulary
from biassay.support.logs import Progress

END = -1  # the id that ends a sentence (or line): no window reaches over it
CHUNK = 1 << 22  # tokens a chunk, where a corpus is gone through
FILES = ("tokens.npy", "words.txt", "counts.npy", "summary.json")


@dataclass(frozen=True)
class Corpus:
    """Token ids and vocabulary of a corpus.

    tokens: (n,) int32, ids by falling count (in a counterfactual corpus, by its source's), END after every
    sentence. words: the vocabulary in the order of the ids. counts: (|W|,) int64, how often each word occurs.
    """

    tokens: np.ndarray
    words: list[str]
    counts: np.ndarray

    @classmethod
    def open(cls, folder: str | Path) -> "Corpus":
        """Open a folder that `encode` wrote; the tokens stay on disk.

        Raises ValueError, naming the file, for what is broken or does not fit together: compiled code goes through the
        tokens. They are read once for that, in blocks, which takes no memory and 0.05 s for 50 million in the cache.
        """
        folder = Path(folder)
        words = vocabulary.read(folder / "words.txt")
        tokens = arrays.open_array(folder / "tokens.npy", "i", (None,))
        least, greatest = arrays.find_extremes(tokens)
        if len(tokens) and (not END <= least <= greatest < len(words) or tokens[-1] != END):
            raise ValueError(
                f"{folder / 'tokens.npy'}: needs ids of {len(words)} words, and {END} where a sentence ends, also at "
                f"the end; has {least} to {greatest}"
            )
        counts = arrays.open_array(folder / "counts.npy", "i", (len(words),))
        if len(counts) and counts.min() < 1:
            raise ValueError(f"{folder / 'counts.npy'}: has counts below 1")
        if len(counts) and counts.max() > len(tokens):
            most = f"a count of {counts.max():,}; there are {len(tokens):,} tokens"
            raise ValueError(f"{folder / 'counts.npy'}: has {most}")
        return cls(tokens, words, np.array(counts))

    def sentences(self, longest: int = 10_000) -> Iterator[list[int]]:
        """Yield sentences as lists of ids, those over `longest` tokens in pieces."""
        for chunk in self.chunks():
            ends = np.flatnonzero(chunk == END)
            ids, start = chunk.tolist(), 0
            for end in ends.tolist():
                for piece in range(start, end, longest):
                    yield ids[piece : min(piece + longest, end)]
                start = end + 1

    def boundary(self, part: int, parts: int) -> int:
        """Where part `part` of `parts` equal ones begins, moved on to where a sentence does."""
        place = part * len(self.tokens) // parts
        while 0 < place < len(self.tokens) and self.tokens[place - 1] != END:
            place += 1
        return place

    def chunks(self) -> Iterator[np.ndarray]:
        """Yield the tokens in chunks of about CHUNK that end with a sentence."""
        start = 0
        while start < len(self.tokens):
            stop = min(start + CHUNK, len(self.tokens))
            while self.tokens[stop - 1] != END:
                stop += 1
            yield np.asarray(self.tokens[start:stop])
            start = stop


class _Ids(dict):
    """Word to provisional id, a new one for each new word."""

    def __missing__(self, word: str) -> int:
        self[word] = number = len(self)
        return number


def encode(
    paths: list[str], folder: str, *, min_count: int, boundaries: str = "sentence", markup: bool = False
) -> dict:
    """Tokenise text files into `folder`: tokens.npy, words.txt, counts.npy, summary.json.

    Two passes: the text is read once and written as provisional ids, which are then sorted by count, words rarer than
    `min_count` dropped. Memory holds one block of text and the vocabulary. Ties in count are broken by the alphabet.
    Returns the summary. Raises ValueError, naming the file, for what is not text, a file that is given twice, and if no
    word is left.
    """
    guard.check_different("corpus", paths)
    out = Path(folder)
    raw = out / "tokens.raw"
    try:
        with guard.naming(raw):
            ids, counts, read = _read(paths, raw, boundaries, markup)
        words = [word for word in ids if word != plain_text.MARK]
        counts = counts[[ids[word] for word in words]]
        order = sorted(np.flatnonzero(counts >= min_count).tolist(), key=lambda i: (-counts[i], words[i]))
        if not order:
            raise ValueError(
                f"{', '.join(paths[:3])}: no word occurs {min_count} times or more ({read:,} tokens in "
                f"{len(words):,} words were read); lower min_count or check that this is text"
            )
        new = np.full(len(ids), END - 1, dtype=np.int32)
        new[[ids[words[i]] for i in order]] = np.arange(len(order))
        new[ids[plain_text.MARK]] = END
        sentences, kept = _renumber(raw, out / "tokens.npy", new)
    finally:
        raw.unlink(missing_ok=True)
    summary = {
        "tokens_read": read, "tokens": kept, "sentences": sentences, "words_read": len(words), "words": len(order),
        "min_count": min_count,
    }  # fmt: skip
    with guard.writing(*(out / name for name in FILES)):
        vocabulary.write(out / "words.txt", [words[i] for i in order])
        arrays.save(out / "counts.npy", counts[order].astype(np.int64))
        (out / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")
    logging.info("%d tokens in %d sentences, %d of %d words kept", kept, sentences, len(order), len(words))
    return summary


def _read(paths: list[str], raw: Path, boundaries: str, markup: bool) -> tuple[_Ids, np.ndarray, int]:
    """First pass: the text as provisional ids in `raw`; vocabulary, counts and the number of tokens read."""
    progress = Progress("reading", sum(Path(path).stat().st_size for path in paths) / 1e6, "MB on disk")
    ids, counts, read = _Ids({plain_text.MARK: 0}), np.zeros(1, dtype=np.int64), 0
    with open(raw, "wb") as out:
        for path in paths:
            size, done = Path(path).stat().st_size / 1e6, 0.0
            for block, position in plain_text.read_blocks(path):
                found = plain_text.split_words(block, boundaries, markup)
                block_ids = np.fromiter(map(ids.__getitem__, found), dtype=np.int32, count=len(found))
                out.write(block_ids.data)
                block_counts = np.bincount(block_ids, minlength=len(ids))
                counts = np.pad(counts, (0, len(ids) - len(counts))) + block_counts
                read = int(counts[1:].sum())
                progress.add(position / 1e6 - done, f"{read / 1e6:.1f} M tokens")
                done = position / 1e6
            out.write(bytes(4))  # a file's end is a sentence's end
            progress.add(size - done)
    return ids, counts, read


def _renumber(raw: Path, path: Path, new: np.ndarray) -> tuple[int, int]:
    """Second pass: provisional ids to final ones, dropped words and empty sentences left out; (sentences, tokens)."""
    sentences, last = 0, END
    with open(raw, "rb") as provisional, arrays.Writer(path, np.int32) as final:
        while len(ids := new[np.fromfile(provisional, np.int32, CHUNK)]):
            ids = ids[ids >= END]
            previous = np.concatenate(([last], ids[:-1]))
            ids = ids[(ids != END) | (previous != END)]
            last = ids[-1] if len(ids) else last
            sentences += int((ids == END).sum())
            final.append(ids)
    return sentences, final.length - sentences
