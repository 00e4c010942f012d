"""Nodes of a SLURM cluster, as sinfo lists them, and jobs that can never start there."""

import os
import re
import subprocess
import time
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

SINFO = ["sinfo", "--noheader", "--exact", "--format=%P|%c|%m|%l|%G"]
SQUEUE = ["squeue", "--me", "--noheader", "--format=%i|%Z"]
SECONDS = 20  # to wait for an answer
RESOURCES = {"cpus": "_cores", "memory": "mem_mb", "minutes": "runtime", "gpus": "gpu"}  # Snakemake's names
UNITS = {"cpus": "threads", "memory": "MB", "minutes": "minutes", "gpus": "GPUs"}

LONG = re.compile(
    r"(^|_)(train|encode|collect_downstream_texts)"
)  # rules of studies that may take long, and their inputs
LOCAL = re.compile(r"(^|_)(plan_|collect_downstream_pairs)")  # rules that run on the submitting host
QUICK = 120  # seconds on two cores: a study whose jobs are all shorter is submitted as one group
IN_CORPUS = re.compile(r"(^|_)(generate_corpus|encode_corpus|count_cooccurrences|train_embedding)$")


@dataclass(frozen=True)
class Nodes:
    """Identical nodes of a partition: CPUs, memory in MB, GPUs, and the longest job in minutes (None: no limit)."""

    partition: str
    default: bool
    cpus: int
    memory: int
    minutes: int | None
    gpus: int


def read_nodes() -> list[Nodes]:
    """List all kinds of nodes by partition.

    Raises
    ------
    ValueError
        If SLURM does not answer, or lists no partition.
    """
    try:
        output = subprocess.run(SINFO, capture_output=True, text=True, check=True, timeout=SECONDS).stdout
    except FileNotFoundError:
        raise ValueError("SLURM: this machine has no sinfo; start the workflow on a host that submits jobs") from None
    except subprocess.TimeoutExpired:
        raise ValueError(f"SLURM: sinfo did not answer within {SECONDS} s; is the controller running?") from None
    except subprocess.CalledProcessError as error:
        raise ValueError(f"SLURM: sinfo failed: {error.stderr.strip() or error}; is the controller running?") from None
    kinds = parse_nodes(output)
    if not kinds:
        raise ValueError("SLURM: sinfo lists no partition")
    return kinds


def parse_nodes(output: str) -> list[Nodes]:
    """Parse sinfo's lines of partition, CPUs, memory, time limit and generic resources."""
    kinds = []
    for line in output.splitlines():
        partition, cpus, memory, limit, gres = line.split("|")
        counts = {"cpus": int(cpus.rstrip("+")), "memory": int(memory.rstrip("+")), "gpus": _count_gpus(gres)}
        kinds.append(Nodes(partition.rstrip("*"), partition.endswith("*"), minutes=parse_minutes(limit), **counts))
    return kinds


def parse_minutes(limit: str) -> int | None:
    """Convert SLURM's [days-][hours:]minutes:seconds into minutes; None if there is no limit."""
    match = re.fullmatch(r"(?:(\d+)-)?(?:(\d+):)?(\d+):(\d+)", limit.strip())
    if not match:
        return None
    days, hours, minutes, _ = (int(part or 0) for part in match.groups())
    return (24 * days + hours) * 60 + minutes


def _count_gpus(gres: str) -> int:
    counts = re.findall(r"\bgpu(?::[A-Za-z][\w.-]*)?:(\d+)", gres)
    return sum(map(int, counts)) or int(bool(re.search(r"\bgpu\b", gres)))


def select_nodes(nodes: Iterable[Nodes], partition: str | None) -> list[Nodes]:
    """Select the nodes of a partition, else of the default partition, else all of them.

    Raises
    ------
    ValueError
        If the partition is unknown; the message lists the partitions.
    """
    nodes = list(nodes)
    if partition:
        selected = [node for node in nodes if node.partition in str(partition).split(",")]
        if not selected:
            names = ", ".join(dict.fromkeys(node.partition for node in nodes))
            raise ValueError(f"SLURM: slurm_partition: unknown partition {partition!r}; expected one of: {names}")
        return selected
    return [node for node in nodes if node.default] or nodes


def explain_never(resources: Mapping[str, object], nodes: Iterable[Nodes]) -> str:
    """Explain why a job with these resources can start on none of the nodes; "" if it can start."""
    requested = {name: resources[key] for name, key in RESOURCES.items() if isinstance(resources.get(key), int)}
    nodes = list(nodes)
    if any(all(_has(node, name, amount) for name, amount in requested.items()) for node in nodes):
        return ""
    excess = {name: n for name, n in requested.items() if not any(_has(node, name, n) for node in nodes)}
    reasons = [f"{n} {UNITS[name]}, but a node has at most {_max(nodes, name)}" for name, n in excess.items()]
    return "; ".join(reasons) or "a combination that no node has: " + ", ".join(
        f"{amount} {UNITS[name]}" for name, amount in requested.items()
    )


def _has(node: Nodes, name: str, amount: int) -> bool:
    limit = getattr(node, name)
    return limit is None or amount <= limit


def _max(nodes: Iterable[Nodes], name: str) -> int:
    return max(getattr(node, name) for node in nodes)


def read_partition(default_resources: Mapping | None) -> str | None:
    """Return the partition in Snakemake's default resources, if any."""
    value = default_resources.get("slurm_partition") if default_resources else None
    return None if value is None or value.raw is None else str(value.raw)


def limit_threads(cores: int | None, nodes: Iterable[Nodes]) -> int:
    """Limit the threads of a job or group to those of the largest node."""
    max_cpus = _max(nodes, "cpus")
    return max_cpus if cores is None else min(max_cpus, cores)


def allocated_threads() -> int:
    """Return the threads that SLURM allocated to this job; 0 outside a SLURM job."""
    return int(os.environ.get("SLURM_CPUS_PER_TASK", 0))


def describe_partitions(nodes: Iterable[Nodes]) -> str:
    """Name the partitions of the nodes for a message."""
    return "the nodes of partition " + ", ".join(dict.fromkeys(node.partition for node in nodes))


def cancel_jobs(folder: str) -> int:
    """Cancel this user's jobs submitted from a folder and wait until they are gone; return their number."""
    cancelled, waited = [], 0
    while waited < SECONDS:
        output = subprocess.run(SQUEUE, capture_output=True, text=True, timeout=SECONDS).stdout
        jobs = [number for number, place in (line.split("|") for line in output.splitlines()) if place == folder]
        if jobs and not cancelled:
            subprocess.run(["scancel", *jobs], capture_output=True, timeout=SECONDS)
        cancelled = cancelled or jobs
        if not jobs:
            break
        time.sleep(1)
        waited += 1
    return len(cancelled)
