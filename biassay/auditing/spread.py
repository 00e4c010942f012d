"""Scores of tests by metrics, spread over processes."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from threadpoolctl import threadpool_limits

from biassay.auditing import scoring
from biassay.auditing.bound_metrics import Unfit
from biassay.auditing.lists import Used
from biassay.auditing.material import Material
from biassay.auditing.scoring import Score, Settings
from biassay.measurement import metric as loaded
from biassay.support import registry


@dataclass(frozen=True)
class Work:
    """What every process is given once: tests, material, settings, and of metrics by name what the registry loads."""

    used: list[Used]
    material: Material
    settings: Settings
    metrics: dict[str, str]


_work: Work  # of this process


def scores(
    used: list[Used], metrics: dict[str, ModuleType], material: Material, settings: Settings, processes: int
) -> dict[tuple[str, str], Score | Unfit]:
    """By names of a test and a metric the score, or why the metric cannot be asked; the same for any `processes`."""
    tasks = [(number, name) for number in range(len(used)) for name in metrics]
    if processes > 1 and len(tasks) > 1:
        found = _spread(Work(used, material, settings, _places(metrics)), tasks, processes)
    else:
        found = [_score(name, metrics[name], used[number], material, settings) for number, name in tasks]
    return {(used[number].question.name, name): score for (number, name), score in zip(tasks, found, strict=True)}


def _spread(work: Work, tasks: list[tuple[int, str]], processes: int) -> list[Score | Unfit]:
    """The scores of tasks, by other processes. Raises ValueError if one of these ends."""
    context = multiprocessing.get_context("spawn")  # a fork of a process with threads may wait for ever
    try:
        with ProcessPoolExecutor(min(processes, len(tasks)), context, _begin, (work,)) as pool:
            return list(pool.map(_score_task, tasks))
    except BrokenProcessPool as error:
        own = [place for place in work.metrics.values() if place.endswith(".py")]
        hint = f", or {', '.join(own)} ends it" if own else ""
        raise ValueError(
            f"audit: a process that scores metrics ended without a result; it may have run out of memory{hint}; "
            "with processes=1 it runs in this process"
        ) from error


def _places(metrics: dict[str, ModuleType]) -> dict[str, str]:
    known = set(registry.names("metrics"))
    return {name: name if name in known else module.__file__ for name, module in metrics.items()}


def _begin(work: Work) -> None:
    global _work
    _work = work


@cache
def _load(place: str) -> ModuleType:
    return loaded.load(place)


def _score_task(task: tuple[int, str]) -> Score | Unfit:
    number, name = task
    return _score(name, _load(_work.metrics[name]), _work.used[number], _work.material, _work.settings)


def _score(name: str, module: ModuleType, used: Used, material: Material, settings: Settings) -> Score | Unfit:
    with threadpool_limits(1):  # the matrices are small
        try:
            return scoring.score(name, module, used, material, settings)
        except Unfit as error:
            return error
