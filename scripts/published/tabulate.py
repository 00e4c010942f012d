"""Recompute published numbers from the vectors that they are published for."""

import logging

import pandas as pd

from biassay.core import scripts
from biassay.studies.published import numbers as recomputation
from biassay.words import published_numbers


def main(vectors: dict[str, str], numbers: str, word_lists: str, permutations: int, seed: int, out: str) -> None:
    published = published_numbers.read(numbers, word_lists)
    rows = []
    for name, path in vectors.items():
        of_vectors = [number for number in published if number.vectors == name]
        computed = recomputation.compute_rows(of_vectors, path, permutations=permutations, seed=seed)
        agreements = [row["agrees"] for row in computed if row["agrees"] is not None]
        logging.info("%s: %d of %d published numbers are reproduced", name, sum(agreements), len(agreements))
        rows += computed
    pd.DataFrame(rows).to_csv(out, index=False, float_format="%.4g")


if __name__ == "__main__":
    scripts.run(main, snakemake)
