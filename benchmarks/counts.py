"""Co-occurrence counts: time, memory and equality, compared with Stanford's `cooccur` on the same text.

python benchmarks/counts.py [--corpus FOLDER] [--cooccur PATH] [--window 5] [--memory 4] [--runs 3]

FOLDER is an encoded corpus; by default, generated text is encoded. Its words are written as text, one sentence per
line, for `cooccur`. Both programs run alternately, each in its own process. Seconds are those of the best run, ours
without the start of Python; memory is the peak of the process, ours with mapped pages.
"""

import argparse
import math
import os
import shlex
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy as np
from corpus import generated

from biassay.corpora import corpus
from biassay.counts.storage import load

OURS = """
import sys, time
from biassay.corpora import corpus
from biassay.counts import cooccurrence
folder, out, window, threads = sys.argv[1:]
begin = time.perf_counter()
cooccurrence.count(corpus.Corpus.open(folder), out, window=int(window), weighting="harmonic", threads=int(threads))
open(out + "/seconds", "w").write(str(time.perf_counter() - begin))
"""
RECORD = np.dtype([("word", "i4"), ("context", "i4"), ("value", "f8")])


def run(command: str) -> tuple[float, float]:
    """Run a shell command that is one program; return seconds and peak memory in GB."""
    begin = time.perf_counter()
    process = subprocess.Popen(f"exec {command}", shell=True, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = status
    if status:
        raise ValueError(f"failed: {command}")
    return time.perf_counter() - begin, usage.ru_maxrss / 1e6


def write_text(folder: str, out: Path) -> None:
    """Write an encoded corpus as text, one sentence per line, and its vocabulary for `cooccur`."""
    encoded = corpus.Corpus.open(folder)
    words = np.array([*encoded.words, "\n"], dtype=object)  # END is −1, the last entry
    with open(out / "text.txt", "w", encoding="utf-8") as file:
        for chunk in encoded.chunks():
            file.write(" ".join(words[chunk]))
    rows = zip(encoded.words, encoded.counts, strict=True)
    (out / "vocabulary.txt").write_text("".join(f"{word} {count}\n" for word, count in rows), "utf-8")


def equal(folder: Path, path: Path, window: int) -> str:
    """Compare both counts as integer multiples of 1 / lcm(1 … window); return the result as text."""
    ours, theirs, unit = load(folder), np.fromfile(path, RECORD), math.lcm(*range(1, window + 1))
    if ours.nnz != len(theirs):
        return f"DIFFERENT: {ours.nnz:,} and {len(theirs):,} pairs"
    theirs.sort(order=["word", "context"])
    rows = np.repeat(np.arange(ours.shape[0], dtype=np.int32), np.diff(ours.indptr))
    if not ((theirs["word"] - 1 == rows).all() and (theirs["context"] - 1 == ours.indices).all()):
        return "DIFFERENT pairs"
    different = np.flatnonzero(np.rint(theirs["value"] * unit) != np.rint(ours.data * unit))
    if different.tolist() == [0] and np.isclose(theirs["value"][0], 2 * ours.data[0]):
        return "equal except for the first pair, which `cooccur` doubles if all counts fit its table"
    return f"{len(different)} of {ours.nnz / 1e6:.1f} M pairs differ by more than rounding"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--corpus", help="folder of an encoded corpus")
    parser.add_argument("--cooccur", help="path of Stanford's program `cooccur`")
    parser.add_argument("--window", type=int, default=5)
    parser.add_argument("--memory", type=float, default=4, help="target of `cooccur`, in GB")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, source = Path(name), options.corpus or name
        if not options.corpus:
            corpus.encode(generated(folder), name, min_count=10)
        write_text(source, folder)
        tokens = np.load(Path(source) / "counts.npy").sum() / 1e6
        commands = {
            f"ours, {threads} threads": shlex.join(
                [sys.executable, "-c", OURS, source, name, str(options.window), str(threads)]
            )
            for threads in (1, 2)
        }
        if options.cooccur:
            commands["cooccur"] = (
                f"{options.cooccur} -verbose 0 -vocab-file {name}/vocabulary.txt -window-size {options.window} "
                f"-memory {options.memory} -overflow-file {name}/overflow < {name}/text.txt > {name}/cooccur.bin"
            )
        run(commands["ours, 2 threads"])  # compiles
        results = {key: [] for key in commands}
        for _ in range(options.runs):
            for key, command in commands.items():
                seconds, peak = run(command)
                seconds = float((folder / "seconds").read_text()) if key.startswith("ours") else seconds
                results[key].append((seconds, peak))
        for key, rows in results.items():
            seconds, peak = min(rows)[0], max(row[1] for row in rows)
            line = f"{key}: {tokens:.1f} M tokens in {seconds:.1f} s, {tokens / seconds:.2f} M/s, peak {peak:.2f} GB"
            if options.cooccur:
                line += f", {min(results['cooccur'])[0] / seconds:.2f} × cooccur"
            print(line)
        if options.cooccur:
            print(equal(folder, folder / "cooccur.bin", options.window))


if __name__ == "__main__":
    main()
