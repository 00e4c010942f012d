"""The entry to audits: sources of vectors, tests and metrics in, everything about them out."""

import time
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from importlib.metadata import version
from pathlib import Path
from types import ModuleType

import pandas as pd
from threadpoolctl import threadpool_limits

from biassay.auditing import arguments, cautions, lists, material, questions, scoring, sentences, spread, summary, trust
from biassay.auditing import ranking as rankings
from biassay.auditing.bound_metrics import Unfit
from biassay.auditing.lists import Used
from biassay.auditing.material import Material
from biassay.auditing.questions import Question
from biassay.auditing.result import Audit, joined
from biassay.auditing.scoring import Settings
from biassay.support import registry

COLUMNS = [
    "source", "test", "metric", "level", "asks", "value", "low", "high", "b_min", "b_max", "b_0", "signed", "of_groups",
    "p", "p_holm", "min_p_value", "permuted", "noise", "p_random", "min_detectable_effect", "robustness",
    "words_needed", "words",
    "finding", "undefined",
]  # fmt: skip
SILHOUETTE = ["source", "test", "metric", "growing", "n_words", "min", "max", "mean", "q05", "q25", "q75", "q95", "n_undefined"]
ALWAYS = "gender"  # the test that is asked whatever words there are


def audit(
    sources: str | Path | Sequence[str | Path], *, tests: Iterable[str | Question] | None = None,
    metrics: Iterable[str] | None = None, own_metrics: Iterable[str] | Mapping[str, str] = (),
    names: Sequence[str] | None = None, ranking: str = "same", permutations: int = 999, resamples: int = 200,
    random_words: int = 99, seed: int = 1, allow_pickle: bool = False, board: str | Path | bool | None = None,
    processes: int = 1,
) -> Audit:  # fmt: skip
    """Audit vectors or language models: does this embedding associate groups with targets?

    sources: files of vectors of any format, folders that biassay wrote, folders of models of transformers (or hf: and
    a hub id), one or several. tests: names (`biassay audit --lists`) or YAML files; by default gender, and the default
    ones of which the vectors have enough words. metrics: names; by default all that fit. own_metrics: .py files, called
    by their names or, of a mapping, by its keys. names: what results call the sources; else their file names. ranking:
    the metric that words are ranked by.

    The result prints itself and has `.table`, a row a source, test and metric, `.summary`, `.words`, `.lists`,
    `.warnings`, `.trust`, and `.write(folder)`. Draws: see `scoring.Settings`; the same seed gives the same result.
    board: another board.csv than the one that comes with biassay, or False for none; own metrics are judged by another
    only. processes: that score, with the same result; a script that asks for more than one keeps what it runs under
    `if __name__ == "__main__"`. Raises ValueError for what is wrong, naming it.
    """
    settings = Settings(permutations, resamples, random_words, seed=seed)
    arguments.check(settings)
    settings = Settings(**{key: int(value) for key, value in asdict(settings).items()})
    arguments.PROCESSES.check(processes, "processes")
    paths = [sources] if isinstance(sources, str | Path) else list(sources)
    if not paths:
        raise ValueError("sources: none; name a file of vectors or a model")
    called = arguments.names_of(paths, names)
    chosen = arguments.modules(metrics, own_metrics)
    rankings.load(ranking)
    table = trust.board(board)
    if board is None and table is not None:  # it speaks of shipped metrics, not of a user's
        table = table[table["metric"].isin(registry.names("metrics"))]
    given = None if tests is None else questions.find(arguments.listed("tests", tests))
    if given == []:
        raise ValueError("tests: none is named; leave tests out for the default ones")
    asked = [test for test in questions.shipped().values() if test.default] if given is None else given
    for path in paths:
        material.located(path)
    audits = []
    with threadpool_limits(1):  # the matrices are small
        for path, name in zip(paths, called, strict=True):
            started = time.monotonic()
            found = material.read(path, asked, name=name, seed=seed, allow_pickle=allow_pickle)
            one = _one(str(path), found, asked, given is None, chosen, table, ranking, settings, processes)
            one.sources[0]["seconds"] = round(time.monotonic() - started, 2)
            audits.append(one)
    return joined(audits)


