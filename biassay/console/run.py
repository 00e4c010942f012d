"""State of a run by its events: running, finished and failed jobs, and the remaining time by recorded durations."""

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from biassay.console import jobs
from biassay.core.formatting import format_duration

RECORD = Path(".snakemake/biassay/durations.json")  # mean seconds of a job by rule, in the latest run
DEFAULT_RUN = {  # seconds of a core in the default run, of the rules whose jobs take longest
    "train_same": 300, "train_intrinsic": 270, "train_downstream": 72, "encode_intrinsic": 23, "encode_downstream": 16,
    "encode_same": 12, "train_downstream_heads": 13, "check_properties_0": 10,
    "check_properties_1": 11, "check_properties_2": 8, "check_properties_3": 13, "measure_silhouettes_0": 12,
    "measure_silhouettes_1": 8, "measure_silhouettes_2": 10, "diagnose_embedding": 7,
}  # fmt: skip
OTHER = 2.0  # seconds of a job of other rules
TRUSTED = 0.25  # share of a run from which only its own speed counts


@dataclass(frozen=True)
class Job:
    """A running job."""

    rule: str
    name: str
    stage: str
    log: str
    start: float


def read_durations() -> defaultdict[str, float]:
    """Read the seconds of a job by rule; a damaged record is ignored."""
    durations = defaultdict(lambda: OTHER, DEFAULT_RUN)
    with suppress(OSError, AttributeError, TypeError, ValueError):
        durations.update({rule: float(seconds) for rule, seconds in json.loads(RECORD.read_text("utf-8")).items()})
    return durations


@dataclass
class Run:
    """Jobs of a run: `planned` by rule, running by Snakemake's number, finished and failed."""

    planned: Mapping[str, int]
    durations: defaultdict[str, float]
    cores: int = 1
    clock: Callable[[], float] = time.monotonic
    running: dict[int, Job] = field(default_factory=dict)
    failed: list[tuple[str, Sequence[str]]] = field(default_factory=list)
    stages: set[str] = field(default_factory=set)

    def __post_init__(self):
        self.total, self.start = sum(self.planned.values()), self.clock()
        self._finished: dict[str, list[float]] = defaultdict(list)
        self._planned = Counter()
        for rule, number in self.planned.items():
            self._planned[jobs.plain_rule(rule)] += number

    @property
    def done(self) -> int:
        """Number of finished jobs."""
        return sum(map(len, self._finished.values()))

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return self.clock() - self.start

    def begin(self, number: int, rule: str, wildcards: Mapping[str, object], logs: Sequence[str]) -> None:
        """Add a running job."""
        name, log = jobs.name_job(rule, wildcards, logs), logs[0] if logs else ""
        self.running[number] = Job(jobs.plain_rule(rule), name, jobs.find_stage(logs), log, self.clock())

    def finish(self, number: int) -> tuple[Job, str] | None:
        """Move a job to the finished ones; return it with a line about it."""
        if not (job := self.running.pop(number, None)):
            return None
        seconds = self.clock() - job.start
        self._finished[job.rule].append(seconds)
        self.stages.add(job.stage)
        progress = jobs.read_progress(job.log) if seconds >= 5 else None
        speed = f", {progress.speed}" if progress and progress.speed else ""
        left = f"; about {format_duration(self.left())} left" if self.done < self.total else ""
        return job, f"{self.count()}  {job.name}, {format_duration(seconds)}{speed}{left}"

    def fail(self, number: int, rule: str, logs: Sequence[str]) -> str:
        """Move a job to the failed ones; return its name."""
        job = self.running.pop(number, None)
        name = job.name if job else jobs.name_job(rule, {}, logs)
        self.failed.append((name, logs))
        return name

    def expected(self) -> float:
        """Estimate the seconds of the run before it starts: at least those of its longest job."""
        return max(self._seconds(self._planned) / self.cores, *map(self.durations.__getitem__, self._planned), 0.0)

    def share(self) -> float:
        """Return the share of the run that is done, by the seconds that its jobs should take."""
        done = self._seconds({rule: len(seconds) for rule, seconds in self._finished.items()})
        for job in list(self.running.values()):
            progress = jobs.read_progress(job.log)
            by_time = (self.clock() - job.start) / max(self.durations[job.rule], 0.1)
            done += self.durations[job.rule] * min(0.95, progress.share if progress else by_time)
        return min(1.0, done / (self._seconds(self._planned) or 1.0))

    def left(self) -> float:
        """Estimate the remaining seconds: by the recorded durations at first, more and more by the run's own speed."""
        share = self.share()
        weight = min(1.0, share / TRUSTED)
        return (1 - share) * ((1 - weight) * self.expected() + (weight * self.elapsed / share if share else 0.0))

    def count(self) -> str:
        """Return the number of finished jobs of all."""
        return f"{self.done:>{len(str(self.total))}} of {self.total}"

    def running_lines(self) -> list[str]:
        """Describe each running job: its duration, and its progress by its log."""
        lines = []
        for job in list(self.running.values()):
            progress = jobs.read_progress(job.log)
            parts = [job.name, format_duration(self.clock() - job.start), *(progress[1:] if progress else [])]
            lines.append(", ".join(filter(None, parts)))
        return lines

    def record_durations(self) -> None:
        """Write the mean seconds by rule for the next run."""
        means = {rule: round(sum(seconds) / len(seconds), 2) for rule, seconds in self._finished.items()}
        with suppress(OSError):
            RECORD.parent.mkdir(parents=True, exist_ok=True)
            RECORD.write_text(json.dumps(self.durations | means, indent=0), "utf-8")

    def _seconds(self, numbers: Mapping[str, int]) -> float:
        return sum(self.durations[rule] * number for rule, number in numbers.items())
