"""Score all models of the downstream study with one metric: texts, classes, titles, pairs, and subsets of texts."""

from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.measurement import metric as metrics
from biassay.numerics.seeds import seed_of
from biassay.studies.downstream import scores, tables
from biassay.studies.downstream.robustness import HALF
from biassay.studies.downstream.scores import Vectors
from biassay.studies.downstream.texts import VERSIONS, Texts
from biassay.support import arrays, logs
from biassay.words import defining_sets

SUBSETS = 42  # purpose of seeds


def main(
    chosen: dict, encoded: list[str], words: str, texts: dict[str, str], pairs: dict[str, str],
    groupings: dict[str, str], components: list[int], robustness: dict, seed: int,
    out: str, samples: str, subsets: str,
) -> None:  # fmt: skip
    module, options, terms = metrics.load(chosen["metric"]), chosen["options"], defining_sets.read(words)
    of_texts = {name: Texts.open(folder) for name, folder in texts.items()}
    of_pairs = {name: tables.pairs(path) for name, path in pairs.items()}
    models = tables.models(encoded)
    rows, drawn, of_samples = [], [], []
    progress = logs.Progress("scoring", len(models), "models")
    for model in models.itertuples():
        for name, found in of_texts.items():
            groups = terms[found.attribute]
            if scores.takes(module, len(groups)):
                key = name, found.attribute
                stored = read_terms(model.folder, found.attribute, groups)
                rows += [
                    (*key, model.name, *row)
                    for row in text_rows(
                        module, options, model.folder, name, found, stored, groupings[name], components
                    )
                ]
                drawn += [(*key, model.name, *row) for row in
                          subset_rows(module, options, model.folder, name, found, stored, groupings[name], robustness,
                                      seed)]  # fmt: skip
        for name, table in of_pairs.items():
            for attribute, part in table.groupby("attribute", sort=False):
                stored = read_terms(model.folder, attribute, terms[attribute])
                by_group = dict(zip(terms[attribute], stored, strict=True))
                vectors = vectors_of(model.folder / "pairs" / name / "masked.npy", len(table))[part.index]
                first_groups, second_groups = (
                    part["group_stereotypical"].to_numpy(),
                    part["group_antistereotypical"].to_numpy(),
                )
                value = scores.of_pair_set(module, vectors, by_group, first_groups, options)
                if value is not None:
                    rows.append((name, attribute, model.name, "", 0, scores.RAW, scores.SET, "", value))
                values = scores.of_pairs(module, vectors, by_group, first_groups, second_groups, options)
                if values is not None:
                    of_samples += [(name, attribute, model.name, pair, value)
                                   for pair, value in zip(part.index, values, strict=True)]  # fmt: skip
        progress.add(1)
    pd.DataFrame(rows, columns=tables.SCORES).to_csv(out, index=False, float_format="%.9g")
    pd.DataFrame(of_samples, columns=tables.SAMPLES).to_csv(samples, index=False, float_format="%.9g")
    pd.DataFrame(drawn, columns=tables.SUBSETS).to_csv(subsets, index=False, float_format="%.9g")


def read_terms(folder: Path, attribute: str, groups: dict[str, list[str]]) -> list[np.ndarray]:
    """Vectors of the terms of each group of an attribute, in float64."""
    path = folder / "terms" / f"{attribute}.npy"
    return list(arrays.split_rows(path, vectors_of(path, None), len(groups)))


def vectors_of(path: Path, n: int | None) -> np.ndarray:
    """Vectors (n, d) of a file, in float64."""
    return np.asarray(arrays.open_array(path, "f", (n, None), finite=True), np.float64)


def text_rows(
    module: ModuleType, options: dict, folder: Path, name: str, texts: Texts, terms: list[np.ndarray], grouping: str,
    components: list[int],
) -> list[tuple]:  # fmt: skip
    """Rows of a model and a set of texts: version, k, terms, level, class, value."""
    rows, sides = [], scores.sides(texts.labels, texts.groups, len(texts.names), grouping)
    titles = vectors_of(folder / "texts" / name / "titles.npy", len(texts.classes))
    for version in VERSIONS:
        targets = vectors_of(folder / "texts" / name / f"{version}.npy", len(texts))
        for k in [0, *components]:
            for kind in scores.TERMS if k else (scores.RAW,):
                key = version, k, kind
                vectors = Vectors(targets, terms).debiased(k, kind == scores.DEBIASED)
                if scores.SET in module.METRIC.levels:
                    rows.append((*key, scores.SET, "", scores.of_set(module, vectors, texts.labels, sides, options)))
                values = scores.of_classes(module, vectors, texts.labels, options)
                if values is not None:
                    rows += [(*key, scores.CLASS, *row) for row in zip(texts.classes, values, strict=True)]
        if scores.SET in module.METRIC.levels:
            value = scores.of_set(module, Vectors(titles, terms), np.eye(len(titles), dtype=int), sides, options)
            rows.append((version, 0, scores.RAW, scores.TITLES, "", value))
    return rows


def subset_rows(
    module: ModuleType, options: dict, folder: Path, name: str, texts: Texts, terms: list[np.ndarray], grouping: str,
    robustness: dict, seed: int,
) -> list[tuple]:  # fmt: skip
    """Rows of subsets of the scrubbed texts: share, permutation, regrouped, value."""
    if scores.SET not in module.METRIC.levels:
        return []
    vectors = Vectors(vectors_of(folder / "texts" / name / f"{VERSIONS[0]}.npy", len(texts)), terms)
    shares = [HALF, *robustness["shares"]]
    of_seed = seed_of(seed, SUBSETS)
    return list(
        scores.subsets(module, vectors, texts, grouping, options, shares, robustness["permutations"], seed=of_seed)
    )


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        chosen=snakemake.params.chosen,
        encoded=list(snakemake.input.encoded),
        words=snakemake.input.words,
        texts=dict(zip(snakemake.params.texts, snakemake.input.texts, strict=True)),
        pairs=dict(zip(snakemake.params.pairs, snakemake.input.pairs, strict=True)),
        groupings=snakemake.params.groupings,
        components=snakemake.params.components,
        robustness=snakemake.params.robustness,
        seed=snakemake.params.seed,
        out=snakemake.output.scores,
        samples=snakemake.output.samples,
        subsets=snakemake.output.subsets,
    )
