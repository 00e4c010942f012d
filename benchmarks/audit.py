"""Time and memory of `biassay audit` on a large GloVe-format text, from the start of the process to the table.

python benchmarks/audit.py [--words 400000] [--dimensions 300] [--runs 3] [--folder FOLDER]

The file has all words of the shipped tests, spread over the ranks, and made-up ones; random vectors. It is written to a
temporary folder (1.1 GB by default), read once before the runs, and deleted. Exits with 1 above 30 s or 1 GB.
"""

import argparse
import os
import platform
import resource
import statistics
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import psutil

from biassay.auditing import questions, source_vectors

SECONDS, MEGABYTES = 30.0, 1000.0
COMMAND = [sys.executable, "-m", "biassay.cli", "audit"]


def make_words(n: int, random: np.random.Generator) -> list[str]:
    """Place the words of all default tests among the first fifth of made-up words."""
    tests = [test for test in questions.shipped_tests().values() if test.default]
    asked = {word.lower() for test in tests for word in test.words}
    made = {"".join(row) for row in np.array(list("abcdefghijklmnopqrstuvwxyz"))[random.integers(0, 26, (n, 9))]}
    words = sorted(made - asked)[: n - len(asked)]
    for place, word in zip(random.choice(n // 5, len(asked), replace=False), sorted(asked), strict=True):
        words.insert(int(place), word)
    return words


def write(path: Path, words: list[str], dimensions: int, random: np.random.Generator) -> None:
    """Write lines of a word and its numbers, five decimals each as in GloVe's files."""
    texts = np.array([f"{value:.5f}" for value in random.normal(0, 0.4, 100_000)])
    with open(path, "w") as file:
        for word in words:
            file.write(f"{word} {' '.join(texts[random.integers(0, len(texts), dimensions)])}\n")


def run(path: Path, out: Path) -> tuple[float, float, float]:
    """Audit the file; return seconds, processor seconds, and the peak MB of all processes, shared memory once (PSS)."""
    before, begin, peak = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic(), 0.0
    audit = psutil.Popen([*COMMAND, path, "--out", out], stdout=sys.stderr)
    while audit.poll() is None:
        with suppress(psutil.NoSuchProcess):
            processes = [audit, *audit.children(recursive=True)]
            peak = max(peak, sum(process.memory_full_info().pss for process in processes) / 1e6)
        time.sleep(0.3)
    if audit.returncode:
        sys.exit(1)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    busy = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.monotonic() - begin, busy, peak


def compare_reading(path: Path) -> tuple[float, float]:
    """Return processor seconds of reading the tests' words and random rows, and of a plain loop that splits lines."""
    words = sorted({word for test in questions.shipped_tests().values() if test.default for word in test.words})
    begin = time.process_time()
    source_vectors.read(str(path), words, name="benchmark", seed=1)
    middle = time.process_time()
    with open(path, "rb") as file:
        for line in file:
            line.split(b" ", 1)
    return middle - begin, time.process_time() - middle


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--words", type=int, default=400_000)
    parser.add_argument("--dimensions", type=int, default=300)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--folder", help="where the file is written, for a moment (default: the system's)")
    options, random = parser.parse_args(), np.random.default_rng(1)
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        path = Path(folder) / "vectors.txt"
        write(path, make_words(options.words, random), options.dimensions, random)
        size, load = path.stat().st_size / 1e9, os.getloadavg()[0]
        print(f"{platform.platform()}, {os.cpu_count()} cores; {size:.2f} GB; load {load:.1f}")
        path.read_bytes()
        reading, loop = compare_reading(path)
        print(f"reading {reading:.1f} s of processor time, {reading / loop:.1f} × a plain loop that splits its lines")
        runs = [run(path, Path(folder) / str(number)) for number in range(options.runs)]
    seconds, busy, memory = map(statistics.median, zip(*runs, strict=True))
    print(f"median {seconds:.1f} s ({busy:.1f} s of processor time), peak {memory:.0f} MB; "
          f"aimed at {SECONDS:.0f} s and {MEGABYTES:.0f} MB")  # fmt: skip
    return int(seconds > SECONDS or memory > MEGABYTES)


if __name__ == "__main__":
    sys.exit(main())
