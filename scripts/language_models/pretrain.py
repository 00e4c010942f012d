"""Pretrain a masked language model on the text of a corpus."""

from biassay.language_models import pretraining
from biassay.support import logs


def main(text: list[str], settings: dict, markup: bool, seed: int, checkpoint: str, out: str) -> None:
    pretraining.train(text, out, checkpoint, pretraining.Settings(**settings), markup=markup, seed=seed)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        text=list(snakemake.input.text),
        settings=snakemake.params.settings,
        markup=snakemake.params.markup,
        seed=snakemake.params.seed,
        checkpoint=snakemake.params.checkpoint,
        out=snakemake.output[0],
    )
