"""Does `biassay calibrate` predict the power of tests on embeddings whose bias comes from training?

python benchmarks/calibration_validation.py [FOLDER] [--algorithm skipgram] [--strengths 0 0.5 1] [--seeds 1 2 3]
python benchmarks/calibration_validation.py [FOLDER] --language-model resources/models/bert-tiny-enwiki

Writes generated text with bias of each strength and seed, and trains an embedding on it, or fine-tunes a copy of a
masked language model on its sentences with a planted occupation and one word of the groups, which is masked (kept in
FOLDER). Draws samples of --words words from each list of the planted occupations. Observed power: the share of samples
in which a test finds bias. Predicted power: the same for samples of the same sizes to which calibration adds its doses,
read off at the embedding's own effect, which is in the unit of doses. Writes a table, FOLDER/NAME.csv, and prints the
comparison, with 95 % intervals that resample seeds and clusters of metrics that agree on random words.
"""

import argparse
import re
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pandas as pd
from scipy.stats import spearmanr
from threadpoolctl import threadpool_limits

from biassay.auditing import entry as auditing
from biassay.auditing import source_vectors
from biassay.auditing.findings import cluster_metrics
from biassay.calibration import entry, power, tables
from biassay.calibration import samples as samples_of
from biassay.calibration.doses import FORMS, NULLS, Material, draw_random_words, draw_shift
from biassay.calibration.samples import BASE, REFERENCE, VALUE
from biassay.core import registry
from biassay.corpora import corpus
from biassay.corpora.generator import Generator
from biassay.counts import cooccurrence
from biassay.language_models import loading
from biassay.language_models.masked_sentences import Sentence, mask
from biassay.language_models.stacked import training
from biassay.language_models.stacked.files import load_into
from biassay.statistics.geometry import unit
from biassay.statistics.intervals import wilson_interval
from biassay.statistics.seeds import seed_of
from biassay.words import files

ROOT = Path(__file__).parent.parent
TEST = "gender_generated"
OBSERVED = "observed"
COMPARED = [form for form, settings in FORMS.items() if not settings.is_skew]
RANDOM_SETS = 199
SENTENCES = 1500  # to fine-tune a copy of a language model
TRAINING = {"epochs": 5, "learning_rate": 1e-3, "dropout": 0.0, "checkpoint_minutes": 0}


def make_generator(strength: float, seed: int) -> Generator:
    """Make a generator of text with bias of a strength, as in config.yaml."""
    options, resources = read_config()["corpora"]["biased"], ROOT / "resources"
    statistics = [resources / f"statistics/{name}.csv" for name in ("labor", "census")]
    shares = {key: options[key] for key in ("confounded", "confounding")}
    return Generator(
        resources / "words", resources / "templates/corpus.yaml", statistics, seed=seed, strength=strength, **shares
    )


def read_config() -> dict:
    return files.read_yaml(ROOT / "config.yaml")


def train(algorithm: str, place: dict, tokens: int, folder: Path) -> None:
    """Train an embedding on generated text with bias of a strength, with the options of config.yaml."""
    config, seed = read_config(), place["seed"]
    chosen, options = config["embeddings"][algorithm], config["corpora"]["biased"]
    plugin = registry.load("embeddings", chosen.pop("algorithm"))
    counting = config["counts"].get(chosen.pop("counts", None), {})
    with tempfile.TemporaryDirectory() as draft:
        text = Path(draft) / "text.txt"
        with open(text, "w", encoding="utf-8") as file:
            file.writelines(make_generator(**place).sentences(tokens))
        corpus.encode([str(text)], draft, min_count=options["min_count"], boundaries=options["boundaries"])
        encoded = corpus.Corpus.open(draft)
        if plugin.INPUT == "counts":
            counts = cooccurrence.count(encoded, draft, **counting, seed=seed)
            plugin.train(encoded.words, counts, **chosen, seed=seed).save(folder)
        else:
            plugin.train(encoded, **chosen, seed=seed).save(folder)


