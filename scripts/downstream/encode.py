"""Embed texts, titles, terms and pairs with a language model, or with all copies of it that bias is planted in."""

from pathlib import Path

import pandas as pd

from biassay.language_models import loading
from biassay.language_models.stacked.files import load_into
from biassay.studies.downstream import encoding, tables
from biassay.studies.downstream.texts import Texts
from biassay.support import logs
from biassay.words import defining_sets


def main(
    name: str, base: str, trained: str | None, words: str, texts: dict[str, str], pairs: dict[str, str], out: str
) -> None:
    model = loading.load_encoder(base)
    terms = defining_sets.read(words)
    of_texts = {key: Texts.open(folder) for key, folder in texts.items()}
    of_pairs = {key: tables.pairs(path) for key, path in pairs.items()}
    used = {found.attribute for found in of_texts.values()}
    used |= {attribute for table in of_pairs.values() for attribute in table["attribute"]}
    terms = {attribute: groups for attribute, groups in terms.items() if attribute in used}
    if trained is None:
        models = pd.DataFrame({"name": [name]})
        encoding.encode(model, terms, of_texts, of_pairs, Path(out) / name)
    else:
        models = tables.plan(Path(trained) / "models.csv", ["model", "strength"])
        models.insert(0, "name", [f"{name}_{number}" for number in models["model"]])
        for row in models.itertuples():
            load_into(model.model, trained, row.model)
            encoding.encode(model, terms, of_texts, of_pairs, Path(out) / row.name)
    models.assign(unit=name, kind=model.kind).to_csv(Path(out) / "models.csv", index=False)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        name=snakemake.wildcards.model,
        base=snakemake.params.base,
        trained=next(iter(snakemake.input.trained), None),
        words=snakemake.input.words,
        texts=dict(zip(snakemake.params.texts, snakemake.input.texts, strict=True)),
        pairs=dict(zip(snakemake.params.pairs, snakemake.input.pairs, strict=True)),
        out=snakemake.output[0],
    )
