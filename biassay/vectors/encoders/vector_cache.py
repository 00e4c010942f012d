"""Vectors of texts on disk, so that a service is never paid twice for a text."""

import hashlib
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np

WAIT = 60.0  # seconds for other processes that write to the same file
DTYPE = np.dtype("<f4")


class VectorCache:
    """Vectors by text in one SQLite file, which several processes may read and write at once.

    The file has checksums in place of the texts. Whatever `write` has written survives an interruption.
    """

    def __init__(self, path: Path):
        self.path = path

    def read(self, texts: list[str]) -> dict[str, np.ndarray]:
        """Return the vectors (d,) of those texts that have one, by text."""
        with self._open() as database:
            query = "SELECT vector FROM vectors WHERE text = ?"
            found = {text: database.execute(query, [_digest(text)]).fetchone() for text in texts}
            return {text: np.frombuffer(row[0], DTYPE) for text, row in found.items() if row}

    def n_dimensions(self) -> int | None:
        """Return the number of dimensions of the vectors; None for an empty cache."""
        with self._open() as database:
            found = database.execute("SELECT vector FROM vectors LIMIT 1").fetchone()
            return len(np.frombuffer(found[0], DTYPE)) if found else None

    def write(self, texts: list[str], rows: np.ndarray) -> None:
        """Add the vectors (n, d) of n texts, all or none of them."""
        pairs = [(_digest(text), row.astype(DTYPE).tobytes()) for text, row in zip(texts, rows, strict=True)]
        with self._open() as database:
            database.executemany("INSERT OR REPLACE INTO vectors VALUES (?, ?)", pairs)

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        """Open the file for one transaction."""
        try:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with closing(sqlite3.connect(self.path, timeout=WAIT)) as database, database:
                database.execute("CREATE TABLE IF NOT EXISTS vectors (text BLOB PRIMARY KEY, vector BLOB NOT NULL)")
                yield database
        except (sqlite3.Error, OSError, ValueError, TypeError) as error:
            advice = "delete the file, or choose another folder for the cache"
            raise ValueError(f"{self.path}: the cache cannot be used ({error}); {advice}") from error


def _digest(text: str) -> bytes:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()
