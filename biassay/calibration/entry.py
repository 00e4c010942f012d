"""The function `calibrate`: how metrics and their tests behave on vectors without association, and with known doses."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Annotated

import joblib
import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from biassay.auditing import entry, questions, source_vectors
from biassay.auditing.questions import Question
from biassay.calibration import power
from biassay.calibration.doses import FORMS, NULLS, Material, draw_random_words, draw_shift
from biassay.calibration.result import AUDIT, RANDOM_WORDS, Calibration
from biassay.core import options, registry
from biassay.core.logs import Progress
from biassay.measurement import evaluation
from biassay.measurement import metric as metric_modules
from biassay.statistics.geometry import unit
from biassay.statistics.seeds import seed_of
from biassay.studies.silhouette import values
from biassay.studies.silhouette.reassignment import FORMS as TESTS
from biassay.studies.silhouette.reassignment import compute_p_values, find_obstacle

DOSES = (0.25, 0.5, 1.0, 2.0)
MAX_DOSE = 10.0
MIN_WORDS = 4  # of a list: 4 and 4 words can be reassigned in 70 ways, so p can reach 0.05
RANDOM_SETS = 499  # sets of random words
ROUNDING = 1e-9  # values closer than this are equal
# The tests whose null hypothesis holds for these samples; random words are compared with the source's own groups.
BASE = "association replaced"  # the samples that doses are added to
HOLDING = {"targets reassigned": ("targets",), "groups reassigned": ("groups",), "pairs exchanged": ("groups",)}
MIN_SPREAD = 1e-6  # of vectors of length one


@dataclass(frozen=True)
class Plan:
    """Doses, with 0 first; numbers of samples with a dose and without, and of permutations; the seed."""

    doses: np.ndarray
    samples: int
    null_samples: int
    permutations: int
    seed: int


def calibrate(
    source: object, test: str | Question = "gender", *, metrics: Iterable[str] | None = None,
    own_metrics: Iterable[str] | Mapping[str, str] = (), doses: Sequence[float] = DOSES,
    samples: Annotated[int, "20 <= x <= 100_000"] = 40, null_samples: Annotated[int, "20 <= x <= 100_000"] = 100,
    permutations: Annotated[int, "19 <= x <= 100_000"] = 99, seed: Annotated[int, "0 <= x <= 4_294_967_295"] = 1,
    allow_pickle: bool = False, processes: Annotated[int, "1 <= x <= 1024"] = 1,
) -> Calibration:  # fmt: skip
    """Calibrate metrics and their tests on a source of vectors, with the word lists of a test.

    Five kinds of samples have no association by construction: how often does a test find one? Then doses of known size
    are added in five forms to words with the association of random words: how does the value follow the dose, and which
    dose is found in 80 % of the samples?

    Parameters
    ----------
    source
        What `audit` takes: a file of vectors, a folder, a model, or a callable that encodes texts.
    test
        Name of a test or YAML file, with two groups and two lists of targets.
    metrics, own_metrics
        As of `audit`.
    doses
        Doses in ascending order, above 0: the difference between the means of the two lists of targets, in standard
        deviations of random words along the direction of the dose.
    samples, null_samples
        Samples for each form and dose, and for each kind of samples without association.
    permutations
        Permutations of tests that have no faster way.
    seed
        Seed of all random choices.
    allow_pickle, processes
        As of `audit`.

    Returns
    -------
    Calibration
        Its tables are `nulls`, `values`, `power`, `summary` and `skipped`; `effects` are the source's own.

    Raises
    ------
    ValueError
        For a wrong argument, and for words or vectors that cannot be calibrated.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from biassay import calibrate
    >>> folder = Path(tempfile.mkdtemp())
    >>> rows = np.random.default_rng(1).normal(size=(64, 5)).round(2)
    >>> rows[:8, 0] = [3, 3, 3, 3, -3, -3, -3, -3]
    >>> words = [f"word{first}{second}" for first in "abcdefgh" for second in "abcdefgh"]
    >>> lines = [f"{word} {' '.join(map(str, row))}" for word, row in zip(words, rows)]
    >>> n_characters = (folder / "vectors.txt").write_text("\\n".join(lines))
    >>> lists = [", ".join(words[start : start + 4]) for start in (0, 4, 8, 12)]
    >>> n_characters = (folder / "test.yaml").write_text(
    ...     f"groups: {{a: [{lists[0]}], b: [{lists[1]}]}}\\ntargets: {{x: [{lists[2]}], y: [{lists[3]}]}}\\n")
    >>> result = calibrate(folder / "vectors.txt", folder / "test.yaml", metrics=["weat"], samples=20, null_samples=20)
    >>> result.power["dose"].unique().tolist()
    [0.0, 0.25, 0.5, 1.0, 2.0]
    """
    numbers = {"samples": samples, "null_samples": null_samples, "permutations": permutations, "seed": seed}
    options.check("", numbers | {"processes": processes}, options.inspect_options(calibrate))
    plan = Plan(check_doses(doses), int(samples), int(null_samples), int(permutations), int(seed))
    modules = entry.load_metrics(metrics, own_metrics)
    question = find_test(test)
    [name] = entry.name_sources([source])
    read = source_vectors.read(source, question.words, name=name, seed=plan.seed, allow_pickle=allow_pickle)
    used = source_vectors.find_words(question, read)
    material = make_material(used, read)
    shipped = registry.names("metrics")
    work = joblib.Parallel(n_jobs=min(int(processes), len(modules)), return_as="generator")
    done = work(
        joblib.delayed(calibrate_metric)(metric, metric if metric in shipped else module.__file__, material, plan)
        for metric, module in modules.items()
    )
    parts, progress = [], Progress("calibrating", len(modules), "metrics")
    for part in done:
        parts.append(part)
        progress.add(1)
    tables = {key: pd.concat([part[key] for part in parts], ignore_index=True) for key in parts[0]}
    stereotype, skew = material.effects()
    about = {
        "source": name, "test": question.name, "title": question.title, "dimensions": read.n_dimensions,
        "words": {one.name: len(one.words) for one in used.lists}, "random_words": len(read.pool),
        "effects": {"difference": stereotype, "skew": skew}, "version": version("biassay"),
    }  # fmt: skip
    return Calibration(**tables, about=about, settings=numbers | {"doses": plan.doses[1:].tolist()})


def check_doses(doses: Sequence[float]) -> np.ndarray:
    """Return the doses with 0 first; raise ValueError unless they ascend, above 0 and up to MAX_DOSE."""
    given = np.asarray(doses)
    is_right = given.ndim == 1 and given.size and given.dtype.kind in "fiu"
    if not is_right or not (given > 0).all() or not (given <= MAX_DOSE).all() or (np.diff(given) <= 0).any():
        raise ValueError(f"doses: expected ascending numbers above 0 and up to {MAX_DOSE:g}, got {doses!r:.80}")
    return np.append(0.0, given)


def find_test(test: str | Path | Question) -> Question:
    """Find a test; raise ValueError unless it has two groups and two lists of targets."""
    found = questions.find([test])
    sizes = [(len(one.groups), len(one.targets)) for one in found]
    if len(found) != 1 or sizes[0] != (2, 2):
        got = f"{len(found)} tests" if len(found) != 1 else f"{sizes[0][0]} groups and {sizes[0][1]} lists"
        raise ValueError(f"test: {test!s:.80}: expected one test of two groups and two lists of targets, got {got}")
    return found[0]


def make_material(used: source_vectors.UsedWords, source: source_vectors.SourceVectors) -> Material:
    """Stack the vectors of a test, means over a word's sentences; raise ValueError if they cannot be calibrated."""
    if short := [one for one in used.lists if len(one.words) < MIN_WORDS]:
        sizes = ", ".join(f"{one.name} {len(one.words)}" for one in short)
        raise ValueError(f"{source.path}: expected {MIN_WORDS} words with a vector or more in each list, got {sizes}")
    if source.n_dimensions < 2:
        raise ValueError(f"{source.path}: expected vectors of two dimensions or more, got {source.n_dimensions}")
    n_targets = used.n_words - sum(map(len, used.groups.values()))
    if len(source.pool) < 2 * n_targets:
        raise ValueError(
            f"{source.path}: expected {2 * n_targets} random words or more, two for each target, got {len(source.pool)}"
        )
    groups, targets = (
        [source.stack(words).mean(axis=1).astype(np.float64) for words in used.side(side).values()]
        for side in ("groups", "targets")
    )
    pool = source.stack(source.pool).mean(axis=1)
    material = Material(groups, targets, pool, used.question.paired)
    for name, rows in zip([*used.groups, *used.targets], [*groups, *targets], strict=True):
        if (rows == rows[0]).all():
            raise ValueError(f"{source.path}: all words of {name} have the same vector")
    means = [unit(rows).mean(axis=0) for rows in groups]
    if np.linalg.norm(means[0] - means[1]) < MIN_SPREAD:
        raise ValueError(f"{source.path}: the groups have the same mean vector, so they have no direction")
    if material.spread(material.direction[None])[0] < MIN_SPREAD:
        raise ValueError(f"{source.path}: random words do not differ along the difference of the groups")
    return material


