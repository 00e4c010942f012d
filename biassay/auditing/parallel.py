"""Scores of all metrics on all tests, in several processes."""

import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from functools import cache
from types import ModuleType

from threadpoolctl import threadpool_limits

from biassay.auditing import scoring
from biassay.auditing.bound_metrics import NotApplicable
from biassay.auditing.scoring import Score, Settings
from biassay.auditing.source_vectors import SourceVectors
from biassay.auditing.word_lists import UsedWords
from biassay.core import registry
from biassay.measurement import metric as metric_modules


@dataclass(frozen=True)
class Work:
    """What each process receives once; metrics: by name, the name or path that the registry loads."""

    used: list[UsedWords]
    source: SourceVectors
    settings: Settings
    metrics: dict[str, str]


_work: Work  # of this process


def score_all(
    used: list[UsedWords], metrics: dict[str, ModuleType], source: SourceVectors, settings: Settings, processes: int
) -> dict[tuple[str, str], Score | NotApplicable]:
    """Score all metrics on all tests, with the same result for any number of processes.

    Returns the score, or the reason why the metric does not apply, by the names of test and metric.
    """
    tasks = [(number, name) for number in range(len(used)) for name in metrics]
    if processes > 1 and len(tasks) > 1:
        scores = _score_in_processes(Work(used, source, settings, _metric_paths(metrics)), tasks, processes)
    else:
        scores = [_score(name, metrics[name], used[number], source, settings) for number, name in tasks]
    return {(used[number].question.name, name): score for (number, name), score in zip(tasks, scores, strict=True)}


def _score_in_processes(work: Work, tasks: list[tuple[int, str]], processes: int) -> list[Score | NotApplicable]:
    """Score tasks in other processes. Raises ValueError if one of them dies."""
    context = multiprocessing.get_context("spawn")  # forking a process with threads can deadlock
    try:
        with ProcessPoolExecutor(min(processes, len(tasks)), context, _begin, (work,)) as pool:
            return list(pool.map(_score_task, tasks))
    except BrokenProcessPool as error:
        own = [path for path in work.metrics.values() if path.endswith(".py")]
        cause = f", or {', '.join(own)} ended it" if own else ""
        raise ValueError(
            f"audit: a process that scores metrics died; it may have run out of memory{cause}. Try processes=1"
        ) from error


def _metric_paths(metrics: dict[str, ModuleType]) -> dict[str, str]:
    shipped = set(registry.names("metrics"))
    return {name: name if name in shipped else module.__file__ for name, module in metrics.items()}


def _begin(work: Work) -> None:
    global _work
    _work = work


@cache
def _load(path: str) -> ModuleType:
    return metric_modules.load(path)


def _score_task(task: tuple[int, str]) -> Score | NotApplicable:
    number, name = task
    return _score(name, _load(_work.metrics[name]), _work.used[number], _work.source, _work.settings)


def _score(
    name: str, module: ModuleType, used: UsedWords, source: SourceVectors, settings: Settings
) -> Score | NotApplicable:
    with threadpool_limits(1):  # the matrices are small
        try:
            return scoring.score(name, module, used, source, settings)
        except NotApplicable as error:
            return error
