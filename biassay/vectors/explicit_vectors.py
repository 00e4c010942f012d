"""Explicit vectors: the co-occurrence e_{w:c} of a word with each context word, as implied by an embedding.

e_w = σ(v_w Uᵀ) for skip-gram (first-order paper, eq 5), v_w Uᵀ for factorised matrices (eq 6), and the row itself for
sparse matrices. The |W| × |W| matrix of a dense embedding is only computed in chunks.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse.linalg
from threadpoolctl import threadpool_limits

from biassay.core.logs import Progress
from biassay.vectors.embedding import Embedding

if TYPE_CHECKING:
    import torch

TILE = 1 << 18  # values of a tile, which stays in the processor's cache
TILE_ON_DEVICE = 1 << 30
ALIGNED = 64  # half-precision products are fast for multiples of this many dimensions and context words


def sigmoid(x: np.ndarray) -> np.ndarray:
    """Compute σ(x) in place."""
    np.negative(x, out=x)
    with np.errstate(over="ignore"):  # exp(−x) = inf gives σ = 0, the correct limit
        np.exp(x, out=x)
    x += 1
    return np.reciprocal(x, out=x)


def explicit_values(embedding: Embedding, vectors: np.ndarray, contexts: list[str] | None = None) -> np.ndarray:
    """Compute the explicit values of word vectors with context words.

    Parameters
    ----------
    embedding
        The embedding of the context vectors.
    vectors
        Word vectors, shape (n, d).
    contexts
        Context words; None for all.

    Returns
    -------
    ndarray
        Shape (n, n_contexts).
    """
    columns = slice(None) if contexts is None else [embedding.index[word] for word in contexts]
    if embedding.is_sparse:
        return vectors[:, columns]
    product = vectors @ np.asarray(embedding.contexts[columns]).T
    return sigmoid(product) if embedding.link == "sigmoid" else product


def add_norms(embedding: Embedding, threads: int = 1, device: str | None = None) -> Embedding:
    """Return the embedding with the norms of its explicit vectors, computed in bounded memory.

    `device` is a torch device, such as "cuda", for the norms of skip-gram; their relative error is then up to 1e-3, as
    products are in half precision.
    """
    if embedding.link is None:
        return embedding
    if embedding.is_sparse:
        norms = scipy.sparse.linalg.norm(embedding.vectors, axis=1)
    elif embedding.link == "sigmoid" and device:
        norms = _sigmoid_norms_on_device(embedding.vectors, embedding.contexts, device)
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


def _sigmoid_norms_on_device(vectors: np.ndarray, contexts: np.ndarray, device: str) -> np.ndarray:
    """Compute `_sigmoid_norms` by torch, with products in float16; errors average out in a row of |W| values.

    float16 is 8 times as precise as bfloat16 and equally fast; logits beyond its range give σ = 0 or 1.
    """
    import torch

    halves = []
    for part in (vectors, contexts):  # rounded on the host, which halves the copy
        rounded = torch.from_numpy(np.ascontiguousarray(part, np.float32)).half().to(device)
        halves.append(torch.nn.functional.pad(rounded, (0, -part.shape[1] % ALIGNED)))
    if halves[0].is_cuda and find_spec("triton"):
        from biassay.vectors import fused_norms

        squared = fused_norms.squared(*halves)
    else:
        squared = squared_norms_by_torch(*halves)
    return squared.sqrt().numpy(force=True)


def squared_norms_by_torch(vectors: "torch.Tensor", contexts: "torch.Tensor") -> "torch.Tensor":
    """Compute ‖σ(v Uᵀ)‖² in float16 from vectors (n, d) and contexts (m, d), float16: (n,) float32."""
    import torch

    n_padding = -len(contexts) % ALIGNED  # zero vectors, each with σ = 1/2
    contexts = torch.nn.functional.pad(contexts, (0, 0, 0, n_padding))
    size = max(1, TILE_ON_DEVICE // len(contexts))
    norms = [
        torch.linalg.vector_norm((chunk @ contexts.T).sigmoid_(), dim=1, dtype=torch.float32)
        for chunk in vectors.split(size)
    ]
    return (torch.cat(norms).square() - n_padding / 4).clamp(min=0)
