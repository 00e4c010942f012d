"""Write resources/measured/rules.csv from a run of the default that lies here: `python docs/measure_rules.py [FOLDER]`.

Of each rule: jobs, mean seconds of a job, threads, memory of the largest job, and mean disk. Memory is what jobs' logs
say at their ends. Seconds are processor seconds over threads where Snakemake benchmarked the job, which other work on
the machine does not lengthen; the elapsed ones of other rules are shortened by the same factor (printed), so that the
table is as of an idle machine.
"""

import base64
import csv
import json
import re
import sys
from collections import defaultdict
from pathlib import Path
from statistics import mean, median

ROOT = Path(__file__).resolve().parent.parent
COLUMNS = ["rule", "jobs", "seconds", "threads", "memory_mb", "disk_mb"]
CORES = 2


def main(folder: Path) -> None:
    """Read the run in `folder` and write the table."""
    logs = sorted((folder / ".snakemake/log").glob("*.log"))
    found = {}
    for log in logs:
        found |= told(log.read_text("utf-8"))
    jobs = ended(folder)
    busy = [benchmark(folder, found[job]) for job in jobs if job in found]
    idle = median(cpu / (wall * threads) for wall, cpu, threads in filter(None, busy) if wall > 3)
    print(f"elapsed seconds of jobs without a benchmark are multiplied by {idle:.2f}")
    by_rule = defaultdict(list)
    for job, (seconds, disk) in jobs.items():
        about = found.get(job, {"threads": 1})
        known = benchmark(folder, about)
        took = known[1] / known[2] if known else seconds * idle
        by_rule[job[0]].append((took, about["threads"], peak(folder, job[1]), disk))
    out = ROOT / "resources/measured/rules.csv"
    out.parent.mkdir(exist_ok=True)
    with open(out, "w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(COLUMNS)
        for rule, rows in sorted(by_rule.items()):
            seconds, threads, memory, disk = zip(*rows, strict=True)
            values = [f"{mean(seconds):.2f}", f"{mean(threads):.3g}", f"{max(memory):.0f}", f"{mean(disk):.3f}"]
            table.writerow([rule, len(rows), *values])
    print(f"{out}: {sum(map(len, by_rule.values()))} jobs of {len(by_rule)} rules")


def told(log: str) -> dict[tuple, dict]:
    """By rule and log file of a job: its threads, and its benchmark's path."""
    found = {}
    for rule, text in re.findall(r"^(?:local)?rule (\w+):\n((?: {4}.*\n)+)", log, re.MULTILINE):
        fields = dict(re.findall(r"^ {4}(\w+): (.*)$", text, re.MULTILINE))
        threads = min(CORES, int(fields.get("threads", 1)))
        found[rule, fields.get("log")] = {"threads": threads, "benchmark": fields.get("benchmark")}
    return found


def ended(folder: Path) -> dict[tuple, tuple[float, float]]:
    """By rule and log file of a job: its elapsed seconds, and the MB of its results."""
    seconds, disk = {}, defaultdict(float)
    for path in (folder / ".snakemake/metadata").rglob("*"):
        if path.is_file():
            about = json.loads(path.read_text("utf-8"))
            job = about["rule"], ", ".join(about["log"])
            seconds[job] = about["endtime"] - about["starttime"]
            disk[job] += size(folder / base64.b64decode(path.name).decode()) / 1e6
    return {job: (seconds[job], disk[job]) for job in seconds}


def size(path: Path) -> int:
    """Bytes of a file or folder, 0 if it is gone."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def peak(folder: Path, log: str) -> float:
    """Peak MB of a job by the last line of its log, 0 if it does not say."""
    path = folder / log.split(", ")[0]
    said = re.findall(r"at most (\d+) MB$", path.read_text("utf-8"), re.MULTILINE) if path.is_file() else []
    return float(said[-1]) if said else 0.0


def benchmark(folder: Path, about: dict) -> tuple[float, float, int] | None:
    """Elapsed and processor seconds of a job, and its threads; None without a benchmark."""
    if not about.get("benchmark") or not (folder / about["benchmark"]).is_file():
        return None
    with open(folder / about["benchmark"], encoding="utf-8") as file:
        row = next(csv.DictReader(file, delimiter="\t"))
    return float(row["s"]), float(row["cpu_time"]), about["threads"]


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
