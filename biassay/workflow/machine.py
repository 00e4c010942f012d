"""Resources of jobs on one machine: they share its cores, or use its GPU one after another."""

import os
from collections.abc import Collection, Iterable
from pathlib import Path

import psutil

_n_parallel = [1]


def has_gpu(devices: Path = Path("/dev")) -> bool:
    """Whether there is a visible NVIDIA GPU, judged by its device file because importing torch takes seconds."""
    hidden = os.environ.get("CUDA_VISIBLE_DEVICES") in ("", "-1", "NoDevFiles")
    return not hidden and any(devices.glob("nvidia[0-9]*"))


def plan_trainings(requested: Collection[object]) -> None:
    """Store, for `threads`, how many trainings run in parallel: all if their known memory (MB) fits, else one."""
    memory = psutil.virtual_memory().total / 1e6
    fits = all(isinstance(megabytes, int) for megabytes in requested) and sum(requested) <= memory
    _n_parallel[0] = len(requested) if requested and fits else 1


def threads(max_threads: int, cores: int | None) -> int:
    """Return the threads of a job with language models: at most `max_threads` and a training's share of the cores.

    Two parallel trainings with one thread each are faster than two in sequence with two threads.
    """
    return max(1, min(max_threads, (cores or max_threads) // _n_parallel[0]))


def size_mb(paths: str | Iterable[str]) -> float:
    """Return the size of files and of all files in folders; raise FileNotFoundError for one that does not exist yet."""
    paths = [paths] if isinstance(paths, str) else list(paths)
    in_folders = [os.path.join(top, name) for path in paths for top, _, names in os.walk(path) for name in names]
    return sum(map(os.path.getsize, [*paths, *in_folders])) / 1e6


def add_to_pythonpath(folder: str) -> None:
    """Let processes that are started from now on import the library from a folder."""
    os.environ["PYTHONPATH"] = os.pathsep.join([os.path.abspath(folder), *filter(None, [os.environ.get("PYTHONPATH")])])