def calibrate_metric(name: str, file: str, material: Material, plan: Plan) -> dict[str, pd.DataFrame]:
    """Calibrate a metric by both tests that it has: tables by name."""
    module = metric_modules.load(file)
    reasons = find_reasons(module, material)
    tests = [test for test in TESTS if not reasons[test]]
    rows: dict[str, list] = {"nulls": [], "values": [], "power": [], "summary": []}
    skipped = pd.DataFrame([(name, test, reason) for test, reason in reasons.items() if reason],
                           columns=["metric", "test", "reason"])  # fmt: skip
    with threadpool_limits(1):
        randoms = measure_random_words(module, material, plan) if tests else np.empty(0)
        for number, (null, draw) in enumerate(list_nulls(material).items() if tests else ()):
            drawn = [draw(material, _random(plan, number, sample)) for sample in range(plan.null_samples)]
            scores = None if null in HOLDING else np.array([measure(module, sample) for sample in drawn])
            holding = [test for test in tests if test in HOLDING.get(null, tests)]
            for test, p in run_tests(name, module, holding, drawn, scores, randoms, plan).items():
                found = power.rate(p)
                place = {"metric": name, "test": test, "null": null}
                rows["nulls"].append(place | found | {"calibration": power.judge(found["low"], found["high"])})
        liberal = {row["test"] for row in rows["nulls"] if (row["null"], row["calibration"]) == (BASE, power.LIBERAL)}
        for number, (form, about) in enumerate(FORMS.items() if tests else ()):
            shifts = [draw_shift(material, about, _random(plan, 10 + number, sample)) for sample in range(plan.samples)]
            given = [[shift.give(dose) for shift in shifts] for dose in plan.doses]
            scores = np.transpose([[measure(module, sample) for sample in column] for column in given])
            place = {"metric": name, "form": form}
            described = power.describe_values(scores).assign(**place, dose=plan.doses)
            rows["values"] += described.to_dict("records")
            recovered = power.correlate_with_dose(plan.doses, oriented(module, scores), plan.seed)
            by_dose = [
                run_tests(name, module, tests, *column, randoms, plan) for column in zip(given, scores.T, strict=True)
            ]
            for test in by_dose[0]:
                p = np.transpose([found[test] for found in by_dose])
                rates = [power.rate(column) for column in p.T]
                rows["power"] += [{"metric": name, "test": test, "form": form, "dose": dose} | found
                                  for dose, found in zip(plan.doses, rates, strict=True)]  # fmt: skip
                detected = power.summarise_power(plan.doses, p, plan.seed)
                if test in liberal:  # it would find what is not there
                    detected = dict.fromkeys(detected, np.nan)
                rows["summary"].append({"metric": name, "test": test, "form": form} | detected | recovered)
    return {key: pd.DataFrame(table) for key, table in rows.items()} | {"skipped": skipped}


