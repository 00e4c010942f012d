"""Write resources/measured/rules.csv from a finished default run: `python docs/measure_rules.py [FOLDER]`.

For each rule: jobs, mean seconds per job, threads, memory of the largest job, and mean disk. Memory comes from the
last lines of the jobs' logs. Seconds are processor seconds divided by threads where Snakemake benchmarked the job,
because other work on the machine does not change them. Elapsed seconds of other rules are multiplied by the same
factor (printed), so that the table describes an idle machine.
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
    """Read the run in a folder and write the table."""
    logs = sorted((folder / ".snakemake/log").glob("*.log"))
    started = {}
    for log in logs:
        started |= parse_log(log.read_text("utf-8"))
    jobs = read_metadata(folder)
    benchmarks = [read_benchmark(folder, started[job]) for job in jobs if job in started]
    idle = median(cpu / (wall * threads) for wall, cpu, threads in filter(None, benchmarks) if wall > 3)
    print(f"elapsed seconds of jobs without a benchmark are multiplied by {idle:.2f}")
    by_rule = defaultdict(list)
    for job, (seconds, disk) in jobs.items():
        settings = started.get(job, {"threads": 1})
        measured = read_benchmark(folder, settings)
        corrected = measured[1] / measured[2] if measured else seconds * idle
        by_rule[job[0]].append((corrected, settings["threads"], read_peak(folder, job[1]), disk))
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


def parse_log(log: str) -> dict[tuple, dict]:
    """Return threads and benchmark path of each job, by rule and log file."""
    jobs = {}
    for rule, text in re.findall(r"^(?:local)?rule (\w+):\n((?: {4}.*\n)+)", log, re.MULTILINE):
        fields = dict(re.findall(r"^ {4}(\w+): (.*)$", text, re.MULTILINE))
        threads = min(CORES, int(fields.get("threads", 1)))
        jobs[rule, fields.get("log")] = {"threads": threads, "benchmark": fields.get("benchmark")}
    return jobs


def read_metadata(folder: Path) -> dict[tuple, tuple[float, float]]:
    """Return elapsed seconds and MB of results of each job, by rule and log file."""
    seconds, disk = {}, defaultdict(float)
    for path in (folder / ".snakemake/metadata").rglob("*"):
        if path.is_file():
            record = json.loads(path.read_text("utf-8"))
            job = record["rule"], ", ".join(record["log"])
            seconds[job] = record["endtime"] - record["starttime"]
            disk[job] += count_bytes(folder / base64.b64decode(path.name).decode()) / 1e6
    return {job: (seconds[job], disk[job]) for job in seconds}


def count_bytes(path: Path) -> int:
    """Count the bytes of a file or folder, 0 if it does not exist."""
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file())


def read_peak(folder: Path, log: str) -> float:
    """Read the peak MB of a job from the last line of its log; 0 if it is missing."""
    path = folder / log.split(", ")[0]
    peaks = re.findall(r"at most (\d+) MB$", path.read_text("utf-8"), re.MULTILINE) if path.is_file() else []
    return float(peaks[-1]) if peaks else 0.0


def read_benchmark(folder: Path, settings: dict) -> tuple[float, float, int] | None:
    """Return elapsed and processor seconds of a job, and its threads; None without a benchmark."""
    if not settings.get("benchmark") or not (folder / settings["benchmark"]).is_file():
        return None
    with open(folder / settings["benchmark"], encoding="utf-8") as file:
        row = next(csv.DictReader(file, delimiter="\t"))
    return float(row["s"]), float(row["cpu_time"]), settings["threads"]


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT)
