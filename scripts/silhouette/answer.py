"""Write the findings of the silhouette study."""

from pathlib import Path

from biassay.core import csv_tables, scripts
from biassay.report.findings import write_findings
from biassay.studies.silhouette.findings import Pair, collect_findings


def main(pairs: list[str], tables: list[str], out: str) -> None:
    tables_by_pair = {pair: {} for pair in pairs}
    for path in map(Path, tables):
        tables_by_pair[path.parent.name][path.stem] = csv_tables.read(path, ["bias"], {}, allow_empty=True)
    write_findings(collect_findings({pair: Pair(**parts) for pair, parts in tables_by_pair.items()}), out)


if __name__ == "__main__":
    scripts.run(main, snakemake)
