"""Files of word vectors: decompression, and detection of the format by the first bytes."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np

from biassay.core import guard
from biassay.core.compression import OPENERS

BLOCK = 1 << 20  # bytes read at a time; fits in the processor's cache
MAX_ROW = 1 << 22  # bytes of a word and its numbers
MAX_VALUE = float(np.finfo(np.float32).max)
HEAD = 1 << 16
COMPRESSED = {b"\x1f\x8b": ".gz", b"BZh": ".bz2", b"\xfd7zXZ\x00": ".xz"}
STARTS = {
    b"\x89HDF\r\n\x1a\n": "hdf",
    b"PK\x03\x04": "zip",
    b"\x93NUMPY": "npy",
    b"PAR1": "columns",
    b"ARROW1": "columns",
    b"\xff\xff\xff\xff": "columns",  # a stream of Arrow batches
    b"\xba\x16\x4f\x2f": "fasttext",
    **{bytes([0x80, protocol]): "pickle" for protocol in range(2, 6)},
}
CONTROL = bytes(code for code in range(32) if code not in b"\t\n\v\f\r")


@contextmanager
def open_file(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file, decompressed if it is compressed; raise ValueError, naming the file, if it is broken."""
    suffix = find_compression(path)
    with guard.reading(path, "compressed file" if suffix else "file of vectors"), open(path, "rb") as file:
        yield OPENERS[suffix](file) if suffix else file


def detect_format(path: str | Path) -> str:
    """Detect the format of a file: "columns", "hdf", "zip", "npy", "fasttext", "pickle", "binary" (word2vec) or "text".

    Raises ValueError if the file is empty or cannot be read twice, such as a pipe.
    """
    if Path(path).exists() and not Path(path).is_file():
        raise ValueError(f"{path}: expected a regular file")
    with open_file(path) as file:
        head = file.read(HEAD)
    if not head.strip():
        raise ValueError(f"{path}: the file is empty")
    for start, name in STARTS.items():
        if head.startswith(start):
            return name
    has_binary_name = Path(path).name.lower().endswith((".bin", ".bin.gz", ".bin.bz2", ".bin.xz"))
    is_text = head.translate(None, CONTROL) == head and (not has_binary_name or _has_numbers(head))
    return "text" if is_text else "binary"


def _has_numbers(head: bytes) -> bool:
    """Whether the line after the header has numbers: gensim writes text by default, whatever the name of the file."""
    try:
        return bool([float(number) for number in head.split(b"\n", 2)[1].split()[1:-1]])  # the last may be cut
    except (ValueError, IndexError):
        return False


def find_compression(path: str | Path) -> str:
    """Return the suffix of a file's compression by its first bytes; "" without one."""
    with open(path, "rb") as file:
        head = file.read(8)
    return next((suffix for start, suffix in COMPRESSED.items() if head.startswith(start)), "")
