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
SHIPPED = {  # seconds of a job in a default run on two cores
    "train_same": 374, "train_intrinsic": 321, "train_downstream": 144, "encode_downstream": 34,
    "train_downstream_heads": 18, "check_properties_0": 11, "check_properties_1": 15,
    "check_properties_2": 11, "check_properties_3": 15, "measure_silhouettes_0": 11, "measure_silhouettes_1": 7,
    "measure_silhouettes_2": 12, "diagnose_embedding": 12, "analyse_downstream": 11, "plot_silhouettes": 10,
    "plot_silhouette_scores": 9, "plot_same": 8, "report_intrinsic": 8, "report_downstream": 7, "generate_corpus": 7,
    "tabulate_intrinsic": 7, "plot_correlations": 6, "score_silhouettes": 6, "tabulate_properties": 5,
    "train_embedding": 5, "correlate_first_order": 4,
}  # fmt: skip
OTHER = 2.0  # mean seconds of a job of other rules in that run
SIMILAR = 5.0  # lengths differ at most by this factor


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
    durations = defaultdict(lambda: OTHER, SHIPPED)
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
        self.failed = [one for one in self.failed if one[0] != name]  # Snakemake tries it again
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

    def share(self) -> float:
        """Return the share of the run's time that has passed."""
        return self.elapsed / ((self.elapsed + self.left()) or 1.0)

    def left(self) -> float:
        """Estimate the remaining seconds of the run by those of its jobs and by how many ran at a time so far."""
        running, finished = list(self.running.values()), dict(self._finished)
        begun = Counter(job.rule for job in running) + Counter({rule: len(all_) for rule, all_ in finished.items()})
        waiting = self._planned - begun
        seconds = {rule: self._estimate(rule) for rule in waiting}
        rest = [self._rest(job) for job in running]
        busy = sum(map(sum, finished.values())) + sum(self.clock() - job.start for job in running)
        work = sum(rest) + sum(seconds[rule] * number for rule, number in waiting.items())
        return max(work * self.elapsed / busy if busy else work / self.cores, *rest, *seconds.values(), 0.0)

    def _estimate(self, rule: str) -> float:
        """Estimate a job's seconds: the rule's in this run, or the known ones at the pace of jobs of similar length."""
        if finished := self._finished.get(rule):
            return sum(finished) / len(finished)
        known = self.durations[rule]
        took = expected = known or 1.0  # as one job at the known pace
        for other, seconds in dict(self._finished).items():
            if max(known, self.durations[other]) <= SIMILAR * min(known, self.durations[other]):
                took, expected = took + sum(seconds), expected + self.durations[other] * len(seconds)
        return known * took / expected

    def _rest(self, job: Job) -> float:
        """Estimate the remaining seconds of a running job, if possible by the progress in its log."""
        seconds, progress = self.clock() - job.start, jobs.read_progress(job.log)
        if progress and progress.share:
            return seconds * (1 / progress.share - 1)
        return max(self._estimate(job.rule) - seconds, 0.0)

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
