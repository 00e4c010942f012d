"""Speed of encoding text and of counting co-occurrences, in tokens per second, compared with a plain Python loop.

python benchmarks/corpus.py [FILE …]   wikiextractor text, plain or compressed; by default, generated text
"""

import statistics
import sys
import tempfile
import timeit
from collections import Counter
from functools import partial
from pathlib import Path

from biassay.corpora import corpus
from biassay.corpora.generator import Generator
from biassay.counts import cooccurrence

RUNS = 3
RESOURCES = Path(__file__).parent.parent / "resources"


def generated(folder: Path) -> list[str]:
    """Write a file of generated text."""
    generator = Generator(RESOURCES / "words", RESOURCES / "templates/corpus.yaml", [])
    (folder / "text.txt").write_text("".join(generator.sentences(3_000_000)), "utf-8")
    return [str(folder / "text.txt")]


def plain_counts(tokens: list[list[int]], window: int) -> Counter:
    """Count with linear weighting in a plain Python loop."""
    counts = Counter()
    for sentence in tokens:
        for i, word in enumerate(sentence):
            for j in range(max(0, i - window), i):
                weight = (window - (i - j) + 1) / window
                counts[word, sentence[j]] += weight
                counts[sentence[j], word] += weight
    return counts


def timed(function, *arguments, **options) -> float:
    """Return the median seconds of a call."""
    return statistics.median(timeit.repeat(partial(function, *arguments, **options), number=1, repeat=RUNS))


def main(paths: list[str]) -> None:
    with tempfile.TemporaryDirectory() as name:
        paths = paths or generated(Path(name))
        n_read = corpus.encode(paths, name, min_count=10, markup=True)["tokens_read"] / 1e6
        seconds = timed(corpus.encode, paths, name, min_count=10, markup=True)
        print(f"encode: {n_read:.1f} M tokens, {n_read / seconds:.2f} M tokens/s on one core, {seconds:.1f} s")
        encoded = corpus.Corpus.open(name)
        n_counted = encoded.counts.sum() / 1e6
        for threads in (1, 2):
            cooccurrence.count(encoded, name, sample=1e-3, threads=threads)  # compiles
            seconds = timed(cooccurrence.count, encoded, name, sample=1e-3, threads=threads)
            print(f"count:  {n_counted / seconds:.2f} M tokens/s with {threads} threads, {seconds:.1f} s")
        sentences = [sentence for _, sentence in zip(range(20_000), encoded.sentences(), strict=False)]
        plain = sum(map(len, sentences)) / 1e6 / timed(plain_counts, sentences, 5)
        ours = n_counted / timed(cooccurrence.count, encoded, name)
        print(f"count, no subsampling, 1 thread: {ours / plain:.0f} × a plain Python loop ({plain:.2f} M tokens/s)")


if __name__ == "__main__":
    main(sys.argv[1:])