def _one(
    path: str, found: Material, asked: list[Question], choose: bool, chosen: dict[str, ModuleType],
    board: pd.DataFrame | None, by: str, settings: Settings, processes: int,
) -> Audit:  # fmt: skip
    """The audit of one source."""
    name = found.name
    used = [lists.use(question, found) for question in asked]
    left = _not_asked(name, used, choose)
    used = [one for one in used if one.question.name not in {row[1] for row in left}]
    if not used:
        raise ValueError(f"{path}: no test has two words of each list; the first: {left[0][1]}: {left[0][3]}")
    rankings.check(by, [one.question for one in used])
    scores = spread.scores(used, chosen, found, settings, processes)
    rows, shown, words = [], [], []
    for one in used:
        scored, curves, unfit = _scores(one, found, path, chosen, scores, settings)
        rows += scored
        shown += curves
        left += [[name, one.question.name, *reason] for reason in unfit]
        words.append(rankings.ranked(one, found, by))
    table = scoring.with_findings(pd.DataFrame(rows))[COLUMNS]
    judged = trust.judged(list(chosen), board)
    told = _cautions(name, found, used, table)
    about = {
        "name": name, "source": path, "kind": found.kind, "dimensions": found.dimensions, "words": found.total,
        "random_words": len(found.pool),
    }  # fmt: skip
    return Audit(
        table=table,
        summary=pd.DataFrame([summary.concluded(one, table, judged) for one in used]),
        words=pd.concat(words, ignore_index=True),
        lists=pd.concat([one.table(found) for one in used], ignore_index=True),
        silhouettes=pd.concat(shown, ignore_index=True) if shown else pd.DataFrame(columns=SILHOUETTE),
        trust=judged,
        cautions=pd.DataFrame(told, columns=cautions.COLUMNS),
        left_out=pd.DataFrame(left, columns=["source", "test", "metric", "reason"]),
        sources=[about],
        settings=asdict(settings) | {"version": version("biassay")},
    )


def _not_asked(name: str, used: list[Used], choose: bool) -> list[list[str]]:
    """Source, test, no metric and the reason of tests with too few words; more are asked for of those nobody named."""
    left = [[name, one.question.name, "", _too_few(one)] for one in used if one.least < 2]
    unnamed = "too few of its words to be asked unasked; name it under tests"
    return left + [
        [name, one.question.name, "", unnamed]
        for one in used
        if choose and one.least >= 2 and not one.enough and one.question.name != ALWAYS
    ]


def _cautions(name: str, found: Material, used: list[Used], table: pd.DataFrame) -> list[list[str]]:
    """Source, test, kind and text of every warning."""
    told = [[name, "", *caution] for caution in cautions.of_source(found, used)]
    for one in used:
        of_test = table[table["test"] == one.question.name]
        told += [[name, one.question.name, *caution] for caution in cautions.of_test(one, found, of_test)]
    return told


def _scores(
    one: Used, found: Material, path: str, chosen: dict[str, ModuleType], scores: dict, settings: Settings
) -> tuple:
    """Rows of one test, silhouettes, and the metrics that do not fit, with the reasons."""
    rows, curves, unfit = [], [], []
    asked = None
    if any(module.METRIC.takes == "language_model" for module in chosen.values()) and found.kind == "model":
        asked = sentences.ask(material.located(path), one, settings.seed)
    start = {"source": found.name, "test": one.question.name}
    for metric, module in chosen.items():
        score = scores[one.question.name, metric]
        try:
            if asked and module.METRIC.takes == "language_model":
                rows += [start | row for row in sentences.rows(metric, module, asked, settings)]
            elif isinstance(score, Unfit):
                raise score
            else:
                rows.append(score.row)
                curves += [] if score.silhouettes.empty else [score.silhouettes]
        except Unfit as error:
            unfit.append([metric, str(error)])
    if not rows:
        raise ValueError(f"{one.question.name}: none of the metrics can be asked it: {unfit[0][0]}: {unfit[0][1]}")
    return rows, curves, unfit


def _too_few(one: Used) -> str:
    sizes = [f"{name} {len(words)}" for side in questions.SIDES for name, words in one.lists(side).items()]
    return f"fewer than two words of a list have a vector: {', '.join(sizes)}"
