"""safetensors files written piece by piece, so that the weights of hundreds of models never lie in memory together."""

import json
import math
import os
from collections.abc import Mapping
from pathlib import Path

import torch

from biassay.support import guard

NAMES = {torch.float32: "F32", torch.float16: "F16", torch.bfloat16: "BF16"}


class Writer:
    """A safetensors file of known shapes whose rows (first dimension) are written in any order.

    It is begun as `path`; where a file with the same contents was begun before, its rows stay. resumed: there must be
    such a file, else ValueError.
    """

    def __init__(
        self, path: Path, shapes: Mapping[str, tuple[int, ...]], dtype: torch.dtype, notes: Mapping[str, str],
        resumed: bool = False,
    ):  # fmt: skip
        self.path, self.shapes, self.dtype = path, dict(shapes), dtype
        header, at = {"__metadata__": dict(notes)}, 0
        for name, shape in self.shapes.items():
            size = math.prod(shape) * dtype.itemsize
            header[name] = {"dtype": NAMES[dtype], "shape": list(shape), "data_offsets": [at, at + size]}
            at += size
        text = json.dumps(header).encode()
        text += b" " * (-len(text) % 8)
        head = len(text).to_bytes(8, "little") + text
        self.starts = {name: len(head) + header[name]["data_offsets"][0] for name in self.shapes}
        begun = _begins(path, head)
        if resumed and not (begun and path.stat().st_size == len(head) + at):
            raise ValueError(f"{path}: is missing, cut or of another training")
        if not begun:
            path.write_bytes(head)
        os.truncate(path, len(head) + at)

    def write(self, name: str, rows: torch.Tensor, first: int = 0) -> None:
        """Write rows of one tensor from row `first` on, rounded to the file's type."""
        row = math.prod(self.shapes[name][1:]) * self.dtype.itemsize
        with guard.naming(self.path), self.path.open("r+b") as file:
            file.seek(self.starts[name] + first * row)
            for one in rows:
                file.write(one.detach().to("cpu", self.dtype).contiguous().view(torch.uint8).numpy().data)


def _begins(path: Path, head: bytes) -> bool:
    if not path.is_file():
        return False
    with path.open("rb") as file:
        return file.read(len(head)) == head


def load_into(model: torch.nn.Module, folder: str | Path, i: int) -> None:
    """Give a model of transformers the weights of model i of a folder that `train` wrote; reads only these.

    Raises ValueError, naming the file, if it is broken, of another architecture, does not have an i, or has values for
    it that are not finite.
    """
    from safetensors import safe_open

    path = Path(folder) / "weights.safetensors"
    if not path.is_file():
        raise ValueError(f"{path}: no such file; training has not finished")
    own = dict(model.named_parameters())
    with guard.reading(path, "file of weights"), safe_open(path, "pt") as file, torch.no_grad():
        if set(file.keys()) != set(own):
            different = sorted(set(file.keys()) ^ set(own))
            raise ValueError(f"{path}: not weights of a {type(model).__name__} like this, {different[0]} differs")
        for name, parameter in own.items():
            part = file.get_slice(name)
            models, *shape = part.get_shape()
            if not 0 <= i < models or tuple(shape) != tuple(parameter.shape):
                raise ValueError(
                    f"{path}: {name} is {models} × {tuple(shape)}, asked for model {i} with {tuple(parameter.shape)}"
                )
            parameter.copy_(part[i : i + 1][0])
            if not parameter.isfinite().all():
                raise ValueError(f"{path}: {name} of model {i} has values that are not finite (NaN or infinite)")


def check_tensors(found: Mapping[str, torch.Tensor], shapes: Mapping[str, tuple[int, ...]]) -> None:
    """Raise ValueError unless there are exactly these tensors, of single precision and finite."""
    if set(found) != set(shapes):
        raise ValueError(f"has {len(found)} tensors; expected {len(shapes)}: {min(set(found) ^ set(shapes))} differs")
    for name, shape in shapes.items():
        tensor = found[name]
        if tensor.dtype != torch.float32 or tuple(tensor.shape) != tuple(shape):
            raise ValueError(f"{name} is {tensor.dtype}, {tuple(tensor.shape)}; expected torch.float32, {tuple(shape)}")
        if not tensor.isfinite().all():
            raise ValueError(f"{name} has values that are not finite (NaN or infinite)")


def replace(draft: Path, path: Path) -> None:
    """Put a finished draft in place of a file, all at once."""
    with draft.open("rb") as file:
        os.fsync(file.fileno())
    draft.replace(path)
