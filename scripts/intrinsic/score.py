"""Score all models of the intrinsic study with one metric: each occupation, and all of them, by attribute."""

from dataclasses import replace
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.core import logs, scripts
from biassay.language_models.planted.grids import DETECTION, model_folders
from biassay.measurement import metric as metrics
from biassay.measurement import occupation_embeddings
from biassay.studies.intrinsic import scores, tables


def main(
    chosen: dict, plan: str, models: str, bias: str, encoded: list[str], settings: dict, seed: int,
    out: str, subsets: str,
) -> None:  # fmt: skip
    module, options, study = metrics.load(chosen["metric"]), chosen["options"], tables.load_study(models, bias)
    by_case = not chosen.get("leaking")
    folders = model_folders(plan, encoded)
    names, rows, subset_rows = study.occupations, [], []
    n = len(names)
    halves = occupation_embeddings.draw_halves(n, settings["subsets"], seed=seed)
    by_model = dict(list(study.bias.groupby("model")))
    # The labels of all detection models are the stereotypes planted at full strength.
    strongest = study.detection["strength"].idxmax() if len(study.detection) else None
    progress = logs.Progress("scoring", len(study.models), "models")
    for number, model in study.models.iterrows():
        planted = by_model[strongest if model["purpose"] == DETECTION else number]
        for attribute in study.attributes:
            groups = study.groups(attribute)
            if not accepts_groups(module, len(groups)):
                continue
            embedded = occupation_embeddings.read(folders[number] / attribute, settings["pooling"], n, len(groups))
            for kind, labels in labels_by_kind(module, planted, model, attribute, settings["label_noise"]).items():
                key, is_labelled = (number, attribute, kind), labels is not None
                rated = replace(embedded, labels=labels) if is_labelled else embedded
                levels = [name for name, level in module.METRIC.levels.items() if level.labels == is_labelled]
                if tables.WORD in levels:
                    values = occupation_embeddings.score_words(module, rated, options)
                    rows += [(*key, tables.WORD, name, value) for name, value in zip(names, values, strict=True)]
                if tables.SET in levels:
                    value = occupation_embeddings.score_set(module, rated, None, options, by_case)
                    rows.append((*key, tables.SET, "", value))
                if tables.SET in levels and model["purpose"] == DETECTION:
                    for subset, half in enumerate(halves):
                        value = occupation_embeddings.score_set(module, rated, half, options, by_case)
                        subset_rows.append((*key, subset, value))
        progress.add(1)
    pd.DataFrame(rows, columns=tables.SCORES).to_csv(out, index=False, float_format="%.9g")
    pd.DataFrame(subset_rows, columns=tables.SUBSETS).to_csv(subsets, index=False, float_format="%.9g")


def accepts_groups(module: ModuleType, n_groups: int) -> bool:
    """Whether a metric accepts this number of groups, and as many labels."""
    declared = module.METRIC
    ranges = [] if declared.groups == (0, 0) else [declared.groups]
    ranges += [declared.n_labels(name, n_groups) for name, level in declared.levels.items() if level.labels]
    return all(low <= n_groups and (high is None or n_groups <= high) for low, high in ranges)


def labels_by_kind(
    module: ModuleType, bias: pd.DataFrame, model: pd.Series, attribute: str, noise: float
) -> dict[str, np.ndarray | None]:
    """Derive the labels that a metric needs, by kind; None for no labels if one of its levels takes none."""
    levels = module.METRIC.levels.values()
    labels = scores.stereotype_labels(bias, model, attribute, noise) if any(level.labels for level in levels) else {}
    return ({} if all(level.labels for level in levels) else {tables.UNLABELLED: None}) | labels


if __name__ == "__main__":
    scripts.run(main, snakemake, out=snakemake.output.scores)
