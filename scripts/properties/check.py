"""Search a metric for counterexamples to the properties that a bias score should have."""

import json
import logging
from dataclasses import asdict

from biassay.core import scripts
from biassay.measurement import metric as metrics
from biassay.studies.properties import verdicts


def main(metric: str, n_starts: int, seed: int, out: str) -> None:
    results = verdicts.check_metric(metrics.load(metric), n_starts=n_starts, seed=seed)
    for verdict in results:
        place = f"{verdict.level} level, {verdict.n_groups} groups, {verdict.property}"
        logging.info("%s: %s (%s)", place, verdict.verdict, verdict.reason)
    with open(out, "w", encoding="utf-8") as file:
        json.dump([asdict(verdict) for verdict in results], file, indent=1)


if __name__ == "__main__":
    scripts.run(main, snakemake)
