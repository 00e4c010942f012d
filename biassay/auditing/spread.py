"""Scores of tests by metrics, spread over processes."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from types import ModuleType

from threadpoolctl import threadpool_limits

from biassay.auditing import scoring
from biassay.auditing.lists import Used
from biassay.auditing.material import Material
from biassay.auditing.posing import Unfit
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
_modules: dict[str, ModuleType]


def scores(
    used: list[Used], metrics: dict[str, ModuleType], material: Material, settings: Settings, processes: int
) -> dict[tuple[str, str], Score | Unfit]:
    """By names of a test and a metric the score, or why the metric cannot be asked; the same for any `processes`."""
    known = set(registry.names("metrics"))
    places = {name: name if name in known else module.__file__ for name, module in metrics.items()}
    tasks = [(place, name) for place in range(len(used)) for name in metrics]
    work = Work(used, material, settings, places)
    if processes > 1 and len(tasks) > 1:
        context = multiprocessing.get_context("spawn")  # a fork of a process with threads may wait for ever
        with ProcessPoolExecutor(min(processes, len(tasks)), context, _begin, (work,)) as pool:
            found = list(pool.map(_score, tasks))
    else:
        _begin(work)
        found = list(map(_score, tasks))
    return {(used[place].question.name, name): score for (place, name), score in zip(tasks, found, strict=True)}


def _begin(work: Work) -> None:
    global _work, _modules
    _work, _modules = work, {name: loaded.load(place) for name, place in work.metrics.items()}


def _score(task: tuple[int, str]) -> Score | Unfit:
    number, name = task
    with threadpool_limits(1):  # the matrices are small
        try:
            return scoring.score(name, _modules[name], _work.used[number], _work.material, _work.settings)
        except Unfit as error:
            return error
        except ValueError:
            raise
        except Exception as error:
            if not (place := _work.metrics[name]).endswith(".py"):
                raise
            raise ValueError(registry.told(place, error)) from error
