"""Speed of encoding text and of counting co-occurrences, compared with a plain loop and with Stanford's `cooccur`.

python benchmarks/counts.py [FILE …] [--corpus FOLDER] [--cooccur PATH] [--window 5] [--memory 4] [--runs 3]

FILE is wikiextractor text, plain or compressed; by default, generated text is encoded. FOLDER is a corpus that is
already encoded. Its words are written as text, one sentence per line, for `cooccur`. Calls alternate, each in its own
process. Seconds are those of the best run; memory is the peak of the process, ours with mapped pages.
"""

import argparse
import math
import os
import tempfile
import time
import traceback
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path

import numpy as np

from biassay.corpora import corpus
from biassay.corpora.generator import Generator
from biassay.counts import cooccurrence
from biassay.counts.storage import load

RESOURCES = Path(__file__).parent.parent / "resources"
RECORD = np.dtype([("word", "i4"), ("context", "i4"), ("value", "f8")])  # of Stanford's binary files


def generated(folder: Path) -> list[str]:
    """Write a file of generated text."""
    generator = Generator(RESOURCES / "words", RESOURCES / "templates/corpus.yaml", [])
    (folder / "text.txt").write_text("".join(generator.sentences(3_000_000)), "utf-8")
    return [str(folder / "text.txt")]


def measured(function: Callable, *arguments: object, **options: object) -> tuple[float, float, float]:
    """Run a call in its own process; return seconds, processor seconds and peak GB."""
    start = time.perf_counter()
    child = os.fork()
    if not child:
        try:
            function(*arguments, **options)
            os._exit(0)
        except BaseException:
            traceback.print_exc()
        os._exit(1)
    _, status, usage = os.wait4(child, 0)
    if status:
        raise RuntimeError(f"{function} failed")
    return time.perf_counter() - start, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1e6


def count(folder: str, out: str, window: int, threads: int) -> None:
    cooccurrence.count(corpus.Corpus.open(folder), out, window=window, weighting="harmonic", threads=threads)


def count_plainly(sentences: list[list[int]], window: int) -> None:
    """Count in a plain Python loop."""
    counts = Counter()
    for sentence in sentences:
        for i, word in enumerate(sentence):
            for j in range(max(0, i - window), i):
                counts[word, sentence[j]] += 1 / (i - j)
                counts[sentence[j], word] += 1 / (i - j)


def write_text(encoded: corpus.Corpus, out: Path) -> None:
    """Write an encoded corpus as text, one sentence per line, and its vocabulary for `cooccur`."""
    words = np.array([*encoded.words, "\n"], dtype=object)  # END is −1, the last entry
    with open(out / "words_in_lines.txt", "w", encoding="utf-8") as file:
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
    parser.add_argument("files", nargs="*", metavar="FILE", help="wikiextractor text")
    parser.add_argument("--corpus", help="folder of an encoded corpus")
    parser.add_argument("--cooccur", help="path of Stanford's program `cooccur`")
    parser.add_argument("--window", type=int, default=5)
    parser.add_argument("--memory", type=float, default=4, help="target of `cooccur`, in GB")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder, source = Path(name), options.corpus or name
        if not options.corpus:
            paths = options.files or generated(folder)
            encode = partial(corpus.encode, paths, name, min_count=10, markup=bool(options.files))
            seconds, _, peak = min(measured(encode) for _ in range(options.runs))
            n_read = corpus.read_summary(name)["tokens_read"] / 1e6
            print(f"encode: {n_read:.1f} M tokens, {n_read / seconds:.2f} M/s on one core, peak {peak:.2f} GB")
        encoded = corpus.Corpus.open(source)
        sentences = [sentence for _, sentence in zip(range(20_000), encoded.sentences(), strict=False)]
        tokens, share = encoded.counts.sum() / 1e6, sum(map(len, sentences)) / encoded.counts.sum()
        calls = {f"ours, {n} threads": partial(count, source, name, options.window, n) for n in (1, 2)}
        calls["plain loop"] = partial(count_plainly, sentences, options.window)  # of a part
        if options.cooccur:
            write_text(encoded, folder)
            command = (
                f"exec {options.cooccur} -verbose 0 -vocab-file {name}/vocabulary.txt -window-size {options.window} "
                f"-memory {options.memory} -overflow-file {name}/overflow < {name}/words_in_lines.txt "
                f"> {name}/cooccur.bin 2> /dev/null"
            )
            calls["cooccur"] = partial(os.execvp, "sh", ["sh", "-c", command])
        measured(calls["ours, 2 threads"])  # compiles
        runs = [{key: measured(call) for key, call in calls.items()} for _ in range(options.runs)]
        best = {key: min(run[key][0] for run in runs) / (share if key == "plain loop" else 1) for key in calls}
        for key, seconds in best.items():
            line = f"{key}: {tokens:.1f} M tokens in {seconds:.1f} s, {tokens / seconds:.2f} M/s"
            peak = max(run[key][2] for run in runs)
            others = [other for other in ("plain loop", "cooccur") if other in best and other != key]
            ratios = [f"{best[other] / seconds:.2f} × {other}" for other in others]
            print(", ".join([line, f"peak {peak:.2f} GB", *ratios]))
        if options.cooccur:
            print(equal(folder, folder / "cooccur.bin", options.window))


if __name__ == "__main__":
    main()
