"""Metrics of language models on shipped templates, filled with a test's targets and the groups' pronouns."""

from dataclasses import dataclass
from types import ModuleType

import numpy as np

from biassay.auditing.bound_metrics import NotApplicable
from biassay.auditing.scoring import ASSOCIATION, GROUPS_ONLY, ROUNDING, Settings, Z
from biassay.auditing.source_vectors import UsedWords
from biassay.language_models import loading, templates
from biassay.measurement.metric import Range, call
from biassay.statistics.seeds import seed_of
from biassay.vectors import readers
from biassay.words import resources

MAX_TEMPLATES, MAX_WORDS = 8, 20  # words: of each list of targets
PERMUTATION_TESTS = {
    "set": "pronouns exchanged in all sentences of a word",
    "difference of lists": "targets reassigned",
}


@dataclass(frozen=True)
class FilledTemplates:
    """A model with aligned sentences of each group.

    sentences: one list per group, n_templates sentences per word. lists: (n_words,), the number of each word's list.
    """

    model: loading.LanguageModel
    sentences: list[list[str]]
    words: list[str]
    lists: np.ndarray
    n_templates: int


def fill_templates(path: str, used: UsedWords, seed: int) -> FilledTemplates | None:
    """Load a language model and make sentences for a test of women and men; None for other tests and models."""
    if set(used.groups) != set(templates.GROUPS) or not path.startswith(readers.ENCODER):
        return None
    model = loading.load_encoder(path.removeprefix(readers.ENCODER))
    if model.kind == loading.ENCODER:
        return None
    random = np.random.default_rng(seed_of(seed, 9))
    chosen = [
        sorted(random.permutation([word for word in words if word.isalpha()])[:MAX_WORDS].tolist())
        for words in used.targets.values()
    ]
    words = [word for target_list in chosen for word in target_list]
    if min(map(len, chosen)) < 2:
        return None
    shipped = templates.read(resources.shipped_path("templates") / "same.yaml")["test"]
    usable = [template for template in shipped if _has_pronoun_first(template)][:MAX_TEMPLATES]
    filled = [sentence.text for sentence in templates.fill(usable, words, form=0)]
    by_group = {group: filled[number::2] for number, group in enumerate(templates.GROUPS)}
    sentences = [by_group[group] for group in used.groups]
    return FilledTemplates(
        model, sentences, words, np.repeat(np.arange(len(chosen)), list(map(len, chosen))), len(usable)
    )


def score_rows(name: str, module: ModuleType, filled: FilledTemplates, settings: Settings) -> list[dict]:
    """Return a row for the metric's value of the set and, if word values have a sign, one for the first two lists.

    The latter is the difference of the lists' means. Raises NotApplicable for a metric that does not take the model.
    """
    if filled.model.kind not in module.METRIC.models:
        raise NotApplicable(f"it takes a {' or '.join(module.METRIC.models)} language model")
    options = {"targets": [word for word in filled.words for _ in range(filled.n_templates)]} if name == "lpbs" else {}
    if name in ("lpbs", "unmasking"):
        options["multi_token"] = "mean"
    scores = np.asarray(call(module, "scores", filled.model, *filled.sentences, **options))
    by_word = scores.reshape(len(filled.words), filled.n_templates, 2)
    rows = [_set_row(module, by_word, settings)]
    if module.METRIC.range("word", 2).signed and len(np.unique(filled.lists)) > 1:
        word_scores = call(module, "word_bias", scores).reshape(len(filled.words), filled.n_templates).mean(axis=1)
        rows.append(_difference_row(word_scores, filled.lists, settings))
    return [row | {"metric": name, "n_words": len(filled.words)} for row in rows]


def _set_row(module: ModuleType, by_word: np.ndarray, settings: Settings) -> dict:
    """Score the set; p by exchanging the groups in all sentences of random words, the interval over words."""
    random = np.random.default_rng(seed_of(settings.seed, 10))

    def value(scores: np.ndarray) -> float:
        return float(call(module, "set_bias", scores.reshape(-1, 2)))

    declared, n = module.METRIC.range("set", 2), len(by_word)
    null = np.array(
        [
            value(np.where(random.random((n, 1, 1)) < 0.5, by_word[:, :, ::-1], by_word))
            for _ in range(settings.permutations)
        ]
    )
    resampled = np.array([value(by_word[random.integers(n, size=n)]) for _ in range(settings.resamples)])
    return _row("set", value(by_word), declared, null, resampled, 2.0 ** (1 - n))


def _difference_row(word_scores: np.ndarray, lists: np.ndarray, settings: Settings) -> dict:
    """Score the difference of the first two lists; p by reassigning words, the interval over words of each list."""
    random = np.random.default_rng(seed_of(settings.seed, 11))
    parts = [word_scores[lists == number] for number in (0, 1)]
    pooled, n_first = np.concatenate(parts), len(parts[0])
    null = [_difference(random.permutation(pooled), n_first) for _ in range(settings.permutations)]
    resampled = [
        _difference(np.concatenate([part[random.integers(len(part), size=len(part))] for part in parts]), n_first)
        for _ in range(settings.resamples)
    ]
    declared, min_p_value = Range(None, None, 0.0, True), 1 / (settings.permutations + 1)
    value = _difference(pooled, n_first)
    return _row("difference of lists", value, declared, np.array(null), np.array(resampled), min_p_value)


def _row(
    level: str, value: float, declared: Range, null: np.ndarray, resampled: np.ndarray, min_p_value: float
) -> dict:
    far, null_far = abs(value - declared.b_0), np.abs(null - declared.b_0)
    is_testable = np.ptp(np.append(null_far, far)) > ROUNDING
    p = float((1 + (null_far >= far - ROUNDING).sum()) / (1 + len(null))) if is_testable else np.nan
    low, high = np.nanquantile(resampled, [0.025, 0.975])
    min_detectable_effect = float(np.quantile(null_far, 0.95) + Z * resampled.std()) if is_testable else np.nan
    return declared._asdict() | {
        "level": level, "value": value, "ci_low": float(low), "ci_high": float(high), "p": p,
        "min_p_value": max(min_p_value, 1 / (1 + len(null))), "permutation_test": PERMUTATION_TESTS[level],
        "random_q95": np.nan, "p_random": np.nan, "min_detectable_effect": min_detectable_effect,
        "robustness": np.nan, "share_needed": np.nan, "undefined": "", "direction": "",
        "sides": GROUPS_ONLY if level == "set" else ASSOCIATION,
    }  # fmt: skip


def _difference(word_scores: np.ndarray, n_first: int) -> float:
    return float(word_scores[:n_first].mean() - word_scores[n_first:].mean())


def _has_pronoun_first(template: templates.Template) -> bool:
    """Whether the pronoun precedes the occupation, as LPBS needs for causal models."""
    slots = [slot.lower() for _, slot in template.parts if slot]
    return slots[0] not in templates.OCCUPATIONS
