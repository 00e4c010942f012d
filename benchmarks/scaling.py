"""Time, memory and size of counting by the size of the corpus, extrapolated to 1.9 G tokens.

python benchmarks/scaling.py FILE …   wikiextractor text; measures the first file, the first two, four, …, all
Writes docs/scaling.csv, and prints the fitted growth.
"""

import json
import sys
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd
from counts import measured

from biassay.corpora import corpus
from biassay.counts import cooccurrence, storage

DOCS = Path(__file__).parent.parent / "docs"
COUNT = {"window": 5, "weighting": "linear", "sample": 1e-3}
THREADS = 2
PAPER = 1.9e9  # tokens


def count(folder: str, out: Path) -> None:
    cooccurrence.count(corpus.Corpus.open(folder), out, **COUNT, threads=THREADS)


def row(paths: list[str], min_count: int) -> dict:
    """Run all stages on some files, each in its own process."""
    with tempfile.TemporaryDirectory() as folder:
        counts = Path(folder) / "counts"
        counts.mkdir()
        figures = {"encode": measured(corpus.encode, paths, folder, min_count=min_count, markup=True)}
        figures["count"] = measured(count, folder, counts)
        summary = json.loads((Path(folder) / "summary.json").read_text())
        values = {"parts": len(paths), "min_count": min_count, "tokens": summary["tokens_read"]}
        values |= {"words": summary["words"], "entries": storage.load(counts).nnz}
        for stage, (seconds, busy, memory) in figures.items():
            values |= {
                f"{stage} s": round(seconds, 1),
                f"{stage} CPU s": round(busy, 1),
                f"{stage} GB": round(memory, 2),
            }
        return values


def growth(table: pd.DataFrame, column: str) -> tuple[float, float]:
    """Fit a power law; return its exponent and the value at PAPER tokens, extrapolated from the largest corpus."""
    exponent = np.polyfit(np.log(table["tokens"]), np.log(table[column]), 1)[0]
    last = table.iloc[-1]
    return exponent, last[column] * (PAPER / last["tokens"]) ** exponent


def main(paths: list[str]) -> None:
    if not paths:
        print("scaling: expected text files; see the docstring. docs/scaling.csv has the measurements.")
        return
    with tempfile.TemporaryDirectory() as folder:  # compiles
        (Path(folder) / "text.txt").write_text("<doc>\n" + "some words and some more words. " * 50)
        row([f"{folder}/text.txt"], 1)
    sizes = sorted({*(2**i for i in range(len(paths).bit_length())), len(paths)})
    table = pd.DataFrame([row(paths[:size], min_count) for min_count in (50, 200) for size in sizes])
    table.to_csv(DOCS / "scaling.csv", index=False)
    print(table.to_string(index=False))
    for min_count, rows in table.groupby("min_count"):
        for column in ("words", "entries", "count CPU s", "encode CPU s"):
            exponent, value = growth(rows, column)
            print(f"min_count {min_count}, {column}: ∝ tokens^{exponent:.2f}, {value:.3g} at {PAPER:.2g} tokens")


if __name__ == "__main__":
    main(sys.argv[1:])
