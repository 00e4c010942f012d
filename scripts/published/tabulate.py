"""Compute published numbers from the vectors that they are printed for, theirs beside ours."""

import logging

import pandas as pd

from biassay.studies.published import numbers as computed
from biassay.support import logs
from biassay.words import published_numbers


def main(vectors: dict[str, str], numbers: str, word_lists: str, permutations: int, seed: int, out: str) -> None:
    known = published_numbers.read(numbers, word_lists)
    rows = []
    for name, path in vectors.items():
        of_these = [number for number in known if number.vectors == name]
        found = computed.rows(of_these, path, permutations=permutations, seed=seed)
        told = [row["agrees"] for row in found if row["agrees"] is not None]
        logging.info("%s: %d of %d printed numbers come out", name, sum(told), len(told))
        rows += found
    pd.DataFrame(rows).to_csv(out, index=False, float_format="%.4g")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        vectors=dict(zip(snakemake.params.vectors, snakemake.input.vectors, strict=True)),
        numbers=snakemake.input.numbers,
        word_lists=snakemake.input.word_lists,
        permutations=snakemake.params.permutations,
        seed=snakemake.params.seed,
        out=snakemake.output[0],
    )
