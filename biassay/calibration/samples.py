"""Samples without association and with doses: metrics' values and p-values, in blocks that processes share."""

from dataclasses import dataclass
from types import ModuleType

import joblib
import numpy as np
from threadpoolctl import threadpool_limits

from biassay.calibration.doses import FORMS, NULLS, Material, draw_random_words, draw_shift
from biassay.calibration.power import LEVEL
from biassay.core.logs import Progress
from biassay.measurement import evaluation
from biassay.measurement import metric as metric_modules
from biassay.statistics.seeds import seed_of
from biassay.studies.silhouette import values
from biassay.studies.silhouette.reassignment import FORMS as TESTS
from biassay.studies.silhouette.reassignment import compute_p_values, find_obstacle

BLOCK = 50  # samples that are drawn and measured at once
RANDOM_SETS = 499  # sets of random words
REFERENCE = "reference"  # the kind of these sets
BASE = "association replaced"  # the samples that doses are added to
# The tests whose null hypothesis holds for these samples; random words are compared with the source's own groups.
HOLDING = {"targets reassigned": ("targets",), "groups reassigned": ("groups",), "pairs exchanged": ("groups",)}
VALUE = "value"
Measured = dict[str, dict[str, np.ndarray]]  # by metric, the values and the p-values of each test, (samples, doses)


@dataclass(frozen=True)
class Plan:
    """Doses, with 0 first; numbers of samples with a dose and without, and of permutations; the seed."""

    doses: np.ndarray
    samples: int
    null_samples: int
    permutations: int
    seed: int

    def doses_of(self, kind: str) -> np.ndarray:
        """Return the doses that samples of a kind get; those without a dose are shared by all forms but skew."""
        return self.doses[:1] if kind not in FORMS else self.doses[0 if FORMS[kind].is_skew else 1 :]

    def random(self, kind: str, sample: int) -> np.random.Generator:
        """Return the random numbers of a sample."""
        return np.random.default_rng(seed_of(self.seed, 4, [*NULLS, *FORMS, REFERENCE].index(kind), sample))


@dataclass(frozen=True)
class Block:
    """Samples of a kind: samples without association, a form of dose, or sets of random words."""

    kind: str
    numbers: range

    def draw(self, material: Material, plan: Plan) -> list[Material]:
        """Draw the samples: all doses of the first one, then those of the next one."""
        if draw := (NULLS | {REFERENCE: draw_random_words}).get(self.kind):
            return [draw(material, plan.random(self.kind, number)) for number in self.numbers]
        samples = []
        for number in self.numbers:
            base = NULLS[BASE](material, plan.random(BASE, number))
            shift = draw_shift(base, FORMS[self.kind], plan.random(self.kind, number))
            samples += [shift.give(dose) for dose in plan.doses_of(self.kind)]
        return samples


def list_blocks(material: Material, plan: Plan) -> list[Block]:
    """List the blocks of all samples, the longest first."""
    nulls = [null for null in NULLS if material.paired or null != "pairs exchanged"]
    sizes = dict.fromkeys(FORMS, plan.samples) | dict.fromkeys(nulls, plan.null_samples)
    sizes |= {BASE: max(plan.samples, plan.null_samples), REFERENCE: RANDOM_SETS}
    return [
        Block(kind, range(start, min(start + BLOCK, n))) for kind, n in sizes.items() for start in range(0, n, BLOCK)
    ]


def measure(tests: dict[str, list[str]], files: dict[str, str], material: Material, plan: Plan, processes: int) -> dict:
    """Measure and test all samples: for each kind, by metric, what `measure_block` returns, of all its blocks.

    tests: those that each metric has. files: its name or path.
    """
    blocks = list_blocks(material, plan)
    work = joblib.Parallel(n_jobs=min(processes, len(blocks)), return_as="generator")
    done = work(joblib.delayed(measure_block)(block, tests, files, material, plan) for block in blocks)
    progress, parts = Progress("calibrating", sum(len(block.numbers) for block in blocks), "samples"), {}
    for block, part in zip(blocks, done, strict=True):
        parts.setdefault(block.kind, []).append(part)
        progress.add(len(block.numbers))
    return {kind: _concatenate(found) for kind, found in parts.items()}


def drop_undefined(measured: dict[str, dict]) -> list[tuple[str, str]]:
    """Drop tests whose p is undefined in all samples without a dose; return the metrics and tests."""
    base = measured[BASE].items()
    undefined = [(name, test) for name, found in base for test in TESTS if np.isnan(found.get(test, 0.0)).all()]
    for name, test in undefined:
        for found in measured.values():
            found[name].pop(test, None)
    return undefined


def measure_block(
    block: Block, tests: dict[str, list[str]], files: dict[str, str], material: Material, plan: Plan
) -> Measured:
    """Measure the samples of a block with each metric, and run those of its tests whose null hypothesis can hold."""
    found: Measured = {}
    with threadpool_limits(1):
        samples = block.draw(material, plan)
        shape = (len(block.numbers), len(plan.doses_of(block.kind)))
        for name, all_tests in tests.items():
            module = metric_modules.load(files[name])
            used = [] if block.kind == REFERENCE else [t for t in all_tests if t in HOLDING.get(block.kind, TESTS)]
            found[name] = {test: run_test(name, module, test, samples, plan).reshape(shape) for test in used}
            if block.kind not in HOLDING:
                found[name][VALUE] = np.reshape([measure_sample(module, sample) for sample in samples], shape)
    return found


def measure_sample(module: ModuleType, sample: Material) -> float:
    """Compute the metric's value of a sample."""
    lists = [sample.groups, sample.targets]
    if reassigned_side(module, sample) == "targets":
        lists.reverse()
    inputs = values.assign_inputs(module.METRIC, *lists, "groups", paired=sample.paired)
    return float(evaluation.evaluate_level(module, "set", inputs.scored, inputs.references, inputs.labels))


def reassigned_side(module: ModuleType, material: Material) -> str:
    """Return the side whose words an audit reassigns: X and Y of WEAT and gWEAT, and the groups of other metrics."""
    return material.scored if module.METRIC.scored == "groups" else "groups"


def run_test(name: str, module: ModuleType, test: str, samples: list[Material], plan: Plan) -> np.ndarray:
    """Compute the p-values (n,) of a test of a metric for samples; those above LEVEL are rough."""
    lists = [[sample.groups, sample.targets] for sample in samples]
    b_0 = module.METRIC.range("set", 2).b_0
    return compute_p_values(name, module, test, lists, b_0, plan.permutations, seed_of(plan.seed, 3), {}, LEVEL)[0]


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


def _concatenate(parts: list[Measured]) -> Measured:
    """Join what blocks of one kind returned."""
    return {
        name: {key: np.concatenate([part[name][key] for part in parts]) for key in keys}
        for name, keys in parts[0].items()
    }
