"""Wikipedia's XML dumps to plain text: a paragraph a line, an empty line after each article."""

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

from biassay.corpora import dump, wikitext
from biassay.support import guard

BATCH = 1_000_000  # characters of markup that a worker gets at once


def extract(
    paths: list[str],
    out: str | Path,
    *,
    articles: int | None = None,
    min_words: int = 1,
    seed: int = 1,
    threads: int = 1,
) -> int:
    """Write the articles of dumps (.xml, or compressed) as plain text; how many there are.

    Redirects, pages that are no articles, articles of less than `min_words` words and, counted in the log, those of
    more than `dump.LONGEST` characters are left out. With `articles`,
    so many are sampled: those with the smallest hashes of `seed` and page id, whatever the order of pages and the
    number of threads. Memory holds 2 × threads batches of markup and, if sampling, three numbers an article.
    Raises ValueError, naming the file, for what is no dump, one that is given twice, and if no article is left.
    """
    guard.check_different("dumps", paths)
    draft, chosen = Path(f"{out}.draft"), Path(f"{out}.chosen")
    with guard.writing(draft, chosen), open(draft, "w+b") as file:
        sample = _Sample(file, articles, seed)
        pages = (page for path in paths for page in dump.read(path) if sample.may_take(page.number))
        for number, lines in _in_parallel(pages, threads):
            if sum(len(line.split()) for line in lines) >= min_words:
                sample.add(number, ("\n".join(lines) + "\n\n").encode())
        if not sample.count:
            raise ValueError(f"{', '.join(paths[:3])}: no article of {min_words} words or more was found")
        logging.info("%d articles of %d read", sample.count, sample.read)
        if articles:
            sample.write(chosen)
        file.close()
        (chosen if articles else draft).replace(out)
    draft.unlink(missing_ok=True)
    return sample.count


def _in_parallel(pages: Iterable[dump.Page], threads: int) -> Iterator[tuple[int, list[str]]]:
    """Page ids and paragraphs, in the order of the pages, with few batches waiting at a time."""
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
    """Pages in batches of about BATCH characters."""
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
    """The articles with the smallest hashes, all of them if `size` is None; texts go to a file as they are taken."""

    file: BinaryIO
    size: int | None
    seed: int
    count: int = 0
    read: int = 0
    heap: list = field(default_factory=list)  # (−hash, start, length) of those taken, if sampling

    def may_take(self, number: int) -> bool:
        """Whether an article can still be among the smallest, asked before its text is worked on."""
        self.read += 1
        return not self._full() or -self._hash(number) > self.heap[0][0]

    def add(self, number: int, content: bytes) -> None:
        """Take an article if it is among the smallest so far; the largest one goes for it."""
        if self.size:
            entry = (-self._hash(number), self.file.tell(), len(content))
            if self._full() and entry < self.heap[0]:
                return
            (heapq.heapreplace if self._full() else heapq.heappush)(self.heap, entry)
        self.count = len(self.heap) if self.size else self.count + 1
        self.file.write(content)

    def write(self, out: Path) -> None:
        """Write the sampled articles in the order of the dump."""
        if len(self.heap) < self.size:
            logging.warning("there are only %d articles, fewer than the %d wanted", len(self.heap), self.size)
        with open(out, "wb") as chosen:
            for start, length in sorted(entry[1:] for entry in self.heap):
                self.file.seek(start)
                chosen.write(self.file.read(length))

    def _full(self) -> bool:
        return bool(self.size) and len(self.heap) == self.size

    def _hash(self, number: int) -> int:
        return int.from_bytes(hashlib.blake2b(f"{self.seed}:{number}".encode(), digest_size=7).digest())
