"""numpy's .npz files with the arrays words and vectors."""

from pathlib import Path

import numpy as np

from biassay.core import guard
from biassay.vectors.formats.rows import Rows


def read(path: str | Path, rows: Rows) -> None:
    """Read the arrays words (n,), of strings, and vectors (n, d); raise ValueError if one is missing or is pickled."""
    with guard.reading(path, ".npz file"), np.load(path, allow_pickle=False) as file:
        for name in ("words", "vectors"):
            if name not in file:
                names = ", ".join(file.files[:10]) or "none"
                raise ValueError(f"{path}: expected an array {name!r}, got {names}; extract other zip files first")
        words, vectors = file["words"], file["vectors"]
        if words.ndim != 1:
            raise ValueError(f"{path}: words: expected an array of one dimension, got {words.ndim}")
        rows.add_table(words.tolist(), vectors)
