"""Search metrics for counterexamples to the properties that a bias score should have."""

import json
import logging
from dataclasses import asdict

from biassay.core import scripts
from biassay.measurement import metric as registered
from biassay.studies.properties import verdicts


def main(metrics: dict[str, str], n_starts: int, seed: int, out: list[str]) -> None:
    for (name, metric), path in zip(metrics.items(), out, strict=True):
        results = verdicts.check_metric(registered.load(metric), n_starts=n_starts, seed=seed)
        for verdict in results:
            place = f"{name}, {verdict.level} level, {verdict.n_groups} groups, {verdict.property}"
            logging.info("%s: %s (%s)", place, verdict.verdict, verdict.reason)
        with open(path, "w", encoding="utf-8") as file:
            json.dump([asdict(verdict) for verdict in results], file, indent=1)


if __name__ == "__main__":
    scripts.run(main, snakemake)
