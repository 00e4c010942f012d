"""Tabulate the verdicts on all metrics, with the published ones."""

import json

import pandas as pd

from biassay.core import csv_tables, scripts
from biassay.studies.properties.verdicts import KINDS, read_verdicts

KEYS = ["metric", "level", "property"]


def main(verdicts: dict[str, str], published: str, out: str) -> None:
    rows = []
    for metric, path in verdicts.items():
        for verdict in read_verdicts(path):
            counterexamples = json.dumps(verdict.pop("examples")) if verdict["examples"] else ""
            rows.append({"metric": metric, **verdict, "counterexamples": counterexamples})
    table = pd.DataFrame(rows).drop(columns="examples", errors="ignore")
    published_verdicts = csv_tables.read(published, [*KEYS, "published"], KINDS, comment="#").assign(n_groups=2)
    table = table.merge(published_verdicts, on=[*KEYS, "n_groups"], how="left")
    is_published = table["published"].notna()
    table["agrees"] = (table["verdict"] == table["published"]).where(is_published)
    table.to_csv(out, index=False, float_format="%.3g")


if __name__ == "__main__":
    scripts.run(main, snakemake, verdicts=dict(zip(snakemake.params.metrics, snakemake.input.verdicts, strict=True)))
