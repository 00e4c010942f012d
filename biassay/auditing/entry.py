"""The function `audit`: all metrics on all tests for each source of vectors."""

import time
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from itertools import count
from pathlib import Path
from types import ModuleType
from typing import Annotated

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from biassay.auditing import (
    conclusions,
    findings,
    questions,
    ranking,
    scoring,
    sentence_pairs,
    sentences,
    source_vectors,
    trust,
)
from biassay.auditing.grammatical_gender import add_both_forms, describe_imbalance
from biassay.auditing.questions import BARE, Question
from biassay.auditing.result import TABLES, Audit, join
from biassay.auditing.scoring import Score, Settings
from biassay.auditing.sentence_pairs import SentencePairs
from biassay.auditing.source_vectors import SourceVectors, UsedWords
from biassay.core import guard, logs, options, registry
from biassay.language_models.likelihoods import remembering
from biassay.language_models.loading import ENCODER
from biassay.measurement import metric as metric_modules
from biassay.vectors.encoders import sources as encoder_sources
from biassay.vectors.encoders.encoder import Encoder

MISSING = dict.fromkeys(["scored", "direction", "permutation_test", "reason"], "") | dict.fromkeys(
    ["p", "p_random", "min_p_value", "permuted", "random", "variant_low", "variant_high"], np.nan
)  # for metrics without a value
ALWAYS = "gender"  # the test that runs by default however many of its words are missing


@dataclass(frozen=True)
class Plan:
    """What an audit computes for every source.

    is_default: whether the user named no tests. encoding: the prompt and pooling that were asked for.
    """

    tests: list[Question]
    is_default: bool
    pairs: list[SentencePairs]
    modules: dict[str, ModuleType]
    trust: pd.DataFrame
    rank_by: str
    settings: Settings
    encoding: dict[str, str | None]
    threads: int
    calibrate: bool = False

    @property
    def of_models(self) -> dict[str, ModuleType]:
        """The metrics of language models."""
        return {name: module for name, module in self.modules.items() if module.METRIC.takes == "language_model"}


