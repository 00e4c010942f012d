"""Checkpoints of a pretraining: the state to resume from, and models of earlier steps.

None is written for a model whose weights or moments are not finite.
"""

import copy
import logging
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from biassay.core import guard
from biassay.language_models import model_files

STEPS = "steps"  # folder of the models of earlier steps, inside the folder of the last one


def save(model: Any, optimiser: Any, identity: dict, step: int, path: Path) -> None:
    """Write the state to resume from; the previous file stays until the new one is complete."""
    import torch

    path.parent.mkdir(parents=True, exist_ok=True)
    moments = {f"{key} {number}": value for number, parts in optimiser.state_dict()["state"].items()
               for key, value in parts.items()}  # fmt: skip
    check_finite({**dict(model.named_parameters()), **moments}, path, step, identity["learning_rate"])
    parts = {"identity": identity, "step": step, "model": model.state_dict(), "optimiser": optimiser.state_dict()}
    torch.save(parts, f"{path}.part")
    os.replace(f"{path}.part", path)


def resume(model: Any, optimiser: Any, identity: dict, path: Path) -> int:
    """Load a checkpoint of the same text and settings, if there is one, and return the number of finished steps.

    Raises ValueError, naming the file, if it is broken or lacks the weights of a step.
    """
    import torch

    if not path.is_file():
        return 0
    with guard.reading(path, "checkpoint; remove it to restart this training"):
        parts = torch.load(path, map_location=model.device, weights_only=True)
        if parts["identity"] != identity:
            logging.info("%s belongs to another text or other settings; restarting", path)
            return 0
        for step in (step for step in identity["checkpoint_steps"] if step <= parts["step"]):
            if not (weights := _weights_path(path, step)).is_file():
                raise ValueError(f"the weights of step {step} are missing: {weights}")
            model_files.check_safetensors(weights)
        model.load_state_dict(parts["model"])
        optimiser.load_state_dict(parts["optimiser"])
    logging.info("resuming from step %d of %s", parts["step"], path)
    return parts["step"]


def check_finite(weights: Mapping[str, Any], path: Path, step: int, learning_rate: float) -> None:
    """Raise ValueError, naming the file to be written, if a weight is NaN or infinite."""
    for name, weight in weights.items():
        if not weight.isfinite().all():
            raise ValueError(
                f"{path}: not written: {name} has values that are not finite (NaN or infinite) after step {step}; "
                f"lower learning_rate ({learning_rate:g})"
            )


def to_half(model: Any, path: Path, step: int, learning_rate: float) -> Any:
    """Convert the model to float16 for storage; raise ValueError if its weights are too large for that."""
    check_finite(dict(model.half().named_parameters()), path, step, learning_rate)
    return model


def save_weights(model: Any, checkpoint: Path, step: int, learning_rate: float) -> None:
    """Write the weights of a step beside the checkpoint, in the format of the final model."""
    path = _weights_path(checkpoint, step)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        to_half(copy.deepcopy(model), path, step, learning_rate).save_pretrained(folder)
        os.replace(Path(folder) / "model.safetensors", path)


def publish(out: Path, checkpoint: Path, steps: tuple[int, ...]) -> None:
    """Make a model folder out/steps/<step>/ for each stored step, and remove the files beside the checkpoint.

    The checkpoint is removed first, because it is useless without the weights of the stored steps.
    """
    for step in steps:
        folder = out / STEPS / str(step)
        shutil.copytree(out, folder, ignore=shutil.ignore_patterns(STEPS, "training.json", "*.safetensors"))
        shutil.copyfile(_weights_path(checkpoint, step), folder / "model.safetensors")
    checkpoint.unlink(missing_ok=True)
    for step in steps:
        _weights_path(checkpoint, step).unlink()


def _weights_path(checkpoint: Path, step: int) -> Path:
    """Path of a step's weights: not in the model's folder, which Snakemake removes when the job is killed."""
    return checkpoint.with_name(f"{checkpoint.stem}_{step}.safetensors")
