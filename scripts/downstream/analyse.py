"""Compare scores with downstream bias, the gaps of classifiers and the more likely sentence of each pair: rankings of
models (Table 3), correlations (Figures 1 and 2), and robustness to fewer texts (Figure 3)."""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import arrays, scripts
from biassay.language_models import likelihoods
from biassay.measurement import metric as metrics
from biassay.statistics.intervals import wilson_interval
from biassay.studies.downstream import correlations, ranking, robustness, tables
from biassay.words import defining_sets


def main(
    encoded: list[str], heads: list[str], pairs: dict[str, str], sheets: dict[str, str], words: str, published: str,
    scores: dict[str, str], pair_scores: dict[str, str], subsets: dict[str, str], files: dict[str, str],
    sources: dict[str, str], n_resamples: int, seed: int, out: dict[str, str],
) -> None:  # fmt: skip
    models = tables.read_models(encoded)
    classifiers, classes = (read_heads(heads, name) for name in ("classifiers", "classes"))
    shares, differences = compare_sentences(models, pairs)
    bias = gather_bias(classifiers, shares)
    # Written to files and read again, so that all tables agree to their last digit.
    written = {
        "models": models.drop(columns="folder").convert_dtypes(),  # floats would round seeds next to empty cells
        "classifiers": classifiers, "classes": classes, "shares": shares,
    }  # fmt: skip
    write(written, out)
    write({"differences": differences, "bias": bias}, out, "%.9g")
    bias, classes, differences = (tables.read(out[name]) for name in ("bias", "classes", "differences"))
    valid = bias[bias["is_valid"].astype(bool)]
    classes = classes.merge(valid[correlations.CASE], on=correlations.CASE, validate="many_to_one")

    n_groups = {name: len(groups) for name, groups in defining_sets.read(words).items()}
    n_texts = {name: int(tables.read(path)["n_texts"].iloc[0]) for name, path in sheets.items()}
    modules = {name: metrics.load(file) for name, file in files.items()}
    all_scores, all_pair_scores, all_subsets = (
        tables.read_all(paths, "metric") for paths in (scores, pair_scores, subsets)
    )

    def is_signed(metric: str, n: int) -> bool:
        return bool(modules[metric].METRIC.range("word", n).signed)

    used = all_subsets[["metric", "attribute"]].drop_duplicates().itertuples(index=False)
    widths = {(metric, name): robustness.range_width(modules[metric], n_groups[name]) for metric, name in used}
    widths = pd.Series(widths, dtype=float)
    cases = correlations.match_cases(all_scores, bias)
    by_class = correlations.correlate_classes(all_scores, classes, is_signed, n_groups)
    by_pair = correlations.correlate_pairs(all_pair_scores, differences, is_signed)
    titles = robustness.measure_titles(all_scores, all_subsets, widths)
    rankings = ranking.rank_models(cases, bias, tables.read(out["models"]), n_resamples, seed=seed)
    is_comparable = (rankings["ground_truth"] == ranking.DOWNSTREAM) & (rankings["version"] != "raw")
    rankings["published"] = find_published(published, "T3", rankings, rankings["score"], sources).where(is_comparable)
    titles["published"] = find_published(published, "titles", titles, titles["metric"], sources)
    written = {
        "ranking": rankings, "by_class": by_class, "by_pair": by_pair,
        "correlations": correlations.summarise(by_class, by_pair),
        "sets": correlations.correlate_cases(cases, n_resamples, seed=seed), "cases": cases,
        "robustness": robustness.measure_subsets(all_scores, all_subsets, widths, n_texts), "titles": titles,
    }  # fmt: skip
    write(written, out)


def write(written: dict[str, pd.DataFrame], out: dict[str, str], float_format: str = "%.6g") -> None:
    for name, table in written.items():
        table.to_csv(out[name], index=False, float_format=float_format)


def read_heads(heads: list[str], name: str) -> pd.DataFrame:
    """Read a table of all trained heads; without heads it has its columns and no rows."""
    columns = {"classifiers": tables.CLASSIFIERS, "classes": tables.CLASSES}[name]
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


def gather_bias(classifiers: pd.DataFrame, shares: pd.DataFrame) -> pd.DataFrame:
    """Return the downstream bias of every classifier, then of every model by its shares of pairs (BIAS)."""
    of_pairs = shares.rename(columns={"share_stereotypical": "bias"})
    of_pairs = of_pairs.assign(version="", n_directions=0, is_valid=True)
    both = [part.reindex(columns=tables.BIAS) for part in (classifiers.rename(columns={"gap": "bias"}), of_pairs)]
    return pd.concat([part for part in both if len(part)] or both)


def find_published(path: str, name: str, table: pd.DataFrame, scores: pd.Series, sources: dict[str, str]) -> pd.Series:
    """Return the published values of the rows of a table; NaN where there is none."""
    numbers = tables.read_published(path, name)
    keys = zip(table["set"].map(sources), table["attribute"], scores, strict=True)
    return pd.Series([numbers.get(key, np.nan) for key in keys], table.index, dtype=float)


if __name__ == "__main__":
    scripts.run(main, snakemake)
