"""Metrics of language models on sentences: shipped templates, filled with a test's targets and groups' pronouns."""

from dataclasses import dataclass
from types import ModuleType

import numpy as np

from biassay.auditing.bound_metrics import Unfit
from biassay.auditing.chance import ROUNDING
from biassay.auditing.lists import Used
from biassay.auditing.scoring import ASSOCIATION, LEANING, Settings
from biassay.language_models import loading, templates
from biassay.measurement.metric import Range, call
from biassay.numerics.seeds import seed_of
from biassay.vectors import readers
from biassay.words import resources

TEMPLATES, WORDS = 8, 20  # of the shipped ones; of each list of targets
LEVELS = {"set": "pronouns exchanged in all sentences of a word", "difference of lists": "targets reassigned"}


@dataclass(frozen=True)
class Asked:
    """A model and aligned sentences of each group, `each` a word; words, and the number of each one's list."""

    model: loading.LanguageModel
    sentences: list[list[str]]
    words: list[str]
    lists: np.ndarray
    each: int


def ask(source: str, used: Used, seed: int) -> Asked | None:
    """Sentences for a test of women and men and a model; None for another test or what is no language model."""
    if set(used.groups) != set(templates.GROUPS) or not source.startswith(readers.ENCODER):
        return None
    folder = source.removeprefix(readers.ENCODER)
    model = loading.load_encoder(folder)
    if model.kind == loading.ENCODER:
        return None
    random = np.random.default_rng(seed_of(seed, 9))
    chosen = [
        sorted(random.permutation([word for word in words if word.isalpha()])[:WORDS].tolist())
        for words in used.targets.values()
    ]
    words = [word for of_list in chosen for word in of_list]
    if min(map(len, chosen)) < 2:
        return None
    known = templates.read(resources.shipped_path("templates") / "same.yaml")["test"]
    known = [one for one in known if _pronoun_first(one)][:TEMPLATES]
    filled = [sentence.text for sentence in templates.fill(known, words, form=0)]
    of_group = {group: filled[number::2] for number, group in enumerate(templates.GROUPS)}
    sentences = [of_group[group] for group in used.groups]
    return Asked(model, sentences, words, np.repeat(np.arange(len(chosen)), list(map(len, chosen))), len(known))


def rows(name: str, module: ModuleType, asked: Asked, settings: Settings) -> list[dict]:
    """A row for the metric's value of the set and, where its values of pairs have a sign, one for the difference of
    their means between the first two lists of targets.

    Raises Unfit for a metric that does not take the model.
    """
    if asked.model.kind not in module.METRIC.models:
        raise Unfit(f"it takes a {' or '.join(module.METRIC.models)} language model")
    options = {"targets": [word for word in asked.words for _ in range(asked.each)]} if name == "lpbs" else {}
    if name in ("lpbs", "unmasking"):
        options["multi_token"] = "mean"
    scores = np.asarray(call(module, "scores", asked.model, *asked.sentences, **options))
    by_word = scores.reshape(len(asked.words), asked.each, 2)
    found = [_of_set(module, by_word, settings)]
    if module.METRIC.range("word", 2).signed and len(np.unique(asked.lists)) > 1:
        samples = call(module, "word_bias", scores).reshape(len(asked.words), asked.each).mean(axis=1)
        found.append(_of_lists(samples, asked.lists, settings))
    return [row | {"metric": name, "words": len(asked.words)} for row in found]


def _of_set(module: ModuleType, by_word: np.ndarray, settings: Settings) -> dict:
    """The value of the set; p by exchanging the groups in all sentences of random words, the interval over words."""
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
    drawn = np.array([value(by_word[random.integers(n, size=n)]) for _ in range(settings.resamples)])
    return _row("set", value(by_word), declared, null, drawn, 2.0 ** (1 - n))


def _of_lists(samples: np.ndarray, lists: np.ndarray, settings: Settings) -> dict:
    """The difference of the first two lists' means; p by reassigning words, the interval over words of each list."""
    random = np.random.default_rng(seed_of(settings.seed, 11))
    parts = [samples[lists == number] for number in (0, 1)]
    pooled, first = np.concatenate(parts), len(parts[0])
    null = [_difference(random.permutation(pooled), first) for _ in range(settings.permutations)]
    drawn = [
        _difference(np.concatenate([part[random.integers(len(part), size=len(part))] for part in parts]), first)
        for _ in range(settings.resamples)
    ]
    declared = Range(None, None, 0.0, True)
    least = 1 / (settings.permutations + 1)
    return _row("difference of lists", _difference(pooled, first), declared, np.array(null), np.array(drawn), least)


def _row(level: str, value: float, declared: Range, null: np.ndarray, drawn: np.ndarray, least: float) -> dict:
    far, away = abs(value - declared.b_0), np.abs(null - declared.b_0)
    moved = np.ptp(np.append(away, far)) > ROUNDING
    p = float((1 + (away >= far - ROUNDING).sum()) / (1 + len(null))) if moved else np.nan
    low, high = np.nanquantile(drawn, [0.025, 0.975])
    min_detectable_effect = float(np.quantile(away, 0.95) + 0.8416 * drawn.std()) if moved else np.nan
    return declared._asdict() | {
        "level": level, "value": value, "low": float(low), "high": float(high), "p": p,
        "min_p_value": max(least, 1 / (1 + len(null))), "permuted": LEVELS[level], "noise": np.nan, "p_random": np.nan,
        "min_detectable_effect": min_detectable_effect, "robustness": np.nan, "words_needed": np.nan, "undefined": "",
        "of_groups": "",
        "asks": LEANING if level == "set" else ASSOCIATION,
    }  # fmt: skip


def _difference(samples: np.ndarray, first: int) -> float:
    return float(samples[:first].mean() - samples[first:].mean())


def _pronoun_first(template: templates.Template) -> bool:
    """Whether the pronoun stands before the occupation, as causal models need it for LPBS."""
    slots = [slot.lower() for _, slot in template.parts if slot]
    return slots[0] not in templates.OCCUPATIONS
