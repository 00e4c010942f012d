"""Ways to damage files."""

from pathlib import Path

EDITS = ("cut", "flip", "set", "drop", "repeat", "insert", "number")
PIECES = (
    b"\0",
    b"\n",
    b" ",
    b"\xff\xfe",
    b"<!--",
    b"[[",
    b"{",
    b"1000000000 ",
    b"-1",
    b"nan",
    b"1e999",
    b'"',
    b"\r",
    b"\t",
)


def broken(content: bytes, edits: list[tuple[str, float, int]]) -> bytes:
    """Return content after edits, each of EDITS with a position from 0 to 1 and a number."""
    for what, place, number in edits:
        at = int(place * len(content))
        far = min(len(content), at + 1 + number % 40)
        if what == "cut":
            content = content[:at]
        elif what == "flip" and at < len(content):
            content = content[:at] + bytes([content[at] ^ (1 << number % 8)]) + content[at + 1 :]
        elif what == "set":
            content = content[:at] + bytes([number % 256]) + content[at + 1 :]
        elif what == "drop":
            content = content[:at] + content[far:]
        elif what == "repeat":
            content = content[:far] + content[at:]
        elif what == "insert":
            content = content[:at] + PIECES[number % len(PIECES)] + content[at:]
        elif what == "number":
            content = content[:at] + (number * 0x0101010101).to_bytes(8, "little")[: far - at] + content[far:]
    return content


def break_one(path: Path, choice: int, edits: list[tuple[str, float, int]]) -> None:
    """Damage a file, or one file of a folder."""
    file = sorted(path.iterdir())[choice % len(list(path.iterdir()))] if path.is_dir() else path
    file.write_bytes(broken(file.read_bytes(), edits))


def names_it(error: BaseException, path: Path) -> bool:
    """Whether readers may raise an error, and it names the file."""
    return isinstance(error, ValueError | OSError) and str(path) in str(error)
