"""Plan the models of the downstream study: which bias is planted how strongly, and what that is at full strength."""

import pandas as pd

from biassay.studies.downstream import planted
from biassay.support import logs


def main(settings: dict, seed: int, plan: str, ground_truth: str) -> None:
    chosen = planted.material_of(settings, seed=seed)
    planted.models(settings, seed=seed).to_csv(plan, index=False)
    full = planted.probabilities(chosen, settings, 1.0, seed=seed)
    rows = [
        (name, occupation, group, p)
        for name, of_attribute in full.items()
        for occupation, of_groups in zip(chosen.occupations, of_attribute, strict=True)
        for group, p in zip(chosen.attributes[name].groups, of_groups, strict=True)
    ]
    columns = ["attribute", "occupation", "group", "probability"]
    pd.DataFrame(rows, columns=columns).to_csv(ground_truth, index=False, float_format="%.9g")


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        settings=snakemake.params.settings,
        seed=snakemake.params.seed,
        plan=snakemake.output.plan,
        ground_truth=snakemake.output.ground_truth,
    )
