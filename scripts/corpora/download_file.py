"""Download a file, such as a Wikipedia dump, or check an existing one."""

from pathlib import Path

from biassay.corpora import download
from biassay.support import logs


def main(dump: dict, out: str) -> None:
    checksum = download.fetch(dump["url"], out.removesuffix(".checked"), dump["checksum"])
    Path(out).write_text(f"{checksum}\n", "utf-8")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(dump=snakemake.params.dump, out=snakemake.output[0])
