"""Put the audits of all sources side by side."""

from pathlib import Path

from biassay.auditing import result
from biassay.support import logs


def main(audits: list[str], folder: str) -> None:
    result.joined(result.read(Path(file).parent) for file in audits).write(folder, beside=True)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(audits=snakemake.input.audits, folder=str(Path(snakemake.output.page).parent))
