"""Say in sentences what silhouettes and their tests found, and what each figure shows."""

import pandas as pd

from biassay.figures.findings import write
from biassay.studies.silhouette.findings import Pair, findings
from biassay.support import logs


def main(
    scores: dict[str, str], alarms: dict[str, str], comparisons: dict[str, str], convergence: dict[str, str], out: str
) -> None:
    tables = (scores, alarms, comparisons, convergence)
    write(findings({pair: Pair(*(pd.read_csv(table[pair]) for table in tables)) for pair in scores}), out)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        scores=dict(zip(snakemake.params.pairs, snakemake.input.scores, strict=True)),
        alarms=dict(zip(snakemake.params.pairs, snakemake.input.alarms, strict=True)),
        comparisons=dict(zip(snakemake.params.pairs, snakemake.input.comparisons, strict=True)),
        convergence=dict(zip(snakemake.params.pairs, snakemake.input.convergence, strict=True)),
        out=snakemake.output[0],
    )
