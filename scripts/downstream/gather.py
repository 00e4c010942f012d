"""Gather the downstream bias of all models: gaps of the classifiers, and the more likely sentence of each pair."""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import arrays, scripts
from biassay.language_models import likelihoods
from biassay.statistics.intervals import wilson_interval
from biassay.studies.downstream import tables


def main(
    encoded: list[str], heads: list[str], pairs: dict[str, str], models: str, classifiers: str, classes: str,
    shares: str, differences: str, bias: str,
) -> None:  # fmt: skip
    all_models = tables.read_models(encoded)
    whole = all_models.drop(columns="folder").convert_dtypes()  # floats would round seeds next to empty cells
    whole.to_csv(models, index=False, float_format="%.6g")
    of_texts = read_heads(heads, "classifiers", tables.CLASSIFIERS)
    of_texts.to_csv(classifiers, index=False, float_format="%.6g")
    read_heads(heads, "classes", tables.CLASSES).to_csv(classes, index=False, float_format="%.6g")
    of_pairs, by_pair = compare_sentences(all_models, pairs)
    of_pairs.to_csv(shares, index=False, float_format="%.6g")
    by_pair.to_csv(differences, index=False, float_format="%.9g")
    pair_bias = of_pairs.rename(columns={"share_stereotypical": "bias"})
    pair_bias = pair_bias.assign(version="", n_directions=0, is_valid=True).reindex(columns=tables.BIAS)
    both = [of_texts.rename(columns={"gap": "bias"}).reindex(columns=tables.BIAS), pair_bias]
    pd.concat([part for part in both if len(part)] or both).to_csv(bias, index=False, float_format="%.9g")


def read_heads(heads: list[str], name: str, columns: list[str]) -> pd.DataFrame:
    """Read a table of all trained heads; without heads it has these columns and no rows."""
    parts = [tables.read(Path(folder) / f"{name}.csv") for folder in heads]
    return pd.concat(parts, ignore_index=True) if parts else pd.DataFrame(columns=columns)


def compare_sentences(models: pd.DataFrame, pairs: dict[str, str]) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the share of pairs whose stereotypical sentence is more likely (SHARES), and each pair's difference of
    log-likelihoods (DIFFERENCES)."""
    shares, by_pair = [], []
    for name, path in pairs.items():
        table = tables.read_pairs(path)
        for model in models.itertuples():
            if not (stored := model.folder / "pairs" / name / "scores.npy").is_file():
                continue  # an encoder without a head has no likelihoods
            values = likelihoods.score_differences(arrays.open_array(stored, "f", (len(table), 2), finite=True))
            for attribute, rows in table.groupby("attribute", sort=False).indices.items():
                n_stereotypical = int((values[rows] > likelihoods.TOLERANCE).sum())
                interval = wilson_interval(n_stereotypical, len(rows))
                shares.append((name, attribute, model.name, len(rows), n_stereotypical / len(rows), *interval,
                               np.abs(values[rows]).mean()))  # fmt: skip
                by_pair += [(name, attribute, model.name, pair, values[pair]) for pair in rows]
    return pd.DataFrame(shares, columns=tables.SHARES), pd.DataFrame(by_pair, columns=tables.DIFFERENCES)


if __name__ == "__main__":
    scripts.run(main, snakemake)
