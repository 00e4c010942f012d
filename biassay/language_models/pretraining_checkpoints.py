"""States of a pretraining: the checkpoint that it goes on from, and models of earlier steps that are kept.

None is written of a model whose weights or moments are not finite.
"""

import copy
import logging
import os
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from biassay.language_models import model_files
from biassay.support import guard

ANEW = "remove it to begin this training anew"
STEPS = "steps"  # folder of kept models, in that of the last one


def save(model: Any, optimiser: Any, identity: dict, step: int, path: Path) -> None:
    """Write a checkpoint; the former one stays until it is whole."""
    import torch

    path.parent.mkdir(parents=True, exist_ok=True)
    moments = {f"{key} {number}": value for number, parts in optimiser.state_dict()["state"].items()
               for key, value in parts.items()}  # fmt: skip
    check_finite({**dict(model.named_parameters()), **moments}, path, step, identity["learning_rate"])
    parts = {"identity": identity, "step": step, "model": model.state_dict(), "optimiser": optimiser.state_dict()}
    torch.save(parts, f"{path}.part")
    os.replace(f"{path}.part", path)


def resume(model: Any, optimiser: Any, identity: dict, path: Path) -> int:
    """Take up a checkpoint of the same text and settings, if there is one: the steps done.

    Raises ValueError, naming the file, for one that is broken, or not of a training like this.
    """
    import torch

    if not path.is_file():
        return 0
    with guard.reading(path, f"checkpoint; {ANEW}"):
        parts = torch.load(path, map_location=model.device, weights_only=True)
        if parts["identity"] != identity:
            logging.info("%s is of another text or other settings: begun anew", path)
            return 0
        _check(parts, model, optimiser, identity)
        for step in (step for step in identity["keep"] if step <= parts["step"]):
            if not (kept := _kept(path, step)).is_file():
                raise ValueError(f"it has passed step {step}, whose weights are missing: {kept}")
            model_files.check_safetensors(kept)
        model.load_state_dict(parts["model"])
        optimiser.load_state_dict(parts["optimiser"])
    logging.info("going on from step %d of %s", parts["step"], path)
    return parts["step"]


def _check(parts: dict, model: Any, optimiser: Any, identity: dict) -> None:
    """Raise ValueError unless a checkpoint's parts are what this training can have come to."""
    from biassay.language_models.stacked.files import check_tensors

    step, (every, steps) = parts["step"], (identity["save_every"], identity["steps"])
    if type(step) is not int or step % every or not 0 < step < steps:
        raise ValueError(f"step is {step!r:.80}; expected a multiple of {every} below {steps}")
    check_tensors(parts["model"], {name: tuple(tensor.shape) for name, tensor in model.state_dict().items()})
    groups, expected = parts["optimiser"]["param_groups"], optimiser.state_dict()["param_groups"]
    if [group | {"lr": 0} for group in groups] != [group | {"lr": 0} for group in expected]:
        raise ValueError("the settings of the optimiser differ from those of this training")
    weights = [weight for group in optimiser.param_groups for weight in group["params"]]
    moments = parts["optimiser"]["state"]
    if set(moments) != set(range(len(weights))):
        raise ValueError(f"has moments of {len(moments)} weights; expected {len(weights)}")
    for number, weight in enumerate(weights):
        check_tensors(moments[number], {"step": (), "exp_avg": weight.shape, "exp_avg_sq": weight.shape})
        if moments[number]["step"] != step or (moments[number]["exp_avg_sq"] < 0).any():
            raise ValueError(f"the moments of weight {number} are not those of step {step}")


def check_finite(weights: Mapping[str, Any], path: Path, step: int, learning_rate: float) -> None:
    """Raise ValueError, naming the file that is to be written, for weights that are not finite."""
    for name, weight in weights.items():
        if not weight.isfinite().all():
            raise ValueError(
                f"{path}: not written: {name} has values that are not finite (NaN or infinite) after step {step}; "
                f"lower learning_rate ({learning_rate:g})"
            )


def halved(model: Any, path: Path, step: int, learning_rate: float) -> Any:
    """The model in float16, as it is stored; raises ValueError where its weights are too large for that."""
    check_finite(dict(model.half().named_parameters()), path, step, learning_rate)
    return model


def keep(model: Any, checkpoint: Path, step: int, learning_rate: float) -> None:
    """Write the weights of a step as the end does, all at once."""
    path = _kept(checkpoint, step)
    path.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        halved(copy.deepcopy(model), path, step, learning_rate).save_pretrained(folder)
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
