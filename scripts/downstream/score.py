"""Score all models of the downstream study with one metric: texts, classes, titles, pairs, and subsets of texts."""

import pandas as pd

from biassay.core import logs, scripts
from biassay.measurement import metric as metrics
from biassay.statistics.seeds import seed_of
from biassay.studies.downstream import scores, tables
from biassay.studies.downstream.robustness import HALF
from biassay.studies.downstream.texts import VERSIONS, Texts
from biassay.words import defining_sets

SUBSETS = 42  # purpose of seeds


def main(
    chosen: dict, encoded: list[str], words: str, texts: dict[str, str], pairs: dict[str, str],
    groupings: dict[str, str], n_directions: list[int], directions_from: str, robustness: dict, seed: int,
    scores_out: str, pair_scores_out: str, subsets_out: str,
) -> None:  # fmt: skip
    module, options, group_words = metrics.load(chosen["metric"]), chosen["options"], defining_sets.read(words)
    text_sets = {name: Texts.open(folder) for name, folder in texts.items()}
    pair_sets = {name: tables.read_pairs(path) for name, path in pairs.items()}
    draws = [HALF, *robustness["shares"]], robustness["permutations"]
    models = tables.read_models(encoded)
    rows, subset_rows, pair_rows = [], [], []
    progress = logs.Progress("scoring", len(models), "models")
    for model in models.itertuples():
        for name, text_set in text_sets.items():
            if not scores.takes_groups(module, len(text_set.names)):
                continue
            folder, key = model.folder / "texts" / name, (name, text_set.attribute, model.name)
            groups = scores.read_groups(model.folder, text_set.attribute, len(text_set.names))
            scored = scores.score_text_set(
                module, options, folder, text_set, groups, groupings[name], n_directions, directions_from, seed=seed
            )
            rows += [(*key, *row) for row in scored]
            if scores.SET in module.METRIC.levels:
                vectors = scores.read_vectors(folder / f"{VERSIONS[0]}.npy", len(text_set))
                subsets = scores.score_subsets(
                    module, vectors, groups, text_set, groupings[name], options, *draws, seed=seed_of(seed, SUBSETS)
                )
                subset_rows += [(*key, *row) for row in subsets]
        for name, table in pair_sets.items():
            masked = scores.read_vectors(model.folder / "pairs" / name / "masked.npy", len(table))
            for attribute, part in table.groupby("attribute", sort=False):
                names, key, vectors = group_words[attribute], (name, attribute, model.name), masked[part.index]
                groups = dict(zip(names, scores.read_groups(model.folder, attribute, len(names)), strict=True))
                first, second = (part[f"group_{kind}"].to_numpy() for kind in ("stereotypical", "antistereotypical"))
                value, values = scores.score_pairs(module, vectors, groups, first, second, options)
                if value is not None:
                    rows.append((*key, "", 0, scores.RAW, scores.SET, "", value))
                if values is not None:
                    pair_rows += [(*key, *row) for row in zip(part.index, values, strict=True)]
        progress.add(1)
    pd.DataFrame(rows, columns=tables.SCORES).to_csv(scores_out, index=False, float_format="%.9g")
    pd.DataFrame(pair_rows, columns=tables.PAIR_SCORES).to_csv(pair_scores_out, index=False, float_format="%.9g")
    pd.DataFrame(subset_rows, columns=tables.SUBSETS).to_csv(subsets_out, index=False, float_format="%.9g")


if __name__ == "__main__":
    scripts.run(main, snakemake)
