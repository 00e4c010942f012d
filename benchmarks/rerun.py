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
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", "downloads", "site", "locks", "log", ".*_cache")


def run_workflow(folder: Path) -> tuple[float, int]:
    """Run all outdated jobs; return the seconds and the number of jobs."""
    environment = {**os.environ, "PYTHONPATH": str(folder), "OMP_NUM_THREADS": "1"}
    command, start = [sys.executable, "-m", "snakemake", "--cores", "2"], time.perf_counter()
    process = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    seconds = time.perf_counter() - start
    if process.returncode:
        raise RuntimeError(process.stderr[-3000:])
    jobs = re.search(r"^(\d+) jobs?\b", process.stdout + process.stderr, re.MULTILINE)
    return seconds, int(jobs[1]) if jobs else 0


def edit(folder: Path) -> None:
    """Remove the last word of both groups from the list."""
    path = folder / LIST
    path.write_text(re.sub(r",\s+\S+\](?=\n)", "]", path.read_text("utf-8")), "utf-8")


def main(runs: int) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(shutil.copytree(ROOT, Path(name) / "copy", ignore=LEFT_OUT))
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
