"""Forecast of a run's time, memory and disk, scaled from measurements of the default run."""

import csv
import math
import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import yaml

from biassay.console import amounts, jobs, room
from biassay.core import formatting
from biassay.workflow import preparation

MEASURED = "resources/measured/rules.csv"
OWN = Path("results/benchmarks/rules.csv")  # what runs on this machine have taken, see `remember`
LONG = 300  # seconds from which a run is told of before it begins
OFF = 1.6  # measured runs took 1 / OFF to OFF times their forecast, see docs/progress.md
FARTHER = 0.15  # power by which that widens, of how many times a job is as large as the one measured
SECONDS_A_JOB = 0.9  # of a core, for Snakemake and the start of Python
UNKNOWN = {"seconds": 1.0, "threads": 1.0, "memory_mb": 300.0, "disk_mb": 0.0}  # of a rule that was not measured
# ASSUME: pretraining, which the default run lacks, takes with its defaults as much a token as 40 smaller steps took.
BESIDES = {"pretrain_language_model": {"seconds": 14_000.0, "threads": 2.0, "memory_mb": 932.0}}


@dataclass(frozen=True)
class Asked:
    """What a workflow was asked for: its configuration, its folder, the cores given (0: another machine's)."""

    config: Mapping
    home: str
    cores: int


@dataclass(frozen=True)
class Forecast:
    """What a run takes: seconds and by what factor they may be off, MB of the largest job and of all files.

    of_jobs: seconds of a job by rule. unseen: corpora of unknown size, without which all this is.
    """

    seconds: float
    memory: float
    disk: float
    off: float
    of_jobs: Mapping[str, float] = field(default_factory=dict)
    unseen: list[str] = field(default_factory=list)
    whose: str = ""
    core_hours: float = 0.0

    def lines(self, *, cluster: bool = False) -> list[str]:
        """Describe the forecast, on a cluster in core-hours, with a warning if memory or disk is too small."""
        low, high = (
            formatting.format_duration(self.seconds / self.off),
            formatting.format_duration(self.seconds * self.off),
        )
        memory, disk = formatting.format_size(self.memory), formatting.format_size(self.disk)
        if cluster:
            hours = f"{self.core_hours / self.off:.1f} to {self.core_hours * self.off:.1f}"
            lines = [
                f"Forecast: about {hours} core-hours, {memory} of memory for the largest job, at most {disk} of disk."
            ]
        elif not self.unseen:
            lines = [
                f"Forecast: about {low} to {high}, {memory} of memory for the largest job, at most {disk} of disk."
            ]
        else:
            lines = [f"Forecast: more than {low}, {memory} of memory for the largest job and {disk} of disk."]
        if self.unseen:
            lines += [f"  The files of {', '.join(self.unseen)} do not exist yet; their size is not included."]
        return [*lines, f"  {self.whose}", *self.warnings(cluster=cluster)]

    def warnings(self, *, cluster: bool = False) -> list[str]:
        """A line each for memory, but for a cluster's, and disk if there is less than the forecast needs."""
        memory = room.machine()
        disk = shutil.disk_usage(".").free / 1e6
        found = []
        if self.memory > memory and not cluster:
            found.append(f"WARNING: this machine has {formatting.format_size(memory)} of memory")
        if self.disk > disk:
            found.append(f"WARNING: the disk of {Path.cwd()} has {formatting.format_size(disk)} free")
        return found


class Share(NamedTuple):
    """What a rule takes of a run: its jobs, a job's seconds and threads, and how many times the one measured it is."""

    rule: str
    number: int
    seconds: float
    threads: float
    times: float


_asked: list[Asked] = []


def expect(config: Mapping, home: str, cores: int | None) -> None:
    """Keep what the workflow is asked for, for the console; the first that asks counts, not its modules."""
    if not _asked:
        _asked.append(Asked(config, home, cores or 0))


