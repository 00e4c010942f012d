"""How the lines of a text of vectors are laid out, as its first ones tell."""

import re
from collections import Counter
from dataclasses import dataclass
from pathlib import Path

from biassay.vectors.formats import files

ENGLISH, CONCEPT = b"/c/en/", b"/c/"
_HEADER = re.compile(rb"[ \t]*(\d{1,18})[ \t]+(\d{1,18})[ \t]*\r?\n")


@dataclass(frozen=True)
class Layout:
    """What the first lines tell: d numbers a line, whether keys are Numberbatch's /c/en/…, the header's word count."""

    dimensions: int
    separator: bytes
    concepts: bool
    header: bool
    count: int | None


def find(path: str | Path, block: bytes) -> Layout:
    """Find the header and, without one, the number of values that most of the first lines have."""
    header = _HEADER.match(block)
    lines = [text for text in block[header.end() if header else 0 :].split(b"\n", 100)[:100] if text.strip()]
    counts = Counter(len(text.split()) - 1 for text in lines)
    dimensions = int(header[2]) if header else max(counts, key=counts.get, default=0)
    if dimensions < 1:
        what = "the header says 0 dimensions" if header else "no number stands behind the word"
        raise ValueError(f"{path}, line 1: {what}; needs lines of a word and its numbers")
    if 2 * dimensions > files.LONGEST:
        raise ValueError(
            f"{path}, line 1: the header says {dimensions} dimensions; a line may have {files.LONGEST:,} bytes"
        )
    first = lines[0] if lines else b""
    separator = b"\t" if b"\t" in first else b" "
    count = int(header[1]) if header else None
    return Layout(dimensions, separator, first.startswith(CONCEPT), header is not None, count)
