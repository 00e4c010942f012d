"""Swap the words of two groups in random sentences of an encoded corpus."""

from pathlib import Path

from biassay.core import scripts
from biassay.corpora import counterfactual


def main(source: str, swap: list[str], seed: int, folder: str) -> None:
    counterfactual.swap(source, swap, folder, seed=seed)


if __name__ == "__main__":
    scripts.run(
        main,
        snakemake,
        source=str(Path(snakemake.input.corpus[0]).parent),
        folder=str(Path(snakemake.output.tokens).parent),
    )
