"""Audit one source of vectors, or one language model."""

import logging
from pathlib import Path

from biassay.auditing import entry
from biassay.core import scripts


def main(path: str, model: str, options: dict, metrics: dict[str, str], seed: int, folder: str) -> None:
    own = {name: file for name, file in metrics.items() if file.endswith(".py")}
    chosen = [name for name in metrics if name not in own]
    audit = entry.audit(path, names=[model], metrics=chosen, own_metrics=own, seed=seed, **options)
    for conclusion in audit.summary.itertuples():
        logging.info("%s: %s", conclusion.test, conclusion.conclusion)
    audit.write(folder)


if __name__ == "__main__":
    scripts.run(main, snakemake, folder=str(Path(snakemake.output.page).parent))
