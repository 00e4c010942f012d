"""Pretrain a masked language model on the text of a corpus."""

from biassay.core import scripts
from biassay.language_models import pretraining


def main(text: list[str], settings: dict, markup: bool, seed: int, checkpoint: str, out: str) -> None:
    pretraining.train(text, out, checkpoint, pretraining.Settings(**settings), markup=markup, seed=seed)


if __name__ == "__main__":
    scripts.run(main, snakemake)
