"""Variability, templates and two attributes at once: every cell of their tables by plain loops."""

from itertools import combinations

import numpy as np
import pandas as pd
import scipy.stats

from biassay.studies.intrinsic.templates import sample_sizes
from tests.intrinsic import believable
from tests.intrinsic.study import SEED, TEMPLATE_DRAWS, close, distributions, divergence, probabilities, words
from tests.same.study import flat, interval


def relative(a, b):
    return abs(a - b) / ((abs(a) + abs(b)) / 2) if a or b else np.nan


def of_repeats(rows):
    """The columns of `variability.COLUMNS` for the repeats of a distribution, from scores by occupation."""
    common = [word for word in rows[0] if all(np.isfinite(row.get(word, np.nan)) for row in rows)]
    if not common:
        return None
    pairs = list(combinations(rows, 2))
    printed = [abs(row[w] - rows[0][w]) / abs(rows[0][w]) if rows[0][w] else np.nan for row in rows[1:] for w in common]
    difference = [relative(a[w], b[w]) for a, b in pairs for w in common]
    spreads = [np.std([row[w] for w in common]) for row in rows]
    within = [np.std([row[w] for row in rows], ddof=1) for w in common]
    sign_flip_rate = [np.sign(a[w]) * np.sign(b[w]) == -1 for a, b in pairs for w in common]
    spread = [relative(a, b) for a, b in combinations(spreads, 2)]
    return [
        np.nanmean(values) if np.isfinite(values).any() else np.nan
        for values in (printed, difference, spread, within, sign_flip_rate)
    ]


def test_repeats(made):
    _, found = made
    ground_truths = ["data", "data (root)", "unmasking", "unmasking (root)"]
    names = {
        of: [name for name in believable.METRICS if of in believable.WORDS.get(name, [])] for of in believable.GROUPS
    }
    keys = [(attribute, name) for attribute, metrics in names.items() for name in [*ground_truths, *metrics]]
    table = found["retraining_variability"]
    assert [tuple(key) for key in table[["attribute", "metric"]].to_numpy()] == keys
    columns = ["difference_from_first", "difference", "std_difference", "within_std", "sign_flip_rate"]
    for row in table.to_dict("records"):
        name, _, root = row["metric"].partition(" ")
        rows = []
        for models in distributions(found).values():
            of = [words(found, row["attribute"], name, model) for model in models]
            of = [{word: value**0.5 for word, value in values.items()} for values in of] if root else of
            rows.append(of_repeats(of))
        rows = [of for of in rows if of]
        assert row["distributions"] == len(rows) == (5 if name == "mac" else 6)
        assert [row[column] for column in columns] == close([np.nanmean(of) for of in zip(*rows, strict=True)])
    published = {("gender", "weat"): 1.358, ("gender", "unmasking (root)"): 0.291, ("religion", "direct_bias_1"): 0.486}
    assert table["published"].tolist() == close([published.get(key, np.nan) for key in keys])
    sign_flip_rate = table.set_index(["attribute", "metric"])["sign_flip_rate"]
    assert sign_flip_rate["gender", "weat"] > 0 == sign_flip_rate["gender", "data"]


def answers(made, model, attribute):
    """p of each occupation, sentence and group, of the stored answers."""
    paths, found = made
    chunk = found["plan"].set_index("model")["chunk"][model]
    return believable.shares(np.load(paths["folder"] / f"encoded/{chunk}/{model}/{attribute}/unmasking.npy"))


def order(p, sentences):
    """The ranking of the groups of each occupation in some sentences."""
    return [tuple(sorted(range(p.shape[2]), key=lambda g, of=of: sum(of[s][g] for s in sentences))) for of in p]


def reordered(p, n):
    """Shares of samples of n sentences, and of pairs of samples, with another ranking."""
    random = np.random.default_rng([SEED, n]).random((TEMPLATE_DRAWS, p.shape[1])).argsort(axis=1)
    firsts = [[s for s, rank in enumerate(ranks) if rank < n] for ranks in random]
    others = [[s for s, rank in enumerate(ranks) if n <= rank < 2 * n] for ranks in random]
    whole = order(p, range(p.shape[1]))
    changed = [a != b for drawn in firsts for a, b in zip(order(p, drawn), whole, strict=True)]
    apart = [a != b for one, other in zip(firsts, others, strict=True)
             for a, b in zip(order(p, one), order(p, other), strict=True)]  # fmt: skip
    return np.mean(changed), np.mean(apart) if 2 * n <= p.shape[1] else np.nan


