"""Download a file, such as a Wikipedia dump, or check an existing one."""

from pathlib import Path

from biassay.core import scripts
from biassay.corpora import download


def main(dump: dict, out: str) -> None:
    checksum = download.fetch(dump["url"], out.removesuffix(".checked"), dump["checksum"])
    Path(out).write_text(f"{checksum}\n", "utf-8")


if __name__ == "__main__":
    scripts.run(main, snakemake)
