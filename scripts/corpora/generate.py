"""Write synthetic text with planted bias, and its ground truth."""

import logging
from itertools import islice
from pathlib import Path

from biassay.core import scripts
from biassay.corpora.generator import Generator


def main(
    words: str, templates: str, occupation_statistics: list[str], options: dict, seed: int, text: str, ground_truth: str
) -> None:
    generator = Generator(
        Path(words),
        Path(templates),
        [Path(path) for path in occupation_statistics],
        seed=seed,
        strength=0.0 if options["control"] else 1.0,
        confounded=options["confounded"],
        confounding=options["confounding"],
    )
    with open(text, "w", encoding="utf-8") as file:
        file.writelines(generator.sentences(options["tokens"]))
    generator.ground_truth().to_csv(ground_truth, index=False)
    with open(text, encoding="utf-8") as file:
        logging.info("The first sentences:\n%s", "".join(islice(file, 5)))


if __name__ == "__main__":
    scripts.run(main, snakemake, words=str(Path(snakemake.input.occupations).parent))
