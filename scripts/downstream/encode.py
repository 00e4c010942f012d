"""Embed texts, titles, group words and pairs with a language model, or with all copies with planted bias."""

import logging
from pathlib import Path

import pandas as pd

from biassay.core import scripts
from biassay.language_models import loading
from biassay.language_models.stacked.files import load_into
from biassay.studies.downstream import encoding, tables
from biassay.studies.downstream.texts import Texts
from biassay.words import defining_sets


def main(
    model: str, base: str, trained: list[str], words: str, texts: dict[str, str], pairs: dict[str, str], out: str
) -> None:
    language_model = loading.load_encoder(base)
    if language_model.problem:
        logging.warning(
            "%s; its vectors are read without its head, and its pairs get no likelihoods", language_model.problem
        )
    text_sets = {key: Texts.open(folder) for key, folder in texts.items()}
    pair_sets = {key: tables.read_pairs(path) for key, path in pairs.items()}
    attributes = {text_set.attribute for text_set in text_sets.values()}
    attributes |= {attribute for table in pair_sets.values() for attribute in table["attribute"]}
    group_words = {name: groups for name, groups in defining_sets.read(words).items() if name in attributes}
    models = pd.DataFrame({"name": [model]})
    if trained:
        models = tables.read(Path(trained[0]) / "models.csv")
        models.insert(0, "name", [f"{model}_{number}" for number in models["model"]])
    for row in models.itertuples():
        if trained:
            load_into(language_model.model, trained[0], int(row.model))
        encoding.encode(language_model, group_words, text_sets, pair_sets, Path(out) / row.name)
    models.assign(job=model, kind=language_model.kind).to_csv(Path(out) / "models.csv", index=False)


if __name__ == "__main__":
    scripts.run(main, snakemake)
