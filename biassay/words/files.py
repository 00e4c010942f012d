"""Small files of users, read and checked: YAML mappings and CSV tables, with errors that name file, line and value."""

import csv
import re
from pathlib import Path

import pandas as pd
import yaml

LARGEST = 4 << 20  # bytes of a file
DEEPEST = 20  # lists and mappings in each other
LONGEST = 200  # characters of a word
NAME = r"[A-Za-z0-9_]*[A-Za-z0-9]"  # as config.schema.yaml has it


def check_word(where: str, word: object) -> None:
    """Raise ValueError that begins with `where` for what is no word, as a number or a spreadsheet's formula."""
    if not isinstance(word, str) or not word:
        raise ValueError(f"{where} has {word!r:.80}, which is no word; put it in quotes if it is")
    if word != word.strip() or not word.isprintable() or word.startswith("=") or len(word) > LONGEST:
        raise ValueError(
            f"{where} has {word!r:.80}, which is no word: it has space around it, control characters, a leading = "
            f"or more than {LONGEST} characters"
        )


def check_name(where: str, name: object) -> None:
    """Raise ValueError that begins with `where` for a name that cannot be a part of a path, as ../x."""
    check_word(where, name)
    if not re.fullmatch(NAME, name):
        raise ValueError(f"{where} has the name {name!r}; use letters from A to Z, digits and _, with no _ at its end")


def read_yaml(path: str | Path) -> dict:
    """Read a YAML file that holds a mapping; raises ValueError, naming the file, for anything else and a key twice."""
    try:
        content = _load(read_text(path))
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ValueError(f"{path}: not a YAML file: {error}") from error
    if not isinstance(content, dict):
        raise ValueError(f"{path}: needs a mapping of names to lists, has {type(content).__name__}")
    return content


def _load(content: str) -> object:
    """YAML without aliases, which can make a small file huge, nor lists in lists without end."""
    depth = 0
    for event in yaml.parse(content, Loader=_Loader):
        if isinstance(event, yaml.AliasEvent):
            raise yaml.YAMLError(f"line {event.start_mark.line + 1}: aliases (*name) are not read")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise yaml.YAMLError(f"line {event.start_mark.line + 1}: more than {DEEPEST} lists in each other")
    return yaml.load(content, Loader=_Loader)


def check_keys(path: str | Path) -> None:
    """Raise ValueError, naming file and line, for a YAML or JSON file in which a mapping has a key twice."""
    try:
        yaml.load(read_text(path), Loader=_Loader)
    except yaml.YAMLError as error:
        raise ValueError(f"{path}: {error}") from error


class _Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):
    """Safe YAML in which no key stands twice."""

    def construct_mapping(self, node, deep=False):
        seen = set()
        for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
            if key.value in seen:
                raise yaml.YAMLError(f"line {key.start_mark.line + 1}: the key {key.value!r} stands twice")
            seen.add(key.value)
        return super().construct_mapping(node, deep)


def read_word_table(path: str | Path, columns: list[str]) -> pd.DataFrame:
    """Read a CSV file of a word a row, as `rows` does; ValueError, too, for a word twice or what is none."""
    found = read_table(path, columns)
    seen = set()
    for line, word in found["word"].items():
        check_word(f"{path}, line {line}:", word)
        if word in seen:
            raise ValueError(f"{path}, line {line}: has the word {word!r} twice")
        seen.add(word)
    return found


def read_table(path: str | Path, columns: list[str]) -> pd.DataFrame:
    """Read a CSV file as strings without the space around them; lines that begin with # are comments.

    The index is the number of the line. Raises ValueError, naming file and line, if columns lack or stand twice, and
    for a row with more or fewer cells than the header.
    """
    lines = [
        (number, line)
        for number, line in enumerate(read_text(path).splitlines(), 1)
        if not line.lstrip().startswith("#")
    ]
    lines = [(number, line) for number, line in lines if line.strip()]
    try:
        cells = [[cell.strip() for cell in row] for row in csv.reader((line for _, line in lines), strict=True)]
    except csv.Error as error:
        raise ValueError(f"{path}: not a CSV table: {error}") from error
    if not cells or len(cells) != len(lines):
        raise ValueError(f"{path}: " + ("is empty" if not cells else "not a CSV table: a cell goes over several lines"))
    header = cells[0]
    lacking = [column for column in columns if header.count(column) != 1]
    if lacking:
        raise ValueError(f"{path}: lacks the column {lacking[0]!r}, or has it twice; it has: {', '.join(header)}")
    if len(cells) == 1:
        raise ValueError(f"{path}: has no rows")
    for (number, _), row in zip(lines[1:], cells[1:], strict=True):
        if len(row) != len(header):
            raise ValueError(
                f"{path}, line {number}: has {len(row)} cells; the header has {len(header)}: {', '.join(header)}"
            )
    return pd.DataFrame(cells[1:], columns=header, index=[number for number, _ in lines[1:]])


def read_text(path: str | Path) -> str:
    """The text of a small file, without the mark that some editors put first; raises ValueError for what is none."""
    try:
        with open(path, "rb") as file:
            content = file.read(LARGEST + 1)
        if len(content) > LARGEST:
            raise ValueError(f"{path}: larger than {LARGEST >> 20} MiB; this is no file of words")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ValueError(f"{path}, line {line}: not UTF-8 text ({error.reason})") from error
    except IsADirectoryError as error:
        raise ValueError(f"{path}: is a folder, not a file") from error