def list_nulls(material: Material) -> dict:
    """List the kinds of samples without association that the words allow."""
    return {null: draw for null, draw in NULLS.items() if material.paired or null != "pairs exchanged"}


def measure_random_words(module: ModuleType, material: Material, plan: Plan) -> np.ndarray:
    """Compute the metric's values with random words in place of the targets."""
    samples = (draw_random_words(material, _random(plan, 30, number)) for number in range(RANDOM_SETS))
    return np.array([measure(module, sample) for sample in samples])


def run_tests(
    name: str, module: ModuleType, tests: list[str], samples: list[Material], scores: np.ndarray | None,
    randoms: np.ndarray, plan: Plan,
) -> dict[str, np.ndarray]:  # fmt: skip
    """Compute the p-values of samples by test: reassigned groups, reassigned targets, random words, and the audit's.

    An audit finds an association if both reassigned groups and random words give a small p, so its p is the larger one.
    scores: values of the samples; None if their groups are not those of `randoms`.
    """
    found = {test: test_samples(name, module, test, samples, plan) for test in tests}
    if scores is not None:
        b_0 = module.METRIC.range("set", 2).b_0
        far, random_far = np.abs(scores - b_0), np.abs(randoms - b_0)
        n_farther = (random_far >= far[:, None] - ROUNDING).sum(axis=1)
        found[RANDOM_WORDS] = np.where(np.isnan(far), np.nan, (1 + n_farther) / (1 + len(randoms)))
        if "groups" in found:
            found[AUDIT] = np.maximum(found["groups"], found[RANDOM_WORDS])
    return found


