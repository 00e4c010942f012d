"""Plan the models of the SAME study: occupations, the planted bias, and its share in the training sentences."""

import pandas as pd

from biassay.core import scripts
from biassay.language_models import templates
from biassay.language_models.planted import distributions, grids, material


def main(
    forms: str, occupations: str, settings: dict, study: dict, seed: int, plan: str, chosen: str, training: str
) -> None:
    selected, biases = material.read(forms, [occupations], settings, seed=seed), []
    models = grids.plan_normal(**study, seed=seed)
    for model in models.to_dict("records"):
        p, groups = selected.draw_groups(model, seed=seed)
        bias = {"occupation": selected.occupations, "planted": p, "training": distributions.male_shares(groups)}
        biases.append(pd.DataFrame({"model": model["model"]} | bias))
    models.to_csv(plan, index=False)
    _, stereotypes = templates.occupations(occupations)
    ratings = [stereotypes.get(word, "") for word in selected.occupations]
    pd.DataFrame({"word": selected.occupations, "stereotype": ratings}).to_csv(chosen, index=False)
    pd.concat(biases).to_csv(training, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake, forms=snakemake.input.templates, chosen=snakemake.output.occupations)
