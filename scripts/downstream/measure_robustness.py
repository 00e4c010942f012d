"""Measure how far scores of some of the texts (F3), or of titles alone, are from those of more texts."""

import numpy as np
import pandas as pd

from biassay.measurement import metric as metrics
from biassay.studies.downstream import robustness, tables
from biassay.support import logs
from biassay.words import defining_sets


def main(
    sheets: dict[str, str], scores: dict[str, str], subsets: dict[str, str], files: dict[str, str],
    words: str, published: str, sources: dict[str, str], out: str, titles: str,
) -> None:  # fmt: skip
    texts = {name: tables.texts(path) for name, path in sheets.items()}
    groups = {name: len(of) for name, of in defining_sets.read(words).items()}
    rows, of_titles = [], []
    for metric, path in scores.items():
        module, table = metrics.load(files[metric]), tables.read(path, tables.SCORES)
        drawn = tables.read(subsets[metric], tables.SUBSETS)
        rows += robustness.deviations(metric, module, table, drawn, texts, groups)
        of_titles += robustness.titles(metric, module, table, drawn, groups)
    pd.DataFrame(rows, columns=robustness.SUBSETS).to_csv(out, index=False, float_format="%.6g")
    known = tables.printed(published, "titles")
    table = pd.DataFrame(of_titles, columns=robustness.OF_TITLES)
    table["published"] = [
        known.get((sources[row.set], row.attribute, row.metric), np.nan) for row in table.itertuples()
    ]
    table.to_csv(titles, index=False, float_format="%.6g")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    names = list(snakemake.params.metrics)
    main(
        sheets=dict(zip(snakemake.params.texts, snakemake.input.sheets, strict=True)),
        scores=dict(zip(names, snakemake.input.scores, strict=True)),
        subsets=dict(zip(names, snakemake.input.subsets, strict=True)),
        files=snakemake.params.files,
        words=snakemake.input.words,
        published=snakemake.input.published,
        sources=snakemake.params.sources,
        out=snakemake.output.robustness,
        titles=snakemake.output.titles,
    )
