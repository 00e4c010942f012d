"""Measure the reliability of the templates (Table 3 of intrinsic-2023), also for fewer sentences."""

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.studies.intrinsic import scores, tables, templates


def main(
    plan: str, models: str, bias: str, encoded: list[str], published: str, share: float, n_samples: int, seed: int,
    reliability_out: str, reliability_curve: str,
) -> None:  # fmt: skip
    study = tables.load_study(models, bias)
    chunks = tables.read_chunks(plan, study, len(encoded))
    whole_rows, curve_rows = [], []
    for model in study.grid.index:
        for attribute in study.attributes:
            folder, groups = f"{encoded[chunks[model]]}/{model}", len(study.groups(attribute))
            p = scores.read_unmasking(folder, attribute, len(study.occupations), groups)
            n = round(share * p.shape[1])
            whole_rows.append((attribute, p.shape[1], n, *measure_reliability(p, n, n_samples, seed)))
            curve_rows += [
                (attribute, n, *measure_reliability(p, n, n_samples, seed)) for n in templates.sample_sizes(p.shape[1])
            ]
    keys, values = ["attribute", "n_sentences", "n_sampled"], ["instability", "disagreement"]
    summary = templates.summarise_over_models(pd.DataFrame(whole_rows, columns=keys + values), keys)
    curve_table = pd.DataFrame(curve_rows, columns=["attribute", "n", *values])
    curve = templates.summarise_over_models(curve_table, ["attribute", "n"])
    published_values = tables.read_published(published, "T3").set_index("attribute")["value"]
    summary = summary.merge(templates.find_min_sentences(curve), on="attribute", how="left")
    summary.assign(published=summary["attribute"].map(published_values)).to_csv(
        reliability_out, index=False, float_format="%.6g"
    )
    curve.to_csv(reliability_curve, index=False, float_format="%.6g")


def measure_reliability(p: np.ndarray, n: int, n_samples: int, seed: int) -> tuple[float, float]:
    """Compute instability and disagreement of samples of n sentences."""
    return templates.instability(p, n, n_samples, seed=seed), templates.disagreement(p, n, n_samples, seed=seed)


if __name__ == "__main__":
    scripts.run(
        main, snakemake, share=snakemake.params.reliability["share"], n_samples=snakemake.params.reliability["samples"]
    )
