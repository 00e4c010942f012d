"""Write the findings of the study: the metrics with each property, and titles of figures."""

from biassay.figures.findings import write_findings
from biassay.studies.properties.findings import collect_findings
from biassay.studies.properties.verdicts import read_table
from biassay.support import logs


def main(table: str, out: str) -> None:
    write_findings(collect_findings(read_table(table)), out)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(table=snakemake.input.table, out=snakemake.output[0])
