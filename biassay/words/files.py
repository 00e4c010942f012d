"""Small user files: YAML mappings and CSV tables, with errors that name the file, the line and the value."""

import csv
import logging
import re
from collections.abc import Sequence
from pathlib import Path

import pandas as pd
import yaml

MAX_BYTES = 4 << 20  # of a file
MAX_LENGTH = 200  # characters of a word
MAX_NODES = 1_000_000  # of a YAML file, with its aliases written out
NAME = r"[A-Za-z0-9_]*[A-Za-z0-9]"  # a trailing underscore would be a link in captions
MISSING = ("NA", "NULL", "NaN", "None", "nan", "null")  # in tables, pandas reads them as missing values


def check_word(where: str, word: object) -> None:
    """Raise ValueError, starting with `where`, for a value that is not a word, such as a number or a formula."""
    if not isinstance(word, str) or not word:
        raise ValueError(f"{where}: invalid word {word!r:.80}; put it in quotes if it is a word")
    if word != word.strip() or not word.isprintable() or word.startswith("=") or len(word) > MAX_LENGTH:
        raise ValueError(
            f"{where}: invalid word {word!r:.80}; expected at most {MAX_LENGTH} characters, without outer spaces, "
            "control characters or a leading ="
        )


def check_name(where: str, name: object) -> None:
    """Raise ValueError, starting with `where`, for a name that cannot be part of a path, such as ../x."""
    check_word(where, name)
    if not re.fullmatch(NAME, name):
        raise ValueError(
            f"{where}: invalid name {name!r}; use letters from A to Z, digits and _, and do not end with _"
        )
    if name in MISSING:
        raise ValueError(f"{where}: invalid name {name!r}, which means a missing value in tables; choose another name")


def check_words(where: str, words: object, n_words: int = 1, *, allow_duplicates: bool = False) -> list[str]:
    """Return a list of words or texts; raise ValueError, starting with `where`, unless it has enough and all differ."""
    if not isinstance(words, list) or len(words) < n_words:
        raise ValueError(f"{where}: expected a list of {n_words} or more words or texts, got {words!r:.80}")
    unique_words = set()
    for word in words:
        check_word(where, word)
        if word in unique_words and not allow_duplicates:
            raise ValueError(f"{where}: duplicate word {word!r}")
        unique_words.add(word)
    return words


def check_lists(
    where: str | Path, lists: object, *, n_lists: int = 2, n_words: int = 1, paired: bool = False,
    allow_duplicates: bool = False,
) -> dict[str, list[str]]:  # fmt: skip
    """Return word lists by name; raise ValueError, starting with `where`, unless there are enough lists and words.

    paired: whether the i-th words of all lists correspond.
    """
    if not isinstance(lists, dict) or len(lists) < n_lists:
        raise ValueError(f"{where}: expected {n_lists} or more lists of words by name, got {lists!r:.80}")
    for name, words in lists.items():
        check_word(f"{where}: name of a list", name)
        check_words(f"{where}: {name}", words, n_words, allow_duplicates=allow_duplicates)
    if paired and len(set(map(len, lists.values()))) > 1:
        lengths = ", ".join(f"{name} {len(words)}" for name, words in lists.items())
        raise ValueError(f"{where}: expected lists of equal length, since the i-th words correspond, got {lengths}")
    return lists


def read_yaml(path: str | Path) -> dict:
    """Read a YAML file that holds a mapping; raise ValueError for anything else, and for duplicate keys."""
    try:
        content = yaml.load(read_text(path), Loader=_Loader)
    except (yaml.YAMLError, ValueError, RecursionError) as error:
        raise ValueError(f"{path}: invalid YAML: {error}") from error
    if not isinstance(content, dict):
        raise ValueError(f"{path}: expected a mapping of names to lists, got {type(content).__name__}")
    return content


class _Loader(yaml.CSafeLoader if hasattr(yaml, "CSafeLoader") else yaml.SafeLoader):
    """Safe YAML loader that rejects duplicate keys, and aliases that make a small file large."""

    def __init__(self, stream):
        super().__init__(stream)
        self.flattened = set()

    def get_single_node(self):
        node = super().get_single_node()
        _count_nodes(node, {})
        return node

    def flatten_mapping(self, node):
        """Put the merged keys into a mapping, the first time that it is met."""
        if node in self.flattened:
            return
        self.flattened.add(node)
        keys = set()
        for key in (key for key, _ in node.value if isinstance(key, yaml.ScalarNode)):
            if key.value in keys:
                raise yaml.YAMLError(f"line {key.start_mark.line + 1}: duplicate key {key.value!r}")
            keys.add(key.value)
        super().flatten_mapping(node)


