"""Conversion of Wikipedia dumps to plain text: one paragraph per line, an empty line after each article."""

import hashlib
import heapq
import logging
import multiprocessing
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

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
    """Write the articles of dumps as plain text; return their number.

    Skips redirects, other pages and articles of more than `dump.MAX_LENGTH` characters; the log counts the latter.
    Memory holds 2 × threads batches of markup and, when sampling, three numbers per article.

    With `articles`, those with the smallest hashes of seed and page id are sampled, independent of the order of pages
    and of the number of worker processes, `threads`. Raises ValueError if a file is not a dump, or no article of
    `min_words` remains.
    """
    draft, sampled = Path(f"{out}.draft"), Path(f"{out}.chosen")
    heap: list[tuple[int, int, int]] = []  # (−hash, start, length) of the sampled articles
    n_written = 0

    def is_beyond_sample(number: int) -> bool:
        return articles is not None and len(heap) == articles and -_hash(seed, number) < heap[0][0]

    with guard.writing(draft, sampled), open(draft, "w+b") as file:
        pages = (page for path in paths for page in dump.read(path) if not is_beyond_sample(page.number))
        for number, lines in _clean_pages(pages, threads):
            if sum(len(line.split()) for line in lines) < min_words or is_beyond_sample(number):
                continue
            content = ("\n".join(lines) + "\n\n").encode()
            if articles:
                heapq.heappush(heap, (-_hash(seed, number), file.tell(), len(content)))
                if len(heap) > articles:
                    heapq.heappop(heap)
            file.write(content)
            n_written += 1
        if not n_written:
            raise ValueError(f"{', '.join(paths[:3])}: no article has {min_words} words or more")
        if articles:
            n_written = len(heap)
            with open(sampled, "wb") as output:
                for _, start, length in sorted(heap, key=lambda entry: entry[1]):
                    file.seek(start)
                    output.write(file.read(length))
        file.close()
        (sampled if articles else draft).replace(out)
    draft.unlink(missing_ok=True)
    logging.info("wrote %d articles", n_written)
    if articles and n_written < articles:
        logging.warning("expected %d articles, found only %d", articles, n_written)
    return n_written


def _clean_pages(pages: Iterable[dump.Page], threads: int) -> Iterator[tuple[int, list[str]]]:
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


def _hash(seed: int, number: int) -> int:
    return int.from_bytes(hashlib.blake2b(f"{seed}:{number}".encode(), digest_size=7).digest())
