"""Train classification heads on vectors of texts, as they are and debiased, and judge the classifiers."""

from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.language_models.heads import Heads, cross_validate
from biassay.numerics.folds import assign_folds_by_text
from biassay.numerics.geometry import unit
from biassay.numerics.seeds import seed_of
from biassay.studies.downstream import tables
from biassay.studies.downstream.classifiers import Summary, summarise
from biassay.studies.downstream.texts import VERSIONS, Texts
from biassay.support import arrays, logs
from biassay.vectors.debias import hard_debias

FOLDS, DRAWS = 41, 42  # purposes of seeds
TRAINED = ("rates", "epochs", "batch", "attempts")
OF_ALL = ("recall", "precision", "f1", "gap", "spread", "counts")
OF_CLASSES = ("class", "recall", "precision", "f1", "gap", "spread", "low", "high", "texts", "too_small")


def main(encoded: str, texts: dict[str, str], settings: dict, seed: int, out: str) -> None:
    models = tables.models([encoded])
    found = {name: Texts.open(folder) for name, folder in texts.items()}
    progress = logs.Progress("training classifiers", len(models) * len(found), "sets of texts")
    classes, classifiers = [], []
    for model in models.itertuples():
        for name, of_set in found.items():
            folder = Path(out) / model.name / name
            folder.mkdir(parents=True, exist_ok=True)
            for key, summary, more in judged(name, of_set, model.folder, settings, seed, folder):
                what = {"set": name, "attribute": of_set.attribute, "model": model.name} | key
                classes.append(summary.classes[list(OF_CLASSES)].assign(**what)[[*what, *OF_CLASSES]])
                classifiers.append(what | {name: getattr(summary, name) for name in OF_ALL} | more)
            progress.add(1)
    pd.concat(classes).to_csv(Path(out) / "classes.csv", index=False, float_format="%.9g")
    pd.DataFrame(classifiers).to_csv(Path(out) / "classifiers.csv", index=False, float_format="%.9g")


def judged(
    name: str, texts: Texts, encoded: Path, settings: dict, seed: int, out: Path
) -> Iterator[tuple[dict, Summary, dict]]:
    """Version and k of each classifier of a model and a set of texts, its summary, and how it was trained."""
    terms = groups_of_terms(f"{encoded}/terms/{texts.attribute}.npy", len(texts.names))
    n = settings["folds"][name]  # texts that are equal when scrubbed, as comments from templates, share one
    folds = assign_folds_by_text(texts.labels, texts.groups, texts.scrubbed, n, seed_of(seed, FOLDS))
    for version in VERSIONS:
        vectors = variants(f"{encoded}/texts/{name}/{version}.npy", len(texts), terms, settings["components"])
        options = {key: settings[key] for key in TRAINED}
        heads = cross_validate(vectors, texts.labels, folds, **options, seed=seed)
        heads.save(out / f"{version}.npz")
        for row, k in enumerate((0, *settings["components"])):
            summary = summarise(
                heads.probabilities[row], texts.labels, texts.groups, folds, classes=texts.classes, names=texts.names,
                least=settings["least"][name], n_resamples=settings["n_resamples"], seed=seed_of(seed, DRAWS),
            )  # fmt: skip
            yield {"version": version, "k": k}, summary, trained(heads, row)


def groups_of_terms(path: str, groups: int) -> list[np.ndarray]:
    """Vectors of terms (m, d) of each group, which are stored one group after another."""
    vectors = arrays.open_array(path, "f", (None, None), finite=True)
    return list(arrays.split_rows(path, np.asarray(vectors, np.float64), groups))


def variants(path: str, n: int, terms: list[np.ndarray], components: list[int]) -> np.ndarray:
    """Vectors (1 + debiased, n, d): as they are, and without so many components of the groups' terms.

    All are of length √d, those as they are too: classifiers shall differ by what is taken out, not by lengths, and
    the learning rates are for components of about 1.
    """
    vectors = arrays.open_array(path, "f", (n, terms[0].shape[1]), finite=True)
    debiased = (hard_debias(vectors, terms, n_directions=k) for k in components)
    return (np.stack([unit(vectors), *debiased]) * np.sqrt(vectors.shape[1])).astype(np.float32)


def trained(heads: Heads, row: int) -> dict:
    """Rates and attempts of a variant's folds, one after another, and how many of them have a rate that counts."""
    rates = "/".join(f"{rate:g}" for rate in heads.rates[row])
    return {"rate": rates, "attempts": "/".join(map(str, heads.attempts[row])), "valid": int(heads.valid[row].sum())}


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        encoded=snakemake.input.encoded,
        texts=dict(zip(snakemake.params.texts, snakemake.input.texts, strict=True)),
        settings=snakemake.params.settings,
        seed=snakemake.params.seed,
        out=snakemake.output[0],
    )
