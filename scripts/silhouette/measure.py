"""Measure and test metrics on growing subsets of word lists, for all biases and both models of a pair."""

import logging
import time
from pathlib import Path

import numpy as np

from biassay.core import scripts
from biassay.measurement import metric as metrics
from biassay.studies.silhouette import false_positives, values
from biassay.studies.silhouette.reference import MODELS, Reference


def main(
    vectors: str, variants: list[dict], shuffles: int, steps: dict[str, int], tests: dict, seed: int,
    values_out: list[str], tests_out: list[str],
) -> None:  # fmt: skip
    words = Reference.open(Path(vectors).parent)
    for variant, values_path, tests_path in zip(variants, values_out, tests_out, strict=True):
        np.savez_compressed(values_path, **measure_all(words, variant, shuffles, steps, seed))
        b_0, started = values.variant_range(variant).b_0, time.monotonic()
        table = false_positives.run_tests(
            variant["metric"], variant["options"], b_0, words, shuffles=shuffles, seed=seed, **tests
        )
        logging.info("%s: %d tests, %.1f s", variant["metric"], len(table), time.monotonic() - started)
        table.to_csv(tests_path, index=False, float_format="%.6g")


def measure_all(
    words: Reference, variant: dict, shuffles: int, steps: dict[str, int], seed: int
) -> dict[str, np.ndarray]:
    """Measure the values (n, steps) by bias, list and model, with the number of words at each step, and the labels."""
    metric, options = variant["metric"], variant["options"]
    module = metrics.load(metric)
    types = [list_type for list_type in values.TYPES if list_type == "targets" or module.METRIC.groups != (0, 0)]
    arrays = {}
    for model in MODELS:
        growths = {}  # biases with the same targets share a growth, so that metrics can reuse results
        for bias, lists in words.lists.items():
            groups, targets = (words.select_vectors(model, bias, list_type) for list_type in ("groups", "targets"))
            for growing in types:
                started, place = time.monotonic(), f"{bias}, {growing}"
                try:
                    inputs = values.assign_inputs(module.METRIC, groups, targets, growing, paired=bias in words.paired)
                    key = str((growing, lists[growing], bias in words.paired))
                    if key not in growths:
                        growths[key] = values.draw_growth(inputs, growing, steps[growing], shuffles, seed)
                    result = values.measure_subsets(module, inputs, growths[key], **options)
                except ValueError as error:
                    raise ValueError(f"{metric}, {place}: {error}") from error
                arrays[f"{bias}/{growing}/{model}"] = result
                arrays[f"{bias}/{growing}/words"] = growths[key].n_words
                if inputs.labels is not None:
                    arrays[f"{bias}/{growing}/labels"] = inputs.labels
                seconds = time.monotonic() - started
                logging.info("%s, %s model, %s: %d subsets, %.1f s", metric, model, place, result.size, seconds)
    return arrays


if __name__ == "__main__":
    scripts.run(main, snakemake)
