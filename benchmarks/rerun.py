"""Time from an edited word list to the new answer, and of a run without a change.

python benchmarks/rerun.py [RUNS]   needs two idle cores; without results/, a full run comes first
Works in a copy of the workflow and its results. Prints medians over RUNS (3) edits of the list "medium".
"""

import os
import re
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
LIST = "resources/words/gender/medium.yaml"


def copy(folder: Path) -> None:
    """Copy the files of the checkout, and its results if there are any."""
    command = ["git", "ls-files", "-co", "--exclude-standard"]
    for name in subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\n"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)
    for name in ("results", ".snakemake/metadata", ".snakemake/biassay"):
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, folder / name)


def run(folder: Path, *command: str) -> tuple[float, str]:
    """Run a command in a folder; return its seconds and its output."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1"}
    start = time.perf_counter()
    process = subprocess.run([sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if process.returncode:
        raise RuntimeError(process.stderr[-3000:])
    return seconds, process.stdout + process.stderr


def run_workflow(folder: Path) -> tuple[float, int]:
    """Run all outdated jobs; return the seconds and the number of jobs."""
    seconds, output = run(folder, "-m", "snakemake", "--cores", "2")
    jobs = re.search(r"^(\d+) jobs?\b", output, re.MULTILINE)
    return seconds, int(jobs[1]) if jobs else 0


def edit(folder: Path) -> None:
    """Remove the last word of both groups from the list."""
    path = folder / LIST
    path.write_text(re.sub(r",\s+\S+\](?=\n)", "]", path.read_text("utf-8")), "utf-8")


def main(runs: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        copy(folder)
        first, jobs = run_workflow(folder)
        print(f"before: {jobs} jobs, {first:.0f} s" + (" (a full run)" if jobs > 100 else ""))
        seconds = []
        for _ in range(runs):
            edit(folder)
            duration, jobs = run_workflow(folder)
            seconds.append(duration)
            print(f"an edited word list: {jobs} jobs, {duration:.1f} s")
        idle = statistics.median(run_workflow(folder)[0] for _ in range(runs))
        print(f"median {statistics.median(seconds):.1f} s from an edited list to the answer, on {os.cpu_count()} cores")
        print(f"without a change: median {idle:.1f} s")


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 3)
