"""Names of jobs for readers, and their progress by their logs."""

import re
from collections.abc import Mapping, Sequence
from itertools import takewhile
from pathlib import Path
from typing import NamedTuple

PROGRESS = re.compile(  # a line of core.logs.Progress
    r"(?P<text>[\d.,]+ of [\d.,]+ [^(]+ \((?P<percent>\d+) %\)), .*? left(?:.*, (?P<speed>[^,]+/hour))?"
)
TAIL = 20_000  # bytes of a log that are read
SEED = re.compile(r"seed_(\d+)_(.+)")  # the rule of a further seed, see rules/seeds.smk


class Progress(NamedTuple):
    """Newest line of progress in a job's log: the share done, a text and the speed, such as "417 models/hour"."""

    share: float
    text: str
    speed: str


def plain_rule(rule: str) -> str:
    """Return a rule's name without the seed that it runs with."""
    return SEED.sub(r"\2", rule)


def name_job(rule: str, wildcards: Mapping[str, object], logs: Sequence[str]) -> str:
    """Name a job by its stage, rule, wildcards and seed, as "same: score_same weat" or "same: plan_same, seed 2"."""
    stage, seed = find_stage(logs), SEED.fullmatch(rule)
    words = " ".join([plain_rule(rule), *map(str, wildcards.values())])
    return (f"{stage}: {words}" if stage else words) + (f", seed {seed[1]}" if seed else "")


def find_stage(logs: Sequence[str]) -> str:
    """Return a job's stage, the folder below logs/ of its log; "" for a job without one."""
    parts = Path(logs[0]).parts if logs else ()
    return parts[parts.index("logs") + 1] if "logs" in parts[:-2] else ""


def read_progress(log: str) -> Progress | None:
    """Read the newest line of progress in a log, if there is one."""
    found = next(filter(None, map(PROGRESS.search, reversed(_read_tail(log)))), None)
    return Progress(int(found["percent"]) / 100, found["text"], found["speed"] or "") if found else None


def read_end(log: str, max_lines: int = 15) -> list[str]:
    """Read the end of a failed job's log: to a user's error, without its traceback, or with the traceback of ours."""
    lines = [line for line in _read_tail(log) if line.strip()]
    before = list(takewhile(lambda line: not line.startswith("Traceback "), lines))
    return before[-max_lines:] if any(" Error: " in line for line in before[-max_lines:]) else lines[-2 * max_lines :]


def has_error(lines: Sequence[str]) -> bool:
    """Whether lines of a log say what went wrong; those of a killed job do not."""
    return any(" Error: " in line or "Uncaught exception" in line for line in lines)


def _read_tail(log: str) -> list[str]:
    try:
        with open(log, "rb") as file:
            file.seek(max(0, file.seek(0, 2) - TAIL))
            return file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []
