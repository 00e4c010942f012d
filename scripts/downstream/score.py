"""Score all models of the downstream study with one metric: texts, classes, titles, pairs, and subsets of texts."""

from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.core import arrays, logs, scripts
from biassay.measurement import metric as metrics
from biassay.statistics.seeds import seed_of
from biassay.studies.downstream import scores, tables
from biassay.studies.downstream.robustness import HALF
from biassay.studies.downstream.scores import Vectors
from biassay.studies.downstream.texts import VERSIONS, Texts
from biassay.words import defining_sets

SUBSETS = 42  # purpose of seeds


def main(
    chosen: dict, encoded: list[str], words: str, texts: dict[str, str], pairs: dict[str, str],
    groupings: dict[str, str], n_directions: list[int], robustness: dict, seed: int,
    out: str, pair_scores: str, subsets: str,
) -> None:  # fmt: skip
    module, options, group_words = metrics.load(chosen["metric"]), chosen["options"], defining_sets.read(words)
    text_sets = {name: Texts.open(folder) for name, folder in texts.items()}
    pair_sets = {name: tables.read_pairs(path) for name, path in pairs.items()}
    models = tables.read_models(encoded)
    rows, subset_rows, pair_rows = [], [], []
    progress = logs.Progress("scoring", len(models), "models")
    for model in models.itertuples():
        for name, text_set in text_sets.items():
            words_of_groups = group_words[text_set.attribute]
            if scores.takes_groups(module, len(words_of_groups)):
                key = name, text_set.attribute, model.name
                groups = read_groups(model.folder, text_set.attribute, words_of_groups)
                scored = score_text_set(
                    module, options, model.folder, name, text_set, groups, groupings[name], n_directions
                )
                rows += [(*key, *row) for row in scored]
                drawn = score_subsets(
                    module, options, model.folder, name, text_set, groups, groupings[name], robustness, seed
                )
                subset_rows += [(*key, *row) for row in drawn]
        for name, table in pair_sets.items():
            for attribute, part in table.groupby("attribute", sort=False):
                vectors = read_groups(model.folder, attribute, group_words[attribute])
                groups = dict(zip(group_words[attribute], vectors, strict=True))
                masked = read_vectors(model.folder / "pairs" / name / "masked.npy", len(table))[part.index]
                first = part["group_stereotypical"].to_numpy()
                second = part["group_antistereotypical"].to_numpy()
                value = scores.score_pair_set(module, masked, groups, first, options)
                if value is not None:
                    rows.append((name, attribute, model.name, "", 0, scores.RAW, scores.SET, "", value))
                values = scores.score_pairs(module, masked, groups, first, second, options)
                if values is not None:
                    pair_rows += [(name, attribute, model.name, pair, value)
                                  for pair, value in zip(part.index, values, strict=True)]  # fmt: skip
        progress.add(1)
    pd.DataFrame(rows, columns=tables.SCORES).to_csv(out, index=False, float_format="%.9g")
    pd.DataFrame(pair_rows, columns=tables.PAIR_SCORES).to_csv(pair_scores, index=False, float_format="%.9g")
    pd.DataFrame(subset_rows, columns=tables.SUBSETS).to_csv(subsets, index=False, float_format="%.9g")


def read_groups(folder: Path, attribute: str, groups: dict[str, list[str]]) -> list[np.ndarray]:
    """Read the vectors of each group's words, in float64."""
    path = folder / "group_words" / f"{attribute}.npy"
    return list(arrays.split_rows(path, read_vectors(path, None), len(groups)))


def read_vectors(path: Path, n: int | None) -> np.ndarray:
    """Read vectors (n, d), in float64."""
    return np.asarray(arrays.open_array(path, "f", (n, None), finite=True), np.float64)


def score_text_set(
    module: ModuleType, options: dict, folder: Path, name: str, texts: Texts, groups: list[np.ndarray], grouping: str,
    n_directions: list[int],
) -> list[tuple]:  # fmt: skip
    """Return rows of a model and a set of texts: version, n_directions, group_words, level, class, value."""
    rows, assignment = [], scores.assign_classes(texts.labels, texts.groups, len(texts.names), grouping)
    titles = read_vectors(folder / "texts" / name / "titles.npy", len(texts.classes))
    for version in VERSIONS:
        targets = read_vectors(folder / "texts" / name / f"{version}.npy", len(texts))
        for n in [0, *n_directions]:
            for kind in scores.GROUP_WORDS if n else (scores.RAW,):
                key = version, n, kind
                vectors = Vectors(targets, groups).debias(n, with_groups=kind == scores.DEBIASED)
                if scores.SET in module.METRIC.levels:
                    value = scores.score_texts(module, vectors, texts.labels, assignment, options)
                    rows.append((*key, scores.SET, "", value))
                values = scores.score_classes(module, vectors, texts.labels, options)
                if values is not None:
                    rows += [(*key, scores.CLASS, *row) for row in zip(texts.classes, values, strict=True)]
        if scores.SET in module.METRIC.levels:
            each = np.eye(len(titles), dtype=int)
            value = scores.score_texts(module, Vectors(titles, groups), each, assignment, options)
            rows.append((version, 0, scores.RAW, scores.TITLES, "", value))
    return rows


def score_subsets(
    module: ModuleType, options: dict, folder: Path, name: str, texts: Texts, groups: list[np.ndarray], grouping: str,
    robustness: dict, seed: int,
) -> list[tuple]:  # fmt: skip
    """Return rows of subsets of the scrubbed texts: share, permutation, regrouped, value."""
    if scores.SET not in module.METRIC.levels:
        return []
    vectors = Vectors(read_vectors(folder / "texts" / name / f"{VERSIONS[0]}.npy", len(texts)), groups)
    shares, permutations = [HALF, *robustness["shares"]], robustness["permutations"]
    return list(
        scores.score_subsets(
            module, vectors, texts, grouping, options, shares, permutations, seed=seed_of(seed, SUBSETS)
        )
    )


if __name__ == "__main__":
    scripts.run(main, snakemake, out=snakemake.output.scores)
