"""Plan the models of the intrinsic study: probabilities of the groups of each occupation, and the groups drawn."""

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.language_models import group_distributions, planted_groups, template_selection


def main(
    forms: str,
    selection: dict,
    study: dict,
    detection: dict,
    chunk: int,
    seed: int,
    plan: str,
    groups: str,
    bias: str,
) -> None:
    chosen = template_selection.select(forms, **selection, seed=seed)
    grid = group_distributions.grid(study["min_p"], study["max_p"], study["repeats"], seed=seed)
    first = int(grid["distribution"].max()) + 1
    models = pd.concat(
        [grid, group_distributions.detection_grid(**detection, seed=seed, first=first)], ignore_index=True
    )
    models = models.astype({"distribution": int, "repeat": int, "seed": int}).rename_axis("model").reset_index()
    models["chunk"] = models["model"] // chunk
    columns = [name for _, name in planted_groups.attribute_columns(chosen.training)]
    sizes = {name: len(attribute.groups) for name, attribute in chosen.attributes.items()}
    group_arrays, tables = [], []
    for model in models.itertuples():
        p = group_distributions.probabilities(
            len(chosen.occupations), sizes, model.min_p, model.max_p, model.strength, seed=seed
        )
        group_arrays.append(group_distributions.draw_groups(p, columns, seed=model.seed))
        by_bias = {"planted": p, "data": group_distributions.group_frequencies(group_arrays[-1], columns, sizes)}
        for name, attribute in chosen.attributes.items():
            keys = pd.MultiIndex.from_product(
                [[model.model], [name], chosen.occupations, attribute.groups],
                names=["model", "attribute", "occupation", "group"],
            )
            values = {bias: p_by_attribute[name].ravel() for bias, p_by_attribute in by_bias.items()}
            tables.append(pd.DataFrame(values, keys).reset_index())
    models.to_csv(plan, index=False)
    np.save(groups, np.stack(group_arrays))
    pd.concat(tables).to_csv(bias, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake, forms=snakemake.input.templates)
