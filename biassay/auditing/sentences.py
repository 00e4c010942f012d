"""Metrics of language models on shipped templates, filled with a test's targets and a word of each group."""

import re
from dataclasses import dataclass
from types import ModuleType

import numpy as np

from biassay.auditing.bound_metrics import DIFFERENCE, SET
from biassay.auditing.findings import ASSOCIATION, GROUPS_ONLY, STEREOTYPES_EXCHANGED
from biassay.auditing.languages import ENGLISH
from biassay.auditing.scoring import Score, Settings, min_detectable_effect, p_value, upper_quantile
from biassay.auditing.source_vectors import SourceVectors, UsedWords
from biassay.corpora.plain_text import add_article
from biassay.language_models import loading, templates, unmasking
from biassay.measurement.metric import Range, call
from biassay.statistics.intervals import percentile_interval
from biassay.statistics.permutation_tests import smallest_share
from biassay.statistics.seeds import seed_of
from biassay.words import files, resources

MAX_TEMPLATES = 4
MAX_WORDS, MAX_OTHER_WORDS = 20, 8  # of each list of targets, with pronouns and with other words of groups
MIN_WORDS = 2  # of a list
CONTROLLED = "difference from controls"  # level of pairs of sentences
SIDES = {SET: GROUPS_ONLY, DIFFERENCE: ASSOCIATION, CONTROLLED: ASSOCIATION}
PERMUTATION_TESTS = {
    SET: "groups exchanged in all sentences of a word", DIFFERENCE: "targets reassigned",
    CONTROLLED: STEREOTYPES_EXCHANGED,
}  # fmt: skip
LETTERS = re.compile(r"[a-z]+")


@dataclass(frozen=True)
class FilledTemplates:
    """A model with aligned sentences of each group.

    sentences: one list per group, one sentence per word and template, in this order. lists: (n_words,), the number of
    each word's list; -1 for random words.
    """

    model: loading.LanguageModel
    sentences: list[list[str]]
    words: list[str]
    lists: np.ndarray
    templates: list[str]
    groups: tuple[str, ...]
    targets: tuple[str, ...]


def fill_templates(source: SourceVectors, used: UsedWords, seed: int) -> FilledTemplates | None:
    """Make sentences of two groups for a language model; None for other tests and models.

    Targets are followed by as many random words. A template has the same words of the groups with every target, so that
    a preference for one of these words is the same for all targets.
    """
    if used.question.language != ENGLISH or source.model is None or source.model.kind == loading.ENCODER:
        return None
    random, has_pronouns = np.random.default_rng(seed_of(seed, 9)), set(used.groups) == set(templates.GROUPS)
    names, frames = _choose_frames(used, has_pronouns, seed)
    max_words = MAX_WORDS if has_pronouns else MAX_OTHER_WORDS
    taken = {letters for parts in frames for part in parts for letters in LETTERS.findall(part.lower())}
    chosen = [
        sorted(random.permutation([word for word in words if word.isalpha()])[:max_words].tolist())
        for words in used.targets.values()
    ]
    chosen = [[word for word in words if word.lower() not in taken] for words in chosen]
    if not frames or min(map(len, chosen)) < MIN_WORDS:
        return None
    lists = np.repeat(np.arange(len(chosen)), list(map(len, chosen)))
    others = [word for word in random.permutation(source.pool) if word not in taken]
    others = sorted(map(str, others[: len(lists)]))
    words = [word for part in (*chosen, others) for word in part]
    sentences = [
        [_fill(frame[number], word) for word in words for frame in frames] for number in range(len(used.groups))
    ]
    lists = np.append(lists, np.full(len(others), -1))
    return FilledTemplates(source.model, sentences, words, lists, names, tuple(used.groups), tuple(used.targets))


def _choose_frames(used: UsedWords, has_pronouns: bool, seed: int) -> tuple[list[str], list[tuple[str, ...]]]:
    """Return templates by name, and the text of each with a word of each group, which lacks the target.

    Templates of women and men have pronouns; those of two other groups have words drawn from their lists.
    """
    folder, groups = resources.shipped_path("templates"), used.groups
    if has_pronouns:
        shipped = templates.read(folder / "same.yaml")["test"]
        usable = [template for template in shipped if _has_pronoun_first(template)][::2][:MAX_TEMPLATES]
        return [one.text for one in usable], [tuple(_add_pronoun(one, group) for group in groups) for one in usable]
    lists = [[word for word in words if word.isalpha()] for words in groups.values()]
    if used.question.paired:
        pairs = [pair for pair in zip(*groups.values(), strict=True) if all(map(str.isalpha, pair))]
        lists = list(map(list, zip(*pairs, strict=True)))
    if len(lists) != 2 or min(map(len, lists)) < MIN_WORDS:
        return [], []
    random, size = np.random.default_rng(seed_of(seed, 13)), min(map(len, lists))
    if not used.question.paired:
        lists = [random.permutation(words).tolist() for words in lists]
    texts = files.read_yaml(folder / "audit.yaml")["templates"]
    names, frames = [], []
    for number, place in enumerate(random.permutation(size)[:MAX_TEMPLATES]):
        text, pair = texts[number % len(texts)], [words[place] for words in lists]
        names.append(text.replace("{group}", "/".join(pair)))
        frames.append(tuple(text.replace("{group}", word) for word in pair))
    return names, frames