def audit(
    sources: object, *, tests: Iterable[str | Path | Question] | None = None, pairs: str | Path | None = None,
    metrics: Iterable[str] | None = None, own_metrics: Iterable[str] | Mapping[str, str] = (),
    names: Sequence[str] | None = None, rank_by: str = "same",
    permutations: Annotated[int, "19 <= x <= 10_000_000"] = 999,
    resamples: Annotated[int, "20 <= x <= 1_000_000"] = 200,
    random_words: Annotated[int, "0 <= x <= 100_000"] = 199, seed: Annotated[int, "0 <= x <= 4_294_967_295"] = 1,
    prompt: str | None = None, pooling: str | None = None, allow_pickle: bool = False,
    language: str = "en", board: str | Path | bool | None = None, threads: Annotated[int, "1 <= x <= 1024"] = 1,
    calibrate: bool = False,
) -> Audit:  # fmt: skip
    """Audit vectors or language models for associations of groups with targets.

    Parameters
    ----------
    sources
        One or several of: a file of vectors, a folder that biassay wrote, the folder of a transformers model, or
        "hf:" and a hub id; a function of a list of texts that returns an array (n, d), or an object with such a method
        `encode`. Several are a list.
    tests
        Names (`biassay audit --lists`) or YAML files; by default gender, and the other default tests of which the
        vectors have enough words.
    pairs
        CSV file with pairs of sentences (columns stereotypical and antistereotypical), for language models only; each
        type of bias (bias_type) is a test. See docs/howto/audit_decoders.md.
    metrics
        Names; by default all that apply.
    own_metrics
        Paths of .py files, or a mapping of name to path.
    names
        Names of the sources in the results; by default the ends of their paths, or the names of functions.
    rank_by
        The metric that ranks the target words.
    permutations, resamples, random_words
        Numbers of permutations (p-values), of resamples (intervals), and of sets of random words.
    seed
        Seed of all random choices; equal seeds give equal results.
    prompt
        Name of a prompt of the sentence encoder, or a text to put before every text.
    pooling
        How one vector is made of a model's vectors of tokens: "mean", "cls" or "last".
    allow_pickle
        Whether to read pickles, such as gensim's .kv files, which can run any code.
    language
        Language of the words: "en", "de", "es", "fi", "fr" or "it". Each has its own tests, and its own sentences
        and random words for models.
    board
        Another board.csv than biassay's, or False for none. Only another board judges metrics of your own.
    threads
        Number of threads; the result is the same.
    calibrate
        Whether to calibrate each test of two groups and two lists of targets, as `biassay.calibrate` does.

    Returns
    -------
    Audit
        Prints itself; its tables are `table` (one row per source, test and metric), `summary`, `words`, `lists`,
        `variants`, `trust` and `silhouettes`; `warnings` are texts, and `write(folder)` writes a page and the tables.

    Raises
    ------
    ValueError
        For a wrong argument, before anything is computed, and for a source that cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from biassay import audit
    >>> folder = Path(tempfile.mkdtemp())
    >>> vectors = "she 9 1\\nher 8 2\\nhe 1 9\\nhim 2 8\\nnurse 7 1\\nmaid 8 1\\npilot 1 7\\nminer 2 9\\n"
    >>> path = folder / "vectors.txt"
    >>> n_characters = path.write_text(vectors)
    >>> test = folder / "jobs.yaml"
    >>> n_characters = test.write_text(
    ...     "groups: {women: [she, her], men: [he, him]}\\ntargets: {care: [nurse, maid], craft: [pilot, miner]}\\n")
    >>> result = audit(path, tests=[test], metrics=["weat", "mac"])
    >>> result.table.set_index("metric")["value"].round(2).to_dict()
    {'weat': 1.99, 'mac': 0.34}
    >>> result.summary["conclusion"].tolist()  # doctest: +ELLIPSIS
    ['too few words to tell (8 of 8)']
    """
    numbers = {"permutations": permutations, "resamples": resamples, "random_words": random_words, "seed": seed}
    options.check("", numbers | {"threads": threads}, options.read(audit))
    is_one = isinstance(sources, str | Path | Encoder) or encoder_sources.is_callable(sources)
    if not is_one and not isinstance(sources, list | tuple):
        raise ValueError(f"sources: expected a path, an address, a function of texts, or a list, got {sources!r:.80}")
    for key, text in {"language": language, "pairs": pairs}.items():
        if not isinstance(text, str | Path | None):
            raise ValueError(f"{key}: expected a text, got {text!r:.80}")
    paths = [sources] if is_one else list(sources)
    if not paths:
        raise ValueError("sources: the list is empty; name a file of vectors or a model")
    for path in paths:
        if isinstance(path, str | Path):
            encoder_sources.locate(path)
        elif not encoder_sources.is_callable(path):
            raise ValueError(f"sources: expected a path, an address or a function of texts, got {path!r:.80}")
    source_names = name_sources(paths, names)
    modules = load_metrics(metrics, own_metrics)
    ranking.load(rank_by)
    board_table = trust.read_board(board)
    if board is None:  # biassay's board is about its own metrics, not the user's
        board_table = board_table[board_table["metric"].isin(registry.names("metrics"))]
    chosen = choose_tests(tests, language)
    of_pairs = [] if pairs is None else sentence_pairs.read(pairs)
    check_names_of_tests(chosen, of_pairs)
    settings = Settings(**{key: int(number) for key, number in numbers.items()})
    verdicts = trust.judge_metrics(modules, board_table)
    encoding = {"prompt": prompt, "pooling": pooling}
    plan = Plan(chosen, tests is None, of_pairs, modules, verdicts, rank_by, settings, encoding, int(threads),
                bool(calibrate))  # fmt: skip
    words = list_words(chosen)
    audits = []
    for path, name in zip(paths, source_names, strict=True):
        started = time.monotonic()
        source = source_vectors.read(
            path, words, name=name, seed=settings.seed, prompt=prompt, pooling=pooling, allow_pickle=allow_pickle,
            language=language,
        )  # fmt: skip
        source = add_both_forms(source, chosen)
        with threadpool_limits(1):  # the matrices are small
            audits.append(_audit_source(encoder_sources.address_of(path), source, plan))
        audits[-1].sources[0] |= encoder_sources.describe(path, name)
        audits[-1].sources[0]["seconds"] = round(time.monotonic() - started, 2)
    return join(audits)


def choose_tests(tests: Iterable[str | Path | Question] | None, language: str) -> list[Question]:
    """Return tests of a language by name or file; the default tests for None."""
    if tests is None:
        return [test for test in questions.shipped_tests(language).values() if test.default]
    chosen = questions.find(_as_list("tests", tests), language)
    if not chosen:
        raise ValueError("tests: the list is empty; omit it for the default tests")
    return chosen


