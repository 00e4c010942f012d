"""Gather the verdicts on all metrics in a table, beside the published ones."""

import json
from pathlib import Path

import pandas as pd

from biassay.support import logs

KEYS = ["metric", "level", "property"]


def main(verdicts: dict[str, str], published: str, out: str) -> None:
    rows = []
    for metric, path in verdicts.items():
        for verdict in json.loads(Path(path).read_text("utf-8")):
            counterexamples = json.dumps(verdict.pop("examples")) if verdict["examples"] else ""
            rows.append({"metric": metric, **verdict, "counterexamples": counterexamples})
    table = pd.DataFrame(rows).drop(columns="examples", errors="ignore")
    printed = pd.read_csv(published, comment="#").assign(groups=2)
    table = table.merge(printed, on=[*KEYS, "groups"], how="left")
    known = table["published"].notna()
    table["agrees"] = (table["verdict"] == table["published"]).where(known)
    table.to_csv(out, index=False, float_format="%.3g")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        verdicts=dict(zip(snakemake.params.metrics, snakemake.input.verdicts, strict=True)),
        published=snakemake.input.published,
        out=snakemake.output[0],
    )
