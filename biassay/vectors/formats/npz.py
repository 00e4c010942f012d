"""Vectors in numpy's .npz files: the arrays words and vectors in a zip file."""

from pathlib import Path
from zipfile import ZipFile, ZipInfo

import numpy as np

from biassay.support import arrays, guard
from biassay.vectors.formats.rows import Rows

NAMES = ("words", "vectors")


def read(path: str | Path, rows: Rows) -> None:
    """Read the arrays words (n,), of strings, and vectors (n, d).

    Raises ValueError, naming the file, if one is lacking, holds objects, which would have to be unpickled, or claims
    more than the zip file has of it or than guard.RATIO times what is stored.
    """
    with guard.reading(path, ".npz file"):
        with np.load(path, allow_pickle=False) as found:
            for name in NAMES:
                if name not in found:
                    has = ", ".join(found.files[:10]) or "none"
                    raise ValueError(
                        f"{path}: lacks the array {name!r}; it has: {has}. Of another zip file give an inner file"
                    )
                member = name if name in found.zip.namelist() else f"{name}.npy"
                _check(path, name, found.zip, found.zip.getinfo(member))
            words, vectors = (found[name] for name in NAMES)
        if words.ndim != 1:
            raise ValueError(f"{path}: needs an array `words` of one dimension; has {words.ndim}")
        words = words.tolist()
    rows.table(words, vectors)


def _check(path: str | Path, name: str, archive: ZipFile, member: ZipInfo) -> None:
    """Raise ValueError unless an array's header asks for what the zip file has of it, which is not too much."""
    guard.check_claim(path, f"the array {name!r}", member.file_size, member.compress_size)
    with archive.open(member) as file:
        _, _, dtype, claimed = arrays.read_header(file)
    if dtype.hasobject:
        raise ValueError(f"{path}: the array {name!r} holds objects, which would have to be unpickled")
    if claimed != member.file_size:
        raise ValueError(f"{path}: the array {name!r} claims {claimed:,} bytes and has {member.file_size:,}")
