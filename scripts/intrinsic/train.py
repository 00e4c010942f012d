"""Fine-tune a chunk of the intrinsic study's models until they learned their bias; resumes after an interruption."""

import logging
import shutil
from pathlib import Path

import numpy as np

from biassay.core import arrays, scripts
from biassay.language_models import group_distributions, loading, planted_groups, retraining, template_selection
from biassay.language_models.stacked.files import load_into
from biassay.statistics.correlation import pearson
from biassay.studies.intrinsic import tables


def main(
    base: str, forms: str, selection: dict, plan: str, groups: str, bias: str, chunk: int, training: dict,
    min_r: float, attempts: int, seed: int, working: str, out: str,
) -> None:  # fmt: skip
    models = tables.read_plan(plan, chunk=chunk)
    chosen = template_selection.select(forms, **selection, seed=seed)
    model = loading.load(base, kind="masked")
    group_array = arrays.open_array(groups, "i", (None, len(chosen.occupations), None))
    sentences = planted_groups.training_sentences(
        model.tokenizer, chosen.training, chosen.occupations, [group_array[number] for number in models["model"]]
    )
    logging.info("%d models, %d sentences each", len(sentences), len(sentences[0]))
    numbers = models["model"].tolist()
    probabilities = tables.read_probabilities(bias, range(len(group_array)))
    queries = {name: planted_groups.queries(model.tokenizer, chosen.test, name, attribute, chosen.occupations)
             for name, attribute in chosen.attributes.items()}  # fmt: skip

    def evaluate(folder: Path, row: int, i: int) -> dict[str, float]:
        load_into(model.model, folder, row)
        unmasking = {}
        for name, query in queries.items():
            shape = len(chosen.occupations), len(chosen.attributes[name].groups)
            unmasking[name] = planted_groups.probabilities(query.run(model.model), *shape).mean(axis=1)
        of_model = probabilities[probabilities["model"] == numbers[i]]
        data = {name: tables.select_probabilities(of_model, name, "data").to_numpy() for name in queries}
        pairs = {f"r_{name}": (data[name].ravel(), unmasking[name].ravel()) for name in queries}
        all_groups = tuple(np.concatenate(side) for side in zip(*pairs.values(), strict=True))
        return {name: float(pearson(*sides)[0]) for name, sides in {"r": all_groups, **pairs}.items()}

    required = [min_r if purpose == group_distributions.GRID else -1.0 for purpose in models["purpose"]]
    table = retraining.train(base, sentences, seeds=models["seed"].tolist(), evaluate=evaluate, min_r=required,
                             attempts=attempts, folder=working, **training)  # fmt: skip
    table["model"] = [numbers[i] for i in table["model"]]
    # Snakemake deletes the output folder of a killed job, so the checkpoint is in a folder of its own.
    Path(out).mkdir(parents=True, exist_ok=True)
    for attempt in table["attempt"].unique():
        shutil.move(Path(working) / str(attempt), Path(out) / str(attempt))
    table.to_csv(Path(out) / "attempts.csv", index=False)
    shutil.rmtree(working)


if __name__ == "__main__":
    scripts.run(main, snakemake, forms=snakemake.input.templates)
