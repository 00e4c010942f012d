"""Time and memory of `biassay audit` on a large GloVe-format text, from the start of the process to the table.

python benchmarks/audit.py [--words 400000] [--dimensions 300] [--runs 3] [--folder FOLDER]

The file has all words of the shipped tests, spread over the ranks, and made-up ones; random vectors. It is written to a
temporary folder (1.1 GB by default), read once before the runs, and deleted. Exits with 1 above 30 s or 1 GB.
"""

import argparse
import contextlib
import os
import platform
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
import psutil

from biassay.auditing import questions

SECONDS, BYTES = 30.0, 1e9
AT_ONCE = 4000  # lines
COMMAND = [sys.executable, "-m", "biassay.cli", "audit"]


def vocabulary(n: int, random: np.random.Generator) -> list[str]:
    """The words of all default tests at random ranks among the first fifth, and made-up words."""
    asked = [question for question in questions.shipped().values() if question.default]
    known = sorted({word.lower() for question in asked for word in question.words})
    letters = np.array(list("abcdefghijklmnopqrstuvwxyz"))
    made = ["".join(row) for row in letters[random.integers(0, 26, (n, 9))]]
    words = list(dict.fromkeys(word for word in made if word not in set(known)))[: n - len(known)]
    for place, word in zip(
        np.sort(random.choice(n // 5, len(known), replace=False)), random.permutation(known), strict=True
    ):
        words.insert(int(place), str(word))
    return words


def write(path: Path, words: list[str], dimensions: int, random: np.random.Generator) -> None:
    """Lines of a word and its numbers, five decimals each as in GloVe's files."""
    texts = np.array([f"{value:.5f}" for value in random.normal(0, 0.4, 100_000)])
    with open(path, "w") as file:
        for start in range(0, len(words), AT_ONCE):
            part = words[start : start + AT_ONCE]
            numbers = texts[random.integers(0, len(texts), (len(part), dimensions))]
            file.write("".join(f"{word} {' '.join(row)}\n" for word, row in zip(part, numbers.tolist(), strict=True)))


def watched(audit: psutil.Process) -> int:
    """The most bytes that a process and its children took at a time, what they share counted once (PSS of Linux),
    asked three times a second until it ends."""
    most = 0
    while audit.status() != psutil.STATUS_ZOMBIE:
        now = 0
        for process in (audit, *audit.children(recursive=True)):
            with contextlib.suppress(psutil.NoSuchProcess, psutil.ZombieProcess):
                now += process.memory_full_info().pss
        most = max(most, now)
        time.sleep(0.3)
    return most


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("--words", type=int, default=400_000)
    parser.add_argument("--dimensions", type=int, default=300)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", help="where the file is written, for a moment (default: the system's)")
    given = parser.parse_args()
    random, seconds, busy, peaks = np.random.default_rng(1), [], [], []
    with tempfile.TemporaryDirectory(dir=given.folder) as folder:
        path = Path(folder) / "vectors.txt"
        write(path, vocabulary(given.words, random), given.dimensions, random)
        print(f"{platform.platform()}, {os.cpu_count()} cores; {path.stat().st_size / 1e9:.2f} GB, "
              f"{given.words:,} × {given.dimensions}; load {os.getloadavg()[0]:.1f}")  # fmt: skip
        with open(path, "rb") as file:
            while file.read(1 << 24):
                pass
        for run in range(given.runs):
            before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
            with open(Path(folder) / "printed", "w+") as printed:
                audit = subprocess.Popen([*COMMAND, path, "--out", Path(folder) / str(run)], stdout=printed)
                peaks.append(watched(psutil.Process(audit.pid)))
                if audit.wait():
                    return 1
                printed.seek(0)
                out = printed.read()
            seconds.append(time.monotonic() - started)
            after = resource.getrusage(resource.RUSAGE_CHILDREN)
            busy.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
            print(f"run {run + 1}: {seconds[-1]:.1f} s, {busy[-1]:.1f} s of processor time")
        print("\n".join(out.splitlines()[:14]))
    memory = statistics.median(peaks)
    middle = statistics.median(seconds)
    print(f"median {middle:.1f} s ({statistics.median(busy):.1f} s of processor time), peak {memory / 1e6:.0f} MB; "
          f"aimed at {SECONDS:.0f} s and {BYTES / 1e6:.0f} MB")  # fmt: skip
    return int(middle > SECONDS or memory > BYTES)


if __name__ == "__main__":
    sys.exit(main())
