"""Reading and tokenising text."""

import bz2
import gzip
import lzma

import pytest

from biassay.corpora import plain_text

END = plain_text.MARK


def tokens(string, **options):
    return [word for word in plain_text.split_words(string, **options) if word != END]


def test_keeps_lower_case_letters_and_their_marks_only():
    assert tokens("Élan vital: 3.5 m², naïve İstanbul—OK?") == ["élan", "vital", "m", "naïve", "istanbul", "ok"]
    assert tokens("हिन्दी cafe\u0301") == ["हिन्दी", "café"]
    assert tokens("☺\ufe0f Do\u00adnau می\u200cروم \ufb01nd o\ufb00er") == ["donau", "میروم", "find", "offer"]
    assert tokens("wa\ufb04e") == ["waffle"]


@pytest.mark.parametrize(
    ("string", "sentences"),
    [
        ("He ran. She won! Who? They.", 4),
        ("In the U.S. Army with J. Smith. Then home.", 2),
        ("It cost 3.5 dollars at a.b.com today.", 1),
        ("“It ended.” Then more.", 2),
        ("He left  . Then more.", 2),
        ("one line\nanother line", 2),
    ],
)
def test_sentence_ends(string, sentences):
    assert " ".join(plain_text.split_words(string)).strip(f"{END} ").count(END) + 1 == sentences


def test_markup_is_dropped():
    raw = '<doc id="1" title="Man">\nMan &amp; <b>w</b>ife<a href="X">s</a> formula_12 ok<br>yes\n</doc>'
    assert plain_text.remove_markup(raw).split("\n") == ["", "", "Man & wifes   ok", "yes", "", ""]
    assert tokens(raw, markup=True) == ["man", "wifes", "ok", "yes"]


@pytest.mark.parametrize(("suffix", "opener"), [(".gz", gzip.open), (".bz2", bz2.open), (".xz", lzma.open), ("", open)])
def test_reads_compressed_text_in_blocks(tmp_path, monkeypatch, suffix, opener):
    monkeypatch.setattr(plain_text, "BLOCK", 100)
    path, content = tmp_path / f"text.txt{suffix}", "".join(f"line {i} of some text\n" for i in range(50))
    with opener(path, "wt", encoding="utf-8") as file:
        file.write(content)
    blocks = [block for block, _ in plain_text.read_blocks(path)]
    assert "".join(blocks) == content
    assert all(block.endswith("\n") for block in blocks if block)


def test_a_word_longer_than_a_block_stays_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(plain_text, "BLOCK", 7)
    (tmp_path / "a.txt").write_text("ab abcdefghijklmnopqrst\nThe end", "utf-8")
    words = [word for block, _ in plain_text.read_blocks(tmp_path / "a.txt") for word in block.split()]
    assert words == ["ab", "abcdefghijklmnopqrst", "The", "end"]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.txt", b"abc\0def", "NUL"),
        ("a.txt", "text".encode("utf-16"), "not UTF-8 text"),
        ("a.xz", b"no xz at all", "broken .xz"),
        ("a.gz", gzip.compress(b"some text " * 1000, mtime=0)[:-9], "broken .gz"),
    ],
)
def test_broken_files_are_named(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(ValueError, match=f"{name}.*{message}"):
        list(plain_text.read_blocks(path))


def test_byte_order_mark_and_all_kinds_of_line_ends(tmp_path):
    (tmp_path / "a.txt").write_bytes("\ufeffOne two\r\nthree\rfour\n".encode())
    (block, _), *_ = plain_text.read_blocks(tmp_path / "a.txt")
    assert plain_text.split_words(block) == ["one", "two", END, "three", END, "four", END]
