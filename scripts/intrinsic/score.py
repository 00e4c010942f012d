"""Score all models of the intrinsic study with one metric: each occupation, and all together, for each attribute."""

from dataclasses import replace
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.language_models.group_distributions import DETECTION
from biassay.measurement import metric as metrics
from biassay.measurement import occupation_embeddings as of_sentences
from biassay.measurement.occupation_embeddings import OccupationEmbeddings
from biassay.studies.intrinsic import scores, tables
from biassay.support import logs


def main(
    chosen: dict, plan: str, models: str, bias: str, encoded: list[str], settings: dict, seed: int,
    out: str, subsets: str,
) -> None:  # fmt: skip
    module, options, study = metrics.load(chosen["metric"]), chosen["options"], tables.load(models, bias)
    chunks = tables.chunks(plan, study, len(encoded))
    names, rows, drawn = study.occupations, [], []
    n = len(names)
    halves = of_sentences.draw_halves(n, settings["subsets"], seed=seed)
    by_model = dict(list(study.bias.groupby("model")))
    # Labels of detection are what is planted at full strength, whichever model they are asked of.
    strongest = study.detection["strength"].idxmax() if len(study.detection) else None
    progress = logs.Progress("scoring", len(study.models), "models")
    for number, model in study.models.iterrows():
        planted = by_model[strongest if model["purpose"] == DETECTION else number]
        for attribute in study.attributes:
            groups = study.groups(attribute)
            if not takes(module, len(groups)):
                continue
            embedded = scores.read(
                f"{encoded[chunks[number]]}/{number}", attribute, settings["pooling"], n, len(groups)
            )
            for kind, labels in kinds(module, planted, model, attribute, settings["label_noise"]).items():
                rated = replace(embedded, labels=labels) if labels is not None else embedded
                if labels is not None and module.METRIC.groups == (0, 0):
                    rated = scores.some_sentences(rated, settings["label_sentences"], seed=seed)
                key = (number, attribute, kind)
                rows += [(*key, *row) for row in of_all(module, rated, names, options)]
                if model["purpose"] == DETECTION and has_set(module, labels is not None):
                    drawn += [(*key, subset, of_sentences.score_set(module, rated, half, options, by_case=True))
                              for subset, half in enumerate(halves)]  # fmt: skip
        progress.add(1)
    pd.DataFrame(rows, columns=tables.SCORES).to_csv(out, index=False, float_format="%.9g")
    pd.DataFrame(drawn, columns=tables.SUBSETS).to_csv(subsets, index=False, float_format="%.9g")


def has_set(module: ModuleType, labelled: bool) -> bool:
    """Whether a metric has a value of a set with, or without, labels."""
    return "set" in module.METRIC.levels and module.METRIC.levels["set"].labels == labelled


def takes(module: ModuleType, groups: int) -> bool:
    """Whether a metric takes so many groups, and as many labels."""
    declared = module.METRIC
    ranges = [] if declared.groups == (0, 0) else [declared.groups]
    ranges += [declared.classes(name, groups) for name, level in declared.levels.items() if level.labels]
    return all(least <= groups and (most is None or groups <= most) for least, most in ranges)


def kinds(
    module: ModuleType, bias: pd.DataFrame, model: pd.Series, attribute: str, noise: float
) -> dict[str, np.ndarray | None]:
    """The kinds of labels that a metric is asked with, and without any if a level of it takes none."""
    levels = module.METRIC.levels.values()
    found = scores.labels(bias, model, attribute, noise) if any(level.labels for level in levels) else {}
    return ({} if all(level.labels for level in levels) else {tables.UNLABELLED: None}) | found


def of_all(
    module: ModuleType, rated: OccupationEmbeddings, names: list[str], options: dict
) -> list[tuple[str, str, float]]:
    """Rows of a model: level, occupation, value. Of the levels with labels if there are some, else of the others."""
    labelled = (rated.labels != of_sentences.UNRATED).any()
    levels = {name for name, level in module.METRIC.levels.items() if level.labels == labelled}
    rows = []
    if "word" in levels:
        rows += zip([tables.WORD] * len(names), names, of_sentences.score_words(module, rated, options), strict=True)
    if "set" in levels:
        rows.append((tables.SET, "", of_sentences.score_set(module, rated, None, options, by_case=True)))
        if hasattr(module, "set_bias_by_case"):
            rows.append((tables.LEAKING, "", of_sentences.score_set(module, rated, None, options)))
    return rows


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        chosen=snakemake.params.chosen,
        plan=snakemake.input.plan,
        models=snakemake.input.models,
        bias=snakemake.input.bias,
        encoded=list(snakemake.input.encoded),
        settings=snakemake.params.settings,
        seed=snakemake.params.seed,
        out=snakemake.output.scores,
        subsets=snakemake.output.subsets,
    )
