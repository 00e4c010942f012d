"""numpy's .npz files with the arrays words and vectors."""

from pathlib import Path
from zipfile import ZipFile, ZipInfo

import numpy as np

from biassay.core import arrays, guard
from biassay.vectors.formats.rows import Rows

NAMES = ("words", "vectors")


def read(path: str | Path, rows: Rows) -> None:
    """Read the arrays words (n,), of strings, and vectors (n, d).

    Raises ValueError if an array is missing, needs unpickling, or claims more than its data in the zip file or
    than guard.RATIO times its compressed size.
    """
    with guard.reading(path, ".npz file"):
        with np.load(path, allow_pickle=False) as file:
            for name in NAMES:
                if name not in file:
                    names = ", ".join(file.files[:10]) or "none"
                    raise ValueError(f"{path}: expected an array {name!r}, got {names}; extract other zip files first")
                member = name if name in file.zip.namelist() else f"{name}.npy"
                _check(path, name, file.zip, file.zip.getinfo(member))
            words, vectors = (file[name] for name in NAMES)
        if words.ndim != 1:
            raise ValueError(f"{path}: words: expected an array of one dimension, got {words.ndim}")
        words = words.tolist()
    rows.add_table(words, vectors)


def _check(path: str | Path, name: str, archive: ZipFile, member: ZipInfo) -> None:
    """Raise ValueError if the header of an array claims another size than its data, or too much."""
    guard.check_claim(path, f"the array {name!r}", member.file_size, member.compress_size)
    with archive.open(member) as file:
        _, _, dtype, claimed = arrays.read_header(file)
    if dtype.hasobject:
        raise ValueError(f"{path}: the array {name!r} holds objects; reading them would need unpickling")
    if claimed != member.file_size:
        raise ValueError(f"{path}: the array {name!r} claims {claimed:,} bytes but has {member.file_size:,}")
