"""Text and encoded corpora that are broken, or made to take time and memory."""

import bz2
import gzip
import lzma

import pytest

from biassay.corpora import plain_text


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.gz", gzip.compress(b"some text " * 1000, mtime=0)[:-9], r"broken \.gz file \(Compressed file ended"),
        ("a.gz", b"plain text", r"broken \.gz file \(Not a gzipped file"),
        ("a.gz", gzip.compress(b"some text")[:9] + bytes(60), r"broken \.gz file"),
        ("a.xz", lzma.compress(b"some text " * 1000)[:-20], r"broken \.xz file \(Compressed file ended"),
        ("a.xz", lzma.compress(b"some text " * 1000)[:40] + b"x" * 40, r"broken \.xz file \(LZMAError Corrupt input"),
        ("a.bz2", bz2.compress(b"some text " * 1000)[:-20], r"broken \.bz2 file \(Compressed file ended"),
        ("a.bz2", b"BZh9" + b"x" * 40, r"broken \.bz2 file \(Invalid data stream\)"),
        ("a.txt", "text".encode("utf-16"), "not UTF-8 text|NUL characters"),
        ("a.txt", b"text\0text", r"NUL characters"),
        ("a.txt.gz", gzip.compress("été".encode("latin-1")), "not UTF-8 text .invalid continuation byte, byte 0xe9"),
        ("a.xz", lzma.compress(bytes(1 << 22)), "NUL characters|unpacks to more than 100 times its size"),
    ],
)
def test_a_broken_text_is_named(tmp_path, name, content, message):
    (tmp_path / name).write_bytes(content)
    with pytest.raises(ValueError, match=message) as raised:
        list(plain_text.read_blocks(tmp_path / name))
    assert str(raised.value).startswith(str(tmp_path / name))


@pytest.mark.parametrize("pack", [bz2.compress, lzma.compress])
def test_a_bomb_is_refused_where_it_unpacks_to_too_much(tmp_path, pack):
    path = tmp_path / ("a.xz" if pack is lzma.compress else "a.bz2")
    path.write_bytes(pack(b"text " * 300_000))
    with pytest.raises(ValueError, match="more than 100 times its size"):
        list(plain_text.read_blocks(path))


def test_boms_and_ends_of_lines_of_all_kinds(tmp_path):
    (tmp_path / "a.txt").write_bytes("\ufeffOne two\r\nthree\rfour\n".encode())
    (block, _), *_ = plain_text.read_blocks(tmp_path / "a.txt")
    assert plain_text.split_words(block) == [
        "one",
        "two",
        plain_text.MARK,
        "three",
        plain_text.MARK,
        "four",
        plain_text.MARK,
    ]


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("a&#" + "1" * 5000 + ";b", "a\ufffdb"),
        ("a&#" + "1" * 5000 + "b &amp; c", "a\ufffdb & c"),
        ("a&#0;b", "a\ufffdb"),
        ("a&#xD800;b", "a\ufffdb"),
        ("a&#65;&#x41;&eacute;&xyz;", "aAAé&xyz;"),
    ],
)
def test_references_to_characters_that_are_none(text, plain):
    assert plain_text.remove_markup(text) == plain
