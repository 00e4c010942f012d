"""Embeddings on disk: words.txt, vectors.npy, contexts.npy (or a sparse matrix), all memory-mapped when read."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import scipy.sparse

from biassay.counts import storage
from biassay.support import arrays, guard, vocabulary

LINKS = ("product", "sigmoid")
FILES = ("embedding.json", "words.txt", "vectors.npy", *storage.FILES, "contexts.npy", "norms.npy", "biases.npy")


@dataclass(frozen=True)
class Embedding:
    """Word vectors and, where the family has them, context vectors.

    words: |W| words. vectors: (|W|, d) float32, or a sparse (|W|, |W|) matrix whose columns are context words.
    contexts: (|W|, d) or None. link: how a word and a context vector make an explicit value e_{w:c}: "product" v·u,
    "sigmoid" σ(v·u); None if there are no explicit values. norms: (|W|,) lengths ‖e_w‖ of the explicit vectors or None.
    biases: (2, |W|) of words and of contexts, where the family has them (GloVe); explicit values leave them out.
    """

    words: list[str]
    vectors: np.ndarray | scipy.sparse.csr_array
    contexts: np.ndarray | None = None
    link: str | None = None
    norms: np.ndarray | None = None
    biases: np.ndarray | None = None

    def __post_init__(self):
        for name in ("vectors", "contexts", "norms", "biases"):
            arrays.check_unmasked(f"Embedding: {name}", getattr(self, name))

    @cached_property
    def index(self) -> dict[str, int]:
        """Row of each word."""
        return {word: row for row, word in enumerate(self.words)}

    @property
    def sparse(self) -> bool:
        """Whether the vectors are themselves explicit, a sparse matrix over context words."""
        return scipy.sparse.issparse(self.vectors)

    def rows(self, words: list[str]) -> np.ndarray:
        """Vectors of words, dense: (n, d), or (n, |W|) if the embedding is sparse. All words must be known."""
        numbers = [self.index[word] for word in words]
        return self.vectors[numbers].toarray() if self.sparse else np.asarray(self.vectors[numbers])

    def save(self, folder: str | Path) -> None:
        """Write the embedding in place of one that is there, whole or not at all.

        Raises ValueError if a vector is not finite, or for words that `open` would not give back.
        """
        folder = Path(folder)
        values = self.vectors.data if self.sparse else self.vectors
        for name, array in (("vectors", values), ("contexts", self.contexts)):
            if array is not None and not np.isfinite(array).all():
                raise ValueError(f"{folder}: {name} that are not finite (NaN or infinite); the training diverged")
        vocabulary.check(folder / "words.txt", self.words)
        folder.mkdir(parents=True, exist_ok=True)
        paths = [folder / name for name in FILES]
        for path in paths:
            path.unlink(missing_ok=True)
        with guard.writing(*paths):
            vocabulary.write(folder / "words.txt", self.words)
            if self.sparse:
                storage.save(self.vectors, folder)
            else:
                arrays.save(folder / "vectors.npy", np.asarray(self.vectors, dtype=np.float32))
            for name in ("contexts", "norms", "biases"):
                if getattr(self, name) is not None:
                    arrays.save(folder / f"{name}.npy", np.asarray(getattr(self, name), dtype=np.float32))
            (folder / "embedding.json").write_text(json.dumps({"link": self.link}) + "\n")

    @classmethod
    def open(cls, folder: str | Path) -> "Embedding":
        """Open an embedding that `save` wrote, memory-mapped.

        Everything is checked first, which reads the files once, at about 2 GB a second where they are in the system's
        cache, and takes no memory. Raises ValueError, naming the file, for what is broken or does not fit together.
        """
        folder = Path(folder)
        words = vocabulary.read(folder / "words.txt")
        rows = len(words)
        dense = _array(folder / "vectors.npy", (rows, None))
        vectors = storage.load(folder, rows) if dense is None else dense
        contexts = _array(folder / "contexts.npy", vectors.shape)
        return cls(
            words=words,
            vectors=vectors,
            contexts=contexts,
            link=_link(folder / "embedding.json", contexts is not None or dense is None),
            norms=_array(folder / "norms.npy", (rows,)),
            biases=_array(folder / "biases.npy", (2, rows)),
        )


def _array(path: Path, shape: tuple[int | None, ...]) -> np.ndarray | None:
    """An array of finite floats, None if there is no such file."""
    return arrays.open_array(path, "f", shape, finite=True) if path.exists() else None


def _link(path: Path, explicit: bool) -> str | None:
    """The link that a file names; raises ValueError, naming the file, if there is no such link, or nothing to link."""
    with guard.reading(path, "description of an embedding"):
        link = json.loads(path.read_text("utf-8"))["link"]
    if link not in (None, *LINKS):
        raise ValueError(f"{path}: unknown link {link!r:.80}; expected one of: {', '.join(LINKS)}, null")
    if link and not explicit:
        raise ValueError(f"{path}: the link {link!r} needs context vectors; contexts.npy is lacking")
    return link
