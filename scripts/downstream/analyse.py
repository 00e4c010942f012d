"""Compare scores with downstream bias: rankings of models (Table 3), correlations (Figures 1 and 2), and robustness to
fewer texts (Figure 3)."""

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.measurement import metric as metrics
from biassay.statistics.paired_tests import correct_holm
from biassay.studies.downstream import correlations, ranking, robustness, tables
from biassay.words import defining_sets


def main(
    models: str, bias: str, classes: str, differences: str, sheets: dict[str, str], words: str, published: str,
    scores: dict[str, str], pair_scores: dict[str, str], subsets: dict[str, str], files: dict[str, str],
    sources: dict[str, str], n_resamples: int, seed: int, ranking_out: str, by_class_out: str, by_pair_out: str,
    correlations_out: str, sets_out: str, cases_out: str, robustness_out: str, titles_out: str,
) -> None:  # fmt: skip
    all_bias, pair_differences = tables.read(bias), tables.read(differences)
    valid_classes = correlations.select_valid(tables.read(classes), all_bias)
    n_groups = {name: len(groups) for name, groups in defining_sets.read(words).items()}
    n_texts = {name: int(tables.read(path)["n_texts"].iloc[0]) for name, path in sheets.items()}
    cases, by_class, by_pair, by_set, fewer, of_titles = {}, [], [], [], [], []
    for metric, path in scores.items():
        module, of_metric = metrics.load(files[metric]), tables.read(path)
        cases[metric] = correlations.match_cases(of_metric, all_bias).assign(metric=metric)
        by_class += correlations.correlate_classes(metric, module, of_metric, valid_classes, n_groups)
        if len(of_pairs := tables.read(pair_scores[metric])):
            by_pair += correlations.correlate_pairs(metric, module, of_pairs, pair_differences)
        by_set += correlations.correlate_cases(metric, cases[metric], n_resamples, seed=seed)
        of_subsets = tables.read(subsets[metric])
        fewer += robustness.measure_subsets(metric, module, of_metric, of_subsets, n_texts, n_groups)
        of_titles += robustness.measure_titles(metric, module, of_metric, of_subsets, n_groups)
    class_table = pd.DataFrame(by_class, columns=correlations.BY_CLASS)
    pair_table = pd.DataFrame(by_pair, columns=correlations.BY_PAIR)
    title_table = pd.DataFrame(of_titles, columns=robustness.OF_TITLES)
    title_table["published"] = find_published(published, "titles", title_table, title_table["metric"], sources)
    written = {
        ranking_out: rank_models(tables.read(models), all_bias, cases, published, sources, n_resamples, seed),
        by_class_out: class_table,
        by_pair_out: pair_table,
        correlations_out: correlations.summarise(class_table, pair_table),
        sets_out: pd.DataFrame(by_set, columns=correlations.BY_SET),
        cases_out: pd.concat(cases.values())[correlations.CASES],
        robustness_out: pd.DataFrame(fewer, columns=robustness.SUBSETS),
        titles_out: title_table,
    }
    for path, table in written.items():
        table.to_csv(path, index=False, float_format="%.6g")


def rank_models(
    models: pd.DataFrame, bias: pd.DataFrame, cases: dict[str, pd.DataFrame], published: str, sources: dict[str, str],
    n_resamples: int, seed: int,
) -> pd.DataFrame:  # fmt: skip
    """Rank models by each score, and models with planted bias by downstream bias too, with corrected p and ranks."""
    rows = [row for metric, part in cases.items() for row in ranking.rank_by_bias(metric, part, n_resamples, seed)]
    if "strength" in models:
        strengths = models.dropna(subset="strength").set_index("name")["strength"]
        is_valid = (bias["n_directions"] == 0) & bias["is_valid"].astype(bool)
        of_bias = bias[is_valid].assign(group_words="raw", value=lambda table: table["bias"])
        for metric, part in [*cases.items(), (ranking.DOWNSTREAM, of_bias)]:
            rows += ranking.rank_by_strength(metric, part, strengths, n_resamples, seed)
    table = pd.DataFrame(rows, columns=ranking.COLUMNS)
    table["p_holm"] = table.groupby("ground_truth")["p"].transform(lambda p: correct_holm(p.to_numpy()))
    groups = table.groupby([*ranking.KEYS, "ground_truth"])
    table["rank"] = groups["ranking_accuracy"].rank(method="min", ascending=False)
    is_comparable = (table["ground_truth"] == ranking.DOWNSTREAM) & (table["version"] != "raw")
    table["published"] = find_published(published, "T3", table, table["score"], sources).where(is_comparable)
    return table


def find_published(path: str, name: str, table: pd.DataFrame, scores: pd.Series, sources: dict[str, str]) -> pd.Series:
    """Return the published values of the rows of a table; NaN where there is none."""
    numbers = tables.read_published(path, name)
    keys = zip(table["set"].map(sources), table["attribute"], scores, strict=True)
    return pd.Series([numbers.get(key, np.nan) for key in keys], table.index, dtype=float)


if __name__ == "__main__":
    scripts.run(main, snakemake)
