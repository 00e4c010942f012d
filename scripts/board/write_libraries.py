"""Write the libraries that draw charts and tables, once for all pages of the site."""

from pathlib import Path

from biassay.core import scripts
from biassay.report.study import write_libraries


def main(out: list[str]) -> None:
    write_libraries(Path(out[0]).parent)


if __name__ == "__main__":
    scripts.run(main, snakemake)