def check_names_of_tests(tests: list[Question], of_pairs: list[SentencePairs]) -> None:
    """Raise ValueError if two of the tests, their forms on bare words and the tests of sentence pairs share a name."""
    for test in tests:
        if shared := sorted(set(test.groups) & set(test.targets)):
            raise ValueError(
                f"{test.name}: expected different names for groups and targets, got {shared[0]!r} for both"
            )
    names = [name for test in tests for name in (test.name, test.name + BARE)] + [test.name for test in of_pairs]
    if repeated := [name for name in names if names.count(name) > 1]:
        raise ValueError(f"tests: {repeated[0]!r} is the name of two tests, pairs and bare words included; rename one")


def list_words(tests: Iterable[Question]) -> list[str]:
    """Return the words of all tests, each once."""
    return list(dict.fromkeys(word for question in tests for word in question.words))


def _audit_source(path: str, source: SourceVectors, plan: Plan) -> Audit:
    name = source.name
    found = [source_vectors.find_words(question, source) for question in plan.tests]
    used = [one for one in found if not _reason_to_skip(one, plan.is_default)]
    skipped = [
        [name, one.question.name, "", _reason_to_skip(one, plan.is_default)]
        for one in sorted(found, key=lambda one: one.has_two_words)
        if one not in used
    ]
    if not used:
        _, test, _, reason = skipped[0]
        raise ValueError(f"{path}: no test can be run; for example {test}: {reason}")
    for one in used:
        ranking.check(plan.rank_by, one.question)
    pairs = [pair for one in used for pair in _pair_with_forms(one, source, plan)]
    rows, curves, variants = [], [], []
    asked = [(one.question.name, form is source) for one, form in pairs] + [(test.name, True) for test in plan.pairs]
    for (test, is_main), test_scores in zip(asked, _score(pairs, source, plan), strict=True):
        reasons = {metric: score.reason for metric, score in test_scores.items() if score.reason}
        if len(reasons) == len(test_scores):
            raise ValueError(
                f"{test}: none of the metrics applies; for example {': '.join(next(iter(reasons.items())))}"
            )
        skipped += [[name, test, *item] for item in reasons.items()] if is_main else []
        place = {"source": name, "test": test}
        rows += [MISSING | place | row for score in test_scores.values() for row in score.rows]
        curves += [score.silhouettes.assign(**place, metric=metric) for metric, score in test_scores.items()]
        variants += [
            [name, test, metric, *item] for metric, score in test_scores.items() for item in score.variants.items()
        ]
    calibration, uncalibrated = _calibrate(pairs, plan)
    skipped += uncalibrated
    curves = [part for part in curves if len(part)] or [pd.DataFrame(columns=TABLES["silhouettes"])]
    bounds = dict.fromkeys(("b_min", "b_max", "b_0"), float)  # None, an unbounded end, becomes NaN
    table = findings.add_findings(pd.DataFrame(rows).astype(bounds))
    nulls, table = findings.null_quantiles(table), table.reindex(columns=TABLES["table"])
    counts = [(one.question, one.n_words, one.n_asked) for one, _ in pairs]
    counts += [(test, table.loc[table["test"] == test.name, "n_words"].max(), len(test.pairs)) for test in plan.pairs]
    about = {
        "name": name, "source": path, "kind": source.kind, "dimensions": source.n_dimensions,
        "words": source.n_words, "random_words": len(source.pool),
    }  # fmt: skip
    return Audit(
        table=table,
        summary=pd.DataFrame([conclusions.summarize(*count, table, plan.trust) for count in counts]),
        words=pd.concat([ranking.rank_words(*pair, plan.rank_by) for pair in pairs], ignore_index=True),
        lists=pd.concat([one.table(name) for one, _ in pairs], ignore_index=True),
        silhouettes=pd.concat(curves, ignore_index=True),
        nulls=nulls,
        variants=pd.DataFrame(variants, columns=TABLES["variants"]),
        trust=plan.trust,
        warning_table=pd.DataFrame(_warnings(source, pairs, plan.pairs, table), columns=TABLES["warning_table"]),
        skipped=pd.DataFrame(skipped, columns=TABLES["skipped"]),
        calibration=calibration,
        sources=[about],
        settings=asdict(plan.settings)
        | plan.encoding
        | {"version": version("biassay"), "language": plan.tests[0].language},
    )


def _calibrate(pairs: list[tuple[UsedWords, SourceVectors]], plan: Plan) -> tuple[pd.DataFrame, list[list[str]]]:
    """Calibrate the tests if the plan says so: a table, and tests that cannot be calibrated with the reason."""
    empty = pd.DataFrame(columns=TABLES["calibration"])
    if not plan.calibrate:
        return empty, []
    from biassay.calibration import entry as calibration  # which imports this module

    found, skipped = calibration.list_for_audit(pairs, plan.modules, plan.settings.seed, plan.threads)
    return pd.concat(found or [empty], ignore_index=True).reindex(columns=empty.columns), skipped


