"""Train classification heads on vectors of texts, raw and debiased, and evaluate the classifiers."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import arrays, logs, scripts
from biassay.language_models.heads import Heads, cross_validate
from biassay.statistics.folds import assign_folds_by_text
from biassay.statistics.geometry import unit
from biassay.statistics.seeds import seed_of
from biassay.studies.downstream import tables
from biassay.studies.downstream.classifiers import Summary, summarise
from biassay.studies.downstream.texts import VERSIONS, Texts
from biassay.vectors.debias import hard_debias

FOLDS, RESAMPLES = 41, 42  # purposes of seeds
TRAINING = ("rates", "epochs", "batch", "attempts")
OF_CLASSIFIERS = ("recall", "precision", "f1", "gap", "gap_std", "is_valid")
OF_CLASSES = ("class", "recall", "precision", "f1", "gap", "gap_std", "low", "high", "n_texts_by_group", "too_small")


def main(encoded: str, texts: dict[str, str], settings: dict, seed: int, out: str) -> None:
    models = tables.read_models([encoded])
    text_sets = {name: Texts.open(folder) for name, folder in texts.items()}
    progress = logs.Progress("training classifiers", len(models) * len(text_sets), "sets of texts")
    classes, classifiers = [], []
    for model in models.itertuples():
        for name, text_set in text_sets.items():
            folder = Path(out) / model.name / name
            folder.mkdir(parents=True, exist_ok=True)
            for variant, summary, training in evaluate(name, text_set, model.folder, settings, seed, folder):
                key = {"set": name, "attribute": text_set.attribute, "model": model.name} | variant
                classes.append(summary.classes[list(OF_CLASSES)].assign(**key)[[*key, *OF_CLASSES]])
                classifiers.append(key | {name: getattr(summary, name) for name in OF_CLASSIFIERS} | training)
            progress.add(1)
    pd.concat(classes).to_csv(Path(out) / "classes.csv", index=False, float_format="%.9g")
    pd.DataFrame(classifiers).to_csv(Path(out) / "classifiers.csv", index=False, float_format="%.9g")


def evaluate(
    name: str, texts: Texts, encoded: Path, settings: dict, seed: int, out: Path
) -> Iterator[tuple[dict, Summary, dict]]:
    """Yield version and n_directions of each classifier of a model and a set of texts, its summary and its training."""
    groups = read_groups(f"{encoded}/group_words/{texts.attribute}.npy", len(texts.names))
    n_folds = settings["folds"][name]  # equal scrubbed texts, such as comments from templates, share a fold
    folds = assign_folds_by_text(texts.labels, texts.groups, texts.scrubbed, n_folds, seed_of(seed, FOLDS))
    for version in VERSIONS:
        vectors = debias(f"{encoded}/texts/{name}/{version}.npy", len(texts), groups, settings["n_directions"])
        options = {key: settings[key] for key in TRAINING}
        heads = cross_validate(vectors, texts.labels, folds, **options, seed=seed)
        heads.save(out / f"{version}.npz")
        for row, n in enumerate((0, *settings["n_directions"])):
            summary = summarise(
                heads.probabilities[row], texts.labels, texts.groups, folds, classes=texts.classes, names=texts.names,
                min_quality=settings["min_quality"][name], n_resamples=settings["n_resamples"],
                seed=seed_of(seed, RESAMPLES),
            )  # fmt: skip
            yield {"version": version, "n_directions": n}, summary, describe_training(heads, row)


def read_groups(path: str, n_groups: int) -> list[np.ndarray]:
    """Read the vectors (m, d) of each group's words; the file stores one group after another."""
    vectors = arrays.open_array(path, "f", (None, None), finite=True)
    return list(arrays.split_rows(path, np.asarray(vectors, np.float64), n_groups))


def debias(path: str, n: int, groups: list[np.ndarray], n_directions: list[int]) -> np.ndarray:
    """Return vectors (1 + variants, n, d): raw, and without each number of bias directions.

    All vectors have length √d, so that classifiers differ by the removed directions and not by lengths; the learning
    rates are for components of about 1.
    """
    vectors = arrays.open_array(path, "f", (n, groups[0].shape[1]), finite=True)
    debiased = (hard_debias(vectors, groups, n_directions=number) for number in n_directions)
    return (np.stack([unit(vectors), *debiased]) * np.sqrt(vectors.shape[1])).astype(np.float32)


def describe_training(heads: Heads, row: int) -> dict:
    """Return learning rates and attempts of a variant's folds, and the number of folds with a valid rate."""
    rates = "/".join(f"{rate:g}" for rate in heads.rates[row])
    attempts = "/".join(map(str, heads.attempts[row]))
    return {"learning_rates": rates, "attempts": attempts, "n_valid_folds": int(heads.valid[row].sum())}


if __name__ == "__main__":
    scripts.run(main, snakemake)
