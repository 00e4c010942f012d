"""Calibrate all metrics on one model with one test."""

from pathlib import Path

from biassay.auditing import questions
from biassay.calibration import entry
from biassay.core import scripts


def main(
    path: str, model: str, test: str, tests: list[str], options: dict, metrics: dict[str, str], seed: int, threads: int,
    folder: str,
) -> None:  # fmt: skip
    [question] = [one for one in questions.find(tests or [test]) if one.name == test]
    own = {name: file for name, file in metrics.items() if file.endswith(".py")}
    chosen = [name for name in metrics if name not in own]
    found = entry.calibrate(path, question, name=model, metrics=chosen, own_metrics=own, seed=seed, processes=threads,
                            **options)  # fmt: skip
    found.write(folder)


if __name__ == "__main__":
    scripts.run(main, snakemake, folder=str(Path(snakemake.output.page).parent))
