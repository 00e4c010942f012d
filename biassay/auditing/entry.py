"""The function `audit`: all metrics on all tests for each source of vectors."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pandas as pd
from threadpoolctl import threadpool_limits

from biassay.auditing import (
    arguments,
    parallel,
    questions,
    ranking,
    scoring,
    sentences,
    source_vectors,
    summary,
    trust,
    warnings,
    word_lists,
)  # fmt: skip
from biassay.auditing.bound_metrics import NotApplicable
from biassay.auditing.questions import Question
from biassay.auditing.result import Audit, join
from biassay.auditing.scoring import Settings
from biassay.auditing.source_vectors import SourceVectors
from biassay.auditing.word_lists import UsedWords
from biassay.core import registry

COLUMNS = [
    "source", "test", "metric", "level", "sides", "value", "ci_low", "ci_high", "b_min", "b_max", "b_0", "signed",
    "direction", "p", "p_holm", "min_p_value", "permutation_test", "random_q95", "p_random", "min_detectable_effect",
    "robustness", "share_needed", "n_words", "finding", "undefined",
]  # fmt: skip
SILHOUETTE = ["source", "test", "metric", "growing", "n_words", "min", "max", "mean", "q05", "q25", "q75", "q95",
              "n_undefined"]  # fmt: skip
ALWAYS = "gender"  # the test that runs by default however many of its words are missing


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
        Number of processes; the result is the same. With more than one, a script needs `if __name__ == "__main__"`.

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
    settings = Settings(permutations, resamples, random_words, seed=seed)
    arguments.check_settings(settings)
    settings = Settings(**{key: int(value) for key, value in asdict(settings).items()})
    arguments.PROCESSES.check(processes, "processes")
    paths = [sources] if isinstance(sources, str | Path) else list(sources)
    if not paths:
        raise ValueError("sources: the list is empty; name a file of vectors or a model")
    source_names = arguments.source_names(paths, names)
    modules = arguments.load_metrics(metrics, own_metrics)
    ranking.load(rank_by)
    board_table = trust.read_board(board)
    if board is None and board_table is not None:  # biassay's board is about its own metrics, not the user's
        board_table = board_table[board_table["metric"].isin(registry.names("metrics"))]
    named = None if tests is None else questions.find(arguments.as_list("tests", tests))
    if named == []:
        raise ValueError("tests: the list is empty; omit it for the default tests")
    chosen = [test for test in questions.shipped_tests().values() if test.default] if named is None else named
    for path in paths:
        source_vectors.locate(path)
    audits = []
    with threadpool_limits(1):  # the matrices are small
        for path, name in zip(paths, source_names, strict=True):
            started = time.monotonic()
            source = source_vectors.read(path, chosen, name=name, seed=seed, allow_pickle=allow_pickle)
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
    used = [word_lists.find_words(question, source) for question in tests]
    skipped = _skipped_tests(name, used, is_default)
    used = [one for one in used if one.question.name not in {row[1] for row in skipped}]
    if not used:
        test, reason = skipped[0][1], skipped[0][3]
        raise ValueError(f"{path}: no test has two words of each list; for example {test}: {reason}")
    ranking.check(rank_by, [one.question for one in used])
    scores = parallel.score_all(used, modules, source, settings, processes)
    rows, silhouettes, words = [], [], []
    for one in used:
        test_rows, curves, not_applicable = _collect_scores(one, source, path, modules, scores, settings)
        rows += test_rows
        silhouettes += curves
        skipped += [[name, one.question.name, *reason] for reason in not_applicable]
        words.append(ranking.rank_words(one, source, rank_by))
    table = scoring.add_findings(pd.DataFrame(rows))[COLUMNS]
    verdicts = trust.verdicts(list(modules), board)
    about = {
        "name": name, "source": path, "kind": source.kind, "dimensions": source.n_dimensions,
        "words": source.n_words, "random_words": len(source.pool),
    }  # fmt: skip
    return Audit(
        table=table,
        summary=pd.DataFrame([summary.summarize(one, table, verdicts) for one in used]),
        words=pd.concat(words, ignore_index=True),
        lists=pd.concat([one.table(source) for one in used], ignore_index=True),
        silhouettes=pd.concat(silhouettes, ignore_index=True) if silhouettes else pd.DataFrame(columns=SILHOUETTE),
        trust=verdicts,
        warning_table=pd.DataFrame(_warnings(name, source, used, table), columns=warnings.COLUMNS),
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
    rows = [[name, "", *warning] for warning in warnings.for_source(source, used)]
    for one in used:
        test_rows = table[table["test"] == one.question.name]
        rows += [[name, one.question.name, *warning] for warning in warnings.for_test(one, source, test_rows)]
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
