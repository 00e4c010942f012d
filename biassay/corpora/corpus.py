"""An encoded corpus on disk: memory-mapped token ids, and a vocabulary with counts."""

import json
import logging
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from biassay.core import arrays, guard, vocabulary
from biassay.core.logs import Progress
from biassay.corpora import plain_text

END = -1  # the id that ends a sentence or line; no window crosses it
CHUNK = 1 << 22  # tokens per chunk when a corpus is read
LONGEST = 10_000  # tokens of a sentence; gensim drops those behind
FILES = ("tokens.npy", "words.txt", "counts.npy", "summary.json")


@dataclass(frozen=True)
class Corpus:
    """Token ids and vocabulary of a corpus.

    `tokens` (n_tokens,), int32, has END after each sentence. Ids are sorted by decreasing count (in a counterfactual
    corpus, by the counts of the original corpus), as are `words` and `counts` (n_words,), int64.
    """

    tokens: np.ndarray
    words: list[str]
    counts: np.ndarray

    @classmethod
    def open(cls, folder: str | Path) -> "Corpus":
        """Open a folder that `encode` wrote; the tokens stay on disk.

        Reads all tokens once to check them for compiled code. Raises ValueError if a file is broken or does not fit.
        """
        folder = Path(folder)
        words = vocabulary.read(folder / "words.txt")
        tokens = arrays.open_array(folder / "tokens.npy", "i", (None,))
        min_id, max_id = arrays.find_extremes(tokens)
        if len(tokens) and (not END <= min_id <= max_id < len(words) or tokens[-1] != END):
            raise ValueError(
                f"{folder / 'tokens.npy'}: expected ids from 0 to {len(words) - 1}, with {END} after each sentence, "
                f"got ids from {min_id} to {max_id}, the last {tokens[-1]}"
            )
        counts = arrays.open_array(folder / "counts.npy", "i", (len(words),))
        if len(counts) and counts.min() < 1:
            raise ValueError(f"{folder / 'counts.npy'}: expected counts ≥ 1, got {counts.min()}")
        if len(counts) and counts.max() > len(tokens):
            raise ValueError(
                f"{folder / 'counts.npy'}: expected counts ≤ {len(tokens):,}, the number of tokens, "
                f"got {counts.max():,}"
            )
        return cls(tokens, words, np.array(counts))

    def sentences(self) -> Iterator[list[int]]:
        """Yield sentences as lists of ids. Sentences of more than LONGEST tokens are split."""
        for chunk in self.chunks():
            ends = np.flatnonzero(chunk == END)
            ids, start = chunk.tolist(), 0
            for end in ends.tolist():
                for first in range(start, end, LONGEST):
                    yield ids[first : min(first + LONGEST, end)]
                start = end + 1

    def chunks(self) -> Iterator[np.ndarray]:
        """Yield the tokens in chunks of about CHUNK tokens, each of whole sentences."""
        start = 0
        while start < len(self.tokens):
            stop = min(start + CHUNK, len(self.tokens))
            while self.tokens[stop - 1] != END:
                stop += 1
            yield np.asarray(self.tokens[start:stop])
            start = stop


