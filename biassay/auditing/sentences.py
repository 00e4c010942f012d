"""Metrics of language models on shipped templates, filled with a test's targets and the groups' pronouns."""

from dataclasses import dataclass
from types import ModuleType

import numpy as np

from biassay.auditing.bound_metrics import DIFFERENCE, SET
from biassay.auditing.findings import ASSOCIATION, GROUPS_ONLY
from biassay.auditing.languages import ENGLISH
from biassay.auditing.scoring import Score, Settings, Z, p_value, upper_quantile
from biassay.auditing.source_vectors import SourceVectors, UsedWords
from biassay.language_models import loading, templates
from biassay.measurement.metric import Range, call
from biassay.statistics.seeds import seed_of
from biassay.vectors.encoders import sources
from biassay.words import resources

MAX_TEMPLATES, MAX_WORDS = 8, 20  # words: of each list of targets
PERMUTATION_TESTS = {SET: "pronouns exchanged in all sentences of a word", DIFFERENCE: "targets reassigned"}
SIDES = {SET: GROUPS_ONLY, DIFFERENCE: ASSOCIATION}


@dataclass(frozen=True)
class FilledTemplates:
    """A model with aligned sentences of each group.

    sentences: one list per group, n_templates sentences per word. lists: (n_words,), the number of each word's list; -1
    for random words.
    """

    model: loading.LanguageModel
    sentences: list[list[str]]
    words: list[str]
    lists: np.ndarray
    n_templates: int


def fill_templates(source: SourceVectors, used: UsedWords, seed: int) -> FilledTemplates | None:
    """Load a language model and make sentences for a test of women and men; None for other tests and models.

    Targets are followed by as many random words.
    """
    if used.question.language != ENGLISH or set(used.groups) != set(templates.GROUPS):
        return None
    if not source.path.startswith(sources.MODEL):
        return None
    model = loading.load_encoder(source.path.removeprefix(sources.MODEL))
    if model.kind == loading.ENCODER:
        return None
    random = np.random.default_rng(seed_of(seed, 9))
    chosen = [
        sorted(random.permutation([word for word in words if word.isalpha()])[:MAX_WORDS].tolist())
        for words in used.targets.values()
    ]
    if min(map(len, chosen)) < 2:
        return None
    lists = np.repeat(np.arange(len(chosen)), list(map(len, chosen)))
    others = sorted(random.permutation(source.pool)[: len(lists)].tolist())
    words = [word for part in (*chosen, others) for word in part]
    shipped = templates.read(resources.shipped_path("templates") / "same.yaml")["test"]
    usable = [template for template in shipped if _has_pronoun_first(template)][:MAX_TEMPLATES]
    filled = [sentence.text for sentence in templates.fill(usable, words, form=0)]
    sentences = [filled[templates.GROUPS.index(group) :: 2] for group in used.groups]
    return FilledTemplates(model, sentences, words, np.append(lists, np.full(len(others), -1)), len(usable))


def score(name: str, module: ModuleType, filled: FilledTemplates, settings: Settings) -> Score:
    """Score the metric's value of the set and, if word values have a sign, the difference of the first two lists."""
    if filled.model.kind not in module.METRIC.models:
        return Score(reason=f"it takes a {' or '.join(module.METRIC.models)} language model")
    options = {"targets": [word for word in filled.words for _ in range(filled.n_templates)]} if name == "lpbs" else {}
    if name in ("lpbs", "unmasking"):
        options["multi_token"] = "mean"
    scores = np.asarray(call(module, "scores", filled.model, *filled.sentences, **options))
    by_word = scores.reshape(len(filled.words), filled.n_templates, 2)
    rows = [_set_row(module, by_word, filled.lists, settings)]
    if module.METRIC.range("word", 2).signed and filled.lists.max() > 0:
        word_scores = call(module, "word_bias", scores).reshape(by_word.shape[:2]).mean(axis=1)
        rows.append(_difference_row(word_scores, filled.lists, settings))
    return Score([row | {"metric": name, "n_words": int((filled.lists >= 0).sum())} for row in rows])


def _set_row(module: ModuleType, by_word: np.ndarray, lists: np.ndarray, settings: Settings) -> dict:
    """Score the set; p by exchanging the groups in all sentences of words drawn at random, the interval over words."""
    random, n, targets = np.random.default_rng(seed_of(settings.seed, 10)), (lists >= 0).sum(), by_word[lists >= 0]

    def value(scores: np.ndarray) -> float:
        return float(call(module, "set_bias", scores.reshape(-1, 2)))

    def exchange_groups() -> np.ndarray:
        return np.where(random.random((n, 1, 1)) < 0.5, targets[:, :, ::-1], targets)

    null = [value(exchange_groups()) for _ in range(settings.permutations)]
    resampled = [value(targets[random.integers(n, size=n)]) for _ in range(settings.resamples)]
    randoms = [value(by_word[picks[:n]]) for picks in _shuffle(lists, settings)]
    return _row(SET, value(targets), module.METRIC.range("set", 2), null, resampled, randoms, 2.0 ** (1 - n))


def _difference_row(word_scores: np.ndarray, lists: np.ndarray, settings: Settings) -> dict:
    """Score the difference of the first two lists; p by reassigning words, the interval over words of each list."""
    random = np.random.default_rng(seed_of(settings.seed, 11))
    parts = [word_scores[lists == number] for number in (0, 1)]
    pooled, size = np.concatenate(parts), len(parts[0])

    def difference(scores: np.ndarray) -> float:
        return float(scores[:size].mean() - scores[size:].mean())

    def resample() -> np.ndarray:
        return np.concatenate([part[random.integers(len(part), size=len(part))] for part in parts])

    null = [difference(random.permutation(pooled)) for _ in range(settings.permutations)]
    resampled = [difference(resample()) for _ in range(settings.resamples)]
    randoms = [difference(word_scores[picks[: len(pooled)]]) for picks in _shuffle(lists, settings)]
    return _row(DIFFERENCE, difference(pooled), Range(None, None, 0.0, True), null, resampled, randoms)


def _shuffle(lists: np.ndarray, settings: Settings) -> np.ndarray:
    """Shuffle targets and random words: (random_words, n) numbers of words; none without random words."""
    numbers = np.tile(np.arange(len(lists)), (settings.random_words if lists.min() < 0 else 0, 1))
    return np.random.default_rng(seed_of(settings.seed, 12)).permuted(numbers, axis=1)


def _row(
    level: str,
    value: float,
    declared: Range,
    null: list[float],
    resampled: list[float],
    randoms: list[float],
    min_p_value: float = 0.0,
) -> dict:
    far, random_far = (np.abs(np.array([value, *values]) - declared.b_0) for values in (null, randoms))
    low, high = np.nanquantile(resampled, [0.025, 0.975])
    p = p_value(far)
    effect = np.nan if np.isnan(p) else upper_quantile(far[1:]) + Z * np.std(resampled)
    return declared._asdict() | {
        "level": level, "sides": SIDES[level], "value": value, "ci_low": low, "ci_high": high, "p": p, "permuted": far,
        "min_p_value": max(min_p_value, 1 / len(far)), "permutation_test": PERMUTATION_TESTS[level],
        "random_q95": upper_quantile(random_far[1:]), "p_random": p_value(random_far), "random": random_far,
        "min_detectable_effect": effect,
    }  # fmt: skip


def _has_pronoun_first(template: templates.Template) -> bool:
    """Whether the pronoun precedes the occupation, as LPBS needs for causal models."""
    slots = [slot.lower() for _, slot in template.parts if slot]
    return slots[0] not in templates.OCCUPATIONS
