"""Memory and time that a job requests from a cluster, scaled from the default run."""

import math
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

from biassay.console import forecast, room

MEMORY, MINUTES = 1000, 10  # of a job that makes a small table or a figure, and of any job at least
MARGIN = 1.5  # times the memory that is foreseen
SLOWER = 4  # times the time that is foreseen
STEP = 100  # MB by which requests go


def growing(amount: float) -> Callable[..., int]:
    """Resources function: an amount, twice of it at the second attempt, four times at the third."""
    return lambda wildcards, attempt: round(amount * 2 ** (attempt - 1))


def memory(rule: str, config: Mapping, home: str, least: int = MEMORY, reads: float = 0) -> Callable[..., int]:
    """Resources function: MB of a job, `least` at the least, more at each attempt.

    reads: how many times the size of its inputs it has in memory.
    """

    def asked(wildcards, input, attempt):
        megabytes = MARGIN * foreseen(rule, config, home)[0] + (reads * size(input) if reads else 0)
        return growing(max(least, STEP * math.ceil(megabytes / STEP)))(wildcards, attempt)

    return asked


def minutes(rule: str, config: Mapping, home: str, least: int = MINUTES) -> Callable[..., int]:
    """Resources function: minutes of a job, `least` at the least, more at each attempt."""

    def asked(wildcards, attempt):
        seconds = foreseen(rule, config, home)[1]
        return growing(max(least, math.ceil(SLOWER * seconds / 60)))(wildcards, attempt)

    return asked


def size(paths: list[str]) -> float:
    """MB of files, and of those in folders; raises FileNotFoundError for one that is not there yet."""
    found = [file for path in map(Path, paths) for file in ([path] if not path.is_dir() else path.rglob("*"))]
    return sum(file.stat().st_size for file in found if not file.is_dir()) / 1e6


def foreseen(rule: str, config: Mapping, home: str) -> tuple[float, float]:
    """MB and seconds of a job of a rule, on two cores."""
    measured, default = _measured(home)
    row = forecast.figures(rule, measured)
    times = forecast.ratio(rule, config, default)
    return room.memory(rule, row["memory_mb"], times, config, most=math.inf), row["seconds"] * times


@cache
def _measured(home: str) -> tuple[dict, dict]:
    """What the default run took by rule, and its configuration."""
    return forecast.read(Path(home, forecast.MEASURED)), forecast.default(home)
