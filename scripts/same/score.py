"""Score all models of the SAME study with one metric: each occupation, all of them, and random halves."""

import pandas as pd

from biassay.core import logs, scripts
from biassay.language_models.planted.grids import model_folders
from biassay.measurement import metric as metrics
from biassay.measurement import occupation_embeddings
from biassay.studies.same import tables


def main(
    metric: str, plan: str, occupations: str, encoded: list[str], pooling: str, n_subsets: int, seed: int,
    scores: str, subsets: str,
) -> None:  # fmt: skip
    module, chosen = metrics.load(metric), tables.read_occupations(occupations)
    words, stereotypes = chosen["word"].tolist(), chosen["stereotype"].tolist()
    missing = [group for group in tables.GROUPS if group not in stereotypes]
    if missing and any(level.labels for level in module.METRIC.levels.values()):
        raise ValueError(f"{occupations}: no occupation has the stereotype {missing[0]}; increase same.n_occupations")
    halves = occupation_embeddings.draw_halves(len(words), n_subsets, seed=seed)
    folders, rows, subset_rows = model_folders(plan, encoded), [], []
    progress = logs.Progress("scoring", len(folders), "models")
    for model, folder in folders.items():
        embedded = tables.read_embeddings(folder, pooling, stereotypes)
        word_scores = occupation_embeddings.score_words(module, embedded)
        if word_scores is not None:
            rows += [(model, "word", word, score) for word, score in zip(words, word_scores, strict=True)]
        value = occupation_embeddings.score_set(module, embedded, by_case=True)
        if value is not None:
            rows.append((model, "set", "", value))
            half_scores = [occupation_embeddings.score_set(module, embedded, half, by_case=True) for half in halves]
            subset_rows += [(model, subset, score, value) for subset, score in enumerate(half_scores)]
        progress.add(1)
    pd.DataFrame(rows, columns=tables.SCORES.split()).to_csv(scores, index=False, float_format="%.9g")
    pd.DataFrame(subset_rows, columns=tables.SUBSETS.split()).to_csv(subsets, index=False, float_format="%.9g")


if __name__ == "__main__":
    scripts.run(main, snakemake)
