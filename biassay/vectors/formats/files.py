"""Files of word vectors, opened through their compression and recognised by how they begin."""

import bz2
import gzip
import io
import lzma
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

import numpy as np

from biassay.support import guard

BLOCK = 1 << 20  # bytes read at a time, few enough for the processor's cache
LONGEST = 1 << 22  # bytes that a word and its numbers may have
LARGEST = float(np.finfo(np.float32).max)  # number that is kept
HEAD = 1 << 16
COMPRESSED = {b"\x1f\x8b": gzip.open, b"BZh": bz2.open, b"\xfd7zXZ\x00": lzma.open}
STARTS = {
    b"\x89HDF\r\n\x1a\n": "hdf",
    b"PK\x03\x04": "zip",
    b"\x93NUMPY": "npy",
    b"\xba\x16\x4f\x2f": "fasttext",
    b"\x80\x02": "pickle",
    b"\x80\x03": "pickle",
    b"\x80\x04": "pickle",
    b"\x80\x05": "pickle",
}
CONTROL = bytes(code for code in range(32) if code not in b"\t\n\v\f\r")


@contextmanager
def opened(path: str | Path) -> Iterator[BinaryIO]:
    """Open a file's bytes, decompressed if it begins as gzip, bzip2 or xz does.

    Raises ValueError, naming the file, where the block cannot read it, as its compression is broken or cut off, and
    where it unpacks to more than guard.RATIO times its size.
    """
    opener = _opener(path)
    with guard.reading(path, "file of vectors" if opener is open else "compressed file"), opener(path, "rb") as file:
        yield file if opener is open else io.BufferedReader(guard.Unpacked(path, file))


def kind(path: str | Path) -> str:
    """What a file holds: "hdf", "zip", "npy", "fasttext", "pickle", "binary" (word2vec's) or "text".

    Raises ValueError if it is empty, or no file that can be read more than once, such as a pipe.
    """
    if Path(path).exists() and not Path(path).is_file():
        raise ValueError(f"{path}: no regular file")
    with opened(path) as file:
        head = file.read(HEAD)
    if not head.strip():
        raise ValueError(f"{path}: is empty")
    for start, name in STARTS.items():
        if head.startswith(start):
            return name
    named = Path(path).name.lower().endswith((".bin", ".bin.gz", ".bin.bz2", ".bin.xz"))
    return "binary" if named or head.translate(None, CONTROL) != head else "text"


def compressed(path: str | Path) -> bool:
    """Whether a file begins as a compressed one."""
    return _opener(path) is not open


def _opener(path):
    with open(path, "rb") as file:
        head = file.read(8)
    return next((opener for start, opener in COMPRESSED.items() if head.startswith(start)), open)
