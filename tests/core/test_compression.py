"""Compressed files of several streams, whole and damaged."""

import bz2
import io
import lzma

import pytest

from biassay.core import compression

COMPRESS = {".bz2": bz2.compress, ".xz": lzma.compress}
PARTS = [b"one " * 90_000, b"two " * 90_000]  # several blocks


def read(suffix, content):
    return compression.OPENERS[suffix](io.BytesIO(content)).read()


@pytest.mark.parametrize("padding", [b"", bytes(4), bytes(1000)])
@pytest.mark.parametrize("suffix", COMPRESS)
def test_all_streams_are_read(suffix, padding, monkeypatch):
    monkeypatch.setattr(compression, "BLOCK", 64)
    assert read(suffix, padding.join(map(COMPRESS[suffix], [b"", *PARTS, b""])) + padding) == b"".join(PARTS)


@pytest.mark.parametrize("suffix", COMPRESS)
@pytest.mark.parametrize("damage", [lambda a, b: a + b"X" + b[1:], lambda a, b: a + b[:-4], lambda a, b: a + b"more"])
def test_damage_behind_a_stream_is_an_error(suffix, damage):
    with pytest.raises((OSError, EOFError, lzma.LZMAError)):
        read(suffix, damage(*map(COMPRESS[suffix], PARTS)))