def find_reasons(module: ModuleType, material: Material) -> dict[str, str]:
    """Say for each test why a metric does not have it; "" if it does."""
    declared = module.METRIC
    if declared.takes != "vectors":
        return dict.fromkeys(TESTS, f"it takes {declared.takes.replace('_', ' ')}")
    if declared.set is None:
        return dict.fromkeys(TESTS, "it has no value of a set of words")
    if declared.paired and not material.paired:
        return dict.fromkeys(TESTS, "it needs paired groups, and the words of these groups are not paired")
    b_0 = declared.range("set", 2).b_0
    return {test: find_obstacle(module, b_0, test) for test in TESTS}


def measure(module: ModuleType, sample: Material) -> float:
    """Compute the metric's value of a sample."""
    inputs = values.assign_inputs(module.METRIC, sample.groups, sample.targets, "groups", paired=sample.paired)
    return float(evaluation.evaluate_level(module, "set", inputs.scored, inputs.references, inputs.labels))


def oriented(module: ModuleType, scores: np.ndarray) -> np.ndarray:
    """Return values so that more association is larger: their distance from b_0 unless they have a sign."""
    _, _, b_0, signed = module.METRIC.range("set", 2)
    return scores if signed else np.abs(scores - b_0)


def test_samples(name: str, module: ModuleType, test: str, samples: list[Material], plan: Plan) -> np.ndarray:
    """Compute the p-values of a test of a metric for samples."""
    lists = [[sample.groups, sample.targets] for sample in samples]
    b_0 = module.METRIC.range("set", 2).b_0
    return compute_p_values(name, module, test, lists, b_0, plan.permutations, seed_of(plan.seed, 3), {})[0]


def _random(plan: Plan, purpose: int, sample: int) -> np.random.Generator:
    return np.random.default_rng(seed_of(plan.seed, 4, purpose, sample))
