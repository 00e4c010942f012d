"""Vocabularies on disk, words.txt: one word per line, each once; line i names row i of the arrays in the folder."""

from collections import Counter
from pathlib import Path

from biassay.core import guard


def write(path: str | Path, words: list[str]) -> None:
    """Check and write words."""
    check(path, words)
    Path(path).write_text("\n".join(words) + "\n", "utf-8")


def check(path: str | Path, words: list[str]) -> None:
    """Raise ValueError, naming file and word, for words that `read` would not return unchanged."""
    text = "\n".join(words)
    if text.split() != list(words):
        faulty = next(word for word in words if word.split() != [word])
        raise ValueError(f"{path}: the word {faulty!r:.80} is empty or has white space")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"{path}: a word has {error.object[error.start]!r}, which UTF-8 cannot encode") from error
    _check_once(path, words)


def read(path: str | Path) -> list[str]:
    """Read the words, in order; raise ValueError, naming the file, if it is not UTF-8 text or has a word twice."""
    with guard.reading(path, "list of words"):
        words = Path(path).read_text("utf-8").split()
    _check_once(path, words)
    return words


def _check_once(path: str | Path, words: list[str]) -> None:
    if len(set(words)) < len(words):
        word, count = Counter(words).most_common(1)[0]
        raise ValueError(f"{path}: has the word {word!r:.80} {count} times")