def _count_nodes(node: yaml.Node | None, counts: dict[yaml.Node, int]) -> int:
    """Count the nodes with each alias written out; raise YAMLError if they are too many or a node contains itself."""
    if node not in counts:
        counts[node] = MAX_NODES + 1  # while its children are counted
        values = node.value if isinstance(node, yaml.CollectionNode) else []
        children = [child for value in values for child in (value if isinstance(value, tuple) else [value])]
        counts[node] = 1 + sum(_count_nodes(child, counts) for child in children)
    if counts[node] > MAX_NODES:
        line = node.start_mark.line + 1
        raise yaml.YAMLError(f"line {line}: over {MAX_NODES:,} values, or one in itself, with aliases written out")
    return counts[node]


def read_word_table(path: str | Path, columns: list[str]) -> pd.DataFrame:
    """Read a CSV file with one row per word, as `read_table` does; also reject duplicate and invalid words."""
    table = read_table(path, columns)
    words = set()
    for line, word in table["word"].items():
        check_word(f"{path}, line {line}", word)
        if word in words:
            raise ValueError(f"{path}, line {line}: duplicate word {word!r}")
        words.add(word)
    return table


def read_table(path: str | Path, columns: list[str], *, comments: bool = True) -> pd.DataFrame:
    """Read a CSV file as strings, by line number, without the space around cells.

    comments: whether lines that begin with # and a space are comments. Raises ValueError unless each of `columns` is in
    the file once, all rows have as many cells as the header, and there are rows.
    """
    lines = {number: line.strip() for number, line in enumerate(read_text(path).splitlines(), 1)}
    lines = {n: line for n, line in lines.items() if line and not (comments and f"{line} ".startswith("# "))}
    try:
        rows = csv.reader(lines.values(), skipinitialspace=True, strict=True)
        cells = [[cell.strip() for cell in row] for row in rows]
    except csv.Error as error:
        raise ValueError(f"{path}: invalid CSV: {error}") from error
    if len(cells) != len(lines):
        raise ValueError(f"{path}: invalid CSV: a cell spans several lines")
    for number, line in lines.items():
        if comments and line.startswith("#"):
            logging.warning("%s, line %d: is no comment, because no space follows the #", path, number)
    if len(cells) < 2:
        raise ValueError(f"{path}: the table has no rows" if cells else f"{path}: the file is empty")
    header, *rows = cells
    for column in columns:
        if header.count(column) != 1:
            raise ValueError(f"{path}: expected one column {column!r}, got the columns {', '.join(header)}")
    numbers = list(lines)[1:]
    for number, row in zip(numbers, rows, strict=True):
        if len(row) != len(header):
            raise ValueError(
                f"{path}, line {number}: expected {len(header)} cells ({', '.join(header)}), got {len(row)}"
            )
    return pd.DataFrame(rows, columns=header, index=numbers)


def drop_repeated(where: str, rows: pd.DataFrame, columns: Sequence[str]) -> pd.DataFrame:
    """Drop rows whose texts in `columns` are those of an earlier row, whatever their case and spaces, with a warning.

    where: file and "line" or "row", whose number is the index of the rows.
    """
    is_repeated = rows[list(columns)].map(lambda text: " ".join(text.casefold().split())).duplicated()
    if n := is_repeated.sum():
        logging.warning("%s %d: repeats an earlier row; rows left out for this: %d", where, is_repeated.idxmax(), n)
    return rows[~is_repeated]


def read_text(path: str | Path) -> str:
    """Read a small UTF-8 file, without a byte-order mark; raise ValueError if it is large or not text."""
    try:
        with open(path, "rb") as file:
            content = file.read(MAX_BYTES + 1)
        if len(content) > MAX_BYTES:
            raise ValueError(f"{path}: expected a file of at most {MAX_BYTES >> 20} MiB")
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = content[: error.start].count(b"\n") + 1
        raise ValueError(f"{path}, line {line}: not UTF-8 text ({error.reason})") from error
    except IsADirectoryError as error:
        raise ValueError(f"{path}: expected a file, got a folder") from error
