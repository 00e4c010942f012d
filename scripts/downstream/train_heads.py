"""Train classification heads on an encoder's vectors of texts, as they are and debiased, and judge the classifiers."""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.language_models.heads import Heads, cross_validate
from biassay.numerics.folds import folds
from biassay.numerics.geometry import unit
from biassay.numerics.seeds import seed_of
from biassay.studies.downstream.classifiers import Summary, summarise
from biassay.studies.downstream.texts import VERSIONS, Texts
from biassay.support import arrays, logs
from biassay.vectors.debias import hard_debias

FOLDS, DRAWS = 41, 42  # purposes of seeds
TRAINED = ("rates", "epochs", "batch", "validation", "recalls", "attempts")
OF_CLASSES = ("class", "recall", "precision", "f1", "gap", "spread", "low", "high", "texts", "too_small")


def main(encoded: str, texts: dict[str, str], settings: dict, seed: int, out: str) -> None:
    classes, classifiers = [], []
    for name, folder in texts.items():
        found = Texts.open(folder)
        terms = groups_of_terms(f"{encoded}/terms/{found.attribute}.npy", len(found.names))
        numbers = folds(found.labels, found.groups, settings["folds"][name], seed_of(seed, FOLDS))
        options = {key: settings[key] for key in TRAINED if key in settings}
        judged = {"least": settings["least"][name], "draws": settings["draws"], "seed": seed_of(seed, DRAWS)}
        (Path(out) / name).mkdir(parents=True, exist_ok=True)
        for version in VERSIONS:
            vectors = variants(f"{encoded}/texts/{name}/{version}.npy", len(found), terms, settings["components"])
            heads = cross_validate(vectors, found.labels, numbers, **options, seed=seed)
            heads.save(Path(out) / name / f"{version}.npz")
            for row, k in enumerate((0, *settings["components"])):
                summary = summarise(heads.probabilities[row], found.labels, found.groups, numbers,
                                    classes=found.classes, names=found.names, **judged)  # fmt: skip
                what = {"set": name, "version": version, "k": k}
                classes.append(summary.classes[list(OF_CLASSES)].assign(**what)[[*what, *OF_CLASSES]])
                classifiers.append(what | of_classifier(summary, heads, row))
    pd.concat(classes).to_csv(Path(out) / "classes.csv", index=False, float_format="%.9g")
    pd.DataFrame(classifiers).to_csv(Path(out) / "classifiers.csv", index=False, float_format="%.9g")


def groups_of_terms(path: str, groups: int) -> list[np.ndarray]:
    """Vectors of terms (m, d) of each group, which are stored one group after another."""
    vectors = arrays.opened(path, "f", (None, None), finite=True)
    if not len(vectors) or len(vectors) % groups:
        raise ValueError(
            f"{path}: has {len(vectors)} vectors, which are not of {groups} groups with as many terms each"
        )
    return np.split(np.asarray(vectors, np.float64), groups)


def variants(path: str, n: int, terms: list[np.ndarray], components: list[int]) -> np.ndarray:
    """Vectors (1 + debiased, n, d): as they are, and without so many components of the groups' terms.

    All are of length 1, those as they are too: debiased ones are, and classifiers shall differ by what is taken out,
    not by lengths.
    """
    vectors = arrays.opened(path, "f", (n, terms[0].shape[1]), finite=True)
    debiased = (hard_debias(vectors, terms, k=k).astype(np.float32) for k in components)
    return np.stack([unit(vectors).astype(np.float32), *debiased])


def of_classifier(summary: Summary, heads: Heads, row: int) -> dict:
    """A row of the classifiers' table; rates and attempts are the folds', one after another."""
    values = {key: getattr(summary, key) for key in ("recall", "precision", "f1", "gap", "spread", "counts")}
    folds = {"rate": [f"{rate:g}" for rate in heads.rates[row]], "attempts": map(str, heads.attempts[row])}
    return (
        values | {key: "/".join(of_folds) for key, of_folds in folds.items()} | {"valid": int(heads.valid[row].sum())}
    )


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        encoded=snakemake.input.encoded,
        texts=dict(zip(snakemake.params.texts, snakemake.input.texts, strict=True)),
        settings=snakemake.params.settings,
        seed=snakemake.params.seed,
        out=snakemake.output[0],
    )
