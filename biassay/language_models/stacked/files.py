"""safetensors files written in parts, so that the weights of hundreds of models are never in memory together."""

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path

import torch

from biassay.core import guard

NAMES = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16"}


class Writer:
    """A safetensors file of known shapes whose rows (first dimension) are written in any order.

    If there is already a file at `path` with the same header, its rows stay. resumed: raise ValueError if there is no
    such file.
    """

    def __init__(
        self, path: Path, shapes: Mapping[str, tuple[int, ...]], dtype: torch.dtype, metadata: Mapping[str, str],
        resumed: bool = False,
    ):  # fmt: skip
        self.path, self.shapes, self.dtype = path, dict(shapes), dtype
        header, at = {"__metadata__": dict(metadata)}, 0
        for name, shape in self.shapes.items():
            size = math.prod(shape) * dtype.itemsize
            header[name] = {"dtype": NAMES[dtype], "shape": list(shape), "data_offsets": [at, at + size]}
            at += size
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        head = len(text).to_bytes(8, "little") + text
        self.starts = {name: len(head) + header[name]["data_offsets"][0] for name in self.shapes}
        exists = _starts_with(path, head)
        if resumed and not (exists and path.stat().st_size == len(head) + at):
            raise ValueError(f"{path}: is missing, incomplete or from another training")
        if not exists:
            path.write_bytes(head)
        os.truncate(path, len(head) + at)

    def write(self, name: str, rows: torch.Tensor, first: int = 0) -> None:
        """Write rows of one tensor from row `first` on, rounded to the file's data type."""
        row = math.prod(self.shapes[name][1:]) * self.dtype.itemsize
        with guard.naming(self.path), self.path.open("r+b") as file:
            file.seek(self.starts[name] + first * row)
            for one in rows:
                file.write(one.detach().to("cpu", self.dtype).contiguous().view(torch.uint8).numpy().data)


def _starts_with(path: Path, head: bytes) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(head)) == head


def load_into(model: torch.nn.Module, folder: str | Path, i: int) -> None:
    """Load the weights of model i from a folder of `training.train` into a model of the transformers library.

    Raises ValueError, naming the file, if it is broken, has another architecture or no model i, or if a weight is not
    finite.
    """
    from safetensors import safe_open

    path = Path(folder) / "weights.safetensors"
    if not path.is_file():
        raise ValueError(f"{path}: no such file; the training has not finished")
    own = dict(model.named_parameters())
    with guard.reading(path, "file of weights"), safe_open(path, "pt") as file, torch.no_grad():
        if set(file.keys()) != set(own):
            different = sorted(set(file.keys()) ^ set(own))
            raise ValueError(f"{path}: expected weights of this {type(model).__name__}; {different[0]} differs")
        for name, parameter in own.items():
            part = file.get_slice(name)
            models, *shape = part.get_shape()
            if not 0 <= i < models:
                raise ValueError(f"{path}: {name}: expected the number of a model from 0 to {models - 1}, got {i}")
            if tuple(shape) != tuple(parameter.shape):
                raise ValueError(f"{path}: {name}: expected the shape {tuple(parameter.shape)}, got {tuple(shape)}")
            parameter.copy_(part[i : i + 1][0])
            if not parameter.isfinite().all():
                raise ValueError(f"{path}: {name} of model {i} has values that are not finite (NaN or infinite)")


def replace(draft: Path, path: Path) -> None:
    """Replace a file by a finished draft, atomically."""
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    draft.replace(path)
