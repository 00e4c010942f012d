"""Diagnose an embedding: contexts of second-order bias, factors and debiasing, perceived gender (T2, F3–F5, T3)."""

import logging
from collections.abc import Iterable, Iterator
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
from matplotlib.lines import Line2D
from matplotlib.patches import Patch

from biassay.core import scripts
from biassay.report import plots
from biassay.studies.first_order import diagnosis, scores, tables
from biassay.studies.first_order.diagnosis import UNBIASED, UNDEFINED, Scale
from biassay.studies.first_order.perceived_gender import classify
from biassay.vectors.embedding import Embedding
from biassay.vectors.explicit_vectors import explicit_values
from biassay.words import resources

SIGNS = (1, -1)  # of both groups
CLASSIFIER = ("c", "folds", "repeats")
COLUMNS = 2  # of panels with bars
PANELS = {"second_order_cosine": "cosine of vectors", "first_order": "Λ1, first order"}


def main(
    corpus: str, embedding: str, main_list: str, word_lists: list[str], occupations: str, published: str, options: dict,
    seed: int,
    contexts_out: str, factors_out: str, bands_out: str, accuracies_out: str, top_features_out: str,
    figures: list[str],
) -> None:  # fmt: skip
    model, groups = diagnosis.open_embedding(embedding, main_list)
    definitional_words = {
        word for path in word_lists for words in resources.read_groups(path).values() for word in words
    }
    known_words = [word for word in options["occupations"] if word in model.index]
    if not known_words:
        raise ValueError(f"first_order.diagnosis.occupations: no occupation is in the vocabulary of {embedding}")
    missing_words = sorted(set(options["occupations"]) - set(known_words))
    logging.info("occupations not in the vocabulary: %s", ", ".join(missing_words) or "none")
    contexts = list_contexts(model, groups, known_words, options["n_contexts"])
    contexts["definitional"] = contexts["context"].isin(definitional_words)
    contexts.insert(0, "embedding", Path(embedding).name)
    table = diagnosis.select_occupations(occupations, model, definitional_words)
    pairs = scores.select_known_words(resources.read_groups(main_list), model, main_list, paired=True)
    factors, bands = tabulate_factors(model, groups, pairs, table)
    words = table.loc[table["neutral"], "word"].tolist()
    classifier = {name: options[name] for name in CLASSIFIER} | {"seed": seed}
    accuracies, top_features = classify_perceived(model, groups, pairs, words, options["n_top_features"], classifier)
    values = tables.read_published(published, "T3", ["space", "state", "quantity"])
    for quantity in ("majority", "accuracy"):
        accuracies[f"{quantity}_published"] = tables.look_up(accuracies, ["space", "state"], values, quantity)
    for result, out in ((contexts, contexts_out), (bands, bands_out), (accuracies, accuracies_out)):
        result.insert(0, "corpus", corpus)
        result.to_csv(out, index=False, float_format="%.6g")
    for result, out in ((factors, factors_out), (top_features, top_features_out)):
        result.assign(corpus=corpus).to_csv(out, index=False, float_format="%.6g")
    drawn = [
        *draw_occupations(corpus, factors, bands, list(groups), options["n_named"]),
        draw_effects(corpus, contexts), draw_weights(corpus, top_features, accuracies),
    ]  # fmt: skip
    for figure, files in zip(drawn, np.array_split(figures, len(drawn)), strict=True):
        plots.save(figure, *files)


def list_contexts(
    model: Embedding, groups: dict[str, list[str]], occupations: list[str], n_contexts: int
) -> pd.DataFrame:
    """List the context words that contribute most to the second-order bias of each occupation, per group."""
    rows = [
        (word, effects.sum(), *row)
        for word, effects in zip(occupations, diagnosis.measure_effects(model, occupations, groups), strict=True)
        for row in rank_contexts(effects, model.words, groups, n_contexts)
    ]
    return pd.DataFrame(rows, columns=["occupation", "bias", "group", "rank", "context", "effect"])


