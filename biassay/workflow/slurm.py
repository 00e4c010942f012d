"""What a SLURM cluster has, as sinfo tells it, and which jobs can never start there."""

import os
import re
import subprocess
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

ASK = ["sinfo", "--noheader", "--exact", "--format=%P|%c|%m|%l|%G"]
SECONDS = 20  # to wait for an answer


@dataclass(frozen=True)
class Nodes:
    """Nodes of a partition that are alike: CPUs, memory in MB, GPUs, and minutes of a job at most (None: no limit)."""

    partition: str
    default: bool
    cpus: int
    memory: int
    minutes: int | None
    gpus: int


def nodes() -> list[Nodes]:
    """All kinds of nodes by partition; raises ValueError if SLURM does not answer."""
    try:
        told = subprocess.run(ASK, capture_output=True, text=True, check=True, timeout=SECONDS).stdout
    except FileNotFoundError:
        raise ValueError("SLURM: there is no sinfo on this machine; start from a host that submits jobs") from None
    except subprocess.TimeoutExpired:
        raise ValueError(f"SLURM: sinfo does not answer within {SECONDS} s; is the controller up?") from None
    except subprocess.CalledProcessError as error:
        raise ValueError(f"SLURM: sinfo: {error.stderr.strip() or error}; is the controller up?") from None
    found = parsed(told)
    if not found:
        raise ValueError("SLURM: sinfo names no partition")
    return found


def parsed(told: str) -> list[Nodes]:
    """Kinds of nodes from lines of partition, CPUs, memory, time and generic resources."""
    found = []
    for line in told.splitlines():
        partition, cpus, memory, limit, gres = line.split("|")
        number = {"cpus": int(cpus.rstrip("+")), "memory": int(memory.rstrip("+")), "gpus": _gpus(gres)}
        found.append(Nodes(partition.rstrip("*"), partition.endswith("*"), minutes=minutes(limit), **number))
    return found


def minutes(limit: str) -> int | None:
    """Minutes of a limit as SLURM writes it, days-hours:minutes:seconds, of which the first may lack."""
    match = re.fullmatch(r"(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)", limit.strip())
    if not match:
        return None
    days, hours, left, _ = (int(part or 0) for part in match.groups())
    return (24 * days + hours) * 60 + left


def _gpus(gres: str) -> int:
    counts = re.findall(r"\bgpu(?::[A-Za-z][\w.-]*)?:(\d+)", gres)
    return sum(map(int, counts)) or int(bool(re.search(r"\bgpu\b", gres)))


def usable(found: Iterable[Nodes], partition: str | None) -> list[Nodes]:
    """Nodes of a partition, or of the default one, or all where none is the default.

    Raises ValueError, naming the partitions, for an unknown one.
    """
    found = list(found)
    if partition:
        chosen = [node for node in found if node.partition in str(partition).split(",")]
        if not chosen:
            names = ", ".join(dict.fromkeys(node.partition for node in found))
            raise ValueError(f"SLURM: slurm_partition: {partition!r} is no partition; there are: {names}")
        return chosen
    return [node for node in found if node.default] or found


def never(asked: Mapping[str, object], found: Iterable[Nodes]) -> str:
    """Why a job that asks for _cores, mem_mb, runtime (minutes) and gpu can start on none of the nodes, or ""."""
    wants = {name: asked[key] for name, key in KEYS.items() if isinstance(asked.get(key), int)}
    found = list(found)
    if any(all(_has(node, name, value) for name, value in wants.items()) for node in found):
        return ""
    lacking = {name: value for name, value in wants.items() if not any(_has(node, name, value) for node in found)}
    told = [f"{value} {UNITS[name]}, and there are at most {_most(found, name)}" for name, value in lacking.items()]
    return "; ".join(told) or "no node has all that it asks for: " + ", ".join(
        f"{value} {UNITS[name]}" for name, value in wants.items()
    )


KEYS = {"cpus": "_cores", "memory": "mem_mb", "minutes": "runtime", "gpus": "gpu"}
UNITS = {"cpus": "threads", "memory": "MB", "minutes": "minutes", "gpus": "GPUs"}


def _has(node: Nodes, name: str, value: int) -> bool:
    limit = getattr(node, name)
    return limit is None or value <= limit


def _most(found: Iterable[Nodes], name: str) -> int:
    return max(getattr(node, name) for node in found)


# Rules of studies that may take long, with what comes before them; those that the submitting host runs itself; and what
# follows on a corpus.
LONG = re.compile(r"(^|_)(train|encode|collect_downstream_texts)")
LOCAL = re.compile(r"(^|_)(plan_|collect_downstream_pairs)")
QUICK = 120  # seconds on two cores up to which all of a study travels together
IN_CORPUS = re.compile(r"(^|_)(generate_corpus|encode_corpus|count_cooccurrences|train_embedding)$")


def partition(default_resources: Mapping | None) -> str | None:
    """The partition that default resources name."""
    found = default_resources.get("slurm_partition") if default_resources else None
    return None if found is None or found.raw is None else str(found.raw)


def fit(cores: int | None, found: Iterable[Nodes]) -> int:
    """Threads of a job or group at most: as many as are given, or as the largest node has."""
    most = _most(found, "cpus")
    return most if cores is None else min(most, cores)


def given() -> int:
    """Threads that SLURM has given the job that this is; 0 where it is none."""
    return int(os.environ.get("SLURM_CPUS_PER_TASK", 0))


def told(found: Iterable[Nodes]) -> str:
    """Partitions, in words."""
    return "the nodes of partition " + ", ".join(dict.fromkeys(node.partition for node in found))


def cancel(folder: str) -> int:
    """Cancel this user's jobs that were submitted from a folder, and wait until they are gone: how many there were."""
    asked = ["squeue", "--me", "--noheader", "--format=%i|%Z"]
    found, waited = [], 0
    while waited < SECONDS:
        told = subprocess.run(asked, capture_output=True, text=True, timeout=SECONDS).stdout
        left = [number for number, place in (line.split("|") for line in told.splitlines()) if place == folder]
        if left and not found:
            subprocess.run(["scancel", *left], capture_output=True, timeout=SECONDS)
        found = found or left
        if not left:
            break
        time.sleep(1)
        waited += 1
    return len(found)
