"""State of a run by its events: running, finished and failed jobs, and the remaining time."""

import time
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from biassay.console import jobs
from biassay.console.jobs import Job
from biassay.core import formatting

TRUSTED = 0.25  # share of a run from which its own speed counts, and the forecast no more


@dataclass
class Run:
    """What is known of a run: `planned` jobs by rule, `seconds` that a job of a rule should take, `forecast` of all."""

    planned: Mapping[str, int]
    seconds: Mapping[str, float]
    forecast: float
    clock: object = time.monotonic
    done: int = 0
    running: dict[int, Job] = field(default_factory=dict)
    failed: list[tuple[Job, list[str]]] = field(default_factory=list)

    def __post_init__(self):
        self.total = sum(self.planned.values())
        self.started = self.clock()
        self._ended = Counter()

    def begin(self, number: int, rule: str, wildcards: Mapping[str, object], logs: Iterable[str]) -> Job:
        """A job began, as Snakemake numbers it."""
        paths = list(logs)
        job = Job(rule, jobs.name(rule, wildcards), jobs.stage(paths), paths[0] if paths else "", self.clock())
        self.running[number] = job
        return job

    def end(self, number: int) -> Job | None:
        """A job ended well; None for one that was never begun or has been counted."""
        job = self.running.pop(number, None)
        if job:
            self._ended[job.rule] += 1
            self.done += 1
        return job

    def fail(self, number: int, rule: str, logs: Iterable[str]) -> Job:
        """A job failed; it is begun now if nobody saw it begin."""
        job = self.running.pop(number, None) or self.begin(number, rule, {}, logs)
        self.running.pop(number, None)
        self.failed.append((job, list(logs)))
        return job

    def elapsed(self) -> float:
        """Seconds since the run began."""
        return self.clock() - self.started

    def share(self) -> float:
        """How much of the run is done, 0 to 1, by the seconds that its jobs should take."""
        whole = sum(self._expected(rule) * number for rule, number in self.planned.items())
        ended = sum(self._expected(rule) * number for rule, number in self._ended.items())
        begun = sum(self._expected(job.rule) * self._share_of(job) for job in self.running.values())
        return min(1.0, (ended + begun) / whole) if whole else 1.0

    def left(self) -> float:
        """Seconds until the end: by the forecast at first, by the run's own speed as it goes on."""
        share, elapsed = self.share(), self.elapsed()
        own = min(1.0, share / TRUSTED)
        whole = (1 - own) * self.forecast + (own * elapsed / share if share else 0.0)
        return whole * (1 - share)

    def ended_line(self, job: Job) -> str:
        """A line for a job that ended: how many are, its stage and name, its seconds, models an hour, time left."""
        took = self.clock() - job.began
        parts = [f"{job.stage}: {job.name}" if job.stage else job.name, formatting.format_duration(took)]
        found = jobs.standing(job.log) if took >= 5 else None
        parts += [found.speed] if found and found.speed else []
        left = f"; about {formatting.format_duration(self.left())} left" if self.done < self.total else ""
        return f"{self.count()}  {', '.join(parts)}{left}"

    def running_lines(self) -> list[str]:
        """A line for each job that runs: since when, and how far it is by its log."""
        lines = []
        for job in list(self.running.values()):
            if not job.log:
                continue
            found = jobs.standing(job.log)
            parts = [f"{job.stage}: {job.name}", formatting.format_duration(self.clock() - job.began)]
            parts += [part for part in (found.words, found.speed) if part] if found else []
            lines.append(", ".join(parts))
        return lines

    def count(self) -> str:
        """Jobs done of all, as wide on every line."""
        return f"{self.done:>{len(str(self.total))}} of {self.total}"

    def _expected(self, rule: str) -> float:
        return self.seconds.get(jobs.plain_rule(rule), 1.0)

    def _share_of(self, job: Job) -> float:
        """How much of a running job is done: by its log, else by its time, up to nearly all."""
        found = jobs.standing(job.log) if job.log else None
        by_time = (self.clock() - job.began) / max(self._expected(job.rule), 0.1)
        return min(0.95, found.share if found else by_time)
