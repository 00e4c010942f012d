"""Files of word vectors, opened through their compression and recognised by how they begin."""

import bz2
import gzip
import lzma
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

BLOCK = 1 << 20  # bytes read at a time, few enough for the processor's cache
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

    Raises ValueError, naming the file, where its compression is broken or cut off.
    """
    opener = _opener(path)
    try:
        with opener(path, "rb") as file:
            yield file
    except (EOFError, lzma.LZMAError, zlib.error, gzip.BadGzipFile) as error:
        raise ValueError(f"{path}: broken compressed file ({error})") from error
    except OSError as error:
        if error.errno is None and opener is bz2.open:  # bz2 reports garbage so
            raise ValueError(f"{path}: broken compressed file ({error})") from error
        raise


def kind(path: str | Path) -> str:
    """What a file holds: "hdf", "zip", "npy", "fasttext", "pickle", "binary" (word2vec's) or "text".

    Raises ValueError if it is empty.
    """
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
