"""Gather the bias downstream of all models: gaps of the classifiers, and which sentences of pairs are the likelier."""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.language_models import likelihoods
from biassay.numerics.statistics import wilson_interval
from biassay.studies.downstream import tables
from biassay.support import arrays, logs


def main(
    encoded: list[str], heads: list[str], pairs: dict[str, str], models: str, classifiers: str, classes: str,
    shares: str, differences: str, bias: str,
) -> None:  # fmt: skip
    found = tables.models(encoded)
    whole = found.drop(columns="folder").convert_dtypes()  # seeds beside empty cells would be rounded
    whole.to_csv(models, index=False, float_format="%.6g")
    wanted = {"classifiers": tables.CLASSIFIERS, "classes": tables.CLASSES} if heads else {}
    read = {name: [tables.read(Path(folder) / f"{name}.csv", columns) for folder in heads]
            for name, columns in wanted.items()}  # fmt: skip
    parts = {name: pd.concat(of_units, ignore_index=True) for name, of_units in read.items()}
    if lacking := [name for name in found["name"] if heads and name not in set(parts["classifiers"]["model"])]:
        raise ValueError(f"{', '.join(heads)}: no classifiers.csv has the model {lacking[0]}")
    of_texts = parts.get("classifiers", pd.DataFrame(columns=tables.CLASSIFIERS))
    of_texts.to_csv(classifiers, index=False, float_format="%.6g")
    parts.get("classes", pd.DataFrame(columns=tables.CLASSES)).to_csv(classes, index=False, float_format="%.6g")
    of_pairs, single = compare(found, pairs)
    of_pairs.to_csv(shares, index=False, float_format="%.6g")
    single.to_csv(differences, index=False, float_format="%.9g")
    wide = of_pairs.rename(columns={"share": "bias"}).assign(version="", k=0, counts=True)
    both = [of_texts.rename(columns={"gap": "bias"}).reindex(columns=tables.BIAS), wide.reindex(columns=tables.BIAS)]
    pd.concat([part for part in both if len(part)] or both).to_csv(bias, index=False, float_format="%.9g")


def compare(models: pd.DataFrame, pairs: dict[str, str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Share of pairs whose first sentence is the likelier (PAIRS), and the difference of each pair (DIFFERENCES)."""
    shares, single = [], []
    for name, of_set in pairs.items():
        table = tables.pairs(of_set)
        for model in models.itertuples():
            if not (path := model.folder / "pairs" / name / "scores.npy").is_file():
                continue  # an encoder expects nothing
            scores = arrays.open_array(path, "f", (len(table), 2), finite=True)
            values = likelihoods.score_differences(scores)
            for attribute, rows in table.groupby("attribute", sort=False).indices.items():
                more = int((values[rows] > likelihoods.TOLERANCE).sum())
                interval = wilson_interval(more, len(rows))
                shares.append((name, attribute, model.name, len(rows), more / len(rows), *interval,
                               np.abs(values[rows]).mean()))  # fmt: skip
                single += [(name, attribute, model.name, pair, values[pair]) for pair in rows]
    return pd.DataFrame(shares, columns=tables.PAIRS), pd.DataFrame(single, columns=tables.DIFFERENCES)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        encoded=list(snakemake.input.encoded),
        heads=list(snakemake.input.heads),
        pairs=dict(zip(snakemake.params.pairs, snakemake.input.pairs, strict=True)),
        models=snakemake.output.models,
        classifiers=snakemake.output.classifiers,
        classes=snakemake.output.classes,
        shares=snakemake.output.shares,
        differences=snakemake.output.differences,
        bias=snakemake.output.bias,
    )
