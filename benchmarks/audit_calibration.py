"""False positives and power of audits: shares of audits with any `found`, where lists of targets are random words.

python benchmarks/audit_calibration.py SOURCE … [--tests gender] [--shares 0 0.5 1] [--audits 200] [--words 20]

Each audit has the groups of the tests. Its lists of targets, of the tests' sizes but at most --words, have a share of
the tests' words; the others are random words of the source. With a share of 0 no list has an association beyond that of
random words, so any `found` is a false positive. Prints, for each source and share, the share of audits with any metric
`found` and its 95 % interval (Wilson), and for each metric the shares of tests found and of p of 0.05 or less.
"""

import argparse
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from functools import partial

import numpy as np
import pandas as pd
from threadpoolctl import threadpool_limits

from biassay.auditing import entry, questions, source_vectors, trust
from biassay.auditing.findings import ASSOCIATION, FOUND, LEVEL
from biassay.auditing.questions import Question
from biassay.auditing.scoring import Settings
from biassay.auditing.source_vectors import SourceVectors
from biassay.statistics.intervals import wilson_interval

THINNED = source_vectors.DENSITY  # of random words, as in an audit


def read(path: str, tests: list[Question]) -> SourceVectors:
    """Read the words of the tests and all others."""
    source_vectors.DENSITY = 1e12
    words = list(dict.fromkeys(word for test in tests for word in test.words))
    return source_vectors.read(path, words, name=path, seed=1)


def replace_targets(test: Question, source: SourceVectors, share: float, n_words: int, random) -> Question:
    """Replace the lists of targets by a share of their words and random words."""
    lists, others = {}, iter(random.permutation(source.pool).tolist())
    for name, words in test.targets.items():
        known = [word for word in words if word in source.rows]
        size = min(n_words, len(known))
        kept = random.permutation(known)[: round(share * size)].tolist()
        lists[name] = kept + [next(others) for _ in range(size - len(kept))]
    return replace(test, targets=lists)


def thin(words: list[str], source: SourceVectors, random: np.random.Generator) -> list[str]:
    """Draw random words as an audit does, in which rare words are fewer."""
    if source.ranks is None:
        return words
    return [word for word in words if random.random() < THINNED / source.ranks[word]]


def audit(
    number: int, source: SourceVectors, tests: list[Question], metrics: list[str] | None, share: float, n_words: int
) -> pd.DataFrame:
    """Audit the tests with replaced targets; return the table of metrics."""
    random = np.random.default_rng([number, round(1000 * share)])
    tests = [replace_targets(test, source, share, n_words, random) for test in tests]
    used = {word for test in tests for word in test.words}
    pool = thin([word for word in source.pool if word not in used], source, random)
    modules = entry.load_metrics(metrics, ())
    settings = Settings(resamples=20, shuffles=2, seed=number)
    plan = entry.Plan(tests, False, [], modules, trust.judge_metrics(modules, None), "same", settings, {}, 1)
    with threadpool_limits(1):
        bare = source.bare and replace(source.bare, pool=pool, variants={})
        used_source = replace(source, pool=pool, bare=bare, variants={})  # random words have no variants
        result = entry._audit_source(source.path, used_source, plan)
    return result.table.assign(audit=number)


def describe(is_found: pd.Series) -> str:
    """Format a share of audits and its 95 % interval."""
    low, high = wilson_interval(is_found.sum(), len(is_found))
    return f"{100 * is_found.mean():.1f} % [{100 * low:.1f}, {100 * high:.1f}]"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("sources", nargs="+")
    parser.add_argument("--tests", nargs="+", default=["gender"])
    parser.add_argument("--metrics", nargs="+")
    parser.add_argument("--shares", nargs="+", type=float, default=[0.0])
    parser.add_argument("--audits", type=int, default=200)
    parser.add_argument("--words", type=int, default=20)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    tests = questions.find(options.tests)
    for path in options.sources:
        source = read(path, tests)
        for share in options.shares:
            one = partial(
                audit, source=source, tests=tests, metrics=options.metrics, share=share, n_words=options.words
            )
            with ProcessPoolExecutor(options.processes) as processes:
                table = pd.concat(processes.map(one, range(options.audits)))
            table["is_found"] = (table["finding"] == FOUND) & (table["sides"] == ASSOCIATION)
            any_found = table.groupby("audit")["is_found"].any()
            print(
                f"\n{path}, {share:.0%} of the tests' words, {len(any_found)} audits: any found {describe(any_found)}"
            )
            metrics = table.groupby(["metric", "level", "sides"]).agg(
                found=("finding", lambda finding: (finding == FOUND).mean()),
                p=("p", lambda p: (p <= LEVEL).mean()),
                p_random=("p_random", lambda p: (p <= LEVEL).mean()),
                p_corrected=("p_corrected", lambda p: (p <= LEVEL).mean()),
                p_random_corrected=("p_random_corrected", lambda p: (p <= LEVEL).mean()),
            )
            print(metrics.round(3).to_string(), flush=True)


if __name__ == "__main__":
    main()
