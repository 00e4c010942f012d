"""The function `audit`: all metrics on all tests for each source of vectors."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from numbers import Integral
from pathlib import Path
from types import ModuleType

import joblib
import pandas as pd
from joblib.externals.loky.process_executor import TerminatedWorkerError
from threadpoolctl import threadpool_limits

from biassay.auditing import conclusions, questions, ranking, scoring, sentences, source_vectors
from biassay.auditing.bound_metrics import NotApplicable
from biassay.auditing.questions import Question
from biassay.auditing.result import Audit, join
from biassay.auditing.scoring import Score, Settings
from biassay.auditing.source_vectors import SourceVectors, UsedWords
from biassay.core import guard, registry
from biassay.measurement import metric as metric_modules

COLUMNS = [
    "source", "test", "metric", "level", "sides", "value", "ci_low", "ci_high", "b_min", "b_max", "b_0", "signed",
    "direction", "p", "p_holm", "min_p_value", "permutation_test", "random_q95", "p_random", "min_detectable_effect",
    "robustness", "share_needed", "n_words", "finding", "undefined",
]  # fmt: skip
SILHOUETTE = ["source", "test", "metric", "growing", "n_words", "min", "max", "mean", "q05", "q25", "q75", "q95",
              "n_undefined"]  # fmt: skip
ALWAYS = "gender"  # the test that runs by default however many of its words are missing
LIMITS = {
    "permutations": (19, 10**7),
    "resamples": (20, 10**6),
    "random_words": (0, 10**5),
    "seed": (0, 2**32 - 1),
    "processes": (1, 1024),
}


def audit(
    sources: str | Path | Sequence[str | Path], *, tests: Iterable[str | Question] | None = None,
    metrics: Iterable[str] | None = None, own_metrics: Iterable[str] | Mapping[str, str] = (),
    names: Sequence[str] | None = None, rank_by: str = "same", permutations: int = 999, resamples: int = 200,
    random_words: int = 99, seed: int = 1, allow_pickle: bool = False, board: str | Path | bool | None = None,
    processes: int = 1,
) -> Audit:  # fmt: skip
    """Audit vectors or language models for associations of groups with targets.

    Parameters
    ----------
    sources
        One or several of: a file of vectors, a folder that biassay wrote, the folder of a transformers model, or
        "hf:" and a hub id.
    tests
        Names (`biassay audit --lists`) or YAML files; by default gender, and the other default tests of which the
        vectors have enough words.
    metrics
        Names; by default all that apply.
    own_metrics
        Paths of .py files, or a mapping of name to path.
    names
        Names of the sources in the results; by default the ends of their paths.
    rank_by
        The metric that ranks the target words.
    permutations, resamples, random_words
        Numbers of permutations (p-values), of resamples (intervals), and of sets of random words.
    seed
        Seed of all random choices; equal seeds give equal results.
    allow_pickle
        Whether to read pickles, such as gensim's .kv files, which can run any code.
    board
        Another board.csv than biassay's, or False for none. Only another board judges metrics of your own.
    processes
        Number of processes; the result is the same.

    Returns
    -------
    Audit
        Prints itself; its tables are `table` (one row per source, test and metric), `summary`, `words`, `lists`,
        `trust` and `silhouettes`; `warnings` are texts, and `write(folder)` writes a page and the tables.

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
    ['no association found by any of ...']
    """
    settings = Settings(
        permutations=_integer("permutations", permutations),
        resamples=_integer("resamples", resamples),
        random_words=_integer("random_words", random_words),
        seed=_integer("seed", seed),
    )
    processes = _integer("processes", processes)
    paths = [sources] if isinstance(sources, str | Path) else list(sources)
    if not paths:
        raise ValueError("sources: the list is empty; name a file of vectors or a model")
    source_names = name_sources(paths, names)
    modules = load_metrics(metrics, own_metrics)
    ranking.load(rank_by)
    board_table = conclusions.read_board(board)
    if board is None and board_table is not None:  # biassay's board is about its own metrics, not the user's
        board_table = board_table[board_table["metric"].isin(registry.names("metrics"))]
    named = None if tests is None else questions.find(_as_list("tests", tests))
    if named == []:
        raise ValueError("tests: the list is empty; omit it for the default tests")
    chosen = [test for test in questions.shipped_tests().values() if test.default] if named is None else named
    words = list(dict.fromkeys(word for question in chosen for word in question.words))
    for path in paths:
        source_vectors.locate(path)
    audits = []
    with threadpool_limits(1):  # the matrices are small
        for path, name in zip(paths, source_names, strict=True):
            started = time.monotonic()
            source = source_vectors.read(path, words, name=name, seed=seed, allow_pickle=allow_pickle)
            one = _audit_source(
                str(path), source, chosen, named is None, modules, board_table, rank_by, settings, processes
            )
            one.sources[0]["seconds"] = round(time.monotonic() - started, 2)
            audits.append(one)
    return join(audits)


def _audit_source(
    path: str, source: SourceVectors, tests: list[Question], is_default: bool, modules: dict[str, ModuleType],
    board: pd.DataFrame | None, rank_by: str, settings: Settings, processes: int,
) -> Audit:  # fmt: skip
    name = source.name
    used = [source_vectors.find_words(question, source) for question in tests]
    skipped = _skipped_tests(name, used, is_default)
    used = [one for one in used if one.question.name not in {row[1] for row in skipped}]
    if not used:
        test, reason = skipped[0][1], skipped[0][3]
        raise ValueError(f"{path}: no test has two words of each list; for example {test}: {reason}")
    ranking.check(rank_by, [one.question for one in used])
    scores = _score_all(used, modules, source, settings, processes)
    rows, silhouettes, words = [], [], []
    for one in used:
        test_rows, curves, not_applicable = _collect_scores(one, source, path, modules, scores, settings)
        rows += test_rows
        silhouettes += curves
        skipped += [[name, one.question.name, *reason] for reason in not_applicable]
        words.append(ranking.rank_words(one, source, rank_by))
    table = scoring.add_findings(pd.DataFrame(rows))[COLUMNS]
    verdicts = conclusions.verdicts(list(modules), board)
    about = {
        "name": name, "source": path, "kind": source.kind, "dimensions": source.n_dimensions,
        "words": source.n_words, "random_words": len(source.pool),
    }  # fmt: skip
    return Audit(
        table=table,
        summary=pd.DataFrame([conclusions.summarize(one, table, verdicts) for one in used]),
        words=pd.concat(words, ignore_index=True),
        lists=pd.concat([one.table(source) for one in used], ignore_index=True),
        silhouettes=pd.concat(silhouettes, ignore_index=True) if silhouettes else pd.DataFrame(columns=SILHOUETTE),
        trust=verdicts,
        warning_table=pd.DataFrame(_warnings(name, source, used, table), columns=["source", "test", "kind", "text"]),
        skipped=pd.DataFrame(skipped, columns=["source", "test", "metric", "reason"]),
        sources=[about],
        settings=asdict(settings) | {"version": version("biassay")},
    )


def _skipped_tests(name: str, used: list[UsedWords], is_default: bool) -> list[list[str]]:
    """Return source, test, no metric and the reason for tests with too few words; default tests need more."""
    skipped = [[name, one.question.name, "", _too_few(one)] for one in used if one.min_words < 2]
    reason = "the source has too few of its words to run it by default; name it under tests"
    return skipped + [
        [name, one.question.name, "", reason]
        for one in used
        if is_default and one.min_words >= 2 and not one.has_enough_words and one.question.name != ALWAYS
    ]


def _warnings(name: str, source: SourceVectors, used: list[UsedWords], table: pd.DataFrame) -> list[list[str]]:
    """Return source, test, kind and text of every warning."""
    rows = [[name, "", *warning] for warning in conclusions.warn_of_source(source, used)]
    for one in used:
        test_rows = table[table["test"] == one.question.name]
        rows += [[name, one.question.name, *warning] for warning in conclusions.warn_of_test(one, source, test_rows)]
    return rows


def _collect_scores(
    one: UsedWords, source: SourceVectors, path: str, modules: dict[str, ModuleType], scores: dict, settings: Settings
) -> tuple:
    """Return the rows of one test, the silhouettes, and metrics that do not apply, with the reasons."""
    rows, curves, not_applicable = [], [], []
    filled = None
    if any(module.METRIC.takes == "language_model" for module in modules.values()) and source.kind == "model":
        filled = sentences.fill_templates(source_vectors.locate(path), one, settings.seed)
    start = {"source": source.name, "test": one.question.name}
    for metric, module in modules.items():
        score = scores[one.question.name, metric]
        try:
            if filled and module.METRIC.takes == "language_model":
                rows += [start | row for row in sentences.score_rows(metric, module, filled, settings)]
            elif isinstance(score, NotApplicable):
                raise score
            else:
                rows.append(score.row)
                curves += [] if score.silhouettes.empty else [score.silhouettes]
        except NotApplicable as error:
            not_applicable.append([metric, str(error)])
    if not rows:
        metric, reason = not_applicable[0]
        raise ValueError(f"{one.question.name}: none of the metrics applies; for example {metric}: {reason}")
    return rows, curves, not_applicable


def _too_few(one: UsedWords) -> str:
    sizes = [f"{name} {len(words)}" for side in questions.SIDES for name, words in one.lists(side).items()]
    return f"a list has fewer than two words with a vector: {', '.join(sizes)}"


def _score_all(
    used: list[UsedWords], modules: dict[str, ModuleType], source: SourceVectors, settings: Settings, processes: int
) -> dict[tuple[str, str], Score | NotApplicable]:
    """Score all metrics, or say why one does not apply, by the names of test and metric."""
    shipped = registry.names("metrics")
    files = {name: name if name in shipped else module.__file__ for name, module in modules.items()}
    work = joblib.Parallel(n_jobs=min(processes, len(files)))
    try:
        scores = work(joblib.delayed(_score_metric)(name, files[name], used, source, settings) for name in files)
    except TerminatedWorkerError as error:
        own = [path for path in files.values() if path.endswith(".py")]
        cause = f", or {', '.join(own)} ended it" if own else ""
        raise ValueError(
            f"audit: a process that scores metrics died; it may have run out of memory{cause}. Try processes=1"
        ) from error
    return {key: score for of_metric in scores for key, score in of_metric.items()}


def _score_metric(
    name: str, file: str, used: list[UsedWords], source: SourceVectors, settings: Settings
) -> dict[tuple[str, str], Score | NotApplicable]:
    module, scores = metric_modules.load(file), {}
    with threadpool_limits(1):  # the matrices are small, and the sums do not depend on the number of processes
        for one in used:
            try:
                scores[one.question.name, name] = scoring.score(name, module, one, source, settings)
            except NotApplicable as error:
                scores[one.question.name, name] = error
    return scores


def _integer(key: str, value: object) -> int:
    low, high = LIMITS[key]
    if isinstance(value, bool) or not isinstance(value, Integral) or not low <= value <= high:
        raise ValueError(f"{key}: expected an integer from {low:,} to {high:,}, got {value!r:.80}")
    return int(value)


def load_metrics(names: Iterable[str] | None, own: Iterable[str] | Mapping[str, str]) -> dict[str, ModuleType]:
    """Load metrics of biassay by name (None: all), and a user's own from .py files.

    A user's metric may not have the name of one of biassay, because the board describes metrics by name.
    """
    shipped = registry.names("metrics")
    chosen = shipped if names is None else _as_list("metrics", names)
    registry.check_names("metrics", chosen, shipped)
    modules = {name: metric_modules.load(name) for name in chosen}
    pairs = (
        own.items() if isinstance(own, Mapping) else [(Path(path).stem, path) for path in _as_list("own_metrics", own)]
    )
    for name, path in pairs:
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


def name_sources(paths: Sequence[str | Path], names: Sequence[str] | None = None) -> list[str]:
    """Return the names of sources: `names`, or the shortest ends of the paths that are all different."""
    texts = [str(path).removeprefix("hf-inputs:").removeprefix("hf:").rstrip("/") for path in paths]
    for inputs in (False, True):
        alike = [text for text, path in zip(texts, paths, strict=True) if str(path).startswith("hf-inputs:") == inputs]
        guard.check_different("sources", alike)
    if names is not None:
        names = _as_list("names", names)
        if len(names) != len(paths) or len(set(names)) < len(names):
            raise ValueError(f"names: expected {len(paths)} different names, one per source, got {names!r:.80}")
        return list(map(str, names))
    parts = [Path(text.encode("utf-8", "replace").decode()).parts for text in texts]  # a file name may not be UTF-8
    for length in range(1, max(map(len, parts)) + 1):
        ends = ["/".join(part[-length:]) for part in parts]
        if len(set(ends)) == len(ends):
            return ends
    return list(map(str, paths))
