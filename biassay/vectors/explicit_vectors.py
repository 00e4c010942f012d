"""Explicit vectors: the co-occurrence e_{w:c} of a word with each context word, as implied by an embedding.

e_w = σ(v_w Uᵀ) for skip-gram (first-order paper, eq 5), v_w Uᵀ for factorised matrices (eq 6), and the row itself for
sparse matrices. The |W| × |W| matrix of a dense embedding is only computed in chunks.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import numpy as np
import scipy.sparse.linalg
from threadpoolctl import threadpool_limits

from biassay.core.logs import Progress
from biassay.vectors.embedding import Embedding

TILE = 1 << 18  # values of a tile, which stays in the processor's cache


def sigmoid(x: np.ndarray) -> np.ndarray:
    """Compute σ(x) in place."""
    np.negative(x, out=x)
    with np.errstate(over="ignore"):  # exp(−x) = inf gives σ = 0, the correct limit
        np.exp(x, out=x)
    x += 1
    return np.reciprocal(x, out=x)


def explicit_values(embedding: Embedding, vectors: np.ndarray, contexts: list[str] | None = None) -> np.ndarray:
    """Compute the explicit values of word vectors (n, d) with context words (None for all): (n, n_contexts)."""
    columns = slice(None) if contexts is None else [embedding.index[word] for word in contexts]
    if embedding.is_sparse:
        return vectors[:, columns]
    product = vectors @ np.asarray(embedding.contexts[columns]).T
    return sigmoid(product) if embedding.link == "sigmoid" else product


def add_norms(embedding: Embedding, threads: int = 1) -> Embedding:
    """Return the embedding with the norms of its explicit vectors, computed in bounded memory."""
    if embedding.link is None:
        return embedding
    if embedding.is_sparse:
        norms = scipy.sparse.linalg.norm(embedding.vectors, axis=1)
    elif embedding.link == "sigmoid":
        norms = _sigmoid_norms(np.asarray(embedding.vectors), np.asarray(embedding.contexts), threads)
    else:  # ‖v Uᵀ‖² = v (UᵀU) vᵀ
        contexts, vectors = np.asarray(embedding.contexts, np.float64), np.asarray(embedding.vectors, np.float64)
        norms = np.sqrt(np.maximum(0, np.einsum("ij,ij->i", vectors @ (contexts.T @ contexts), vectors)))
    return replace(embedding, norms=norms.astype(np.float32))


def _sigmoid_norms(vectors: np.ndarray, contexts: np.ndarray, threads: int = 1, rows: int = 256) -> np.ndarray:
    """Compute ‖σ(v Uᵀ)‖ of each row, tile by tile. Threads take whole rows, so their number changes no result."""
    progress = Progress("explicit norms", len(vectors), "words")

    def squares(start: int) -> np.ndarray:
        chunk = vectors[start : start + rows]
        sums = np.zeros(len(chunk))
        for column in range(0, len(contexts), TILE // rows):
            tile = sigmoid(chunk @ contexts[column : column + TILE // rows].T)
            sums += np.einsum("ij,ij->i", tile, tile)
        return sums

    parts = []
    with threadpool_limits(1), ThreadPoolExecutor(threads) as pool:  # one thread per tile, as tiles are small
        for part in pool.map(squares, range(0, len(vectors), rows)):
            parts.append(part)
            progress.add(len(part))
    return np.sqrt(np.concatenate(parts))
