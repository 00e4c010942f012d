"""Plan the models of the SAME study: occupations, planted bias and the groups drawn for training sentences."""

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.language_models import templates
from biassay.language_models.planted import distributions


def main(
    forms: str, words: dict, occupations: str, study: dict, seed: int,
    plan: str, chosen: str, groups: str, training: str,
) -> None:  # fmt: skip
    n_templates = len(templates.read(forms, words)["training"])
    all_occupations, stereotypes = templates.occupations(occupations)
    names = distributions.choose_occupations(all_occupations, stereotypes, study["n_occupations"], seed=seed)
    models = distributions.normal_grid(study["means"], study["spreads"], study["repeats"], seed=seed)
    models["chunk"] = models["model"] // study["chunk"]
    drawn, biases = [], []
    for model in models.itertuples():
        p = distributions.normal_probabilities(len(names), model.mean, model.spread, seed=seed)
        drawn.append(distributions.draw_pronouns(p, n_templates, study["held_out"], seed=model.seed))
        shares = distributions.male_shares(drawn[-1])
        biases.append(pd.DataFrame({"model": model.model, "occupation": names, "planted": p, "training": shares}))
    models.to_csv(plan, index=False)
    ratings = [stereotypes.get(word, "") for word in names]
    pd.DataFrame({"word": names, "stereotype": ratings}).to_csv(chosen, index=False)
    np.save(groups, np.stack(drawn))
    pd.concat(biases).to_csv(training, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(
        main, snakemake, forms=snakemake.input.templates, words=snakemake.params.groups,
        chosen=snakemake.output.occupations, groups=snakemake.output.groups,
    )  # fmt: skip
