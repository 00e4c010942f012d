"""Take a language model as it was after a step of its pretraining."""

import shutil
from pathlib import Path

from biassay.language_models.pretraining_checkpoints import STEPS
from biassay.support import logs


def main(of: str, step: int, out: str) -> None:
    shutil.copytree(Path(of) / STEPS / str(step), out, dirs_exist_ok=True)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(of=snakemake.input.of, step=snakemake.params.step, out=snakemake.output[0])
