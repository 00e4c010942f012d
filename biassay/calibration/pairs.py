"""The function `calibrate_pairs`: scores of pairs of sentences without bias, and in copies with planted bias."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Annotated

import numpy as np
import pandas as pd

from biassay.auditing import entry, sentence_pairs
from biassay.auditing.scoring import Settings
from biassay.auditing.sentence_pairs import ScoredPairs, SentencePairs
from biassay.calibration import power
from biassay.calibration.entry import check_doses, find_test
from biassay.calibration.pairs_result import PairCalibration
from biassay.core import options
from biassay.core.logs import Progress
from biassay.language_models import likelihoods, loading, templates
from biassay.language_models.loading import LanguageModel
from biassay.language_models.planted import copies
from biassay.statistics.correlation import fisher_interval, pearson
from biassay.statistics.intervals import judge_rate
from biassay.statistics.seeds import seed_of
from biassay.words import resources

DOSES = (0.5, 1.0)
KEYS = ["metric", "test", "sentences"]
NULL_COLUMNS = ["metric", "test", "null", "n", "rate", "low", "high", "undefined", "calibration"]
MIN_PAIRS = 12  # 6 held-out pairs can be exchanged in 64 ways, so p can reach 0.05
TEMPLATES, WORDS = "same.yaml", 10  # words of each list
ALL, TRAINED, HELD_OUT, TEMPLATE = "all pairs", "trained pairs", "held-out pairs", "templates"
NULL, SPLIT, CHOICE, TRAINING, CHOSEN_WORDS = 61, 62, 63, 64, 65  # purposes of seeds
Scores = Mapping[str, tuple[ModuleType, Mapping[str, str]]]  # a metric and its options, by name


def calibrate_pairs(
    source: str | Path, pairs: str | Path | None = None, *, metrics: Iterable[str] | None = None,
    own_metrics: Iterable[str] | Mapping[str, str] = (), doses: Sequence[float] = DOSES,
    repeats: Annotated[int, "0 <= x <= 100"] = 3, epochs: Annotated[int, "1 <= x <= 100"] = 5,
    null_samples: Annotated[int, "20 <= x <= 100_000"] = 100, permutations: Annotated[int, "19 <= x <= 100_000"] = 99,
    seed: Annotated[int, "0 <= x <= 4_294_967_295"] = 1,
) -> PairCalibration:  # fmt: skip
    """Calibrate scores of pairs of sentences on a language model.

    Pairs whose sentences are exchanged at random, and control pairs in place of the pairs, have no stereotype: how
    often does a test find one? Then copies of the model are trained on a half of the pairs, with a share of
    stereotypical sentences of (1 + dose) / 2: does the score follow the dose?

    Parameters
    ----------
    source
        A masked or causal language model: a folder, a GGUF file, or "hf:" and a name on the hub.
    pairs
        CSV file as of `audit`; all types of bias are one set. None: shipped templates about gender and occupations.
    metrics, own_metrics
        As of `audit`.
    doses
        Doses in ascending order, above 0 and up to 1; copies of dose 0 are always trained, too.
    repeats
        Copies of each dose; each repeat has its own half of the pairs. 0 trains none.
    epochs
        How often a copy sees each sentence.
    null_samples
        Samples of each kind without a stereotype.
    permutations
        Permutations of each test.
    seed
        Seed of all random choices.

    Returns
    -------
    PairCalibration
        Its tables are `nulls`, `values`, `power`, `summary` and `skipped`.

    Raises
    ------
    ValueError
        For a wrong argument, a broken file of pairs, or a model that cannot be read.

    Examples
    --------
    >>> from biassay import calibrate_pairs
    >>> result = calibrate_pairs("resources/models/bert-tiny-enwiki", metrics=["aul"], repeats=0, null_samples=20)
    >>> result.nulls.columns[:5].tolist()
    ['metric', 'test', 'null', 'n', 'rate']
    """
    numbers = {"repeats": repeats, "epochs": epochs, "null_samples": null_samples, "permutations": permutations}
    options.check("", numbers | {"seed": seed}, options.read(calibrate_pairs))
    numbers, seed = {name: int(number) for name, number in numbers.items()}, int(seed)  # JSON has no numbers of numpy
    levels = check_doses(doses, 1.0)
    modules = entry.load_metrics(metrics, own_metrics)
    test = fill_templates("training", 4, seed) if pairs is None else read_pairs(pairs)
    [name] = entry.name_sources([source])
    model = loading.load(str(source).removeprefix("hf:"))
    reasons = {key: find_reason(key, module, model.kind) for key, module in modules.items()}
    scores = list_scores({key: module for key, module in modules.items() if not reasons[key]}, model.kind)
    settings = Settings(numbers["permutations"], resamples=1, random_words=0, seed=seed)
    copied = [(repeat, dose) for repeat in range(repeats) for dose in levels] if scores else []
    progress = Progress("calibrating", 1 + len(copied), "models")
    templated = fill_templates("test", 2, seed)
    nulls = pd.DataFrame(rate_nulls(scores, test, model, settings, int(null_samples)), columns=NULL_COLUMNS)
    parts = [measure(scores, {ALL: test, TEMPLATE: templated}, model, settings)]
    progress.add(1)
    for repeat, dose in copied:
        half = draw_half(test, seed, repeat)
        texts = choose_sentences(half[TRAINED], dose, np.random.default_rng(seed_of(seed, CHOICE, repeat)))
        with copies.train_copy(model, texts, epochs=int(epochs), seed=seed_of(seed, TRAINING, repeat)) as copy:
            part = measure(scores, half | {TEMPLATE: templated}, copy, settings)
        parts.append(part.assign(repeat=repeat, dose=dose))
        progress.add(1)
    values = pd.concat(parts, ignore_index=True).reindex(columns=[*KEYS, "dose", "repeat", "value", "direction", "p"])
    of_copies = values.dropna(subset="dose")
    about = {
        "source": name, "kind": model.kind, "pairs": Path(test.path).name, "n_pairs": len(test.pairs),
        "n_controls": test.count_controls(), "version": version("biassay"),
    }  # fmt: skip
    skipped = pd.DataFrame([(key, "", reason) for key, reason in reasons.items() if reason],
                           columns=["metric", "test", "reason"])  # fmt: skip
    return PairCalibration(
        nulls, values, tabulate_power(of_copies), summarise(of_copies), skipped, about,
        numbers | {"seed": seed, "doses": levels[1:].tolist()},
    )  # fmt: skip


def read_pairs(path: str | Path) -> SentencePairs:
    """Read the pairs of all types of bias of a file as one set, each pair once; raise ValueError below MIN_PAIRS."""
    tests = sentence_pairs.read(path)
    parts = ([value for test in tests for value in getattr(test, name)] for name in ("pairs", "controls", "words"))
    joined = SentencePairs(str(path), "pairs", *parts)
    joined = joined.take(pd.Series(joined.pairs).drop_duplicates().index)  # types can share pairs
    if (n := len(joined.pairs)) < MIN_PAIRS:
        reason = "so that p of a half of them can reach 0.05"
        raise ValueError(f"{path}: expected {MIN_PAIRS} pairs or more, {reason}, got {n}")
    return joined


def fill_templates(name: str, n_templates: int, seed: int) -> SentencePairs:
    """Fill shipped templates with words of the test `gender`; stereotypical is she with an occupation thought female.

    name: "training" or "test", a list of templates. Each word has n_templates of them, at random.
    """
    random, rows = np.random.default_rng(seed_of(seed, CHOSEN_WORDS)), []
    usable = templates.read(resources.shipped_path("templates") / TEMPLATES)[name]
    groups = templates.GROUPS, templates.GROUPS[::-1]
    for words, order in zip(find_test("gender").targets.values(), groups, strict=True):
        for word in sorted(random.permutation([word for word in words if word.isalpha()])[:WORDS].tolist()):
            for place in random.permutation(len(usable))[:n_templates]:
                first, second = (usable[place].fill(word, group) for group in order)
                words_of = tuple(one.text[slice(*one.group_word)].lower() for one in (first, second))
                rows.append(((first.text, second.text), None, words_of))
    return SentencePairs("shipped templates", TEMPLATE, *map(list, zip(*rows, strict=True)))


def find_reason(name: str, module: ModuleType, kind: str) -> str:
    """Say why a metric does not score pairs with a kind of model; "" if it does."""
    if module.METRIC.takes != "language_model":
        return f"it takes {module.METRIC.takes.replace('_', ' ')}"
    return sentence_pairs.find_reason(name, module, kind)


def list_scores(modules: Mapping[str, ModuleType], kind: str) -> Scores:
    """List metrics with their options: log-likelihood per token, too, which is AUL for a causal model."""
    scores = {name: (module, {}) for name, module in modules.items()}
    if kind == "masked" and "log_likelihood" in scores:
        scores["log_likelihood per token"] = (modules["log_likelihood"], {"per": "token"})
    return scores


def exchange_sentences(scored: ScoredPairs, random: np.random.Generator) -> ScoredPairs:
    """Exchange the sentences of random pairs, and with them their controls: what is said to be stereotypical."""
    signs = np.where(random.random(len(scored.signs)) < 0.5, 1, -1)
    is_exchanged = (signs < 0)[:, None]
    return replace(
        scored,
        scores=np.where(is_exchanged, scored.scores[:, ::-1], scored.scores),
        own_scores=np.where(is_exchanged, scored.own_scores[:, ::-1], scored.own_scores),
        frame_scores=np.where(is_exchanged[:, None], scored.frame_scores[..., ::-1], scored.frame_scores),
        frames=signs[:, None] * scored.frames, differences=signs * scored.differences,
        controls=signs * scored.controls, signs=signs * scored.signs,
    )  # fmt: skip


def put_neutral_sentences(scored: ScoredPairs, random: np.random.Generator) -> ScoredPairs:
    """Put a neutral sentence with a pair's words in its place, and another one as its control."""
    usable = scored.take(np.isfinite(scored.frames).all(axis=1))
    first, second = (picks[0] for picks in sentence_pairs.pick_frames(usable, 1, random))
    rows = np.arange(len(usable.signs))
    return replace(
        usable, scores=usable.frame_scores[rows, first], differences=usable.frames[rows, first],
        controls=usable.frames[rows, second], has_own=np.zeros(len(rows), bool),
    )  # fmt: skip


