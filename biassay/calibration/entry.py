"""The function `calibrate`: how metrics and their tests behave on vectors without association, and with known doses."""

from collections.abc import Iterable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from types import ModuleType
from typing import Annotated

import numpy as np
import pandas as pd

from biassay.auditing import entry, questions, source_vectors
from biassay.auditing.questions import Question
from biassay.calibration import samples as samples_of
from biassay.calibration import tables
from biassay.calibration.doses import Material
from biassay.calibration.result import Calibration
from biassay.calibration.samples import Plan
from biassay.core import options, registry
from biassay.statistics.geometry import unit

DOSES = (0.25, 0.5, 1.0, 2.0)
MAX_DOSE = 10.0
MIN_WORDS = 4  # of a list: 4 and 4 words can be reassigned in 70 ways, so p can reach 0.05
MIN_SPREAD = 1e-6  # of vectors of length one


def calibrate(
    source: object, test: str | Path | Question = "gender", *, metrics: Iterable[str] | None = None,
    own_metrics: Iterable[str] | Mapping[str, str] = (), doses: Sequence[float] = DOSES,
    samples: Annotated[int, "20 <= x <= 100_000"] = 40, null_samples: Annotated[int, "20 <= x <= 100_000"] = 100,
    permutations: Annotated[int, "19 <= x <= 100_000"] = 99, seed: Annotated[int, "0 <= x <= 4_294_967_295"] = 1,
    name: str | None = None, allow_pickle: bool = False, processes: Annotated[int, "1 <= x <= 1024"] = 1,
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
        Doses in ascending order, above 0, in standard deviations of random words along the direction of the dose: in
        the form `difference`, how far the means of the two lists of targets move apart.
    samples, null_samples
        Samples for each form and dose, and for each kind of samples without association.
    permutations
        Permutations of tests that have no faster way.
    seed
        Seed of all random choices.
    name
        Name of the source in the result (default: from its path).
    allow_pickle, processes
        As of `audit`.

    Returns
    -------
    Calibration
        Its tables are `nulls`, `values`, `power`, `summary` and `skipped`; `about["effects"]` are the source's own.

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
    options.check("", numbers | {"processes": processes}, options.read(calibrate))
    plan = Plan(check_doses(doses), int(samples), int(null_samples), int(permutations), int(seed))
    modules = entry.load_metrics(metrics, own_metrics)
    question = find_test(test)
    [name] = [name] if name else entry.name_sources([source])
    read = source_vectors.read(source, question.words, name=name, seed=plan.seed, allow_pickle=allow_pickle)
    return calibrate_words(source_vectors.find_words(question, read), read, modules, plan, int(processes))


def calibrate_words(
    used: source_vectors.UsedWords, read: source_vectors.SourceVectors, modules: dict[str, ModuleType], plan: Plan,
    processes: int,
) -> Calibration:  # fmt: skip
    """Calibrate metrics on the words of a test that a source has."""
    question = used.question
    material = make_material(used, read)
    reasons = {name: samples_of.find_reasons(module, material) for name, module in modules.items()}
    skipped = [(name, test, reason) for name, tests in reasons.items() for test, reason in tests.items() if reason]
    tests = {name: [test for test, reason in found.items() if not reason] for name, found in reasons.items()}
    tests = {name: found for name, found in tests.items() if found}
    if not tests:
        given = ", ".join(f"{name}: {next(iter(found.values()))}" for name, found in reasons.items())
        raise ValueError(f"metrics: none of them has a test that can be calibrated ({given})")
    shipped = registry.names("metrics")
    files = {name: name if name in shipped else modules[name].__file__ for name in tests}
    measured = samples_of.measure(tests, files, material, plan, processes)
    reason = "its p is undefined: the value does not depend on the list that a word is in"
    skipped += [(name, test, reason) for name, test in samples_of.drop_undefined(measured)]
    parts = [
        tables.tabulate(name, modules[name], material, {kind: found[name] for kind, found in measured.items()}, plan)
        for name in tests
    ]
    joined = {key: pd.concat([part[key] for part in parts], ignore_index=True) for key in parts[0]}
    stereotype, skew = material.effects()
    about = {
        "source": read.name, "test": question.name, "title": question.title, "dimensions": read.n_dimensions,
        "words": {one.name: len(one.words) for one in used.lists}, "random_words": len(read.pool),
        "effects": {"difference": stereotype, "skew": skew}, "version": version("biassay"),
    }  # fmt: skip
    settings = {"samples": plan.samples, "null_samples": plan.null_samples, "permutations": plan.permutations,
                "seed": plan.seed, "doses": plan.doses[1:].tolist()}  # fmt: skip
    skipped = pd.DataFrame(skipped, columns=["metric", "test", "reason"])
    return Calibration(**joined, skipped=skipped, about=about, settings=settings)


def check_doses(doses: Sequence[float], max_dose: float = MAX_DOSE) -> np.ndarray:
    """Return the doses with 0 first; raise ValueError unless they ascend, above 0 and up to max_dose."""
    given = np.asarray(doses)
    is_right = given.ndim == 1 and given.size and given.dtype.kind in "fiu"
    if not is_right or not (given > 0).all() or not (given <= max_dose).all() or (np.diff(given) <= 0).any():
        raise ValueError(f"doses: expected ascending numbers above 0 and up to {max_dose:g}, got {doses!r:.80}")
    return np.append(0.0, given)


def list_for_audit(
    pairs: Iterable[tuple[source_vectors.UsedWords, source_vectors.SourceVectors]], modules: dict[str, ModuleType],
    seed: int, processes: int,
) -> tuple[list[pd.DataFrame], list[list[str]]]:  # fmt: skip
    """Calibrate the tests of an audit with the defaults: tables of its column names, and tests with why they are not.

    A test of two groups and two lists of targets can be calibrated.
    """
    plan, found, skipped = Plan(check_doses(DOSES), 40, 100, 99, seed), [], []
    for used, source in pairs:
        test = used.question.name
        try:
            find_test(used.question)
            part = calibrate_words(used, source, modules, plan, processes).by_form()
            found.append(part.assign(source=source.name, test=test))
        except ValueError as error:
            skipped.append([source.name, test, "calibration", str(error)])
    return found, skipped


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
    material = Material(groups, targets, pool, used.question.paired, used.question.scored)
    for name, rows in zip([*used.groups, *used.targets], [*groups, *targets], strict=True):
        if (rows == rows[0]).all():
            raise ValueError(f"{source.path}: all words of {name} have the same vector")
    means = [unit(rows).mean(axis=0) for rows in groups]
    if np.linalg.norm(means[0] - means[1]) < MIN_SPREAD:
        raise ValueError(f"{source.path}: the groups have the same mean vector, so they have no direction")
    if material.spread(material.direction[None])[0] < MIN_SPREAD:
        raise ValueError(f"{source.path}: random words do not differ along the difference of the groups")
    return material
