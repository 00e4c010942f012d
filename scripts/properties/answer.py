"""Write the findings of the study: the metrics with each property, and titles of figures."""

from biassay.core import scripts
from biassay.report.findings import write_findings
from biassay.studies.properties.findings import collect_findings
from biassay.studies.properties.verdicts import read_table


def main(table: str, out: str) -> None:
    write_findings(collect_findings(read_table(table)), out)


if __name__ == "__main__":
    scripts.run(main, snakemake)
