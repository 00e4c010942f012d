"""Time and memory of `biassay audit`, and of `biassay calibrate` on the text, with their defaults, from start to page.

python benchmarks/audit.py [--sentence-encoder FOLDER] [--static FOLDER] [--words 400000] [--dimensions 300] [--runs 3]
    [--previous FOLDER]

A text of vectors with all words of the default tests among made-up ones (1.1 GB by default, in a temporary folder, read
once before the runs, then deleted); the shipped bert-tiny-enwiki; and, if their folders are given, a sentence encoder
such as all-MiniLM-L6-v2 and static token embeddings such as wordllama. Each has a reference in the same run: a plain
loop that splits the lines of the text, or encoding the same texts in one call. --previous is a checkout of another
version, whose runs alternate with ours. Exits with 1 if a target is missed.
"""

import argparse
import os
import platform
import resource
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

import numpy as np
import psutil

from biassay.auditing import entry, languages, questions
from biassay.vectors.encoders import sources
from biassay.words import resources

# Targets on two idle cores: seconds and MB.
TARGETS = {
    "text": (15.0, 750.0), "calibration": (60.0, None), "bert-tiny": (15.0, None), "sentence encoder": (60.0, None),
    "static": (10.0, None),
}  # fmt: skip
COMMAND = [sys.executable, "-m", "biassay.cli"]


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


def run(command: str, source: Path, out: Path, root: Path | None = None) -> tuple[float, float, float]:
    """Audit or calibrate a source: seconds, processor seconds, and peak MB of all processes, shared memory once (PSS).

    root: the checkout to run, if not the installed version.
    """
    before, begin, peak = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic(), 0.0
    audit = psutil.Popen([*COMMAND, command, source.resolve(), "--out", out.resolve()], stdout=sys.stderr, cwd=root)
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


def loop_over_lines(path: Path) -> float:
    """Return processor seconds of a plain loop that splits the lines of a text."""
    begin = time.process_time()
    with open(path, "rb") as file:
        for line in file:
            line.split(b" ", 1)
    return time.process_time() - begin


def encode_once(folder: Path) -> float:
    """Return processor seconds of encoding the words of the default tests, bare and in sentences, in one call."""
    encoder = sources.find(str(folder))
    forms = ("{}", *languages.load("en").sentences) if encoder.has_context else ("{}",)
    words = entry.list_words(entry.choose_tests(None, "en"))
    texts = [form.format(word) for word in words for form in forms]
    encoder(texts[:8])  # what happens only once
    begin = time.process_time()
    encoder(texts)
    return time.process_time() - begin


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentence-encoder", type=Path, help="folder of a sentence encoder")
    parser.add_argument("--static", type=Path, help="folder of static token embeddings")
    parser.add_argument("--only", nargs="+", choices=TARGETS, default=list(TARGETS), help="only these cases")
    parser.add_argument("--words", type=int, default=400_000)
    parser.add_argument("--dimensions", type=int, default=300)
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--previous", type=Path, help="checkout of another version, to compare with")
    parser.add_argument("--folder", help="where the text is written, for a moment (default: the system's)")
    options, random, is_missed = parser.parse_args(), np.random.default_rng(1), False
    print(f"{platform.platform()}, {os.cpu_count()} cores; load {os.getloadavg()[0]:.1f}")
    with tempfile.TemporaryDirectory(dir=options.folder) as folder:
        text = Path(folder) / "vectors.txt"
        write(text, make_words(options.words, random), options.dimensions, random)
        text.read_bytes()
        model = resources.shipped_path("models") / "bert-tiny-enwiki"
        cases = {
            "text": text,
            "calibration": text,
            "bert-tiny": model,
            "sentence encoder": options.sentence_encoder,
            "static": options.static,
        }
        for name, source in cases.items():
            if name not in options.only:
                continue
            if source is None:
                print(f"{name}: skipped, no folder was given")
                continue
            command = "calibrate" if name == "calibration" else "audit"
            reference = loop_over_lines(source) if source == text else encode_once(source)
            runs, roots = [], [None, *([options.previous] if options.previous else [])]
            for number in range(options.runs):
                runs.append(
                    [run(command, source, Path(folder) / f"{name}-{number}-{root is None}", root) for root in roots]
                )
            (seconds, busy, memory), *previous = np.median(runs, axis=0).tolist()
            max_seconds, max_memory = TARGETS[name]
            is_missed |= seconds > max_seconds or memory > (max_memory or np.inf)
            limits = f"{max_seconds:.0f} s" + (f", {max_memory:.0f} MB" if max_memory else "")
            print(f"{name}: {seconds:.1f} s ({busy:.1f} s of processor time, {busy / reference:.1f} × the reference's "
                  f"{reference:.1f} s), peak {memory:.0f} MB; target {limits}")  # fmt: skip
            for before in previous:
                print("  previous version: {:.1f} s ({:.1f} s of processor time), peak {:.0f} MB".format(*before))
    return int(is_missed)


if __name__ == "__main__":
    sys.exit(main())