def fine_tune(base: Path, places: list[dict], tokens: int, folders: list[Path]) -> None:
    """Fine-tune a copy of a masked language model for each strength and seed, on sentences of its generated text."""
    language_model = loading.load(base, kind="masked", device="cpu")
    tokenizer, question = language_model.tokenizer, entry.find_test(TEST)
    of_groups, occupations = (set().union(*lists.values()) for lists in (question.groups, question.targets))
    of_groups = {word for word in of_groups if len(tokenizer(word, add_special_tokens=False)["input_ids"]) == 1}
    data = []
    for place in places:
        sentences = []
        for line in make_generator(**place).sentences(tokens):
            words = [(match.group(), match.span()) for match in re.finditer(r"\w+", line.lower())]
            named, planted = ([at for word, at in words if word in chosen] for chosen in (of_groups, occupations))
            if len(named) == 1 and planted:
                sentences.append(Sentence(line.strip(), named[0], planted[0]))
        data.append(mask(tokenizer, sentences[:SENTENCES]))
    seeds = [place["seed"] for place in places]
    with tempfile.TemporaryDirectory() as stack:
        training.train(base, data, seeds=seeds, folder=stack, **TRAINING)
        for number, folder in enumerate(folders):
            load_into(language_model.model, stack, number)
            language_model.model.save_pretrained(folder)
            tokenizer.save_pretrained(folder)


def read(folder: Path, seed: int) -> Material:
    """Read the words of the test from an embedding."""
    question = entry.find_test(TEST)
    source = source_vectors.read(folder, question.words, name=str(folder), seed=seed)
    return entry.make_material(source_vectors.find_words(question, source), source)


def draw_samples(material: Material, n_words: int, n_samples: int, doses: np.ndarray, seed: int) -> dict[str, list]:
    """Draw samples of the lists' words: as trained, without association, with doses of each form, and random words."""
    samples: dict[str, list[Material]] = {kind: [] for kind in (OBSERVED, BASE, *COMPARED, REFERENCE)}
    for number in range(n_samples):
        random = np.random.default_rng(seed_of(seed, 1, number))
        words = [rows[random.choice(len(rows), n_words, replace=False)] for rows in material.targets]
        samples[OBSERVED].append(material.with_targets(words))
        base = NULLS[BASE](samples[OBSERVED][-1], random)
        samples[BASE].append(base)
        for form in COMPARED:
            shift = draw_shift(base, FORMS[form], random)
            samples[form] += [shift.give(dose) for dose in doses[1:]]
    random = np.random.default_rng(seed_of(seed, 2))
    samples[REFERENCE] = [draw_random_words(samples[BASE][0], random) for _ in range(RANDOM_SETS)]
    return samples