def put_own_controls(scored: ScoredPairs, random: np.random.Generator) -> ScoredPairs:
    """Put the control of the file in the place of its pair, and the mean of neutral sentences as its control."""
    usable = scored.take(scored.has_own)
    return replace(
        usable, scores=usable.own_scores, differences=usable.controls, controls=usable.frames.mean(axis=1),
        has_own=np.zeros(len(usable.signs), bool),
    )  # fmt: skip


NULLS: dict[str, Callable[[ScoredPairs, np.random.Generator], ScoredPairs]] = {
    "sentences exchanged": exchange_sentences,
    "neutral sentences": put_neutral_sentences,
    "controls of the file": put_own_controls,
}


def score(scores: Scores, test: SentencePairs, model: LanguageModel) -> dict[str, ScoredPairs]:
    """Score pairs by all metrics; each sentence passes the model once for all of them."""
    with likelihoods.remembering():
        return {
            name: sentence_pairs.score_pairs(module, test, model, **given) for name, (module, given) in scores.items()
        }


def rate_nulls(
    scores: Scores, test: SentencePairs, model: LanguageModel, settings: Settings, n_samples: int
) -> Iterator[dict[str, object]]:
    """Yield rates of p up to 0.05 by metric, test and kind of samples, each of a random half of the pairs."""
    for name, scored in score(scores, test, model).items():
        module = scores[name][0]
        for null, draw in NULLS.items():
            random, found = np.random.default_rng(seed_of(settings.seed, NULL)), []
            for number in range(n_samples):
                half = scored.take(random.permutation(len(test.pairs))[: len(test.pairs) // 2])
                of_sample = replace(settings, seed=seed_of(settings.seed, NULL, number))
                found += sentence_pairs.make_rows(module, draw(half, random), of_sample)
            for level, rows in pd.DataFrame(found).groupby("level", sort=False) if found else ():
                rate = power.rate(rows["p"].to_numpy())
                judged = judge_rate(rate["low"], rate["high"])
                yield {"metric": name, "test": level, "null": null} | rate | {"calibration": judged}


def draw_half(test: SentencePairs, seed: int, repeat: int) -> dict[str, SentencePairs]:
    """Draw the pairs that a repeat is trained on; the others are held out."""
    order = np.random.default_rng(seed_of(seed, SPLIT, repeat)).permutation(len(test.pairs))
    return {TRAINED: test.take(order[: len(order) // 2]), HELD_OUT: test.take(order[len(order) // 2 :])}


def choose_sentences(test: SentencePairs, dose: float, random: np.random.Generator) -> list[str]:
    """Choose one sentence of each pair: the stereotypical one of a share of (1 + dose) / 2 of them."""
    n = len(test.pairs)
    is_stereotypical = random.permutation(n) < round((1 + dose) / 2 * n)
    return [pair[0 if first else 1] for pair, first in zip(test.pairs, is_stereotypical, strict=True)]


def measure(
    scores: Scores, sets: Mapping[str, SentencePairs], model: LanguageModel, settings: Settings
) -> pd.DataFrame:
    """Compute value and p of each metric and test on sets of pairs: KEYS, value, direction and p."""
    rows = [
        {"metric": name, "test": row["level"], "sentences": sentences, "value": row["value"],
         "direction": row["direction"], "p": row["p"]}
        for sentences, test in sets.items() for name, scored in score(scores, test, model).items()
        for row in sentence_pairs.make_rows(scores[name][0], scored, settings)
    ]  # fmt: skip
    return pd.DataFrame(rows, columns=[*KEYS, "value", "direction", "p"])


def tabulate_power(values: pd.DataFrame) -> pd.DataFrame:
    """Compute the rate of p up to 0.05, but not in the antistereotypical direction, among the copies of each dose."""
    is_opposite = values["direction"] == sentence_pairs.DIRECTIONS[1]
    groups = values.assign(p=np.maximum(values["p"], is_opposite)).groupby([*KEYS, "dose"], sort=False)["p"]
    rows = [dict(zip([*KEYS, "dose"], key, strict=True)) | power.rate(p.to_numpy()) for key, p in groups]
    return pd.DataFrame(rows, columns=[*KEYS, "dose", "n", "rate", "low", "high", "undefined"])


def summarise(values: pd.DataFrame) -> pd.DataFrame:
    """Correlate values with doses over all copies (recovery), and count repeats whose value rises to the largest dose.

    The interval is Fisher's, as if copies were independent.
    """
    rows = []
    for key, part in values.groupby(KEYS, sort=False):
        r, _, n = pearson(part["dose"].to_numpy(), part["value"].to_numpy())
        low, high = fisher_interval(r, n)
        by_dose = part.pivot(index="repeat", columns="dose", values="value")
        n_rising = int((by_dose.iloc[:, -1] > by_dose.iloc[:, 0]).sum())
        recovery = {"recovery": float(r), "recovery_low": float(low), "recovery_high": float(high)}
        rows.append(dict(zip(KEYS, key, strict=True)) | {"n": int(n)} | recovery
                    | {"n_rising": n_rising, "repeats": len(by_dose)})  # fmt: skip
    columns = [*KEYS, "n", "recovery", "recovery_low", "recovery_high", "n_rising", "repeats"]
    return pd.DataFrame(rows, columns=columns)
