"""Swap the words of two groups in random sentences of an encoded corpus."""

from pathlib import Path

from biassay.corpora import counterfactual
from biassay.support import logs


def main(source: str, swap: list[str], seed: int, folder: str) -> None:
    counterfactual.swap(source, swap, folder, seed=seed)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        source=str(Path(snakemake.input.corpus[0]).parent),
        swap=list(snakemake.input.swap),
        seed=snakemake.params.seed,
        folder=str(Path(snakemake.output.tokens).parent),
    )
