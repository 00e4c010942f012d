"""Vocabularies on disk, words.txt: a word a line, none twice, whose order numbers the rows of the arrays beside it."""

from collections import Counter
from pathlib import Path

from biassay.support import guard


def write(path: str | Path, words: list[str]) -> None:
    """Write words, after `check`."""
    check(path, words)
    Path(path).write_text("\n".join(words) + "\n", "utf-8")


def check(path: str | Path, words: list[str]) -> None:
    """Raise ValueError, naming file and word, for words that `read` would not give back."""
    text = "\n".join(words)
    if text.split() != list(words):
        faulty = next(word for word in words if word.split() != [word])
        raise ValueError(f"{path}: the word {faulty!r:.80} is empty or has white space in it")
    try:
        text.encode("utf-8")
    except UnicodeEncodeError as error:
        raise ValueError(f"{path}: a word has {error.object[error.start]!r}, which UTF-8 cannot hold") from error
    _check_once(path, words)


def read(path: str | Path) -> list[str]:
    """The words, in order. Raises ValueError, naming the file, for what is not UTF-8 text or stands there twice."""
    with guard.reading(path, "list of words"):
        words = Path(path).read_text("utf-8").split()
    _check_once(path, words)
    return words


def _check_once(path: str | Path, words: list[str]) -> None:
    if len(set(words)) < len(words):
        word, times = Counter(words).most_common(1)[0]
        raise ValueError(f"{path}: has the word {word!r:.80} {times} times")