def _reason_to_skip(used: UsedWords, is_default: bool) -> str:
    """Say why a test is not run: it has too few words, or its lists differ in grammatical gender; "" if it is run."""
    if not used.has_two_words:
        sizes = ", ".join(f"{one.name} {len(one.words)}" for one in used.lists)
        return (
            f"too few words to tell ({used.n_words} of {used.n_asked}): a list has fewer than two words with a vector: "
            f"{sizes}"
        )
    if is_default and not used.has_enough_words and used.question.name != ALWAYS:
        words = f"{used.n_words} of {used.n_asked} words"
        return f"not tested: the source has {words}, too few to run it by default; name it under tests"
    imbalance = describe_imbalance(used)
    return imbalance and f"not tested: {imbalance}"


def _pair_with_forms(used: UsedWords, source: SourceVectors, plan: Plan) -> list[tuple[UsedWords, SourceVectors]]:
    """Pair a test with vectors: words in sentences and bare words, each a test of its own, or the one form there is."""
    if source.bare is None:
        return [(used, source)]
    name, title = used.question.name, used.question.title
    in_sentences = replace(used.question, title=f"{title} (words in sentences)")
    bare = replace(used.question, name=name + BARE, title=f"{title} (bare words)")
    pairs = [(replace(used, question=in_sentences), source), (replace(used, question=bare), source.bare)]
    return pairs if any(module.METRIC.takes == "vectors" for module in plan.modules.values()) else pairs[:1]


def _warnings(
    source: SourceVectors, pairs: list[tuple[UsedWords, SourceVectors]], of_pairs: list[SentencePairs],
    table: pd.DataFrame,
) -> list[tuple]:  # fmt: skip
    """Return source, test, kind and text of every warning; one on a test's words is not repeated for bare words."""
    warnings = {"": conclusions.warn_of_source(source, [one for one, _ in pairs])}
    for one, _ in pairs:
        test = one.question.name
        before = warnings.get(test.removesuffix(BARE), [])
        of_test = conclusions.warn_of_test(one, table[table["test"] == test])
        warnings[test] = [warning for warning in of_test if warning not in before]
    for test in of_pairs:
        warnings[test.name] = conclusions.warn_of_pairs(test.count_controls(), table[table["test"] == test.name])
    return [(source.name, test, *warning) for test, of_test in warnings.items() for warning in of_test]


def _score(pairs: list[tuple[UsedWords, SourceVectors]], source: SourceVectors, plan: Plan) -> list[dict[str, Score]]:
    """Score all metrics on each test with its vectors, then on pairs of sentences, by the metric's name, in threads.

    Most of the time goes to compiled code, which runs in parallel. All metrics of language models share one thread:
    while the model computes one, its head sees only some positions.
    """
    n_metrics = len(pairs) * len(plan.modules) + len(plan.pairs) * len(plan.of_models)
    progress = logs.Progress("scoring", n_metrics, "metrics", seconds=0.5)
    if plan.modules.keys() & {"classification", "clustering"}:
        import sklearn.cluster
        import sklearn.svm  # noqa: F401 - imported by two threads at once, its modules can find each other half-loaded
    # The matrices are small, and sums do not depend on the number of threads.
    with ThreadPoolExecutor(plan.threads, initializer=threadpool_limits, initargs=(1,)) as pool:
        try:
            of_sentences = pool.submit(_score_sentences, pairs, source, plan, progress)
            of_vectors = [
                {name: pool.submit(_score_vectors, name, *pair, samples, plan, progress) for name in plan.modules}
                for pair, samples in ((pair, {}) for pair in pairs)
            ]
            scores = [{name: future.result() for name, future in of_test.items()} for of_test in of_vectors]
            scores += [{} for _ in plan.pairs]
            return [one | other for one, other in zip(scores, of_sentences.result(), strict=True)]
        finally:
            pool.shutdown(cancel_futures=True)


def _score_vectors(
    name: str, used: UsedWords, source: SourceVectors, samples: dict, plan: Plan, progress: logs.Progress
) -> Score:
    """Score a metric of vectors on a test, whose metrics share samples; a metric of other input has a reason."""
    score = scoring.score(name, plan.modules[name], used, source, plan.settings, samples)
    if name not in plan.of_models:
        progress.add(1, f"{name}, {used.question.name}")
    return score


