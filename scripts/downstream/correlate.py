"""Correlate scores with the bias downstream: by class and by pair for each model (F1), and of all together (F2)."""

import pandas as pd

from biassay.measurement import metric as metrics
from biassay.studies.downstream import agreement, tables
from biassay.support import logs
from biassay.words import defining_sets

CLASS_KEYS = ["set", "attribute", "version", "k", "terms", "classes", "metric"]
PAIR_KEYS = ["set", "attribute", "signed", "metric"]
SUMMARY = ["over", *CLASS_KEYS, "signed", *agreement.SPREAD]


def main(
    bias: str, classes: str, differences: str, scores: dict[str, str], samples: dict[str, str],
    files: dict[str, str], words: str, n_resamples: int, seed: int,
    by_class: str, by_pair: str, summary: str, by_set: str, cases: str,
) -> None:  # fmt: skip
    of_bias = tables.read(bias, tables.BIAS)
    of_classes = agreement.counted(tables.read(classes, tables.CLASSES), of_bias)
    of_pairs, rows = tables.read(differences, tables.DIFFERENCES), {"class": [], "pair": [], "set": []}
    found, groups = [], {name: len(of) for name, of in defining_sets.read(words).items()}
    for metric, path in scores.items():
        module, table = metrics.load(files[metric]), tables.read(path, tables.SCORES)
        rows["class"] += agreement.classwise(metric, module, table, of_classes, groups)
        single = tables.read(samples[metric], tables.SAMPLES)
        if len(single):
            rows["pair"] += agreement.pairwise(metric, module, single, of_pairs)
        found.append(agreement.cases(table, of_bias).assign(metric=metric))
        rows["set"] += agreement.setwise(metric, found[-1], n_resamples, seed=seed)
    by_classes = pd.DataFrame(rows["class"], columns=agreement.CLASSWISE)
    by_pairs = pd.DataFrame(rows["pair"], columns=agreement.PAIRWISE)
    by_classes.to_csv(by_class, index=False, float_format="%.6g")
    by_pairs.to_csv(by_pair, index=False, float_format="%.6g")
    parts = [agreement.summary(by_classes, CLASS_KEYS).assign(over="classes"),
             agreement.summary(by_pairs, PAIR_KEYS).assign(over="pairs")]  # fmt: skip
    both = pd.concat([part for part in parts if len(part)] or parts)
    both.reindex(columns=SUMMARY).to_csv(summary, index=False, float_format="%.6g")
    pd.DataFrame(rows["set"], columns=agreement.SETWISE).to_csv(by_set, index=False, float_format="%.6g")
    columns = ["set", "attribute", "model", "version", "k", "terms", "metric", "value", "bias"]
    pd.concat(found)[columns].to_csv(cases, index=False, float_format="%.6g")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    names = list(snakemake.params.metrics)
    main(
        bias=snakemake.input.bias,
        classes=snakemake.input.classes,
        differences=snakemake.input.differences,
        scores=dict(zip(names, snakemake.input.scores, strict=True)),
        samples=dict(zip(names, snakemake.input.samples, strict=True)),
        files=snakemake.params.files,
        words=snakemake.input.words,
        n_resamples=snakemake.params.resamples,
        seed=snakemake.params.seed,
        **dict(snakemake.output.items()),
    )
