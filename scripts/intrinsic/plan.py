"""Plan the models of the intrinsic study: probabilities of the groups of each occupation, planted and in the data."""

import pandas as pd

from biassay.core import scripts
from biassay.language_models.planted import distributions, grids, material


def main(templates: str, settings: dict, study: dict, seed: int, plan: str, bias: str) -> None:
    chosen, tables = material.select(templates, **settings, seed=seed), []
    models = grids.plan_several(**study, seed=seed)
    for model in models.to_dict("records"):
        p, groups = chosen.draw_groups(model, seed=seed)
        frequencies = distributions.group_frequencies(groups, chosen.columns, chosen.sizes)
        for name, attribute in chosen.attributes.items():
            keys = [[model["model"]], [name], chosen.occupations, attribute.groups]
            rows = pd.MultiIndex.from_product(keys, names=["model", "attribute", "occupation", "group"])
            values = {"planted": p[name].ravel(), "data": frequencies[name].ravel()}
            tables.append(pd.DataFrame(values, rows).reset_index())
    models.to_csv(plan, index=False)
    pd.concat(tables).to_csv(bias, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake)
