"""Embeddings on disk, opened memory-mapped: words.txt, vectors.npy and contexts.npy, or a sparse matrix."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import scipy.sparse

from biassay.core import arrays, guard, vocabulary
from biassay.counts import storage

LINKS = ("product", "sigmoid")
FILES = ("embedding.json", "words.txt", "vectors.npy", *storage.FILES, "contexts.npy", "norms.npy")


@dataclass(frozen=True)
class Embedding:
    """Word vectors and, if the algorithm has them, context vectors.

    Parameters
    ----------
    words
        The vocabulary, n_words strings.
    vectors
        Word vectors, shape (n_words, d), float32, or a sparse matrix of explicit values, shape (n_words, n_words), with
        one column per context word.
    contexts
        Context vectors, shape (n_words, d), or None.
    link
        How a word vector v and a context vector u give an explicit value: "product" v·u or "sigmoid" σ(v·u); None if
        there are no explicit values.
    norms
        Norms of the explicit vectors, shape (n_words,), or None.

    Examples
    --------
    >>> import numpy as np
    >>> from biassay import Embedding
    >>> embedding = Embedding(["she", "he"], np.array([[1.0, 0.0], [0.0, 1.0]]))
    >>> embedding.rows(["he"])
    array([[0., 1.]])
    """

    words: list[str]
    vectors: np.ndarray | scipy.sparse.csr_array
    contexts: np.ndarray | None = None
    link: str | None = None
    norms: np.ndarray | None = None

    def __post_init__(self):
        for name in ("vectors", "contexts", "norms"):
            arrays.check_unmasked(f"Embedding: {name}", getattr(self, name))

    @cached_property
    def index(self) -> dict[str, int]:
        """The row of each word, the first if there are several."""
        return {word: row for row, word in reversed(list(enumerate(self.words)))}

    @property
    def is_sparse(self) -> bool:
        """Whether the vectors are a sparse matrix of explicit values."""
        return scipy.sparse.issparse(self.vectors)

    def rows(self, words: list[str]) -> np.ndarray:
        """Return the vectors of words as a dense array: (n, d), or (n, n_words) if sparse; KeyError for other words."""
        numbers = [self.index[word] for word in words]
        return self.vectors[numbers].toarray() if self.is_sparse else np.asarray(self.vectors[numbers])

    def save(self, folder: str | Path) -> None:
        """Write the embedding to a folder, in place of an existing one; after an error nothing remains.

        Raises ValueError if a vector is not finite, or for words that `open` could not read.
        """
        folder = Path(folder)
        values = self.vectors.data if self.is_sparse else self.vectors
        for name, array in (("vectors", values), ("contexts", self.contexts)):
            if array is not None and not np.isfinite(array).all():
                raise ValueError(f"{folder}: {name} are not finite (NaN or infinite); the training diverged")
        vocabulary.check(folder / "words.txt", self.words)
        folder.mkdir(parents=True, exist_ok=True)
        paths = [folder / name for name in FILES]
        for path in paths:
            path.unlink(missing_ok=True)
        with guard.writing(*paths):
            vocabulary.write(folder / "words.txt", self.words)
            if self.is_sparse:
                storage.save(self.vectors, folder)
            else:
                arrays.save(folder / "vectors.npy", np.asarray(self.vectors, dtype=np.float32))
            for name in ("contexts", "norms"):
                if getattr(self, name) is not None:
                    arrays.save(folder / f"{name}.npy", np.asarray(getattr(self, name), dtype=np.float32))
            (folder / "embedding.json").write_text(json.dumps({"link": self.link}) + "\n")

    @classmethod
    def open(cls, folder: str | Path) -> "Embedding":
        """Open an embedding that `save` wrote, memory-mapped.

        Reads all files once to check them. Raises ValueError if a file is broken or does not fit the others.
        """
        folder = Path(folder)
        words = vocabulary.read(folder / "words.txt")
        rows = len(words)
        dense = _open_array(folder / "vectors.npy", (rows, None))
        vectors = storage.load(folder, rows) if dense is None else dense
        contexts = _open_array(folder / "contexts.npy", vectors.shape)
        return cls(
            words=words,
            vectors=vectors,
            contexts=contexts,
            link=_read_link(folder / "embedding.json", contexts is not None or dense is None),
            norms=_open_array(folder / "norms.npy", (rows,)),
        )


def _open_array(path: Path, shape: tuple[int | None, ...]) -> np.ndarray | None:
    """Open an array of finite floats; return None if there is no such file."""
    return arrays.open_array(path, "f", shape, finite=True) if path.exists() else None


def _read_link(path: Path, has_contexts: bool) -> str | None:
    """Read the link; raise ValueError if it is unknown or there are no contexts to link."""
    with guard.reading(path, "description of an embedding"):
        link = json.loads(path.read_text("utf-8"))["link"]
    if link not in (None, *LINKS):
        raise ValueError(f"{path}: link: unknown value {link!r:.80}; expected one of: {', '.join(LINKS)}, null")
    if link and not has_contexts:
        raise ValueError(f"{path}: the link {link!r} needs context vectors, but contexts.npy is missing")
    return link