def rank_contexts(
    values: np.ndarray, contexts: list[str], groups: Iterable[str], n_contexts: int
) -> Iterator[tuple[str, int, str, float]]:
    """Yield group, rank, context word and value of the largest values towards each of both groups."""
    n_contexts = min(n_contexts, np.isfinite(values).sum())  # none of a word without a score
    for group, sign in zip(groups, SIGNS, strict=True):
        for rank, place in enumerate(np.argsort(-sign * values, kind="stable")[:n_contexts], 1):
            yield group, rank, contexts[place], values[place]


def tabulate_factors(
    model: Embedding, groups: dict[str, list[str]], pairs: dict[str, list[str]], table: pd.DataFrame
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Tabulate and summarise the factors of occupations, normalised over all words, before and after debiasing."""
    words, names = table["word"].tolist(), list(groups)
    before = diagnosis.measure_factors(model, model.vectors, model.norms, groups)
    debiased = diagnosis.debias_words(model, words, pairs, table.loc[~table["neutral"], "word"].tolist())
    after = diagnosis.measure_factors(model, debiased, diagnosis.measure_lengths(model, debiased), groups)
    indices = [model.index[word] for word in words]
    factor_tables, summaries = [], []
    for method, values in before.items():
        scale = Scale.from_factors(values)
        for state, factors in (("original", values[indices]), ("debiased", after[method])):
            rows = table.assign(method=method, state=state)
            rows[[f"factor_{name}" for name in names]] = scale.normalise(factors)
            rows["bias"] = rows[f"factor_{names[0]}"] - rows[f"factor_{names[1]}"]
            rows["side"] = scale.classify_sides(rows["bias"].to_numpy(), names)
            factor_tables.append(rows)
            summary = summarise_factors(rows[rows["neutral"]], scale, names)
            summaries.append({"method": method, "state": state} | summary)
    return pd.concat(factor_tables), pd.DataFrame(summaries)


def summarise_factors(rows: pd.DataFrame, scale: Scale, names: list[str]) -> dict:
    """Summarise a method: its scale and band, and the bias of gender-neutral occupations."""
    counts = rows["side"].value_counts()
    return {
        "min_factor": scale.low,
        "max_factor": scale.high,
        "band": scale.band,
        "n_neutral_occupations": len(rows),
        "mean_absolute_bias": rows["bias"].abs().mean(),
        "mean_bias": rows["bias"].mean(),
    } | {f"n_{side}": int(counts.get(side, 0)) for side in (*names, diagnosis.UNBIASED)}


def classify_perceived(
    model: Embedding, groups: dict[str, list[str]], pairs: dict[str, list[str]], words: list[str], n_top_features: int,
    options: dict,
) -> tuple[pd.DataFrame, pd.DataFrame]:  # fmt: skip
    """Classify neutral occupations by the side of their Λ1, before and after debiasing, and list the top features.

    The features are the vectors, or the explicit values for all context words; the table of top features is of the
    latter, and empty if the classifier could not be trained.
    """
    original = model.rows(words)
    norms = np.asarray(model.norms[[model.index[word] for word in words]])
    bias = -np.diff(diagnosis.measure_factors(model, original, norms, groups)["first_order"])[:, 0]
    has_gender = np.abs(bias) > 0  # a word with zero or undefined (NaN) bias has no perceived gender
    accuracies, top_features = [], []
    for state, vectors in (("original", original), ("debiased", diagnosis.debias_words(model, words, pairs, ()))):
        for space in ("explicit", "vectors"):
            features = vectors if space == "vectors" else explicit_values(model, vectors)
            result = classify(features[has_gender], bias[has_gender] > 0, **options)
            logging.info("%s %s: accuracy %.3f", state, space, result.accuracy)
            accuracies.append({"space": space, "state": state} | vars(result))
            if space == "explicit" and result.weights is not None:
                ranked = rank_contexts(result.weights, model.words, groups, n_top_features)
                top_features += [(state, *row) for row in ranked]
    columns = ["state", "group", "rank", "context", "weight"]
    return pd.DataFrame(accuracies).drop(columns="weights"), pd.DataFrame(top_features, columns=columns)


def draw_occupations(
    corpus: str, factors: pd.DataFrame, bands: pd.DataFrame, groups: list[str], n_named: int
) -> list[plt.Figure]:
    """Draw the factors of occupations, their biases, and their factors after debiasing (Figures 3 to 5)."""
    shades = dict(zip(groups, plots.SIDES, strict=True))
    shades |= dict.fromkeys((UNBIASED, UNDEFINED), (plots.UNBIASED, plots.UNBIASED))
    colours = [shades[side][int(neutral)] for side, neutral in zip(factors["side"], factors["neutral"], strict=True)]
    factors = factors.assign(colour=colours)
    before, after = (factors[factors["state"] == state] for state in ("original", "debiased"))
    band = bands[bands["state"] == "original"].set_index("method")["band"]
    # colours show the side before debiasing, so that the moves of biased occupations are visible
    after = after.drop(columns="colour").merge(before[["method", "word", "colour"]], on=["method", "word"])
    title = f"{corpus}: factors of occupations after hard debiasing, colours from before debiasing"
    return [
        draw_factors(before, band, groups, n_named, f"{corpus}: factors of occupations"),
        draw_histograms(before, band, groups, corpus),
        draw_factors(after, None, groups, n_named, title),
    ]


def draw_effects(corpus: str, contexts: pd.DataFrame) -> plt.Figure:
    """Draw the effects of context words on the bias of each occupation (Table 2)."""
    panels = {
        f"{word} ({rows['bias'].iloc[0]:+.3f})": rows.rename(columns={"effect": "value"})
        for word, rows in contexts.groupby("occupation", sort=False)
    }
    title = f"{corpus}: effects of context words on the second-order bias (eq 8); dark: definitional words"
    return draw_bars(panels, title, "effect on the bias")


def draw_weights(corpus: str, features: pd.DataFrame, accuracies: pd.DataFrame) -> plt.Figure:
    """Draw the weights of context words in the classifiers, before and after debiasing (Table 3)."""
    features, rows = features.rename(columns={"weight": "value"}), accuracies[accuracies["space"] == "explicit"]
    panels = {
        f"{row.state} (accuracy {row.accuracy:.2f}, majority {row.majority:.2f})\npublished accuracy "
        f"{row.accuracy_published:.2f}, majority {row.majority_published:.2f}": features[features["state"] == row.state]
        for row in rows.itertuples()
    }
    title = f"{corpus}: context words that predict the perceived gender of neutral occupations"
    return draw_bars(panels, title, "weight in the classifier")


def draw_factors(
    table: pd.DataFrame, band: pd.Series | None, groups: list[str], n_named: int, title: str
) -> plt.Figure:
    """Draw the factor of the second group against that of the first, one panel per method, with the unbiased band."""
    figure, axes = plt.subplots(1, len(PANELS), figsize=(plots.WIDTH, 4.6))
    columns = [f"factor_{group}" for group in groups]
    for axis, (method, name) in zip(axes, PANELS.items(), strict=True):
        rows = table[table["method"] == method].dropna(subset="bias")
        points = rows[columns].to_numpy()
        low, high = points.min(), points.max()
        line = np.array([low, high]) + np.array([-0.08, 0.08]) * (high - low)
        if band is not None:
            axis.fill_between(line, line - band[method], line + band[method], color="#dddddd", zorder=0, linewidth=0)
        axis.plot(line, line, color="black", linewidth=0.6, zorder=1)
        for neutral, marker, size in ((True, "o", 12), (False, "^", 24)):
            part = rows[rows["neutral"] == neutral]
            axis.scatter(part[columns[0]], part[columns[1]], c=part["colour"], marker=marker, s=size, linewidth=0)
        axis.set(xlim=line, ylim=line, aspect="equal", xlabel=f"{groups[0]} factor", ylabel=f"{groups[1]} factor")
        axis.set_title(name if band is None else f"{name} (band ±{band[method]:.3f})")
    plots.add_legend(figure, legend(groups))
    figure.suptitle(title)
    for axis, method in zip(axes, PANELS, strict=True):
        rows = table[table["method"] == method].dropna(subset="bias").sort_values("bias", kind="stable")
        extremes = pd.concat([rows[rows["bias"] < 0].head(n_named), rows[rows["bias"] > 0].tail(n_named)])
        extremes = extremes.sort_values("bias", key=np.abs, ascending=False, kind="stable")
        away = np.sign(extremes["bias"].to_numpy())[:, None] * np.array([1, -1])  # from the diagonal
        points, others = (part[columns].to_numpy() for part in (extremes, rows))
        plots.name_points(axis, points, extremes["word"].tolist(), others, away)
    return figure


def draw_histograms(table: pd.DataFrame, band: pd.Series, groups: list[str], corpus: str) -> plt.Figure:
    """Draw the number of occupations by bias, one panel per method; gender-neutral ones are lighter."""
    figure, axes = plt.subplots(1, len(PANELS), figsize=(plots.WIDTH, 3.2), sharex=True, sharey=True)
    limit = table["bias"].abs().max()
    edges = np.linspace(-limit, limit, 42)
    colours = [plots.UNBIASED, *(colour for side in plots.SIDES for colour in reversed(side))]
    for axis, (method, name) in zip(axes, PANELS.items(), strict=True):
        rows = table[table["method"] == method]
        values = [rows.loc[rows["colour"] == colour, "bias"] for colour in colours]
        axis.hist(values, edges, stacked=True, color=colours)
        axis.axvline(0, color="black", linewidth=0.6)
        axis.set(title=f"{name} (band ±{band[method]:.3f})", xlabel=f"bias, positive towards {groups[0]}")
    axes[0].set_ylabel("occupations")
    plots.add_legend(figure, legend(groups)[:5])
    figure.suptitle(f"{corpus}: bias of occupations")
    return figure


def legend(groups: list[str]) -> list[Patch | Line2D]:
    """Return the legend of colours and markers."""
    handles = [Patch(color=plots.UNBIASED, label=UNBIASED)]
    for group, (dark, light) in zip(groups, plots.SIDES, strict=True):
        handles.append(Patch(color=light, label=f"biased {group}, gender-neutral"))
        handles.append(Patch(color=dark, label=f"biased {group}, gender-specific"))
    for marker, label in (("o", "gender-neutral word"), ("^", "gender-specific word")):
        handles.append(Line2D([], [], marker=marker, color="#555555", linewidth=0, label=label))
    return handles


def draw_bars(panels: dict[str, pd.DataFrame], title: str, label: str) -> plt.Figure:
    """Draw bars of context words, one panel per table; the column definitional (dark bars) is optional."""
    height = max(len(rows) for rows in panels.values())
    figure, axes = plots.make_panels(len(panels), COLUMNS, 0.9 + 0.18 * height, 0.6)
    for axis, (name, rows) in zip(axes.flat, panels.items(), strict=False):
        axis.set_title(name)
        rows = rows.sort_values("value", ascending=False, kind="stable")
        is_light = ~rows["definitional"] if "definitional" in rows else np.ones(len(rows), bool)
        dark = np.where(rows["value"] > 0, plots.SIDES[0][0], plots.SIDES[1][0])
        light = np.where(rows["value"] > 0, plots.SIDES[0][1], plots.SIDES[1][1])
        axis.barh(range(len(rows)), rows["value"], color=np.where(is_light, light, dark))
        axis.set_yticks(range(len(rows)), rows["context"], fontsize=8)
        axis.set_ylim(max(len(rows), 1) - 0.5, -0.5)
        axis.axvline(0, color="black", linewidth=0.6)
        axis.grid(axis="y", visible=False)
        axis.locator_params(axis="x", nbins=4)
        axis.tick_params(axis="x", labelsize=8)
        axis.set_xlabel(label, fontsize=8)
    figure.suptitle(title)
    return figure


if __name__ == "__main__":
    scripts.run(main, snakemake)
