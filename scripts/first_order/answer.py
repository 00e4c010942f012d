"""Write the study's findings: does direct co-occurrence measure bias better than vector similarity?"""

from collections.abc import Mapping

from biassay.core import csv_tables, scripts
from biassay.report.findings import write_findings
from biassay.studies.first_order.findings import collect_findings


def main(
    comparisons: str, confounding: str, false_positives: str, main_list: str, generated: Mapping[str, list[str]],
    out: str,
) -> None:  # fmt: skip
    paths = (comparisons, confounding, false_positives)
    tables = [csv_tables.read(path, ["corpus"], {}, allow_empty=True) for path in paths]
    write_findings(collect_findings(*tables, main_list, generated), out)


if __name__ == "__main__":
    scripts.run(main, snakemake)
