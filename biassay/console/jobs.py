"""Names of jobs for readers, and their progress by their logs."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import takewhile
from pathlib import Path

PROGRESS = re.compile(  # a line of support.logs.Progress
    r"(?P<done>[\d.,]+) of (?P<total>[\d.,]+) (?P<unit>[^(]+) \((?P<share>\d+) %\), .*? left(?:, (?P<note>.*))?$"
)
NEWEST = 20_000  # bytes of a log that are read
SEED = re.compile(r"seed_(\d+)_(.+)")  # the rule of a further seed, see rules/seeds.smk


@dataclass(frozen=True)
class Job:
    """A job that was begun: its rule and wildcards in words, its stage and log, and the second it began."""

    rule: str
    name: str
    stage: str
    log: str
    began: float


@dataclass(frozen=True)
class Standing:
    """What a job's newest line of progress says: the share done, 0 to 1, and words for people."""

    share: float
    words: str
    speed: str  # such as "417 models/hour", or nothing


def plain_rule(rule: str) -> str:
    """A rule's name without the seed that it is run with."""
    found = SEED.fullmatch(rule)
    return found[2] if found else rule


def name(rule: str, wildcards: Mapping[str, object]) -> str:
    """A job in words: its rule, then its wildcards, as "score_same weat" or "train_same 0, seed 2"."""
    seed = SEED.fullmatch(rule)
    words = " ".join([plain_rule(rule), *(str(value) for value in wildcards.values())])
    return f"{words}, seed {seed[1]}" if seed else words


def stage(logs: Sequence[str]) -> str:
    """The stage's word, which a log's path names behind logs/; nothing for a job without a log."""
    parts = Path(logs[0]).parts if logs else ()
    return parts[parts.index("logs") + 1] if "logs" in parts[:-2] else ""


def standing(log: str) -> Standing | None:
    """How far a job is by the newest line of progress in its log; None if there is none."""
    for line in reversed(_newest(log)):
        if found := PROGRESS.search(line):
            words = f"{found['done']} of {found['total']} {found['unit']} ({found['share']} %)"
            notes = (found["note"] or "").split(", ")
            speed = next((note for note in notes if note.endswith("/hour")), "")
            return Standing(int(found["share"]) / 100, words, speed)
    return None


def last_lines(log: str, most: int = 15, *, whole: bool = False) -> list[str]:
    """A failed job's last lines of log, to a user's error, whose traceback stays in the file; or the whole of it."""
    if whole:
        return _newest(log, None)
    lines = [line for line in _newest(log) if line.strip()]
    until = list(takewhile(lambda line: not line.startswith("Traceback "), lines))
    told = any(" Error: " in line for line in until[-most:])
    return (until if told else lines)[-most if told else -2 * most :]


def tell(lines: list[str]) -> bool:
    """Whether lines of a log say what went wrong; those of a job that was killed do not."""
    return any(" Error: " in line or "Uncaught exception" in line for line in lines)


def _newest(log: str, most: int | None = NEWEST) -> list[str]:
    """The last lines of a text file, none if it cannot be read."""
    try:
        with open(log, "rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - most) if most else 0)
            return file.read().decode("utf-8", "replace").splitlines()
    except OSError:
        return []