def _score_sentences(
    pairs: list[tuple[UsedWords, SourceVectors]], source: SourceVectors, plan: Plan, progress: logs.Progress
) -> list[dict[str, Score]]:
    """Score the metrics of language models on templates for each test, and on pairs of sentences, by name.

    None on a test without such a model or without templates. Raises ValueError for pairs of sentences without a model.
    """
    scores: list[dict[str, Score]] = []
    with threadpool_limits(plan.threads, "openmp"), remembering():  # each sentence is scored once
        for used, vectors in pairs:
            has_model = plan.of_models and vectors.kind == "model"
            filled = sentences.fill_templates(vectors, used, plan.settings.seed) if has_model else None
            scores.append({})
            for name, module in plan.of_models.items():
                if filled:
                    scores[-1][name] = sentences.score(name, module, filled, plan.settings)
                progress.add(1, f"{name}, {used.question.name}")
        for test in plan.pairs:
            scores.append({})
            _check_pairs(test, source, plan)
            for name, module in plan.of_models.items():
                scores[-1][name] = sentence_pairs.score(name, module, test, source.model, plan.settings)
                progress.add(1, f"{name}, {test.name}")
    return scores


def _check_pairs(test: SentencePairs, source: SourceVectors, plan: Plan) -> None:
    """Raise ValueError unless the source is a language model and one of the metrics takes such models."""
    if source.model is None or source.model.kind == ENCODER:
        reason = getattr(source.model, "problem", "") or f"{source.path} is none"
        raise ValueError(f"{test.path}: pairs of sentences need a language model: {reason}")
    if not plan.of_models:
        raise ValueError(f"{test.path}: pairs of sentences need a metric of language models, such as log_likelihood")


def load_metrics(names: Iterable[str] | None, own: Iterable[str] | Mapping[str, str]) -> dict[str, ModuleType]:
    """Load metrics of biassay by name (None: all), and a user's own from .py files.

    A user's metric may not have the name of one of biassay, because the board describes metrics by name.
    """
    shipped = registry.names("metrics")
    chosen = shipped if names is None else _as_list("metrics", names)
    registry.check_names("metrics", chosen, shipped)
    modules = {name: metric_modules.load(name) for name in chosen}
    listed = own.items() if isinstance(own, Mapping) else ((None, path) for path in _as_list("own_metrics", own))
    for name, path in ((name or Path(str(path)).stem, path) for name, path in listed):
        if not str(path).endswith(".py"):
            raise ValueError(f"own_metrics: expected a .py file, got {path!r}; name biassay's metrics under metrics")
        if name in shipped or name in modules:
            raise ValueError(f"own_metrics: there is already a metric {name!r}; rename {path}")
        modules[name] = metric_modules.load(str(path))
    if not modules:
        raise ValueError("metrics: the list is empty; omit it for all metrics")
    return modules


def _as_list(key: str, values: Iterable) -> list:
    """Return values as a list; raise ValueError for a single text or path in place of a list."""
    if isinstance(values, str | Path) or not isinstance(values, Iterable):
        raise ValueError(f"{key}: expected a list, got {values!r:.80}")
    return list(values)


def name_sources(sources: Sequence[object], names: Sequence[str] | None = None) -> list[str]:
    """Return the names of sources: `names`, or the shortest ends of the paths that are all different.

    A function has its own name, with a number if another source has it too.
    """
    paths = [path for path in sources if isinstance(path, str | Path)]
    split = [encoder_sources.split(str(path).rstrip("/")) for path in paths]
    for prefix in {prefix for prefix, _ in split}:
        guard.check_different("sources", [end for other, end in split if other == prefix])
    ends = [end for _, end in split]
    if names is not None:
        names = _as_list("names", names)
        if len(names) != len(sources) or len(set(map(str, names))) < len(names):
            raise ValueError(f"names: expected {len(sources)} different names, one per source, got {names!r:.80}")
        return list(map(str, names))
    short = iter(_shorten(ends) if len(set(ends)) == len(ends) else map(str, paths))
    chosen = []
    for source in sources:
        name = next(short) if isinstance(source, str | Path) else encoder_sources.name_of(source)
        numbers = (f"{name}-{number}" for number in count(2))
        chosen.append(name if name not in chosen else next(other for other in numbers if other not in chosen))
    return chosen


def _shorten(paths: list[str]) -> list[str]:
    """Return the shortest ends of different paths that are all different."""
    parts = [Path(text.encode("utf-8", "replace").decode()).parts for text in paths]  # a file name may not be UTF-8
    ends = (["/".join(part[-length:]) for part in parts] for length in range(1, max(map(len, parts), default=0) + 1))
    return next((short for short in ends if len(set(short)) == len(short)), paths)
