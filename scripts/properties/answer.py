"""Say in sentences which metrics have which properties, and what each figure of the study shows."""

from biassay.figures.findings import write_findings
from biassay.studies.properties.findings import findings
from biassay.studies.properties.verdicts import table as read
from biassay.support import logs


def main(table: str, out: str) -> None:
    write_findings(findings(read(table)), out)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(table=snakemake.input.table, out=snakemake.output[0])
