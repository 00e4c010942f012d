"""Ways to damage files."""

from pathlib import Path

EDITS = ("cut", "set", "drop", "insert")
PIECES = (b"\0", b"\n", b" ", b"\xff\xfe", b"<!--", b"[[", b"{", b"1000000000 ", b"-1", b"nan", b"1e999", b'"', b"\r")


def broken(content: bytes, edits: list[tuple[str, float, int]]) -> bytes:
    """Return content after edits, each of EDITS with a position from 0 to 1 and a number."""
    for what, place, number in edits:
        at = int(place * len(content))
        before, after = content[:at], content[at:]
        if what == "cut":
            content = before
        elif what == "set":
            content = before + bytes([number % 256]) + after[1:]
        elif what == "drop":
            content = before + after[1 + number % 40 :]
        else:
            content = before + PIECES[number % len(PIECES)] + after
    return content


def break_one(path: Path, choice: int, edits: list[tuple[str, float, int]]) -> None:
    """Damage a file, or one file of a folder."""
    file = sorted(path.iterdir())[choice % len(list(path.iterdir()))] if path.is_dir() else path
    file.write_bytes(broken(file.read_bytes(), edits))


def names_it(error: BaseException, path: Path) -> bool:
    """Whether readers may raise an error, and it names the file."""
    return isinstance(error, ValueError | OSError) and str(path) in str(error)
