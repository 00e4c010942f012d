"""Turn words of two groups into each other in sentences of an encoded corpus chosen at random."""

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
