"""Copy the model that a pretraining stored after one of its steps."""

import shutil
from pathlib import Path

from biassay.language_models.pretraining_checkpoints import STEPS
from biassay.support import logs


def main(pretrained: str, step: int, out: str) -> None:
    shutil.copytree(Path(pretrained) / STEPS / str(step), out, dirs_exist_ok=True)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(pretrained=snakemake.input.pretrained, step=snakemake.params.step, out=snakemake.output[0])
