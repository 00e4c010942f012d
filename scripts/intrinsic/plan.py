"""Plan the models of the intrinsic study: probabilities of the groups of each occupation, and the groups drawn."""

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.language_models.planted import distributions, material


def main(
    templates: str, settings: dict, study: dict, detection: dict, chunk: int, seed: int, plan: str, groups: str,
    bias: str,
) -> None:  # fmt: skip
    chosen = material.select(templates, **settings, seed=seed)
    grid = distributions.grid(study["min_p"], study["max_p"], study["repeats"], seed=seed)
    first = int(grid["distribution"].max()) + 1
    models = pd.concat([grid, distributions.detection_grid(**detection, seed=seed, first=first)], ignore_index=True)
    models = models.astype({"distribution": int, "repeat": int, "seed": int}).rename_axis("model").reset_index()
    models["chunk"] = models["model"] // chunk
    group_arrays, tables, n = [], [], len(chosen.occupations)
    for model in models.itertuples():
        p = distributions.probabilities(n, chosen.sizes, model.min_p, model.max_p, model.strength, seed=seed)
        group_arrays.append(distributions.draw_groups(p, chosen.columns, seed=model.seed))
        frequencies = distributions.group_frequencies(group_arrays[-1], chosen.columns, chosen.sizes)
        for name, attribute in chosen.attributes.items():
            keys = [[model.model], [name], chosen.occupations, attribute.groups]
            rows = pd.MultiIndex.from_product(keys, names=["model", "attribute", "occupation", "group"])
            values = {"planted": p[name].ravel(), "data": frequencies[name].ravel()}
            tables.append(pd.DataFrame(values, rows).reset_index())
    models.to_csv(plan, index=False)
    np.save(groups, np.stack(group_arrays))
    pd.concat(tables).to_csv(bias, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake)
