"""GloVe (Pennington et al. 2014) with separate word and context vectors; its explicit vectors v_w Uᵀ are eGloVe."""

import logging
from typing import Annotated

import numpy as np
import scipy.sparse

from biassay.core.logs import Progress
from biassay.vectors.embedding import Embedding

INPUT = "counts"
HAS_CONTEXTS = True


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
) -> Embedding:
    """Train GloVe, with Stanford's defaults except for the dimensions. One thread makes the result reproducible.

    Raises ValueError if there are no counts or if the training diverges.
    """
    from biassay.embeddings import _glove_kernel as glove  # biassay lists its algorithms without numba

    if not counts.nnz:
        raise ValueError(f"glove: the counts of the {len(words):,} words are empty; check the corpus")
    model = glove.start(len(words), dimensions, seed)
    progress = Progress("GloVe", epochs * counts.nnz / 1e6, "M pairs")
    for number in range(1, epochs + 1):
        mean = glove.epoch(
            model,
            counts,
            number=number,
            x_max=x_max,
            alpha=alpha,
            rate=learning_rate,
            seed=seed,
            threads=threads,
            done=lambda entries: progress.add(entries / 1e6),
        )
        if not np.isfinite(mean):
            raise ValueError(
                f"glove: the training diverged in epoch {number} (objective {mean}); "
                f"lower learning_rate ({learning_rate})"
            )
        logging.info("epoch %d of %d: objective %.6f", number, epochs, mean)
    return Embedding(words, model.vectors, model.contexts, link="product")
