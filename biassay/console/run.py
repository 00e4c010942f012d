"""State of a run by its events: running, finished and failed jobs, and the remaining time by recorded durations."""

import csv
import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from biassay.console import jobs
from biassay.core.formatting import format_duration

DURATIONS = Path(".snakemake/biassay/durations.json")  # mean seconds of a job by rule, of the latest run
SHIPPED = Path(__file__).parents[2] / "resources/measured/rules.csv"  # of the default run; absent from an installation
TRUSTED = 0.25  # share of a run from which only its own speed counts


@dataclass(frozen=True)
class Job:
    """A running job."""

    rule: str
    name: str
    stage: str
    log: str
    start: float


def read_durations() -> dict[str, float]:
    """Read the seconds of a job by rule; unreadable files are ignored."""
    durations: dict[str, float] = {}
    with suppress(OSError, KeyError, ValueError), open(SHIPPED, encoding="utf-8", newline="") as file:
        durations = {row["rule"]: float(row["seconds"]) for row in csv.DictReader(file)}
    with suppress(OSError, AttributeError, TypeError, ValueError):
        durations |= {rule: float(seconds) for rule, seconds in json.loads(DURATIONS.read_text("utf-8")).items()}
    return durations


def estimate(planned: Mapping[str, int], durations: Mapping[str, float], cores: int) -> float:
    """Estimate the seconds of a run of `planned` jobs by rule: at least those of its longest job."""
    seconds = {rule: durations.get(jobs.plain_rule(rule), 1.0) for rule in planned}
    return max(sum(number * seconds[rule] for rule, number in planned.items()) / cores, *seconds.values(), 0.0)


@dataclass
class Run:
    """Jobs of a run: `planned` by rule, running by Snakemake's number, finished and failed."""

    planned: Mapping[str, int]
    durations: Mapping[str, float]
    cores: int = 1
    clock: Callable[[], float] = time.monotonic
    running: dict[int, Job] = field(default_factory=dict)
    failed: list[tuple[str, Sequence[str]]] = field(default_factory=list)
    stages: set[str] = field(default_factory=set)

    def __post_init__(self):
        self.total, self.start = sum(self.planned.values()), self.clock()
        self._seconds: dict[str, list[float]] = defaultdict(list)

    @property
    def done(self) -> int:
        """Number of finished jobs."""
        return sum(map(len, self._seconds.values()))

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return self.clock() - self.start

    def begin(self, number: int, rule: str, wildcards: Mapping[str, object], logs: Sequence[str]) -> None:
        """Add a running job."""
        name, log = jobs.name_job(rule, wildcards), logs[0] if logs else ""
        self.running[number] = Job(jobs.plain_rule(rule), name, jobs.find_stage(logs), log, self.clock())

    def finish(self, number: int) -> tuple[Job, str] | None:
        """Move a job to the finished ones; return it with a line about it."""
        if not (job := self.running.pop(number, None)):
            return None
        seconds = self.clock() - job.start
        self._seconds[job.rule].append(seconds)
        self.stages.add(job.stage)
        progress = jobs.read_progress(job.log) if seconds >= 5 else None
        speed = f", {progress.speed}" if progress and progress.speed else ""
        left = f"; about {format_duration(self.left())} left" if self.done < self.total else ""
        return job, f"{self.count()}  {_full_name(job)}, {format_duration(seconds)}{speed}{left}"

    def fail(self, number: int, rule: str, logs: Sequence[str]) -> str:
        """Move a job to the failed ones; return its name."""
        job = self.running.pop(number, None)
        name = job.name if job else jobs.name_job(rule, {})
        self.failed.append((name, logs))
        return name

    def share(self) -> float:
        """Return the share of the run that is done, by the seconds that its jobs should take."""
        planned = Counter()
        for rule, number in self.planned.items():
            planned[jobs.plain_rule(rule)] += number
        whole = sum(self._expected(rule) * number for rule, number in planned.items())
        done = sum(self._expected(rule) * len(seconds) for rule, seconds in self._seconds.items())
        done += sum(self._expected(job.rule) * self._share_of(job) for job in list(self.running.values()))
        return min(1.0, done / whole) if whole else 1.0

    def left(self) -> float:
        """Estimate the remaining seconds: by the recorded durations at first, more and more by the run's own speed."""
        share = self.share()
        weight = min(1.0, share / TRUSTED)
        expected = (1 - weight) * estimate(self.planned, self.durations, self.cores)
        return (1 - share) * (expected + (weight * self.elapsed / share if share else 0.0))

    def count(self) -> str:
        """Return the number of finished jobs of all."""
        return f"{self.done:>{len(str(self.total))}} of {self.total}"

    def running_lines(self) -> list[str]:
        """Describe each running job: its duration, and its progress by its log."""
        lines = []
        for job in [job for job in list(self.running.values()) if job.log]:
            progress = jobs.read_progress(job.log)
            parts = [_full_name(job), format_duration(self.clock() - job.start), *(progress[1:] if progress else [])]
            lines.append(", ".join(filter(None, parts)))
        return lines

    def record_durations(self) -> None:
        """Write the mean seconds by rule for the next run."""
        means = {rule: round(sum(seconds) / len(seconds), 2) for rule, seconds in self._seconds.items()}
        with suppress(OSError):
            DURATIONS.parent.mkdir(parents=True, exist_ok=True)
            DURATIONS.write_text(json.dumps(self.durations | means, indent=0), "utf-8")

    def _expected(self, rule: str) -> float:
        return self.durations.get(rule, 1.0)

    def _share_of(self, job: Job) -> float:
        progress = jobs.read_progress(job.log) if job.log else None
        by_time = (self.clock() - job.start) / max(self._expected(job.rule), 0.1)
        return min(0.95, progress.share if progress else by_time)


def _full_name(job: Job) -> str:
    return f"{job.stage}: {job.name}" if job.stage else job.name
