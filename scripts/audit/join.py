"""Join the audits of all sources."""

from pathlib import Path

from biassay.auditing import result
from biassay.core import scripts


def main(audits: list[str], folder: str) -> None:
    result.join(result.read(Path(file).parent) for file in audits).write(folder, allow_other_files=True)


if __name__ == "__main__":
    scripts.run(main, snakemake, folder=str(Path(snakemake.output.page).parent))
