"""Encode text as token ids, with a vocabulary and word counts."""

from pathlib import Path

from biassay.core import scripts
from biassay.corpora import corpus


def main(text: list[str], options: dict, folder: str) -> None:
    markup = options["source"] == "wikiextractor"
    corpus.encode(text, folder, min_count=options["min_count"], boundaries=options["boundaries"], markup=markup)


if __name__ == "__main__":
    scripts.run(main, snakemake, folder=str(Path(snakemake.output.tokens).parent))