def measure(material: Material, samples: dict[str, list], doses: np.ndarray, metrics: list[str] | None) -> Iterator:
    """Measure the samples: yield one row per metric, test and form, and the values of random words of each metric."""
    plan = samples_of.Plan(doses, 0, 0, 99, 1)
    effect, words = abs(material.effects()[0]), [unit(rows) @ material.direction for rows in material.targets]
    spread = np.sqrt(np.mean([np.var(rows, ddof=1) for rows in words])) / material.spread(material.direction[None])[0]
    for name, module in auditing.load_metrics(metrics, ()).items():
        tests = [test for test, reason in samples_of.find_reasons(module, material).items() if not reason]
        if not tests:
            continue
        found = {}
        for kind, drawn in samples.items():
            shape = (len(drawn) // (len(doses) - 1), len(doses) - 1) if kind in COMPARED else (len(drawn), 1)
            used = [] if kind == REFERENCE else tests
            found[kind] = {test: samples_of.run_test(name, module, test, drawn, plan).reshape(shape) for test in used}
            found[kind][VALUE] = np.reshape([samples_of.measure_sample(module, sample) for sample in drawn], shape)
        b_0 = module.METRIC.range("set", 2).b_0
        randoms = np.abs(found.pop(REFERENCE)[VALUE] - b_0)
        side = samples_of.reassigned_side(module, material)
        found = {kind: tables.add_tests(part, side, randoms, b_0) for kind, part in found.items()}
        rows = []
        for test, p in tables.list_tests(found[OBSERVED]):
            if np.isnan(p).all():  # the value does not depend on the assignment of words
                continue
            hits = [int((part[test] <= power.LEVEL).sum()) for part in (found[OBSERVED], found[BASE])]
            rates = {
                "effect": effect,
                "spread": spread,
                "n": len(p),
                "observed": hits[0] / len(p),
                "zero": hits[1] / len(p),
            }
            for form in COMPARED:
                curve = [rates["zero"], *(found[form][test] <= power.LEVEL).mean(axis=0)]
                at_doses = dict(zip([f"dose {dose:g}" for dose in doses], curve, strict=True))
                predicted = np.interp(effect, doses, curve)
                rows.append({"metric": name, "test": test, "form": form} | rates | {"predicted": predicted} | at_doses)
        yield rows, randoms[:, 0]


def measure_embedding(folder: Path, place: dict, options: argparse.Namespace) -> pd.DataFrame:
    """Return one row per metric, test, form and number of words of an embedding."""
    doses, seed = np.array([0.0, *options.doses]), place["seed"]
    material, rows = read(folder, seed), []
    for n_words in options.words:
        samples = draw_samples(material, n_words, options.samples, doses, seed_of(seed, n_words))
        parts, randoms = zip(*measure(material, samples, doses, options.metrics), strict=True)
        for part, cluster in zip(parts, cluster_metrics(list(randoms)), strict=True):
            rows += [place | {"words": n_words, "cluster": cluster} | row for row in part]
    return pd.DataFrame(rows)


def mark_liberal(table: pd.DataFrame) -> pd.Series:
    """Mark the tests that calibration leaves out: those that find too much in samples without association."""
    hits = (table["zero"] * table["n"]).round()
    keys = [table[key] for key in ("words", "metric", "test", "form")]
    totals = [column.groupby(keys).transform("sum") for column in (hits, table["n"])]
    lows = [wilson_interval(int(hit), int(n))[0] for hit, n in zip(*totals, strict=True)]
    return np.array(lows) > power.LEVEL


def correlate(predicted: np.ndarray, observed: np.ndarray, groups: np.ndarray) -> list[float]:
    """Return Pearson's r, Spearman's, r within groups (numbers from 0), and the mean of predicted minus observed."""
    sizes = np.maximum(np.bincount(groups), 1)
    centred = [values - (np.bincount(groups, values) / sizes)[groups] for values in (predicted, observed)]
    r = [np.corrcoef(*pair)[0, 1] for pair in ((predicted, observed), centred)]
    return [r[0], spearmanr(predicted, observed)[0], r[1], (predicted - observed).mean()]


def compare_power(table: pd.DataFrame) -> pd.Series:
    """Compare predicted with observed power over metrics, numbers of words and strengths, means over seeds."""
    keys = ["words", "strength", "cluster", "metric", "test"]
    wide = table.pivot_table(index=keys, columns="seed", values=["predicted", "observed"])
    predicted, observed = wide["predicted"].to_numpy(), wide["observed"].to_numpy()
    groups = wide.groupby(["words", "strength", "test"]).ngroup().to_numpy()
    clusters, random = wide.index.get_level_values("cluster").to_numpy(), np.random.default_rng(1)
    rows_of = [np.flatnonzero(clusters == cluster) for cluster in np.unique(clusters)]
    resampled = []
    for _ in range(power.RESAMPLES):
        seeds = random.integers(predicted.shape[1], size=predicted.shape[1])
        rows = np.concatenate([rows_of[number] for number in random.integers(len(rows_of), size=len(rows_of))])
        parts = [values[rows][:, seeds].mean(axis=1) for values in (predicted, observed)]
        with np.errstate(invalid="ignore", divide="ignore"):
            resampled.append(correlate(*parts, groups[rows]))
    found = correlate(predicted.mean(axis=1), observed.mean(axis=1), groups)
    low, high = np.nanquantile(resampled, [0.025, 0.975], axis=0)
    names = ("Pearson's r", "Spearman's rho", "r within doses", "predicted - observed")
    texts = [f"{value:.2f} [{a:.2f}, {b:.2f}]" for value, a, b in zip(found, low, high, strict=True)]
    return pd.Series({"cells": len(wide), "clusters": len(rows_of)} | dict(zip(names, texts, strict=True)))


def compare_detectable(table: pd.DataFrame) -> pd.Series:
    """Compare the minimum detectable dose of calibration with the effect at which trained bias is found as often."""
    doses = [column for column in table if column.startswith("dose ")]
    by_seed = table.groupby("seed")[doses].mean().to_numpy()
    trained = table.pivot_table(index="seed", columns="strength", values=["effect", "observed"])
    effects, observed = trained["effect"].to_numpy(), trained["observed"].to_numpy()
    random, sizes = np.random.default_rng(1), [float(column.split()[1]) for column in doses]

    def detect(rows: np.ndarray) -> list[float]:
        calibrated = power.find_detectable_dose(np.array(sizes), by_seed[rows].mean(axis=0, keepdims=True))[0]
        found = power.find_detectable_dose(effects[rows].mean(axis=0), observed[rows].mean(axis=0, keepdims=True))[0]
        return [calibrated, found]

    calibrated, found = detect(np.arange(len(by_seed)))
    picks = random.integers(len(by_seed), size=(power.RESAMPLES, len(by_seed)))
    ends = np.quantile([detect(rows) for rows in picks], [0.025, 0.975], axis=0, method="nearest")
    values = {"calibration": calibrated, "calibration low": ends[0, 0], "calibration high": ends[1, 0]}
    return pd.Series(values | {"trained": found, "trained low": ends[0, 1], "trained high": ends[1, 1]})


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", nargs="?", type=Path, default=ROOT / "results/calibration_validation")
    parser.add_argument("--algorithm", default="skipgram", help="name of an embedding of config.yaml")
    parser.add_argument("--strengths", nargs="+", type=float, default=[0, 0.25, 0.5, 1])
    parser.add_argument("--seeds", nargs="+", type=int, default=[1, 2, 3, 4, 5])
    parser.add_argument("--tokens", type=int, default=500_000)
    parser.add_argument("--words", nargs="+", type=int, default=[12], help="words of each list in a sample")
    parser.add_argument("--doses", nargs="+", type=float, default=[0.5, 1, 1.5, 2.5])
    parser.add_argument("--samples", type=int, default=40, help="samples for each embedding, form and dose")
    parser.add_argument("--metrics", nargs="+")
    parser.add_argument("--language-model", type=Path, help="folder of a masked language model, instead of --algorithm")
    options, parts = parser.parse_args(), []
    name = options.language_model.name if options.language_model else options.algorithm
    places = [{"strength": strength, "seed": seed} for seed in options.seeds for strength in sorted(options.strengths)]
    folders = [options.folder / f"{name}-{options.tokens}-{place['strength']:g}-{place['seed']}" for place in places]
    if options.language_model and not all(folder.exists() for folder in folders):
        fine_tune(options.language_model, places, options.tokens, folders)
    for place, folder in zip(places, folders, strict=True):
        if not folder.exists():
            train(options.algorithm, place, options.tokens, folder)
        with threadpool_limits(1):
            parts.append(measure_embedding(folder, place, options))
        print(f"{folder.name}: effect {parts[-1]['effect'].iloc[0]:.2f}", flush=True)
        pd.concat(parts).to_csv(options.folder / f"{name}.csv", index=False, float_format="%.6g")
    summarise(pd.concat(parts, ignore_index=True))


def summarise(table: pd.DataFrame) -> None:
    """Print effects by strength, minimum detectable doses, and the comparison of power."""
    first = table.drop_duplicates(["words", "metric"]).set_index(["words", "metric"])["cluster"]
    table = table.assign(cluster=pd.MultiIndex.from_frame(table[["words", "metric"]]).map(first))
    table["liberal"] = mark_liberal(table)
    print("Effects, and spreads within the lists, in standard deviations of random words")
    print(table.groupby("strength")[["effect", "spread"]].agg(["mean", "std"]).round(2).to_string())
    kept = table[~table["liberal"]]
    print("\nMinimum detectable doses along the difference: by calibration, and by trained bias")
    print(compare_groups(kept[kept["form"] == COMPARED[0]], ["words", "metric", "test"], compare_detectable))
    print("\nPredicted and observed power")
    print(compare_groups(pd.concat([kept.assign(of=kept["test"]), kept.assign(of="all")]),
                         ["form", "of"], compare_power))  # fmt: skip


def compare_groups(table: pd.DataFrame, keys: list[str], compare: Callable[[pd.DataFrame], pd.Series]) -> str:
    """Compare the rows of each group, and format the results."""
    parts = {key: compare(rows) for key, rows in table.groupby(keys, sort=False)}
    return pd.DataFrame(parts).T.rename_axis(keys).to_string(float_format="{:.2f}".format)


if __name__ == "__main__":
    main()
