"""Say in sentences which metrics have which properties, and what each figure of the study shows."""

import pandas as pd

from biassay.figures.findings import write
from biassay.studies.properties.findings import findings
from biassay.support import logs


def main(table: str, out: str) -> None:
    write(findings(pd.read_csv(table)), out)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(table=snakemake.input.table, out=snakemake.output[0])
