"""Arrays on disk that grow while they are written."""

from pathlib import Path

import numpy as np


class Writer:
    """Appends one-dimensional pieces to an .npy file; if the `with` block fails, the file is removed.

    numpy leaves room in the header for a longer shape, so the header is written again at the end.
    """

    def __init__(self, path: str | Path, dtype: type):
        self.path, self.dtype, self.length = Path(path), np.dtype(dtype), 0

    def __enter__(self) -> "Writer":
        self._file = open(self.path, "wb")
        self._header()
        return self

    def append(self, piece: np.ndarray) -> None:
        """Write a piece behind what is there."""
        self._file.write(np.ascontiguousarray(piece, self.dtype).data)
        self.length += len(piece)

    def __exit__(self, kind, error, traceback) -> None:
        if kind is None:
            self._file.seek(0)
            self._header()
        self._file.close()
        if kind is not None:
            self.path.unlink()

    def _header(self) -> None:
        header = {"descr": self.dtype.str, "fortran_order": False, "shape": (self.length,)}
        np.lib.format.write_array_header_1_0(self._file, header)
