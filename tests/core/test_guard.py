"""Guards of readers and writers: errors name the file, and nothing half-written is left."""

import errno
import gzip
import io
import json
import lzma
import struct
import zipfile

import pytest

from biassay.core import guard


class PanicException(BaseException):  # what Rust code raises through pyo3
    __module__ = "pyo3_runtime"


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (EOFError("ended before"), "f.x: broken thing (ended before)"),
        (lzma.LZMAError("Corrupt input data"), "f.x: broken thing (LZMAError Corrupt input data)"),
        (gzip.BadGzipFile("Not a gzipped file"), "f.x: broken thing (Not a gzipped file)"),
        (zipfile.BadZipFile("bad\nand more"), "f.x: broken thing (BadZipFile bad)"),
        (OSError("Invalid data stream"), "f.x: broken thing (Invalid data stream)"),
        (OSError(errno.EINVAL, "Invalid argument"), "f.x: broken thing ([Errno 22] Invalid argument)"),
        (ValueError("bad header"), "f.x: broken thing (bad header)"),
        (ValueError(), "f.x: broken thing (ValueError)"),
        (KeyError("vectors"), "f.x: broken thing (KeyError 'vectors')"),
        (IndexError("out of range"), "f.x: broken thing (IndexError out of range)"),
        (struct.error("needs 4 bytes"), "f.x: broken thing (error needs 4 bytes)"),
        (NotImplementedError(), "f.x: broken thing (NotImplementedError)"),
        (RuntimeError("x" * 1000), f"f.x: broken thing (RuntimeError {'x' * 200})"),
        (RecursionError("too deep"), "f.x: broken thing (RecursionError too deep)"),
        (MemoryError(), "f.x: not enough memory for this thing"),
        (ImportError("needs sentencepiece"), "f.x: thing: needs sentencepiece"),
        (PanicException("index out of bounds"), "f.x: broken thing (PanicException index out of bounds)"),
    ],
)
def test_what_a_parser_raises_becomes_one_error_that_names_the_file(error, message):
    with pytest.raises(ValueError, match=r"^f\.x: ") as raised, guard.reading("f.x", "thing"):
        raise error
    assert str(raised.value) == message
    assert raised.value.__cause__ is error


def test_what_is_no_text_says_where():
    message = r"^f\.x: not UTF-8 text \(invalid start byte, byte 0xff\)$"
    with pytest.raises(ValueError, match=message), guard.reading("f.x", "thing"):
        b"abc\xffd".decode()


def test_errors_that_name_the_file_pass_as_they_are():
    ours = ValueError("folder/f.x, line 3: has no word")
    with pytest.raises(ValueError, match="line 3") as raised, guard.reading("f.x", "thing"):
        raise ours
    assert raised.value is ours


def test_what_the_system_refuses_keeps_its_kind_and_gets_a_name(tmp_path):
    with pytest.raises(FileNotFoundError) as raised, guard.reading("other", "thing"):
        (tmp_path / "nothing").read_text()
    assert raised.value.filename == str(tmp_path / "nothing")
    with pytest.raises(PermissionError, match=r"Not yours: 'f\.x'") as raised, guard.reading("f.x", "thing"):
        raise OSError(errno.EACCES, "Not yours")
    assert (raised.value.errno, raised.value.filename) == (errno.EACCES, "f.x")


def test_an_interrupt_is_no_broken_file():
    with pytest.raises(KeyboardInterrupt), guard.reading("f.x", "thing"):
        raise KeyboardInterrupt


def test_deep_nesting_is_a_broken_file(tmp_path):
    with pytest.raises(ValueError, match=r"^f\.x: broken thing \(RecursionError"), guard.reading("f.x", "thing"):
        json.loads("[" * 100_000)


@pytest.mark.parametrize("error", [ValueError("diverged"), KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left")])
def test_nothing_is_left_of_files_that_were_not_finished(tmp_path, error):
    paths = [tmp_path / name for name in "abc"]

    def write(fault):
        with guard.writing(*paths):
            paths[0].write_text("whole")
            paths[1].write_text("half")
            raise fault

    with pytest.raises(type(error)) as raised:
        write(error)
    assert list(tmp_path.iterdir()) == []
    assert getattr(raised.value, "filename", "") in ("", str(paths[0]))
    with guard.writing(*paths):
        paths[0].write_text("whole")
    assert [path.name for path in tmp_path.iterdir()] == ["a"]


def test_errors_of_the_system_get_a_name_or_keep_theirs():
    for error, text in [
        (OSError(errno.ENOSPC, "No space left"), r"No space left: 'f\.x'"),
        (OSError(errno.ENOSPC, "No space left", "mine"), "No space left: 'mine'"),
        (OSError("10 requested and 0 written"), r"^f\.x: 10 requested and 0 written$"),
    ]:
        with pytest.raises(OSError, match=text), guard.naming("f.x"):
            raise error


@pytest.mark.parametrize(
    ("claimed", "held", "fits"),
    [
        (guard.FLOOR, 0, True),
        (guard.FLOOR + 1, 0, False),
        (guard.RATIO * 20_000, 20_000, True),
        (guard.RATIO * 20_000 + 1, 20_000, False),
        (guard.RATIO * 30_000, None, True),  # of the whole file
        (guard.RATIO * 30_000 + 1, None, False),
    ],
)
def test_claims_are_held_against_what_is_stored(tmp_path, claimed, held, fits):
    (tmp_path / "f").write_bytes(bytes(30_000))
    if fits:
        guard.check_claim(tmp_path / "f", "the part", claimed, held)
    else:
        message = rf"f: the part claims {claimed:,} bytes and {held or 0 if held is not None else 30_000:,} are stored"
        with pytest.raises(ValueError, match=message):
            guard.check_claim(tmp_path / "f", "the part", claimed, held)


def test_a_stream_may_unpack_to_a_multiple_of_its_file(tmp_path, monkeypatch):
    monkeypatch.setattr(guard, "FLOOR", 100)
    monkeypatch.setattr(guard, "RATIO", 10)
    path = tmp_path / "f"
    path.write_bytes(bytes(40))

    def unpacked(size):
        return io.BufferedReader(guard.Unpacked(path, io.BytesIO(b"a" * size))).read()

    assert unpacked(400) == b"a" * 400
    with pytest.raises(
        ValueError, match=r"f: unpacks to more than 10 times its size; if this is intended, unpack it first"
    ):
        unpacked(401)
    path.write_bytes(b"12345")
    assert len(unpacked(100)) == 100
    with pytest.raises(ValueError, match="10 times"):
        unpacked(101)
