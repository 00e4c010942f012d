"""Conversion of Wikipedia dumps to plain text: one paragraph per line, an empty line after each article."""

import hashlib
import heapq
import logging
import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from biassay.core import guard
from biassay.corpora import dump, wikitext

BATCH = 1_000_000  # characters of markup per batch of a worker


def extract(
    paths: list[str],
    out: str | Path,
    *,
    articles: int | None = None,
    min_words: int = 1,
    seed: int = 1,
    threads: int = 1,
) -> int:
    """Write the articles of dumps as plain text.

    Skips redirects, other pages and articles of more than `dump.MAX_LENGTH` characters; the log counts the latter.
    Memory holds 2 × threads batches of markup and, when sampling, three numbers per article.

    Parameters
    ----------
    paths
        Dumps (.xml, or compressed).
    out
        Output file.
    articles
        Number of articles to sample: those with the smallest hashes of seed and page id, independent of the order of
        pages and of the number of threads. None writes all articles.
    min_words
        Skip shorter articles.
    seed
        Seed of the sample.
    threads
        Number of worker processes.

    Returns
    -------
    int
        The number of articles written.

    Raises
    ------
    ValueError
        If a file is not a dump or is listed twice, or no article remains.
    """
    guard.check_different("dumps", paths)
    draft, sampled = Path(f"{out}.draft"), Path(f"{out}.chosen")
    with guard.writing(draft, sampled), open(draft, "w+b") as file:
        sample = _Sample(file, articles, seed)
        pages = (page for path in paths for page in dump.read(path) if sample.may_take(page.number))
        for number, lines in _in_parallel(pages, threads):
            if sum(len(line.split()) for line in lines) >= min_words:
                sample.add(number, ("\n".join(lines) + "\n\n").encode())
        if not sample.count:
            raise ValueError(f"{', '.join(paths[:3])}: no article has {min_words} words or more")
        logging.info("wrote %d of %d articles", sample.count, sample.n_read)
        if articles:
            sample.write(sampled)
        file.close()
        (sampled if articles else draft).replace(out)
    draft.unlink(missing_ok=True)
    return sample.count


def _in_parallel(pages: Iterable[dump.Page], threads: int) -> Iterator[tuple[int, list[str]]]:
    """Yield page ids and paragraphs in the order of the pages, with few batches in memory."""
    if threads == 1:
        for batch in _batches(pages):
            yield from _clean(batch)
        return
    waiting = deque()
    with ProcessPoolExecutor(threads, mp_context=multiprocessing.get_context()) as pool:
        for batch in _batches(pages):
            waiting.append(pool.submit(_clean, batch))
            if len(waiting) > 2 * threads:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _batches(pages: Iterable[dump.Page]) -> Iterator[list[dump.Page]]:
    """Yield pages in batches of about BATCH characters."""
    batch, size = [], 0
    for page in pages:
        batch.append(page)
        size += len(page.markup)
        if size >= BATCH:
            yield batch
            batch, size = [], 0
    yield batch


def _clean(batch: list[dump.Page]) -> list[tuple[int, list[str]]]:
    return [(page.number, wikitext.paragraphs(page.markup, page.namespaces)) for page in batch]


@dataclass
class _Sample:
    """The articles with the smallest hashes, or all if `size` is None. Texts go to a file when they are added."""

    file: BinaryIO
    size: int | None
    seed: int
    count: int = 0
    n_read: int = 0
    heap: list = field(default_factory=list)  # (−hash, start, length) of the articles in the sample

    def may_take(self, number: int) -> bool:
        """Whether an article can still enter the sample; called before its text is processed."""
        self.n_read += 1
        return not self._is_full() or -self._hash(number) > self.heap[0][0]

    def add(self, number: int, content: bytes) -> None:
        """Add an article if its hash is among the smallest so far; it replaces the article with the largest hash."""
        if self.size:
            entry = (-self._hash(number), self.file.tell(), len(content))
            if self._is_full() and entry < self.heap[0]:
                return
            (heapq.heapreplace if self._is_full() else heapq.heappush)(self.heap, entry)
        self.count = len(self.heap) if self.size else self.count + 1
        self.file.write(content)

    def write(self, out: Path) -> None:
        """Write the sampled articles in the order of the dump."""
        if len(self.heap) < self.size:
            logging.warning("expected %d articles, found only %d", self.size, len(self.heap))
        with open(out, "wb") as output:
            for start, length in sorted(entry[1:] for entry in self.heap):
                self.file.seek(start)
                output.write(self.file.read(length))

    def _is_full(self) -> bool:
        return bool(self.size) and len(self.heap) == self.size

    def _hash(self, number: int) -> int:
        return int.from_bytes(hashlib.blake2b(f"{self.seed}:{number}".encode(), digest_size=7).digest())
