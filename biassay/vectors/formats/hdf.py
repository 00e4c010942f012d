"""ConceptNet Numberbatch's HDF5 files, as pandas lays them out; read without pandas, so that nothing is unpickled."""

from pathlib import Path

import h5py
import numpy as np

from biassay.vectors.formats.rows import Rows

CHUNK = 1 << 16  # rows read at a time
ENGLISH, CONCEPT = "/c/en/", "/c/"


def read(path: str | Path, rows: Rows) -> None:
    """Read vectors from group `mat`: axis1 has the words, block0_values (words, d) the numbers, int8 or float.

    Of keys such as /c/en/woman the English ones are read, without their prefix; int8 values stay as they are, since
    the cosine does not depend on their scale. Raises ValueError, naming the file, if it is laid out otherwise.
    """
    try:
        with h5py.File(path) as file:
            labels, values = _arrays(path, file)
            for start in range(0, len(labels), CHUNK):
                words = [_word(path, label, rows) for label in labels[start : start + CHUNK]]
                chosen = [row for row, word in enumerate(words) if word is not None and rows.wants(word)]
                if chosen:
                    rows.add([words[row] for row in chosen], values[start : start + CHUNK][chosen])
                if rows.complete:
                    return
    except OSError as error:
        raise ValueError(f"{path}: broken HDF5 file ({error})") from error


def _arrays(path: str | Path, file: h5py.File) -> tuple[h5py.Dataset, h5py.Dataset]:
    """The data sets of words and of vectors, checked."""
    group = file.get("mat")
    for name in ("axis0", "axis1", "block0_values"):
        if not isinstance(group, h5py.Group) or not isinstance(group.get(name), h5py.Dataset):
            raise ValueError(f"{path}: lacks the data set mat/{name}; it has: {', '.join(_names(file)) or 'none'}")
    labels, values = group["axis1"], group["block0_values"]
    if labels.ndim != 1 or (labels.dtype.kind != "S" and h5py.check_string_dtype(labels.dtype) is None):
        raise ValueError(f"{path}: mat/axis1 is {labels.dtype}, no list of strings")
    if values.dtype.kind not in "fi" or values.shape != (len(labels), len(group["axis0"])):
        raise ValueError(
            f"{path}: mat/block0_values is {values.dtype} of shape {values.shape}, "
            f"not numbers of shape {(len(labels), len(group['axis0']))}"
        )
    return labels, values


def _names(file: h5py.File) -> list[str]:
    names: list[str] = []
    file.visit(names.append)
    return names[:10]


def _word(path: str | Path, label: bytes | np.bytes_, rows: Rows) -> str | None:
    """The word of a key, or None, counted, if it is not UTF-8 or of another language."""
    try:
        word = bytes(label).decode("utf-8")
    except UnicodeDecodeError:
        rows.skipped["words that are not UTF-8"] += 1
        return None
    if word.startswith(CONCEPT) and not word.startswith(ENGLISH):
        rows.skipped["words that are not English"] += 1
        return None
    return word.removeprefix(ENGLISH)
