"""Train classification heads on vectors of texts, raw and debiased, and evaluate the classifiers."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import arrays, logs, scripts
from biassay.language_models.heads import cross_validate
from biassay.statistics.folds import assign_folds_by_text
from biassay.statistics.geometry import unit
from biassay.statistics.seeds import seed_of
from biassay.studies.downstream import scores, tables
from biassay.studies.downstream.classifiers import summarise
from biassay.studies.downstream.texts import VERSIONS, Texts
from biassay.vectors.debias import hard_debias

FOLDS, RESAMPLES = 41, 42  # purposes of seeds
TRAINING = ("rates", "epochs", "batch", "attempts")


def main(encoded: str, texts: dict[str, str], settings: dict, seed: int, out: str) -> None:
    models = tables.read_models([encoded])
    text_sets = {name: Texts.open(folder) for name, folder in texts.items()}
    progress = logs.Progress("training classifiers", len(models) * len(text_sets), "sets of texts")
    classes, classifiers = [], []
    for model in models.itertuples():
        for name, text_set in text_sets.items():
            folder, key = Path(out) / model.name / name, {"set": name, "attribute": text_set.attribute}
            folder.mkdir(parents=True, exist_ok=True)
            of_set = settings | {option: settings[option][name] for option in ("folds", "min_quality")}
            for of_classes, classifier in evaluate(name, text_set, model.folder, of_set, seed, folder):
                classes.append(of_classes.assign(**key, model=model.name))
                classifiers.append(classifier | key | {"model": model.name})
            progress.add(1)
    pd.concat(classes)[tables.CLASSES].to_csv(Path(out) / "classes.csv", index=False, float_format="%.9g")
    table = pd.DataFrame(classifiers)[tables.CLASSIFIERS]
    table.to_csv(Path(out) / "classifiers.csv", index=False, float_format="%.9g")


def evaluate(
    name: str, texts: Texts, encoded: Path, settings: dict, seed: int, out: Path
) -> Iterator[tuple[pd.DataFrame, dict]]:
    """Yield the table of classes, and quality, gaps and training, of each classifier of a model and a set of texts."""
    groups = scores.read_groups(encoded, texts.attribute, len(texts.names))
    # Equal scrubbed texts, such as comments from templates, share a fold.
    folds = assign_folds_by_text(texts.labels, texts.groups, texts.scrubbed, settings["folds"], seed_of(seed, FOLDS))
    for version in VERSIONS:
        path = encoded / "texts" / name / f"{version}.npy"
        raw = arrays.open_array(path, "f", (len(texts), groups[0].shape[1]), finite=True)
        draw = seed_of(seed, scores.DIRECTIONS)
        sets = scores.choose_sets(settings["directions_from"], groups, raw, texts, seed=draw)
        vectors = debias(raw, sets, settings["n_directions"])
        heads = cross_validate(vectors, texts.labels, folds, **{key: settings[key] for key in TRAINING}, seed=seed)
        heads.save(out / f"{version}.npz")
        for row, n in enumerate((0, *settings["n_directions"])):
            classes, classifier = summarise(
                heads.probabilities[row], texts.labels, texts.groups, folds, classes=texts.classes, names=texts.names,
                min_quality=settings["min_quality"], n_resamples=settings["n_resamples"], seed=seed_of(seed, RESAMPLES),
            )  # fmt: skip
            variant = {"version": version, "n_directions": n}
            training = {
                "learning_rates": "/".join(f"{rate:g}" for rate in heads.rates[row]),
                "attempts": "/".join(map(str, heads.attempts[row])), "n_valid_folds": int(heads.valid[row].sum()),
            }  # fmt: skip
            yield classes.assign(**variant), classifier | variant | training


def debias(vectors: np.ndarray, sets: list[np.ndarray], n_directions: list[int]) -> np.ndarray:
    """Return vectors (1 + variants, n, d): raw, and without each number of bias directions.

    All vectors have length √d, so that classifiers differ by the removed directions and not by lengths; the learning
    rates are for components of about 1.
    """
    debiased = (hard_debias(vectors, sets, n_directions=number) for number in n_directions)
    return (np.stack([unit(vectors), *debiased]) * np.sqrt(vectors.shape[1])).astype(np.float32)


if __name__ == "__main__":
    scripts.run(main, snakemake)
