"""Measure with one metric on growing subsets of word lists, for all biases and both models of a pair."""

import logging
import time
from pathlib import Path

import numpy as np

from biassay.measurement import metric as metrics
from biassay.studies.silhouette import values
from biassay.studies.silhouette.reference import MODELS, Reference
from biassay.support import logs


def main(folder: str, variant: dict, shuffles: int, steps: dict[str, int], seed: int, out: str) -> None:
    metric, options = variant["metric"], variant["options"]
    module, words = metrics.load(metric), Reference.open(folder)
    types = [which for which in values.TYPES if which == "concepts" or module.METRIC.groups != (0, 0)]
    found = {}
    for model in MODELS:
        growths = {}  # biases that share concepts share what a metric learns from them
        for bias, lists in words.lists.items():
            groups, concepts = (words.arrays(model, bias, which) for which in ("groups", "concepts"))
            for growing in types:
                started, place = time.monotonic(), f"{bias}, {growing}"
                try:
                    question = values.ask(module.METRIC, groups, concepts, growing, paired=bias in words.paired)
                    key = str((growing, lists[growing]))
                    if key not in growths:
                        growths[key] = values.growth(question, growing, steps[growing], shuffles, seed)
                    result = values.values(module, question, growths[key], **options)
                except ValueError as error:
                    raise ValueError(f"{metric}, {place}: {error}") from error
                found[f"{bias}/{growing}/{model}"] = result
                found[f"{bias}/{growing}/words"] = growths[key].words
                logging.info("%s model, %s: %d subsets, %.1f s", model, place, result.size, time.monotonic() - started)
    np.savez_compressed(out, **found)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        folder=str(Path(snakemake.input.words).parent),
        variant=snakemake.params.variant,
        shuffles=snakemake.params.shuffles,
        steps=snakemake.params.steps,
        seed=snakemake.params.seed,
        out=snakemake.output[0],
    )
