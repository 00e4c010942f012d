"""GloVe by the package glove-python-binary, for comparison with studies that used it; it needs Python 3.8.

Words and contexts share one matrix, so there are no explicit vectors (link None) and no first-order values. This file
also runs as a script without biassay, which needs a later Python.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse

if TYPE_CHECKING:  # missing in Python 3.8; annotations are not evaluated
    from typing import Annotated

INPUT = "counts"
HAS_CONTEXTS = False
ENVIRONMENT = "envs/glove_python.yaml"


def train(
    words: list[str],
    counts: scipy.sparse.csr_array,
    *,
    dimensions: Annotated[int, "1 <= x <= 10000"] = 300,
    epochs: Annotated[int, "1 <= x <= 10000"] = 25,
    x_max: Annotated[float, "0 < x <= 1e12"] = 100.0,
    alpha: Annotated[float, "0 <= x <= 100"] = 0.75,
    learning_rate: Annotated[float, "0 < x <= 10"] = 0.05,
    seed: Annotated[int, "0 <= x < 4294967296"] = 1,
    threads: Annotated[int, "1 <= x <= 1024"] = 1,
):
    """Train GloVe with one matrix for words and contexts; raise ValueError if the package is missing."""
    from biassay.vectors.embedding import Embedding

    vectors = fit(counts, dimensions, epochs, x_max, alpha, learning_rate, seed, threads)
    return Embedding(words, vectors, link=None)


def fit(counts, dimensions, epochs, x_max, alpha, learning_rate, seed, threads) -> np.ndarray:
    """Train GloVe and return the word vectors, (|W|, d) float32."""
    try:
        from glove import Glove
    except ImportError:
        raise ValueError(
            f"glove_python: the package glove-python-binary is missing. Run `snakemake --sdm conda`, which uses "
            f"{ENVIRONMENT} (Python 3.8), or choose the algorithm glove, which needs no package."
        ) from None
    model = Glove(
        no_components=dimensions, learning_rate=learning_rate, alpha=alpha, max_count=x_max, random_state=seed
    )
    model.fit(scipy.sparse.coo_matrix(counts), epochs=epochs, no_threads=threads)
    return np.asarray(model.word_vectors, np.float32)


def main(data: str, words: str, out: str, options: dict) -> None:
    """Train from a folder of counts, and write a folder that biassay reads as an embedding."""
    parts = [np.load(Path(data) / f"{name}.npy") for name in ("data", "indices", "indptr")]
    names = Path(words).read_text("utf-8").split()
    vectors = fit(scipy.sparse.csr_matrix(tuple(parts), shape=(len(names),) * 2), **options)
    folder = Path(out)
    folder.mkdir(parents=True, exist_ok=True)
    np.save(folder / "vectors.npy", vectors)
    (folder / "words.txt").write_text("\n".join(names) + "\n", "utf-8")
    (folder / "embedding.json").write_text(json.dumps({"link": None}) + "\n")
    print(f"{len(names)} words. Words and contexts share one matrix, so there are no first-order values (eGloVe).")


if __name__ == "__main__":
    sys.path.pop(0)  # the folder of this file, whose glove.py would hide the package
    try:
        main(*sys.argv[1:4], options=json.loads(sys.argv[4]))
    except ValueError as error:
        sys.exit(f"Error: {error}")
