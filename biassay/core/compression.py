"""Readers of compressed files; those of bz2 and lzma end silently at damage behind a stream."""

import bz2
import gzip
import io
import lzma
from collections.abc import Iterator
from typing import Any, BinaryIO

BLOCK = 1 << 18  # bytes read from a file, and at most decompressed, at a time


class _Streams(io.RawIOBase):
    """What the blocks hold, as a file."""

    def __init__(self, blocks: Iterator[bytes]) -> None:
        self._blocks, self._rest = blocks, memoryview(b"")

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        self._rest = self._rest or memoryview(next(self._blocks, b""))
        taken, self._rest = self._rest[: len(buffer)], self._rest[len(buffer) :]
        buffer[: len(taken)] = taken
        return len(taken)


def _decompress(file: BinaryIO, kind: type) -> Iterator[bytes]:
    """Yield what the compressed streams of a file hold; between them may be zeros, which .xz has as padding."""
    data = file.read(BLOCK)
    while data:
        stream = kind()
        while not stream.eof:
            if stream.needs_input and not data:
                raise EOFError("the file ends within a compressed stream")
            if block := stream.decompress(data, BLOCK):
                yield block
            data = file.read(BLOCK) if stream.needs_input and not stream.eof else b""
        data = stream.unused_data.lstrip(b"\0")
        while not data and (more := file.read(BLOCK)):
            data = more.lstrip(b"\0")


def _open(file: BinaryIO, kind: type) -> BinaryIO:
    return io.BufferedReader(_Streams(_decompress(file, kind)), BLOCK)


OPENERS = {  # of an opened file, by its suffix
    ".gz": gzip.open,
    ".bz2": lambda file: _open(file, bz2.BZ2Decompressor),
    ".xz": lambda file: _open(file, lzma.LZMADecompressor),
}
