"""Encode text as token ids, with a vocabulary and word counts."""

from pathlib import Path

from biassay.corpora import corpus
from biassay.support import logs


def main(text: list[str], options: dict, folder: str) -> None:
    markup = options["source"] == "wikiextractor"
    corpus.encode(text, folder, min_count=options["min_count"], boundaries=options["boundaries"], markup=markup)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        text=list(snakemake.input.text),
        options=snakemake.params.options,
        folder=str(Path(snakemake.output.tokens).parent),
    )
