"""Runs of the workflow in a copy of the project, for the tests."""

import json
import os
import re
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent


def copy_project(folder):
    """Copy the project's files, without what git ignores."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True, check=True
    )
    for name in listed.stdout.split("\n"):
        if name and (ROOT / name).is_file():
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, folder / name)


def snakemake(folder, *arguments, config=None, overlay="configs/tiny.yaml"):
    """Run Snakemake in a copy of the project, with the library of that copy."""
    overlays = [overlay]
    if config:
        (folder / "changes.yaml").write_text(json.dumps(config))
        overlays.append("changes.yaml")
    command = [sys.executable, "-m", "snakemake", "--cores", "2", *arguments, "--configfile", *overlays]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def kill_at(folder, target, pattern, config):
    """Start a target, and kill Snakemake and its jobs once a file like the pattern is there."""
    (folder / "changes.yaml").write_text(json.dumps(config))
    command = [sys.executable, "-m", "snakemake", "--cores", "2", target, "--configfile", "configs/tiny.yaml"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    with open(folder / "killed.log", "w") as log:
        process = subprocess.Popen(
            [*command, "changes.yaml"], cwd=folder, env=environment, stdout=log, stderr=log, start_new_session=True
        )
    try:
        while not list(folder.glob(pattern)):
            assert process.poll() is None, (folder / "killed.log").read_text()
            time.sleep(0.01)
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def planned(folder, *arguments, **options):
    """Jobs that a dry run names, with their numbers."""
    result = snakemake(folder, "-n", *arguments, **options)
    assert result.returncode == 0, result.stderr + result.stdout
    jobs = dict(re.findall(r"^(\w+) +(\d+)$", result.stdout + result.stderr, re.MULTILINE))
    return {name: int(number) for name, number in jobs.items() if name not in ("all", "total")}
