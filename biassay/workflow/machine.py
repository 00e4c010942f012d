"""What jobs with language models share on one machine: its GPU, one after another, or else its cores."""

import os
from collections.abc import Collection
from pathlib import Path

TRAININGS = {"train_same", "train_intrinsic", "train_downstream"}

_side_by_side = [1]


def has_gpu(devices: Path = Path("/dev")) -> bool:
    """Whether there is a GPU, NVIDIA's, that is not hidden; its device tells, for which torch would take seconds."""
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES") in ("", "-1", "NoDevFiles")
    return not hidden and any(devices.glob("nvidia[0-9]*"))


def trains(rule: str) -> bool:
    """Whether a rule trains the language models of a study."""
    return rule in TRAININGS


def expect(asked: Collection[float], memory: float) -> None:
    """Keep, for `threads`, how many trainings a run has, by the MB that each asks for; 1 if not all fit into memory."""
    _side_by_side[0] = len(asked) if asked and sum(asked) <= memory else 1


def threads(most: int, cores: int | None) -> int:
    """Threads of a job with language models: `most`, but no more than a training's part of the cores.

    Two trainings side by side, of a thread each, take less time than one after the other with two.
    """
    return max(1, min(most, (cores or most) // _side_by_side[0]))
