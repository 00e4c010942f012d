"""Measure how much scores of fewer texts (Figure 3), or of titles alone, differ from scores of more texts."""

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.measurement import metric as metrics
from biassay.studies.downstream import robustness, tables
from biassay.words import defining_sets


def main(
    sheets: dict[str, str], scores: dict[str, str], subsets: dict[str, str], files: dict[str, str],
    words: str, published: str, sources: dict[str, str], out: str, titles: str,
) -> None:  # fmt: skip
    n_texts = {name: tables.read_n_texts(path) for name, path in sheets.items()}
    n_groups = {name: len(groups) for name, groups in defining_sets.read(words).items()}
    rows, title_rows = [], []
    for metric, path in scores.items():
        module, table = metrics.load(files[metric]), tables.read_table(path, tables.SCORES)
        of_subsets = tables.read_table(subsets[metric], tables.SUBSETS)
        rows += robustness.measure_subsets(metric, module, table, of_subsets, n_texts, n_groups)
        title_rows += robustness.measure_titles(metric, module, table, of_subsets, n_groups)
    pd.DataFrame(rows, columns=robustness.SUBSETS).to_csv(out, index=False, float_format="%.6g")
    numbers = tables.read_published(published, "titles")
    table = pd.DataFrame(title_rows, columns=robustness.OF_TITLES)
    table["published"] = [
        numbers.get((sources[row.set], row.attribute, row.metric), np.nan) for row in table.itertuples()
    ]
    table.to_csv(titles, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(
        main,
        snakemake,
        sheets=dict(zip(snakemake.params.texts, snakemake.input.sheets, strict=True)),
        scores=dict(zip(snakemake.params.metrics, snakemake.input.scores, strict=True)),
        subsets=dict(zip(snakemake.params.metrics, snakemake.input.subsets, strict=True)),
        out=snakemake.output.robustness,
    )
