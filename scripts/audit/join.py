"""Join the audits of all sources."""

from pathlib import Path

from biassay.auditing import result
from biassay.support import logs


def main(audits: list[str], folder: str) -> None:
    result.join(result.read(Path(file).parent) for file in audits).write(folder, allow_other_files=True)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(audits=snakemake.input.audits, folder=str(Path(snakemake.output.page).parent))
