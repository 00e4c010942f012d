"""Correlate scores with downstream bias: over classes and pairs in models (Figure 1), over models (Figure 2)."""

import pandas as pd

from biassay.core import scripts
from biassay.measurement import metric as metrics
from biassay.studies.downstream import agreement, tables
from biassay.words import defining_sets

CLASS_KEYS = ["set", "attribute", "version", "n_directions", "group_words", "classes", "metric"]
PAIR_KEYS = ["set", "attribute", "signed", "metric"]
SUMMARY = ["units", *CLASS_KEYS, "signed", *agreement.SPREAD]
CASES = ["set", "attribute", "model", "version", "n_directions", "group_words", "metric", "value", "bias"]


def main(
    bias: str, classes: str, differences: str, scores: dict[str, str], pair_scores: dict[str, str],
    files: dict[str, str], words: str, n_resamples: int, seed: int,
    by_class: str, by_pair: str, summary: str, by_set: str, cases: str,
) -> None:  # fmt: skip
    all_bias = tables.read_table(bias, tables.BIAS)
    valid_classes = agreement.select_valid(tables.read_table(classes, tables.CLASSES), all_bias)
    pair_differences = tables.read_table(differences, tables.DIFFERENCES)
    n_groups = {name: len(groups) for name, groups in defining_sets.read(words).items()}
    rows, all_cases = {"class": [], "pair": [], "set": []}, []
    for metric, path in scores.items():
        module, table = metrics.load(files[metric]), tables.read_table(path, tables.SCORES)
        rows["class"] += agreement.correlate_classes(metric, module, table, valid_classes, n_groups)
        of_pairs = tables.read_table(pair_scores[metric], tables.PAIR_SCORES)
        if len(of_pairs):
            rows["pair"] += agreement.correlate_pairs(metric, module, of_pairs, pair_differences)
        all_cases.append(agreement.match_cases(table, all_bias).assign(metric=metric))
        rows["set"] += agreement.correlate_cases(metric, all_cases[-1], n_resamples, seed=seed)
    class_table = pd.DataFrame(rows["class"], columns=agreement.BY_CLASS)
    pair_table = pd.DataFrame(rows["pair"], columns=agreement.BY_PAIR)
    class_table.to_csv(by_class, index=False, float_format="%.6g")
    pair_table.to_csv(by_pair, index=False, float_format="%.6g")
    parts = [agreement.summarise_correlations(class_table, CLASS_KEYS).assign(units="classes"),
             agreement.summarise_correlations(pair_table, PAIR_KEYS).assign(units="pairs")]  # fmt: skip
    both = pd.concat([part for part in parts if len(part)] or parts)
    both.reindex(columns=SUMMARY).to_csv(summary, index=False, float_format="%.6g")
    pd.DataFrame(rows["set"], columns=agreement.BY_SET).to_csv(by_set, index=False, float_format="%.6g")
    pd.concat(all_cases)[CASES].to_csv(cases, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(
        main,
        snakemake,
        scores=dict(zip(snakemake.params.metrics, snakemake.input.scores, strict=True)),
        pair_scores=dict(zip(snakemake.params.metrics, snakemake.input.pair_scores, strict=True)),
    )
