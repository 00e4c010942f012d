"""Embeddings on disk: words.txt, vectors.npy, contexts.npy (or a sparse matrix), all memory-mapped when read."""

import json
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np
import scipy.sparse

from biassay.counts import cooccurrence

LINKS = ("product", "sigmoid")


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
        """Write the embedding. Raises ValueError if a vector is not finite."""
        folder = Path(folder)
        values = self.vectors.data if self.sparse else self.vectors
        for name, array in (("vectors", values), ("contexts", self.contexts)):
            if array is not None and not np.isfinite(array).all():
                raise ValueError(f"{folder}: {name} that are not finite (NaN or infinite); the training diverged")
        folder.mkdir(parents=True, exist_ok=True)
        (folder / "words.txt").write_text("\n".join(self.words) + "\n", "utf-8")
        if self.sparse:
            cooccurrence.save(self.vectors, folder)
        else:
            np.save(folder / "vectors.npy", np.asarray(self.vectors, dtype=np.float32))
        for name in ("contexts", "norms", "biases"):
            if getattr(self, name) is not None:
                np.save(folder / f"{name}.npy", np.asarray(getattr(self, name), dtype=np.float32))
        (folder / "embedding.json").write_text(json.dumps({"link": self.link}) + "\n")

    @classmethod
    def open(cls, folder: str | Path) -> "Embedding":
        """Open an embedding that `save` wrote, memory-mapped."""
        folder = Path(folder)

        def load(name):
            return np.load(folder / name, mmap_mode="r") if (folder / name).exists() else None

        dense = load("vectors.npy")
        return cls(
            words=(folder / "words.txt").read_text("utf-8").split(),
            vectors=cooccurrence.load(folder) if dense is None else dense,
            contexts=load("contexts.npy"),
            link=json.loads((folder / "embedding.json").read_text())["link"],
            norms=load("norms.npy"),
            biases=load("biases.npy"),
        )
