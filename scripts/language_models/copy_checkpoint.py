"""Copy the model that a pretraining stored after one of its steps."""

import shutil
from pathlib import Path

from biassay.core import scripts
from biassay.language_models.pretraining import STEPS


def main(pretrained: str, step: int, out: str) -> None:
    shutil.copytree(Path(pretrained) / STEPS / str(step), out, dirs_exist_ok=True)


if __name__ == "__main__":
    scripts.run(main, snakemake)
