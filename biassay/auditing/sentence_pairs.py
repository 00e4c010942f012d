"""A user's pairs of sentences (as CrowS-Pairs'), each compared with control pairs that have the same group words.

δ = [ℓ(stereotypical) − ℓ(antistereotypical)] − [ℓ(control, first group) − ℓ(control, second group)]

ℓ is a metric's score of a sentence. A preference for one group's words adds the same to both differences.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from math import comb, log2
from pathlib import Path
from types import ModuleType

import numpy as np
import pandas as pd

from biassay.auditing.bound_metrics import SET
from biassay.auditing.scoring import MIN_SAMPLES, Score, Settings
from biassay.auditing.sentences import CONTROLLED, row
from biassay.core import registry
from biassay.language_models.loading import LanguageModel
from biassay.language_models.unmasking import WORD
from biassay.measurement.metric import Range, call
from biassay.statistics.seeds import seed_of
from biassay.words import files

COLUMNS = ("stereotypical", "antistereotypical")
CONTROLS = ("control_stereotypical", "control_antistereotypical")
CROWS_PAIRS = {"sent_more": COLUMNS[0], "sent_less": COLUMNS[1]}
TYPE = "bias_type"
NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9 _-]{0,39}")
FRAMES = ("They talked about {}.", "The next word is {}.", "It says {} on this page.", "Someone wrote {} here.")
MAX_ROWS, MAX_CHARACTERS = 20_000, 1000
NEEDS_TARGETS = ("lpbs", "unmasking")
DIRECTIONS = tuple(f"{column} sentences more likely" for column in COLUMNS)
Pair = tuple[str, str]


@dataclass(frozen=True)
class SentencePairs:
    """The pairs of one type of bias in a file.

    controls: by pair, its control of the file, or None. words: by pair, the words in which its sentences differ; None
    if one sentence has more words than the other at some place.
    """

    path: str
    name: str
    pairs: list[Pair]
    controls: list[Pair | None]
    words: list[Pair | None]

    @property
    def title(self) -> str:
        """Title of the test."""
        return f"{len(self.pairs)} pairs of sentences of {Path(self.path).name}"

    def take(self, rows: Sequence[int]) -> "SentencePairs":
        """Select pairs."""
        chosen = ([values[row] for row in rows] for values in (self.pairs, self.controls, self.words))
        return SentencePairs(self.path, self.name, *chosen)

    def count_controls(self) -> dict[str, int]:
        """Count the pairs with a control of the file, with neutral sentences as control, and with none."""
        own = sum(control is not None for control in self.controls)
        missing = sum(not (control or words) for control, words in zip(self.controls, self.words, strict=True))
        return {"own": own, "neutral": len(self.pairs) - own - missing, "missing": missing}


def read(path: str | Path) -> list[SentencePairs]:
    """Read the pairs of a CSV file by type of bias.

    Columns are stereotypical and antistereotypical (or sent_more and sent_less, as CrowS-Pairs has them), and optional
    control_stereotypical, control_antistereotypical and bias_type. A row with the pair and bias type of an earlier one
    is left out, with a warning. Raises ValueError, naming file, line and column, for a broken file or value.
    """
    table = files.read_table(path, [], comments=False).rename(columns=CROWS_PAIRS)
    for column in (*COLUMNS, *CONTROLS, TYPE):
        n, is_optional = table.columns.tolist().count(column), column not in COLUMNS
        if n > 1 or (n == 0 and not is_optional):
            names = ", ".join(map(repr, table.columns))
            raise ValueError(f"{path}: expected {'at most ' * is_optional}one column {column}, got the columns {names}")
    if len(table) > MAX_ROWS:
        raise ValueError(f"{path}: expected at most {MAX_ROWS} rows, got {len(table)}")
    columns = [*COLUMNS, *CONTROLS, TYPE]
    table = files.drop_repeated(f"{path}, line", table.reindex(columns=columns, fill_value=""), [*COLUMNS, TYPE])
    tests: dict[str, SentencePairs] = {}
    kinds: dict[str, str] = {}
    for line, stereotypical, antistereotypical, first, second, kind in table.itertuples():
        pair = _check_pair(f"{path}, line {line}", COLUMNS, stereotypical, antistereotypical)
        control = _check_pair(f"{path}, line {line}", CONTROLS, first, second) if first or second else None
        if kind and not NAME.fullmatch(kind):
            expected = "up to 40 letters, digits, spaces, - and _"
            raise ValueError(f"{path}, line {line}: {TYPE}: expected {expected}, got {kind!r:.80}")
        name = f"pairs-{kind.replace(' ', '-')}" if kind else "pairs"
        test = tests.setdefault(name, SentencePairs(str(path), name, [], [], []))
        if kinds.setdefault(name, kind) != kind:
            raise ValueError(f"{path}, line {line}: {TYPE}: {kind!r} and {kinds[name]!r} have the same name, {name}")
        test.pairs.append(pair)
        test.controls.append(control)
        test.words.append(_find_words(*pair))
    return list(tests.values())


def _check_pair(where: str, columns: tuple[str, str], *texts: str) -> Pair:
    """Return two different sentences; raise ValueError, which begins with `where`, for others."""
    for column, text in zip(columns, texts, strict=True):
        if not text or len(text) > MAX_CHARACTERS:
            got = f"{len(text)} characters" if text else "an empty cell"
            raise ValueError(
                f"{where}: {column}: expected a sentence of at most {MAX_CHARACTERS} characters, got {got}"
            )
    if texts[0] == texts[1]:
        raise ValueError(f"{where}: {' and '.join(columns)}: expected two different sentences, got {texts[0]!r:.80}")
    return texts


def _find_words(first: str, second: str) -> Pair | None:
    """Find the words in which sentences differ; None if one sentence has more words at some place."""
    words = [WORD.findall(text) for text in (first, second)]
    blocks = SequenceMatcher(None, *words, autojunk=False).get_opcodes()
    if any(kind in ("insert", "delete") for kind, *_ in blocks):
        return None
    parts = [(words[0][a:b], words[1][c:d]) for kind, a, b, c, d in blocks if kind == "replace"]
    return tuple(", ".join(" ".join(part[side]) for part in parts) for side in (0, 1))


def score(name: str, module: ModuleType, test: SentencePairs, model: LanguageModel, settings: Settings) -> Score:
    """Score the pairs by a metric of language models: the value of the set, and the mean difference from the controls.

    The null of the set exchanges the sentences of random pairs, that of the difference what is said to be
    stereotypical: of each pair with a control of its own, and otherwise among all pairs with the same words and for
    these words as a whole, so that a preference for one of them in the pairs' sentences is in the null too. Random
    values have neutral sentences in place of the pairs' own.
    """
    if reason := find_reason(name, module, model.kind):
        return Score(reason=reason)
    rows, variants = make_rows(module, score_pairs(module, test, model), settings), {}
    if not rows:
        return Score(reason=module.METRIC.set.undefined or "no pair has a value")
    if len(rows) > 1 and name == "log_likelihood":
        deltas = score_pairs(module, test, model, per="token").deltas
        variants["per token"] = float(deltas[np.isfinite(deltas)].mean())
    return Score([cells | {"metric": name} for cells in rows], variants=variants)


def find_reason(name: str, module: ModuleType, kind: str) -> str:
    """Say why a metric of language models does not score pairs with a kind of model; "" if it does."""
    if kind not in module.METRIC.models:
        return f"it takes a {' or '.join(module.METRIC.models)} language model"
    if name in NEEDS_TARGETS:
        return "it needs a target, or pairs that differ in one word; see measure_language_model"
    return ""


@dataclass(frozen=True)
class ScoredPairs:
    """Values of n pairs.

    scores, own_scores: (n, 2), of the pair and of its control in the file. differences, controls: (n,), first minus
    second score of the pair and of its control. frames, frame_scores: (n, n_frames) and (n, n_frames, 2), those of
    neutral sentences. clusters: (n,), number of the pair of group words, whatever their order. signs: (n,), 1 or -1 by
    their order. has_own: (n,), whether the file has the control.
    """

    scores: np.ndarray
    own_scores: np.ndarray
    differences: np.ndarray
    controls: np.ndarray
    frames: np.ndarray
    frame_scores: np.ndarray
    clusters: np.ndarray
    signs: np.ndarray
    has_own: np.ndarray

    @property
    def deltas(self) -> np.ndarray:
        """Differences from the controls: (n,)."""
        return self.differences - self.controls

    def take(self, rows: np.ndarray) -> "ScoredPairs":
        """Select pairs."""
        return ScoredPairs(*(values[rows] for values in vars(self).values()))


def make_rows(module: ModuleType, scored: ScoredPairs, settings: Settings) -> list[dict]:
    """Return the row of the set, and that of the difference from controls if pairs have them; none without values."""
    random, pairs = np.random.default_rng(seed_of(settings.seed, 14)), scored.take(np.isfinite(scored.differences))
    if not len(pairs.differences):
        return []
    samples, of_set = _set_samples(module, pairs, settings, random), module.METRIC.range("set", 2)
    rows = [_describe(module, SET, _set_value(module, pairs.scores), of_set, samples)]
    rows[0] |= {"n_words": len(pairs.differences), "permutation_test": "sentences exchanged in random pairs"}
    controlled = pairs.take(np.isfinite(pairs.controls))
    if n := len(controlled.differences):
        samples = _controlled_samples(controlled, settings, random)
        value = controlled.deltas.mean()
        of_difference = Range(None, None, 0.0, True)
        rows.append(_describe(module, CONTROLLED, value, of_difference, samples) | {"n_words": n})
    return rows


def _describe(module: ModuleType, level: str, value: float, declared: Range, samples: tuple) -> dict:
    """Return the cells of a value, with its direction if values can be on both sides of b_0, as a share can."""
    cells = row(level, value, declared, *samples)
    lean = 0.0 if declared.b_0 in (None, declared.b_min) else module.METRIC.towards_first(value - declared.b_0)
    return cells | {"direction": DIRECTIONS[0] if lean > 0 else DIRECTIONS[1] if lean < 0 else ""}


def score_pairs(module: ModuleType, test: SentencePairs, model: LanguageModel, **options: str) -> ScoredPairs:
    """Score the pairs, their controls, and neutral sentences with their words: each once."""
    neutral = [[tuple(map(frame.format, pair)) for frame in FRAMES] if pair else [] for pair in test.words]
    own = [control for control in test.controls if control]
    distinct = list(dict.fromkeys([*test.pairs, *own, *(pair for pairs in neutral for pair in pairs)]))
    try:
        scores = np.asarray(call(module, "scores", model, *map(list, zip(*distinct, strict=True)), **options), float)
    except registry.PluginError:
        raise
    except ValueError as error:
        raise ValueError(f"{test.path}: {error}") from error
    rows = {pair: number for number, pair in enumerate(distinct)}
    differences = np.append(call(module, "word_bias", scores), np.nan)
    scores, missing = np.append(scores, [[np.nan] * 2], axis=0), len(rows)
    of_pairs = np.array([rows[pair] for pair in test.pairs])
    of_frames = np.array([[rows[pair] for pair in pairs] or [missing] * len(FRAMES) for pairs in neutral])
    of_controls = np.array([rows[pair] if pair else missing for pair in test.controls])
    has_own = of_controls < missing
    controls = np.where(has_own, differences[of_controls], differences[of_frames].mean(axis=1))
    keys = [tuple(sorted(map(str.lower, pair))) if pair else number for number, pair in enumerate(test.words)]
    numbers = {key: number for number, key in enumerate(dict.fromkeys(keys))}
    signs = [1 if pair is None or pair[0].lower() == key[0] else -1 for pair, key in zip(test.words, keys, strict=True)]
    return ScoredPairs(
        scores[of_pairs], scores[of_controls], differences[of_pairs], controls, differences[of_frames],
        scores[of_frames], np.array([numbers[key] for key in keys]), np.array(signs), has_own,
    )  # fmt: skip


def _set_value(module: ModuleType, scores: np.ndarray) -> float:
    return float(call(module, "set_bias", scores))


def _set_samples(module: ModuleType, pairs: ScoredPairs, settings: Settings, random: np.random.Generator) -> tuple:
    """Return values with sentences of pairs exchanged, resampled, and in neutral sentences, and the smallest p."""
    n, scores = len(pairs.differences), pairs.scores
    exchanged = random.random((settings.permutations, n)) < 0.5
    if MIN_SAMPLES <= 2**n <= 4 * settings.permutations:  # few ways, whose repeats could keep p large
        ways = 1 + random.choice(2**n - 1, min(settings.permutations, 2**n - 1), replace=False)
        exchanged = ways[:, None] >> np.arange(n) & 1 == 1
    null = [_set_value(module, np.where(row[:, None], scores[:, ::-1], scores)) for row in exchanged]
    resampled = [_set_value(module, scores[random.integers(n, size=n)]) for _ in range(settings.resamples)]
    usable = pairs.take(np.isfinite(pairs.frames).all(axis=1))
    picks = pick_frames(usable, settings.random_words, random)[0]
    frames = usable.frame_scores[np.arange(len(usable.clusters)), picks]
    return null, resampled, [_set_value(module, scores) for scores in frames if len(scores)], 2.0 ** (1 - n)


def _controlled_samples(pairs: ScoredPairs, settings: Settings, random: np.random.Generator) -> tuple:
    """Return the same for the mean difference from the controls."""
    n = len(pairs.differences)
    blocks = pd.factorize(np.where(pairs.has_own, -1 - np.arange(n), pairs.clusters))[0]
    order = np.argsort(blocks, kind="stable")
    blocks, signs, deltas = blocks[order], pairs.signs[order], (pairs.signs * pairs.deltas)[order]
    shape = settings.permutations, n
    shuffled = signs[np.argsort(blocks + random.random(shape), axis=1)]  # within each block
    flips = np.where(random.random((len(shuffled), blocks.max() + 1)) < 0.5, 1, -1)[:, blocks]
    null = (shuffled * flips * deltas).mean(axis=1)
    shape = settings.resamples, pairs.clusters.max() + 1, len(FRAMES) - 1  # one fewer, for the variance of their mean
    frames = pairs.frames[np.arange(n)[:, None], random.integers(len(FRAMES), size=shape)[:, pairs.clusters]]
    resampled = pairs.differences - np.where(pairs.has_own, pairs.controls, frames.mean(axis=2))
    resampled = np.take_along_axis(resampled, random.integers(n, size=resampled.shape), axis=1).mean(axis=1)
    usable = pairs.take(np.isfinite(pairs.frames).all(axis=1))
    first, second = pick_frames(usable, settings.random_words, random)
    rows = np.arange(len(usable.clusters))
    neutral = usable.frames[rows, first] - usable.frames[rows, second]
    return null, resampled, neutral.mean(axis=1) if len(rows) else [], 2 / _count_exchanges(blocks, signs)


def pick_frames(pairs: ScoredPairs, samples: int, random: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Draw two different neutral sentences for each pair of group words: (samples, n) numbers each."""
    shape = samples, pairs.clusters.max(initial=-1) + 1
    first = random.integers(len(FRAMES), size=shape)
    second = (first + random.integers(1, len(FRAMES), size=shape)) % len(FRAMES)
    return first[:, pairs.clusters], second[:, pairs.clusters]


def _count_exchanges(blocks: np.ndarray, signs: np.ndarray) -> float:
    """Count the different signs that a shuffle within blocks and a change of whole blocks can give."""
    sizes, n_positive = np.bincount(blocks), np.bincount(blocks, signs > 0).astype(int)
    counts = [
        log2(comb(int(n), int(k))) + (2 * k != n) for n, k in zip(sizes, n_positive, strict=True)
    ]  # an equal number of both: a change of all signs is one of the shuffles
    return 2.0 ** min(sum(counts), 1000.0)
