"""States of a pretraining: the checkpoint that it goes on from, and models of earlier steps that are kept."""

import copy
import logging
import os
import shutil
import tempfile
from pathlib import Path
from typing import Any

STEPS = "steps"  # folder of kept models, in that of the last one


def save(model: Any, optimiser: Any, identity: dict, step: int, path: Path) -> None:
    """Write a checkpoint; the former one stays until it is whole."""
    import torch

    path.parent.mkdir(parents=True, exist_ok=True)
    parts = {"identity": identity, "step": step, "model": model.state_dict(), "optimiser": optimiser.state_dict()}
    torch.save(parts, f"{path}.part")
    os.replace(f"{path}.part", path)


def resume(model: Any, optimiser: Any, identity: dict, path: Path) -> int:
    """Take up a checkpoint of the same text and settings, if there is one: the steps done."""
    import torch

    if not path.is_file():
        return 0
    parts = torch.load(path, map_location=model.device, weights_only=True)
    if parts["identity"] != identity:
        logging.info("%s is of another text or other settings: begun anew", path)
        return 0
    model.load_state_dict(parts["model"])
    optimiser.load_state_dict(parts["optimiser"])
    logging.info("going on from step %d of %s", parts["step"], path)
    return parts["step"]


def keep(model: Any, checkpoint: Path, step: int) -> None:
    """Write the weights of a step as the end does, all at once."""
    path = _kept(checkpoint, step)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        copy.deepcopy(model).half().save_pretrained(folder)
        os.replace(Path(folder) / "model.safetensors", path)


def give_out(out: Path, checkpoint: Path, steps: tuple[int, ...]) -> None:
    """Make a folder of a model of each kept step, out/steps/<step>/, with the tokenizer of the last one, and remove
    what a training goes on from: the checkpoint first, which has no use without the weights of the kept steps."""
    for step in steps:
        folder = out / STEPS / str(step)
        shutil.copytree(out, folder, ignore=shutil.ignore_patterns(STEPS, "training.json", "*.safetensors"))
        shutil.copyfile(_kept(checkpoint, step), folder / "model.safetensors")
    checkpoint.unlink(missing_ok=True)
    for step in steps:
        _kept(checkpoint, step).unlink()


def _kept(checkpoint: Path, step: int) -> Path:
    """Where the weights of a step wait for the end: not in the model's folder, which Snakemake removes after a kill."""
    return checkpoint.with_name(f"{checkpoint.stem}_{step}.safetensors")
