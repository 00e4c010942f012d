"""Plan the models with planted bias: their strengths, and the probability of each group at strength 1."""

import pandas as pd

from biassay.core import scripts
from biassay.studies.downstream import planted


def main(settings: dict, seed: int, plan: str, ground_truth: str) -> None:
    templates = planted.select_templates(settings, seed=seed)
    planted.plan_models(settings, seed=seed).to_csv(plan, index=False)
    rows = [
        (name, occupation, group, p)
        for name, by_occupation in planted.probabilities(templates, settings, seed=seed).items()
        for occupation, by_group in zip(templates.occupations, by_occupation, strict=True)
        for group, p in zip(templates.attributes[name].groups, by_group, strict=True)
    ]
    columns = ["attribute", "occupation", "group", "probability"]
    pd.DataFrame(rows, columns=columns).to_csv(ground_truth, index=False, float_format="%.9g")


if __name__ == "__main__":
    scripts.run(main, snakemake)
