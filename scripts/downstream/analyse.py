"""Compare scores with downstream bias, the gaps of classifiers and the more likely sentence of each pair: reliability
of the bias, rankings of models (Table 3), correlations (Figures 1 and 2), and robustness to fewer texts (Figure 3)."""

from pathlib import Path

import numpy as np
import pandas as pd

from biassay.core import arrays, csv_tables, scripts
from biassay.language_models import likelihoods
from biassay.measurement import metric as metrics
from biassay.measurement.evaluation import compute_range
from biassay.statistics.intervals import interval_of_mean
from biassay.statistics.seeds import seed_of
from biassay.studies.downstream import correlations, ranking, reliability, robustness, tables
from biassay.studies.downstream.texts import Texts
from biassay.words import defining_sets

RELIABILITY = 43  # purpose of seeds
Measured = dict[tuple, tuple[np.ndarray, np.ndarray]]  # bias by chance and of both halves (splits, 2), by case


def main(
    encoded: list[str], heads: list[str], texts: dict[str, str], pairs: dict[str, str], sheets: dict[str, str],
    words: str, published: str, scores: dict[str, str], pair_scores: dict[str, str], subsets: dict[str, str],
    variants: dict[str, dict], sources: dict[str, str], bases: dict[str, str], n_resamples: int, seed: int,
    out: dict[str, str],
) -> None:  # fmt: skip
    models = tables.read_models(encoded)
    models["base"] = models["job"].map(bases)
    classifiers, classes = (read_heads(heads, name) for name in ("classifiers", "classes"))
    shares, differences = compare_sentences(models, pairs, n_resamples, seed)
    bias = gather_bias(classifiers, shares)
    measured = measure_gaps(heads, texts, classifiers, seed) | measure_shares(differences, seed)
    bias = test_floors(bias, measured)
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
    modules = {name: metrics.load(variant["metric"]) for name, variant in variants.items()}
    all_scores, all_pair_scores, all_subsets = (
        tables.read_all(paths, "metric") for paths in (scores, pair_scores, subsets)
    )

    def is_signed(metric: str, n: int) -> bool:
        return bool(modules[metric].METRIC.range("word", n).signed)

    of_sets = all_scores.loc[all_scores["level"] == "set", ["metric", "attribute"]].drop_duplicates()
    ranges = {
        (metric, name): compute_range(modules[metric], "set", n_groups[name], None, variants[metric]["options"])
        for metric, name in of_sets.itertuples(index=False)
    }
    widths = pd.Series({key: limits.width for key, limits in ranges.items()}, dtype=float)
    cases = correlations.match_cases(all_scores, bias, {key: limits.b_0 for key, limits in ranges.items()})
    of_classes = all_scores[all_scores["level"] == correlations.CLASS]
    of_classes = correlations.orient_scores(of_classes, modules, n_groups)
    of_pairs = correlations.orient_scores(all_pair_scores, modules, dict.fromkeys(n_groups, 2))
    by_class = correlations.correlate_classes(of_classes, classes, is_signed, n_groups)
    by_pair = correlations.correlate_pairs(of_pairs, differences, is_signed, n_resamples, seed=seed)
    titles = robustness.measure_titles(all_scores, all_subsets, widths)
    models = tables.read(out["models"])
    judged = judge(valid, measured, models, n_resamples, seed)
    rankings = ranking.rank_models(cases, bias, models, judged, n_resamples, seed=seed)
    is_comparable = (rankings["form"] == ranking.PUBLISHED) & (rankings["version"] != "raw")
    rankings["published"] = find_published(published, "T3", rankings, rankings["score"], sources).where(is_comparable)
    titles["published"] = find_published(published, "titles", titles, titles["metric"], sources)
    written = {
        "reliability": judged, "ranking": rankings, "by_class": by_class, "by_pair": by_pair,
        "correlations": correlations.summarise(by_class, by_pair),
        "sets": correlations.correlate_cases(cases, models, judged, n_resamples, seed=seed), "cases": cases,
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


def compare_sentences(
    models: pd.DataFrame, pairs: dict[str, str], n_resamples: int, seed: int
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Return the share of pairs whose stereotypical sentence is more likely (SHARES), and each pair's difference of
    log-likelihoods (DIFFERENCES), for pairs with a value. Pairs of one occupation are a cluster, any other pair is one
    of its own."""
    shares, by_pair = [], []
    for name, path in pairs.items():
        table = tables.read_pairs(path)
        clusters = table["occupation"].where(table["occupation"] != "", table.index.astype(str)).to_numpy()
        for model in models.itertuples():
            if not (stored := model.folder / "pairs" / name / "scores.npy").is_file():
                continue  # an encoder without a head has no likelihoods
            values = likelihoods.score_differences(arrays.open_array(stored, "f", (len(table), 2)))
            for attribute, rows in table.groupby("attribute", sort=False).indices.items():
                rows = rows[np.isfinite(values[rows])]
                if not len(rows):
                    continue
                preferred = likelihoods.preferences(values[rows])
                interval = interval_of_mean(preferred, clusters[rows], n_resamples, seed)
                shares.append((name, attribute, model.name, len(rows), preferred.mean(), *interval,
                               np.abs(values[rows]).mean()))  # fmt: skip
                by_pair += [(name, attribute, model.name, pair, clusters[pair], values[pair]) for pair in rows]
    return pd.DataFrame(shares, columns=tables.SHARES), pd.DataFrame(by_pair, columns=tables.DIFFERENCES)


def gather_bias(classifiers: pd.DataFrame, shares: pd.DataFrame) -> pd.DataFrame:
    """Return the downstream bias of every classifier, then of every model by its shares of pairs (BIAS)."""
    of_pairs = shares.rename(columns={"share_stereotypical": "bias"})
    of_pairs = of_pairs.assign(version="", n_directions=0, is_valid=True, gap_std=of_pairs["bias"])
    both = [part.reindex(columns=tables.BIAS) for part in (classifiers.rename(columns={"gap": "bias"}), of_pairs)]
    return pd.concat([part for part in both if len(part)] or both)


def measure_gaps(heads: list[str], texts: dict[str, str], classifiers: pd.DataFrame, seed: int) -> Measured:
    """Measure the gaps of classifiers by chance and of halves of the texts, by their cases.

    The classifiers of a set have equal folds, permutations and halves.
    """
    measured, folders = {}, [Path(folder) for folder in heads]
    for (name, version), part in classifiers.groupby(["set", "version"], sort=False):
        text_set = Texts.open(texts[name])
        for (attribute, model), rows in part.groupby(["attribute", "model"], sort=False):
            path = next(
                path for path in (folder / model / name / f"{version}.npz" for folder in folders) if path.is_file()
            )
            with np.load(path) as stored:
                result = reliability.measure_gaps(
                    stored["probabilities"], text_set.labels, text_set.groups, stored["folds"],
                    n_groups=len(text_set.names), seed=seed_of(seed, RELIABILITY),
                )  # fmt: skip
            for number, n_directions in enumerate(rows["n_directions"]):
                case = name, attribute, model, version, n_directions
                measured[case] = result.chance[:, number], result.halves[:, :, number]
    return measured


def measure_shares(differences: pd.DataFrame, seed: int) -> Measured:
    """Measure the shares of pairs of models by chance and of halves of their clusters, by their cases."""
    measured = {}
    for (name, attribute), part in differences.groupby(["set", "attribute"], sort=False):
        wide = part.pivot(index="model", columns=["pair", "cluster"], values="value")
        preferred, clusters = likelihoods.preferences(wide.to_numpy()), wide.columns.get_level_values("cluster")
        result = reliability.measure_shares(preferred, clusters, seed=seed_of(seed, RELIABILITY))
        for number, model in enumerate(wide.index):
            measured[name, attribute, model, "", 0] = result.chance[:, number], result.halves[:, :, number]
    return measured


def test_floors(bias: pd.DataFrame, measured: Measured) -> pd.DataFrame:
    """Return the table of bias with what chance gives (BIAS)."""
    cases = bias[correlations.CASE].itertuples(index=False, name=None)
    floors = [
        reliability.test_floor(np.atleast_1d(value), measured[case][0][:, None])
        for case, value in zip(cases, bias["bias"], strict=True)
    ]
    columns = np.array(floors, float).reshape(len(bias), 3).T
    return bias.assign(**dict(zip(("floor", "floor_high", "p"), columns, strict=True)))


def judge(valid: pd.DataFrame, measured: Measured, models: pd.DataFrame, n_resamples: int, seed: int) -> pd.DataFrame:
    """Judge whether the models can be ranked by each kind of bias: one case per model, or all classifiers."""
    rows, keys = [], ["set", "attribute", "version"]
    for key, part in valid.groupby(keys, sort=False):
        forms = {ranking.find_form(key[2]): part[part["n_directions"] == 0], ranking.PUBLISHED: part}
        for form, chosen in forms.items():
            if len(chosen):
                cases = chosen[correlations.CASE].itertuples(index=False, name=None)
                both = np.stack([measured[case][1] for case in cases], -1)
                units = ranking.find_units(models, chosen["model"])
                row = reliability.judge(chosen, both, *units, n_resamples, seed=seed)
                rows.append(dict(zip(keys, key, strict=True)) | {"form": form} | row)
    return pd.DataFrame(rows, columns=[*keys, "form", *reliability.COLUMNS])


def find_published(path: str, name: str, table: pd.DataFrame, scores: pd.Series, sources: dict[str, str]) -> pd.Series:
    """Return the values of a table of the paper for the rows of our table; NaN where there is none."""
    rows = csv_tables.read(path, "table source attribute score value", {}, comment="#").query("table == @name")
    numbers = rows.set_index(["source", "attribute", "score"])["value"]
    keys = zip(table["set"].map(sources), table["attribute"], scores, strict=True)
    return pd.Series([numbers.get(key, np.nan) for key in keys], table.index, dtype=float)


if __name__ == "__main__":
    scripts.run(main, snakemake)
