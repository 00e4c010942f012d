"""Plan the models of the SAME study: occupations, planted bias and training sentences."""

import pandas as pd

from biassay.core import scripts
from biassay.language_models import distributions, templates


def main(
    forms: str, groups: dict, occupations: str, study: dict, seed: int,
    plan: str, chosen: str, sentences: str, training: str,
) -> None:  # fmt: skip
    n_templates = len(templates.read(forms, groups)["training"])
    words, stereotypes = templates.occupations(occupations)
    words = distributions.choose_occupations(words, stereotypes, study["n_occupations"], seed=seed)
    models = distributions.grid(study["means"], study["spreads"], study["repeats"], seed=seed)
    models["chunk"] = models["model"] // study["chunk"]
    sentence_tables, biases = [], []
    for model in models.itertuples():
        p = distributions.probabilities(len(words), model.mean, model.spread, seed=seed)
        sentence_tables.append(
            distributions.draw_sentences(p, n_templates, seed=model.seed, model=model.model, held_out=study["held_out"])
        )
        training_bias = distributions.training_bias(sentence_tables[-1], len(words))
        biases.append(
            pd.DataFrame({"model": model.model, "occupation": words, "planted": p, "training": training_bias})
        )
    models.to_csv(plan, index=False)
    ratings = [stereotypes.get(word, "") for word in words]
    pd.DataFrame({"word": words, "stereotype": ratings}).to_csv(chosen, index=False)
    pd.concat(sentence_tables, ignore_index=True).to_parquet(sentences)
    pd.concat(biases).to_csv(training, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake, forms=snakemake.input.templates, chosen=snakemake.output.occupations)
