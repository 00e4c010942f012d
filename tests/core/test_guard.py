"""Guards of readers and writers: errors name the file, and nothing half-written is left."""

import errno
import os
import zipfile

import pytest

from biassay.core import guard


class PanicException(BaseException):  # as Rust code raises through pyo3
    __module__ = "pyo3_runtime"


def read_error(error):
    """Raise an error in a reader; return what the reader raises."""
    with pytest.raises((ValueError, OSError)) as raised, guard.reading("f.x", "thing"):
        raise error
    return raised.value


@pytest.mark.parametrize(
    ("error", "message"),
    [
        (zipfile.BadZipFile("bad\nand more"), "broken thing (BadZipFile bad)"),
        (OSError(errno.EINVAL, "Invalid argument"), "broken thing ([Errno 22] Invalid argument)"),
        (ValueError("bad header"), "broken thing (bad header)"),
        (ValueError(), "broken thing (ValueError)"),
        (RuntimeError("x" * 1000), f"broken thing (RuntimeError {'x' * 200})"),
        (MemoryError(), "not enough memory for this thing"),
        (ImportError("needs sentencepiece"), "thing: needs sentencepiece"),
        (PanicException("index out of bounds"), "broken thing (PanicException index out of bounds)"),
        (UnicodeDecodeError("utf-8", b"abc\xffd", 3, 4, "invalid"), "not UTF-8 text (invalid, byte 0xff)"),
    ],
)
def test_errors_of_a_parser_name_the_file(error, message):
    raised = read_error(error)
    assert type(raised) is ValueError
    assert str(raised) == f"f.x: {message}"
    assert raised.__cause__ is error


def test_errors_that_are_passed_on_or_not():
    named = ValueError("folder/f.x, line 3: has no word"), FileNotFoundError(errno.ENOENT, "No such file", "mine")
    assert [read_error(error) is error for error in named] == [True, True]
    raised = read_error(OSError(errno.EACCES, "Not yours"))
    assert (type(raised), raised.filename) == (PermissionError, "f.x")
    raised = read_error(RuntimeError("set weights_only to False"))  # a text about pickles
    assert "weights_only" not in str(raised)
    assert raised.__cause__ is None
    with pytest.raises(KeyboardInterrupt), guard.reading("f.x", "thing"):
        raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("error", "text"),
    [
        (OSError(errno.ENOSPC, "No space left"), r"No space left: 'f\.x'"),
        (OSError(errno.ENOSPC, "No space left", "mine"), "No space left: 'mine'"),
        (OSError("10 requested and 0 written"), r"^f\.x: 10 requested and 0 written$"),
    ],
)
def test_errors_of_the_system_get_a_name(error, text):
    with pytest.raises(OSError, match=text), guard.naming("f.x"):
        raise error


@pytest.mark.parametrize("error", [KeyboardInterrupt(), OSError(errno.ENOSPC, "No space left")])
def test_nothing_half_written_is_left(tmp_path, error):
    paths = [tmp_path / name for name in "abc"]
    paths[1].write_text("half")
    with pytest.raises(type(error)) as raised, guard.writing(*paths):
        raise error
    assert list(tmp_path.iterdir()) == []
    assert getattr(raised.value, "filename", "") in ("", str(paths[0]))


def test_paths_to_the_same_file(tmp_path):
    path, link = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_text("text\n")
    os.link(path, link)
    for paths in ([path, f"{tmp_path}/../{tmp_path.name}/./a.csv"], [path, link], ["no", path, "other", "no"]):
        with pytest.raises(ValueError, match=r"^here: .* are the same file"):
            guard.check_different("here", paths)