def encode(
    paths: list[str], folder: str, *, min_count: int, boundaries: str = "sentence", markup: bool = False
) -> dict:
    """Tokenise text files into `folder`: tokens.npy, words.txt, counts.npy and summary.json; return the summary.

    The first pass writes provisional ids; the second pass replaces them by ids sorted by decreasing count, then by
    word. Memory holds one block of text and the vocabulary. Words that occur less than `min_count` times are dropped.
    `boundaries` is what windows do not cross: the end of a "sentence" or of a "line"; `markup` says whether the text
    has tags, as wikiextractor writes them. Raises ValueError if a file is not text or lacks tags, or no word
    occurs often enough.
    """
    out = Path(folder)
    raw = out / "tokens.raw"
    try:
        with guard.naming(raw):
            ids, counts, n_read = _encode_provisionally(paths, raw, boundaries, markup)
        words = [word for word in ids if any(map(str.isalpha, word))]  # not MARK, nor combining marks alone
        counts = counts[[ids[word] for word in words]]
        order = sorted(np.flatnonzero(counts >= min_count).tolist(), key=lambda i: (-counts[i], words[i]))
        if not order:
            raise ValueError(
                f"{', '.join(paths[:3])}: no word occurs {min_count} times or more ({n_read:,} tokens, "
                f"{len(words):,} distinct words); lower min_count, or check that the files are text"
            )
        final_ids = np.full(len(ids), END - 1, dtype=np.int32)
        final_ids[[ids[words[i]] for i in order]] = np.arange(len(order))
        final_ids[ids[plain_text.MARK]] = END
        n_sentences, n_tokens = _renumber(raw, out / "tokens.npy", final_ids)
    finally:
        raw.unlink(missing_ok=True)
    summary = {
        "tokens_read": n_read,
        "tokens": n_tokens,
        "sentences": n_sentences,
        "words_read": len(words),
        "words": len(order),
        "min_count": min_count,
    }
    write_vocabulary(out, [words[i] for i in order], counts[order].astype(np.int64), summary)
    logging.info("%d tokens in %d sentences; kept %d of %d words", n_tokens, n_sentences, len(order), len(words))
    return summary


def read_summary(folder: str | Path) -> dict:
    """Read the summary that `encode` wrote; raise ValueError if it is damaged."""
    path = Path(folder) / "summary.json"
    with guard.reading(path, "summary of a corpus"):
        return dict(json.loads(path.read_text("utf-8")))


def write_vocabulary(folder: Path, words: list[str], counts: np.ndarray, summary: dict) -> None:
    """Write words, counts and summary beside the tokens; after an error nothing remains, not even the tokens."""
    with guard.writing(*(folder / name for name in FILES)):
        vocabulary.write(folder / "words.txt", words)
        arrays.save(folder / "counts.npy", counts)
        (folder / "summary.json").write_text(json.dumps(summary, indent=1) + "\n")


def _encode_provisionally(paths: list[str], raw: Path, boundaries: str, markup: bool) -> tuple[dict, np.ndarray, int]:
    """Write text as provisional ids to `raw`; return the ids of words, their counts and the number of tokens."""
    progress = Progress("reading", sum(Path(path).stat().st_size for path in paths) / 1e6, "MB on disk")
    ids, counts, n_read = defaultdict(None, {plain_text.MARK: 0}), np.zeros(1, dtype=np.int64), 0
    ids.default_factory = ids.__len__  # a new word gets the next id
    with open(raw, "wb") as out:
        for path in paths:
            size, done = Path(path).stat().st_size / 1e6, 0.0
            for block, position in plain_text.read_blocks(path, markup):
                words = plain_text.split_words(block, boundaries, markup)
                block_ids = np.fromiter(map(ids.__getitem__, words), dtype=np.int32, count=len(words))
                out.write(block_ids.data)
                block_counts = np.bincount(block_ids, minlength=len(ids))
                counts = np.pad(counts, (0, len(ids) - len(counts))) + block_counts
                n_read = int(counts[1:].sum())
                progress.add(position / 1e6 - done, f"{n_read / 1e6:.1f} M tokens")
                done = position / 1e6
            out.write(bytes(4))  # the end of a file ends a sentence
            progress.add(size - done)
    ids.default_factory = None
    return ids, counts, n_read


def _renumber(raw: Path, path: Path, final_ids: np.ndarray) -> tuple[int, int]:
    """Replace provisional by final ids, without dropped words and empty sentences; return (n_sentences, n_tokens)."""
    n_sentences, last = 0, END
    with open(raw, "rb") as provisional, arrays.Writer(path, np.int32) as final:
        while len(ids := final_ids[np.fromfile(provisional, np.int32, CHUNK)]):
            ids = ids[ids >= END]
            previous = np.concatenate(([last], ids[:-1]))
            ids = ids[(ids != END) | (previous != END)]
            last = ids[-1] if len(ids) else last
            n_sentences += int((ids == END).sum())
            final.append(ids)
    return n_sentences, final.length - n_sentences
