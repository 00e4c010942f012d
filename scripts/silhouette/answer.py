"""Say in sentences what silhouettes and their tests found, and what each figure shows."""

from pathlib import Path

from biassay.figures.findings import write_findings
from biassay.studies.silhouette import tables as study_tables
from biassay.studies.silhouette.findings import Pair, findings
from biassay.support import logs


def main(pairs: list[str], tables: list[str], out: str) -> None:
    found = {pair: {} for pair in pairs}
    for path in map(Path, tables):
        found[path.parent.name][path.stem] = study_tables.result(path, path.stem)
    write_findings(findings({pair: Pair(**of) for pair, of in found.items()}), out)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        pairs=snakemake.params.pairs,
        tables=list(snakemake.input.tables),
        out=snakemake.output[0],
    )
