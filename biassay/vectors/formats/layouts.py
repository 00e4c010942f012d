"""Layouts of text files of vectors, detected from their first lines."""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from biassay.vectors.formats import files

ENGLISH, CONCEPT = b"/c/en/", b"/c/"
_HEADER = re.compile(rb"[ \t]*(\d{1,18})[ \t]+(\d{1,18})[ \t]*\r?\n")


@dataclass(frozen=True)
class Layout:
    """Layout of the lines of a text file of vectors.

    Attributes
    ----------
    dimensions
        Numbers per line.
    separator
        Separator of words and numbers: a space or a tab.
    has_concepts
        Whether words are keys of Numberbatch, such as /c/en/woman.
    has_header
        Whether the first line is a header.
    count
        Number of words in the header; None without a header.
    """

    dimensions: int
    separator: bytes
    has_concepts: bool
    has_header: bool
    count: int | None


def detect(path: str | Path, block: bytes) -> Layout:
    """Detect the layout: from the header, else from the most common number of values of the first lines."""
    header = _HEADER.match(block)
    lines = [text for text in block[header.end() if header else 0 :].split(b"\n", 100)[:100] if text.strip()]
    counts = Counter(len(text.split()) - 1 for text in lines)
    dimensions = int(header[2]) if header else max(counts, key=counts.get, default=0)
    if dimensions < 1:
        problem = "a header with 0 dimensions" if header else "a word without numbers"
        raise ValueError(f"{path}, line 1: expected lines of a word and its numbers, got {problem}")
    if 2 * dimensions > files.MAX_ROW:
        raise ValueError(
            f"{path}, line 1: expected lines of at most {files.MAX_ROW:,} bytes, got {dimensions} dimensions"
        )
    first = lines[0] if lines else b""
    separator = b"\t" if b"\t" in first else b" "
    count = int(header[1]) if header else None
    return Layout(dimensions, separator, first.startswith(CONCEPT), header is not None, count)
