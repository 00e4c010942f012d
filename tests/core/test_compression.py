"""Compressed files of several streams, whole and damaged."""

import bz2
import io
import lzma

import pytest
from hypothesis import given
from hypothesis import strategies as st

from biassay.core import compression

COMPRESS = {".bz2": bz2.compress, ".xz": lzma.compress}
PARTS = [b"one " * 90_000, b"two " * 90_000]  # several blocks


def read(suffix, content):
    return compression.OPENERS[suffix](io.BytesIO(content)).read()


@pytest.mark.parametrize("suffix", COMPRESS)
@given(parts=st.lists(st.binary(max_size=40), min_size=1, max_size=4), padding=st.integers(0, 2))
def test_all_streams_are_read(suffix, parts, padding):
    content = b"".join(COMPRESS[suffix](part) + bytes(4 * padding) for part in parts)
    assert read(suffix, content) == b"".join(parts)


@pytest.mark.parametrize("suffix", COMPRESS)
def test_long_streams_and_padding_of_several_blocks(suffix, monkeypatch):
    monkeypatch.setattr(compression, "BLOCK", 64)
    assert read(suffix, bytes(1000).join(map(COMPRESS[suffix], PARTS))) == b"".join(PARTS)


@pytest.mark.parametrize("suffix", COMPRESS)
@pytest.mark.parametrize("damage", [lambda a, b: a + b"X" + b[1:], lambda a, b: a + b[:-4], lambda a, b: a + b"more"])
def test_damage_behind_a_stream_is_an_error(suffix, damage):
    with pytest.raises((OSError, EOFError, lzma.LZMAError)):
        read(suffix, damage(*map(COMPRESS[suffix], PARTS)))
