"""Tabulate the verdicts on all metrics with the published ones, and write the findings of the study."""

import json

import pandas as pd

from biassay.core import csv_tables, scripts
from biassay.report.findings import write_findings
from biassay.studies.properties.findings import collect_findings
from biassay.studies.properties.verdicts import KINDS, read_table, read_verdicts

KEYS = ["metric", "level", "property"]


def main(verdicts: dict[str, str], published: str, table: str, findings: str) -> None:
    rows = []
    for metric, path in verdicts.items():
        for verdict in read_verdicts(path):
            counterexamples = json.dumps(verdict.pop("examples")) if verdict["examples"] else ""
            rows.append({"metric": metric, **verdict, "counterexamples": counterexamples})
    all_verdicts = pd.DataFrame(rows).drop(columns="examples", errors="ignore")
    published_verdicts = csv_tables.read(published, [*KEYS, "published"], KINDS, comment="#").assign(n_groups=2)
    all_verdicts = all_verdicts.merge(published_verdicts, on=[*KEYS, "n_groups"], how="left")
    is_published = all_verdicts["published"].notna()
    all_verdicts["agrees"] = (all_verdicts["verdict"] == all_verdicts["published"]).where(is_published)
    all_verdicts.to_csv(table, index=False, float_format="%.3g")
    write_findings(collect_findings(read_table(table)), findings)


if __name__ == "__main__":
    scripts.run(main, snakemake)