def score(name: str, module: ModuleType, filled: FilledTemplates, settings: Settings) -> Score:
    """Score the metric's value of the set and, if word values have a sign, the difference of the first two lists."""
    if filled.model.kind not in module.METRIC.models:
        return Score(reason=f"it takes a {' or '.join(module.METRIC.models)} language model")
    options = {"targets": [word for word in filled.words for _ in filled.templates]} if name == "lpbs" else {}
    if name in ("lpbs", "unmasking"):
        options["multi_token"] = "mean"
    scores = np.asarray(call(module, "scores", filled.model, *filled.sentences, **options))
    by_word = scores.reshape(len(filled.words), len(filled.templates), 2)
    of_set = by_word
    if name == "unmasking":  # the divergence of the mean probabilities of a word, not the mean of divergences
        of_set = np.log(unmasking.normalise(by_word).mean(axis=1, keepdims=True))
    rows, variants = [_set_row(module, of_set, filled.lists, settings)], {}
    if module.METRIC.range("word", 2).signed and filled.lists.max() > 0:
        by_template = _values_of_words(module, by_word)
        rows.append(_difference_row(by_template.mean(axis=1), filled.lists, settings))
        lean = module.METRIC.towards_first(rows[-1]["value"])
        if lean > 0 or lean < 0:
            rows[-1]["direction"] = f"{filled.groups[0 if lean > 0 else -1]} nearer {filled.targets[0]}"
        means = [by_template[filled.lists == number].mean(axis=0) for number in (0, 1)]
        variants = dict(zip(filled.templates, (means[0] - means[1]).tolist(), strict=True))
        rows[-1] |= {"variant_low": min(variants.values()), "variant_high": max(variants.values())}
        if name == "log_likelihood":
            per_token = call(module, "scores", filled.model, *filled.sentences, per="token")
            means = _values_of_words(module, per_token.reshape(by_word.shape)).mean(axis=1)
            variants["per token"] = float(means[filled.lists == 0].mean() - means[filled.lists == 1].mean())
    n_words = int((filled.lists >= 0).sum())
    return Score([row | {"metric": name, "n_words": n_words} for row in rows], variants=variants)


def _values_of_words(module: ModuleType, scores: np.ndarray) -> np.ndarray:
    """Compute the difference of the groups for each word and template: (n_words, n_templates)."""
    return np.asarray(call(module, "word_bias", scores.reshape(-1, 2))).reshape(scores.shape[:2])


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
    return row(SET, value(targets), module.METRIC.range("set", 2), null, resampled, randoms, 2.0 ** (1 - n))


def _difference_row(word_scores: np.ndarray, lists: np.ndarray, settings: Settings) -> dict:
    """Score the difference of the first two lists; p by reassigning words, the interval over words of each list."""
    random = np.random.default_rng(seed_of(settings.seed, 11))
    parts = [word_scores[lists == number] for number in (0, 1)]
    pooled, size = np.concatenate(parts), len(parts[0])

    def difference(scores: np.ndarray) -> np.ndarray:
        return scores[..., :size].mean(axis=-1) - scores[..., size:].mean(axis=-1)

    def resample() -> np.ndarray:
        return np.concatenate([part[random.integers(len(part), size=len(part))] for part in parts])

    null = difference(np.stack([random.permutation(pooled) for _ in range(settings.permutations)]))
    resampled = difference(np.stack([resample() for _ in range(settings.resamples)]))
    randoms = difference(word_scores[_shuffle(lists, settings)[:, : len(pooled)]])
    smallest = smallest_share(list(map(len, parts)))
    return row(DIFFERENCE, difference(pooled), Range(None, None, 0.0, True), null, resampled, randoms, smallest)


def _shuffle(lists: np.ndarray, settings: Settings) -> np.ndarray:
    """Shuffle targets and random words: (random_words, n) numbers of words; none without random words."""
    numbers = np.tile(np.arange(len(lists)), (settings.random_words if lists.min() < 0 else 0, 1))
    return np.random.default_rng(seed_of(settings.seed, 12)).permuted(numbers, axis=1)


def row(
    level: str,
    value: float,
    declared: Range,
    null: list[float],
    resampled: list[float],
    randoms: list[float],
    min_p_value: float = 0.0,
) -> dict:
    """Return the cells of a value that follow from its values with groups or words exchanged, resampled, or random."""
    far, random_far = (np.abs(np.array([value, *values]) - declared.b_0) for values in (null, randoms))
    low, high = percentile_interval(np.array(resampled))
    min_p_value = max(min_p_value, 1 / len(far))
    p = np.maximum(p_value(far), min_p_value)
    effect = np.nan if np.isnan(p) else min_detectable_effect(declared, far[1:], np.array(resampled))
    return declared._asdict() | {
        "level": level, "sides": SIDES[level], "value": value, "ci_low": low, "ci_high": high, "p": p, "permuted": far,
        "min_p_value": min_p_value, "permutation_test": PERMUTATION_TESTS[level],
        "random_q95": upper_quantile(random_far[1:]), "p_random": p_value(random_far), "random": random_far,
        "min_detectable_effect": effect,
    }  # fmt: skip


def _has_pronoun_first(template: templates.Template) -> bool:
    """Whether the pronoun precedes the occupation, as LPBS needs for causal models."""
    slots = [slot.lower() for _, slot in template.parts if slot]
    return slots[0] not in templates.OCCUPATIONS


def _add_pronoun(template: templates.Template, group: str) -> str:
    """Return the text of a template with a group's pronoun, and {occ} or {a_occ}."""
    pronoun = template.forms[templates.GROUPS.index(group)][0]
    return template.text.replace(f"{{{template.kind.capitalize()}}}", pronoun.capitalize()).replace(
        f"{{{template.kind}}}", pronoun
    )


def _fill(text: str, word: str) -> str:
    """Put a target into a text."""
    return text.replace("{target}", word).replace("{occ}", word).replace("{a_occ}", add_article(word))
