"""Score words in all trainings of all embeddings, and tabulate frequency dependence and reliability."""

import logging
from collections import defaultdict
from itertools import islice
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import scripts, vocabulary
from biassay.language_models import templates
from biassay.measurement import metric as registered
from biassay.studies.reliability import scores, tables
from biassay.vectors.embedding import Embedding
from biassay.words import resources

MIN_PAIRS = 2


def main(
    models: list[dict], folders: list[str], metrics: dict[str, str], counts: dict[str, str], pairs: str,
    occupations: str, n_words: int, set_size: int, resamples: int, seed: int, out: dict[str, str],
) -> None:  # fmt: skip
    groups = list(zip(*resources.read_two_groups(pairs).values(), strict=True))
    stereotypes = templates.occupations(occupations)[1]
    modules = {name: registered.load(metric) for name, metric in metrics.items()}
    rows, remaining = defaultdict(list), iter(folders)
    for model in models:
        key = {name: model[name] for name in ("corpus", "is_shuffled", "embedding")}
        own_folders = list(islice(remaining, model["trainings"]))
        trainings = [Embedding.open(folder) for folder in own_folders]
        known = [pair for pair in groups if all(word in trainings[0].index for word in pair)]
        if len(known) < MIN_PAIRS:
            raise ValueError(f"{pairs}: expected at least {MIN_PAIRS} pairs in {own_folders[0]}, got {len(known)}")
        words = [word for word in stereotypes if word in trainings[0].index]
        labels = np.array([templates.GROUPS.index(stereotypes[word]) for word in words], int)
        if len(np.unique(labels)) < len(templates.GROUPS):
            raise ValueError(f"{occupations}: expected occupations of both stereotypes in {own_folders[0]}")
        sample = scores.spread_by_frequency(read_counts(counts[model["corpus"]], known), n_words)
        by_pair = {}
        for name, module in modules.items():
            if module.METRIC.takes != "vectors" and trainings[0].link is None:
                continue  # not all algorithms have explicit values
            of_metric = key | {"metric": name, "level": scores.find_level(module)}
            both = list(zip(*known, strict=True))
            values, totals = scores.score_by_frequency(module, trainings[0], sample, both, set_size, seed)
            rows["frequency"].append(of_metric | tables.compute_slope(values, totals, resamples, seed))
            if of_metric["level"] == "word":
                rows["bins"] += tables.average_by_frequency(values, totals).assign(**of_metric).to_dict("records")
            if not model["is_shuffled"]:
                by_pair[name] = scores.score_pairs(module, trainings, words, labels, known, set_size, seed)
                rows["reliability"].append(of_metric | tables.compute_reliability(by_pair[name], resamples, seed))
        signed = {name: by_pair[name] for name in by_pair if scores.is_signed(modules[name])}
        rows["agreement"] += tables.compare_metrics(signed).assign(**key).to_dict("records")
        logging.info("%s, %s: %d trainings, %d pairs", key["corpus"], key["embedding"], len(trainings), len(known))
    for name, path in out.items():
        pd.DataFrame(rows[name], columns=tables.COLUMNS[name]).to_csv(path, index=False, float_format="%.6g")


def read_counts(path: str, pairs: list[tuple[str, str]]) -> pd.Series:
    """Read the counts of a corpus by word, largest first, without the words of the pairs."""
    counts = pd.Series(np.load(path), vocabulary.read(Path(path).with_name("words.txt")))
    return counts.drop(list({word for pair in pairs for word in pair})).sort_values(ascending=False, kind="stable")


if __name__ == "__main__":
    scripts.run(main, snakemake)
