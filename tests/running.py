"""Runs of the workflow in a copy of the project."""

import contextlib
import hashlib
import json
import os
import re
import resource
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parent.parent
ENDED = re.compile(r"^\d\d:\d\d:\d\d +\d+ of \d+", re.MULTILINE)  # a line of a finished job


def files_of_project():
    """List the project's files, without those that git ignores."""
    listed = subprocess.check_output(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, text=True)
    return [name for name in listed.splitlines() if (ROOT / name).is_file()]


def digest_of_project():
    """Compute a digest of the names and contents of the project's files."""
    found = hashlib.sha256()
    for name in sorted(files_of_project()):
        found.update(f"{name} {hashlib.sha256((ROOT / name).read_bytes()).hexdigest()}\n".encode())
    return found.hexdigest()[:16]


def copy_project(folder):
    """Copy the project's files with Python's and numba's caches, which saves seconds per job."""
    for cache in (ROOT / "biassay").rglob("__pycache__"):
        with contextlib.suppress(shutil.Error):  # a file that is being written
            shutil.copytree(cache, folder / cache.relative_to(ROOT), dirs_exist_ok=True)
    for name in files_of_project():
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


def project_of(folder, config):
    """Copy the project, with a configuration merged over the tiny one."""
    copy_project(folder)
    (folder / "changes.yaml").write_text(json.dumps(config))
    return folder


def begin(folder, command, limit=None, new_session=False):
    """Start a tiny run of such a project with output in run.log; limit: a resource and its limit per process."""
    lower = (lambda: resource.setrlimit(limit[0], (limit[1], limit[1]))) if limit else None
    command = [*command, "--configfile", "configs/tiny.yaml", "changes.yaml"]
    options = {"cwd": folder, "env": os.environ | {"PYTHONPATH": str(folder)}, "preexec_fn": lower}
    with open(folder / "run.log", "w") as log:
        return subprocess.Popen(command, stdout=log, stderr=log, start_new_session=new_session, **options)


def ended_jobs(folder):
    """Count the jobs that a run has finished."""
    return len(ENDED.findall((folder / "run.log").read_text()))


def wait(process, folder, until):
    """Wait until a condition holds while a run goes on."""
    while not until():
        assert process.poll() is None, (folder / "run.log").read_text()
        time.sleep(0.05)


def kill_at(folder, target, pattern, config):
    """Start a target, and kill Snakemake and its jobs when a file matches the pattern."""
    (folder / "changes.yaml").write_text(json.dumps(config))
    process = begin(folder, [sys.executable, "-m", "snakemake", "--cores", "2", target], new_session=True)
    try:
        wait(process, folder, lambda: list(folder.glob(pattern)))
    finally:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()


def planned(folder, *arguments, **options):
    """Count the jobs in the output of a dry run."""
    result = snakemake(folder, "-n", *arguments, **options)
    assert result.returncode == 0, result.stderr + result.stdout
    jobs = dict(re.findall(r"^(\w+) +(\d+)$", result.stdout + result.stderr, re.MULTILINE))
    return {name: int(number) for name, number in jobs.items() if name not in ("all", "total")}


def threads_of(folder, rule):
    """Read the threads of the last job of a rule in a folder from Snakemake's log, which omits 1."""
    logs = sorted((folder / ".snakemake/log").glob("*.log"), key=lambda log: log.stat().st_mtime)
    job = re.compile(rf"^(?:local)?rule {rule}:\n((?: .*\n)+)", re.MULTILINE)
    *_, last = (told for log in logs for told in job.findall(log.read_text()))
    return int(next(iter(re.findall(r"threads: (\d+)", last)), 1))
