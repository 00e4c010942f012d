"""Embed texts, titles, group words and pairs with a language model, or with all copies with planted bias."""

from pathlib import Path

import pandas as pd

from biassay.core import scripts
from biassay.language_models import loading
from biassay.language_models.stacked.files import load_into
from biassay.studies.downstream import encoding, tables
from biassay.studies.downstream.texts import Texts
from biassay.words import defining_sets


def main(
    name: str, base: str, trained: str | None, words: str, texts: dict[str, str], pairs: dict[str, str], out: str
) -> None:
    model = loading.load_encoder(base)
    group_words = defining_sets.read(words)
    text_sets = {key: Texts.open(folder) for key, folder in texts.items()}
    pair_sets = {key: tables.read_pairs(path) for key, path in pairs.items()}
    attributes = {text_set.attribute for text_set in text_sets.values()}
    attributes |= {attribute for table in pair_sets.values() for attribute in table["attribute"]}
    group_words = {attribute: groups for attribute, groups in group_words.items() if attribute in attributes}
    if trained is None:
        models = pd.DataFrame({"name": [name]})
        encoding.encode(model, group_words, text_sets, pair_sets, Path(out) / name)
    else:
        models = tables.read_plan(Path(trained) / "models.csv", ["model", "strength"])
        models.insert(0, "name", [f"{name}_{number}" for number in models["model"]])
        for row in models.itertuples():
            load_into(model.model, trained, row.model)
            encoding.encode(model, group_words, text_sets, pair_sets, Path(out) / row.name)
    models.assign(job=name, kind=model.kind).to_csv(Path(out) / "models.csv", index=False)


if __name__ == "__main__":
    scripts.run(main, snakemake, name=snakemake.wildcards.model, trained=next(iter(snakemake.input.trained), None))
