"""Explicit vectors: the co-occurrence e_{w:c} of a word with each context word that an embedding implies.

e_w = σ(v_w Uᵀ) for skip-gram (first-order paper, eq 5), v_w Uᵀ for factorised matrices (eq 6), the row itself for
sparse matrices. The |W| × |W| matrix of a dense embedding is never made: only chunks of it.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
import scipy.sparse.linalg
from threadpoolctl import threadpool_limits

from biassay.support.logs import Progress
from biassay.vectors.embedding import Embedding

if TYPE_CHECKING:
    import torch

TILE = 1 << 18  # values at a time, so that a tile stays in the processor's cache
TILE_ON_DEVICE = 1 << 30
ALIGNED = 64  # numbers of dimensions and of context words whose multiples products of half precision are fast for


def sigmoid(x: np.ndarray) -> np.ndarray:
    """σ(x), computed in place."""
    np.negative(x, out=x)
    with np.errstate(over="ignore"):  # exp(−x) = inf gives σ = 0, the right limit
        np.exp(x, out=x)
    x += 1
    return np.reciprocal(x, out=x)


def explicit_values(embedding: Embedding, vectors: np.ndarray, contexts: list[str] | None = None) -> np.ndarray:
    """Explicit values of word vectors (n, d) with context words: (n, m), all |W| of them if `contexts` is None."""
    columns = slice(None) if contexts is None else [embedding.index[word] for word in contexts]
    if embedding.sparse:
        return vectors[:, columns]
    product = vectors @ np.asarray(embedding.contexts[columns]).T
    return sigmoid(product) if embedding.link == "sigmoid" else product


def add_norms(embedding: Embedding, threads: int = 1, device: str | None = None) -> Embedding:
    """The embedding with the lengths ‖e_w‖ of all its explicit vectors, in bounded memory.

    Exact by numpy; of skip-gram on a device of torch, such as cuda, within 1e-3, as products are in half precision.
    """
    if embedding.link is None:
        return embedding
    if embedding.sparse:
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
    """‖σ(v Uᵀ)‖ of every row, tile by tile; threads take whole rows, so that their number changes no result."""
    progress = Progress("explicit norms", len(vectors), "words")

    def squares(start: int) -> np.ndarray:
        chunk = vectors[start : start + rows]
        sums = np.zeros(len(chunk))
        for column in range(0, len(contexts), TILE // rows):
            tile = sigmoid(chunk @ contexts[column : column + TILE // rows].T)
            sums += np.einsum("ij,ij->i", tile, tile)
        return sums

    parts = []
    with threadpool_limits(1), ThreadPoolExecutor(threads) as pool:  # one thread a tile: they are small
        for part in pool.map(squares, range(0, len(vectors), rows)):
            parts.append(part)
            progress.add(len(part))
    return np.sqrt(np.concatenate(parts))


def _sigmoid_norms_on_device(vectors: np.ndarray, contexts: np.ndarray, device: str) -> np.ndarray:
    """As _sigmoid_norms by torch, with products in float16, whose errors in a row of |W| values average out.

    float16 has 8 times the precision of bfloat16 and the same speed; logits beyond its range give σ = 0 or 1.
    """
    import torch

    halves = []
    for part in (vectors, contexts):  # rounded on the host: half as much to copy
        rounded = torch.from_numpy(np.ascontiguousarray(part, np.float32)).half().to(device)
        halves.append(torch.nn.functional.pad(rounded, (0, -part.shape[1] % ALIGNED)))
    if halves[0].is_cuda and find_spec("triton"):
        from biassay.vectors import fused_norms

        squared = fused_norms.squared(*halves)
    else:
        squared = squared_norms_by_torch(*halves)
    return squared.sqrt().numpy(force=True)


def squared_norms_by_torch(vectors: "torch.Tensor", contexts: "torch.Tensor") -> "torch.Tensor":
    """‖σ(v Uᵀ)‖² of vectors (n, d) and contexts (m, d), float16, σ in float16 too: (n,) float32."""
    import torch

    more = -len(contexts) % ALIGNED  # words of zeros, each with σ = 1/2
    contexts = torch.nn.functional.pad(contexts, (0, 0, 0, more))
    size = max(1, TILE_ON_DEVICE // len(contexts))
    found = [
        torch.linalg.vector_norm((chunk @ contexts.T).sigmoid_(), dim=1, dtype=torch.float32)
        for chunk in vectors.split(size)
    ]
    return (torch.cat(found).square() - more / 4).clamp(min=0)