def test_templates(made):
    _, found = made
    grid = flat(distributions(found).values())
    numbers, whole = found["reliability_curve"], found["reliability"]
    expected = [(name, n) for name, total in believable.SENTENCES.items() for n in sample_sizes(total)]
    assert list(zip(numbers["attribute"], numbers["n"], strict=True)) == expected
    drawn = whole.rename(columns={"n_sampled": "n"})[["attribute", "n", "mean", "std", "models", "disagreement"]]
    assert list(zip(drawn["attribute"], drawn["n"], strict=True)) == [("gender", 6), ("religion", 4)]  # 7 tenths
    for row in pd.concat([numbers, drawn]).to_dict("records"):
        of = [reordered(answers(made, model, row["attribute"]), row["n"]) for model in grid]
        assert row["models"] == len(of) == 12
        changed, apart = zip(*of, strict=True)
        assert (row["mean"], row["std"]) == close((np.mean(changed), np.std(changed, ddof=1)))
        assert row["disagreement"] == close(np.mean(apart))
    assert whole["n_sentences"].tolist() == list(believable.SENTENCES.values())
    assert whole["published"].tolist() == close([np.nan, 0.08])
    for row in whole.to_dict("records"):
        of = numbers[numbers["attribute"] == row["attribute"]]
        good = [n for n in of["n"] if (of["mean"][of["n"] >= n] <= 0.05).all()]
        assert row["min_sentences"] == close(min(good, default=np.nan))


def test_two_attributes_at_once(made):
    _, found = made
    chunks, of_models, cells = found["plan"].set_index("model")["chunk"], [], {}
    for models in distributions(found).values():
        of_models.append([figures(made, model, chunks, cells) for model in models])
    table = found["intersections"]
    assert table["statistic"].tolist() == ["r", "r_product", "r_divergence", "information"]
    assert set(zip(table["first"], table["second"], table["models"], strict=True)) == {("gender", "religion", 12)}
    for number, row in table.iterrows():
        clusters = [[of[number] for of in cluster] for cluster in of_models]
        assert row["mean"] == close(np.mean(flat(clusters)))
        assert (row["low"], row["high"]) == close(interval(clusters, np.mean))
    joint = found["joint_groups"]
    pairs = [(a, b) for a in believable.GROUPS["gender"] for b in believable.GROUPS["religion"]]
    assert set(zip(joint["first"], joint["second"], strict=True)) == {("gender", "religion")}
    assert list(zip(joint["first_group"], joint["second_group"], strict=True)) == pairs
    for row in joint.to_dict("records"):
        ours, data = zip(*cells[row["first_group"], row["second_group"]], strict=True)
        assert (row["p_model"], row["p_data"]) == close((np.mean(ours), np.mean(data)))
    assert joint[["p_model", "p_data"]].sum().tolist() == close([1, 1])


def figures(made, model, chunks, cells):
    """The statistics of a model by occupation; cells: joint probabilities of the model and the data."""
    paths, found = made
    given = np.load(paths["folder"] / f"encoded/{chunks[model]}/{model}/religion/given_gender.npy")
    genders = answers(made, model, "gender").mean(axis=1)
    religions = answers(made, model, "religion").mean(axis=1)
    data = [probabilities(found, model, name, "data") for name in ("gender", "religion")]
    ours, product, ground_truth, information = [], [], [], []
    for i, word in enumerate(believable.OCCUPATIONS):
        p = []
        for a, first in enumerate(believable.GROUPS["gender"]):
            religion = np.mean([np.exp(of[a]) / np.exp(of[a]).sum() for of in given[i]], axis=0)
            for b, second in enumerate(believable.GROUPS["religion"]):
                p.append(genders[i, a] * religion[b])
                product.append(genders[i, a] * religions[i, b])
                ground_truth.append(data[0][word][a] * data[1][word][b])
                cells.setdefault((first, second), []).append((p[-1], ground_truth[-1]))
        ours.append(p)
        of = np.reshape(p, (2, 3))
        entropies = [scipy.stats.entropy(side.ravel()) for side in (of.sum(axis=1), of.sum(axis=0), of)]
        information.append(entropies[0] + entropies[1] - entropies[2])
    ground_truths = np.reshape(ground_truth, (-1, 6))
    jsd = [[divergence(p) for p in rows] for rows in (ours, ground_truths)]
    return [np.corrcoef(flat(ours), ground_truth)[0, 1], np.corrcoef(product, ground_truth)[0, 1], np.corrcoef(*jsd)[0,
    1],
            np.mean(information)]  # fmt: skip