def of(planned: Mapping[str, int], cores: int | None = None, asked: Asked | None = None) -> Forecast:
    """Forecast a run of `planned` jobs by rule. What cannot be foreseen takes as long as in the default run."""
    asked = asked or (_asked[0] if _asked else None)
    if not asked:
        return Forecast(float(sum(planned.values())), 0.0, 0.0, OFF)
    measured, own = read(Path(asked.home, MEASURED)), read(OWN)
    standard = default(asked.home)
    cores = cores or asked.cores or os.cpu_count() or 1
    found, memory, disk, training = [], 0.0, 0.0, 0.0
    for rule, number in planned.items():
        plain = jobs.plain_rule(rule)
        row = figures(plain, measured)
        times = ratio(plain, asked.config, standard)
        found.append(Share(plain, number, own.get(plain, row)["seconds"] * times, min(row["threads"], cores), times))
        memory = max(memory, room.memory(plain, row["memory_mb"], times, asked.config))
        disk += room.disk(plain, number, row["disk_mb"], times, asked.config, standard)
        training = max(training, room.training(plain, asked.config))
    work = sum(share.number * (share.seconds * share.threads + SECONDS_A_JOB) for share in found)
    heaviest = max(found, key=lambda share: share.number * share.seconds, default=None)
    off = OFF * max(1.0, heaviest.times if heaviest else 1.0) ** FARTHER
    seconds = max([work / cores, *(share.seconds for share in found)])
    of_jobs = {share.rule: share.seconds for share in found}
    source = "earlier runs here" if own else "the default run on two cores of an AMD EPYC"
    whose = f"Based on {source}, for {cores} core{'s' if cores > 1 else ''} without a GPU."
    return Forecast(seconds, memory, disk + training, off, of_jobs, amounts.unseen(asked.config), whose, work / 3600)


def given_or_all() -> int:
    """The cores of a dry run: all of this machine if one or none was given, for Snakemake says one where none was."""
    given = _asked[0].cores if _asked else 0
    return given if given > 1 else os.cpu_count() or 1


def figures(rule: str, measured: Mapping[str, dict]) -> dict[str, float]:
    """Seconds, threads, memory and disk of a job of a rule in the default configuration."""
    return UNKNOWN | BESIDES.get(rule, {}) | measured.get(rule, {})


def ratio(rule: str, config: Mapping, standard: Mapping) -> float:
    """How many times the work of the default configuration a job of a rule is."""
    amount = amounts.AMOUNTS.get(rule)
    return amount(config) / amount(standard) if amount else 1.0


def remember(seconds: Mapping[str, list[float]]) -> None:
    """Write what jobs took to `OWN`, as if for the default configuration, beside what was known of other rules."""
    if not _asked:
        return
    asked, known = _asked[0], read(OWN)
    standard = default(asked.home)
    for rule, took in seconds.items():
        times = ratio(rule, asked.config, standard)
        known[rule] = {"jobs": len(took), "seconds": sum(took) / len(took) / times}
    OWN.parent.mkdir(parents=True, exist_ok=True)
    part = OWN.with_suffix(".part")
    with open(part, "w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["rule", "jobs", "seconds"])
        rows.writerows([rule, f"{row['jobs']:.0f}", f"{row['seconds']:.2f}"] for rule, row in sorted(known.items()))
    part.replace(OWN)


def read(path: Path) -> dict[str, dict[str, float]]:
    """A table of rules; nothing if it is not there or is damaged, since a forecast must stop no run."""
    try:
        with open(path, encoding="utf-8", newline="") as file:
            rows = list(csv.DictReader(file))
        found = {row.pop("rule"): {name: float(value) for name, value in row.items()} for row in rows}
        known = all(row["jobs"] > 0 and all(0 <= value < math.inf for value in row.values()) for row in found.values())
        return found if known else {}
    except (OSError, KeyError, ValueError, TypeError, csv.Error):
        return {}


def default(home: str) -> dict:
    """The default configuration of a copy of the workflow, with its paths where they are found from here."""
    standard = yaml.safe_load(Path(home, "config.yaml").read_text("utf-8"))
    return preparation.validate(standard, {"config": standard, "home": home})
