"""Fine-tune a chunk of the intrinsic study's models, anew while they have not learned enough; goes on after a break."""

import logging
import shutil
from pathlib import Path

from biassay.language_models import group_distributions, loading, planted_groups, retraining, template_selection
from biassay.language_models.stacked.files import load_into
from biassay.studies.intrinsic import biases, tables
from biassay.support import arrays, logs


def main(
    base: str, forms: str, material_of: dict, plan: str, groups: str, bias: str, chunk: int, training: dict,
    min_r: float, attempts: int, seed: int, working: str, out: str,
) -> None:  # fmt: skip
    models = tables.plan(plan, chunk=chunk)
    chosen = template_selection.select(forms, **material_of, seed=seed)
    model = loading.load(base, kind="masked")
    drawn = arrays.open_array(groups, "i", (None, len(chosen.occupations), None))
    data = planted_groups.training_sentences(
        model.tokenizer, chosen.training, chosen.occupations, [drawn[number] for number in models["model"]]
    )
    logging.info("%d models, %d sentences each", len(data), len(data[0]))
    numbers = models["model"].tolist()
    known = tables.planned(bias, range(len(drawn)))
    asked = {name: planted_groups.queries(model.tokenizer, chosen.test, name, attribute, chosen.occupations)
             for name, attribute in chosen.attributes.items()}  # fmt: skip

    def learned(folder: Path, row: int, i: int) -> dict[str, float]:
        load_into(model.model, folder, row)
        found = {}
        for name, questions in asked.items():
            shape = len(chosen.occupations), len(chosen.attributes[name].groups)
            found[name] = planted_groups.probabilities(questions.run(model.model), *shape).mean(axis=1)
        of_model = known[known["model"] == numbers[i]]
        data_of = {name: biases.probabilities(of_model, name, "data").to_numpy() for name in asked}
        return biases.correlations(data_of, found)

    wanted = [min_r if purpose == group_distributions.GRID else -1.0 for purpose in models["purpose"]]
    table = retraining.train(base, data, seeds=models["seed"].tolist(), learned=learned, wanted=wanted,
                             attempts=attempts, folder=working, **training)  # fmt: skip
    table["model"] = [numbers[i] for i in table["model"]]
    # Not in the output's folder: Snakemake removes what a killed job has left there, and with it the checkpoint.
    Path(out).mkdir(parents=True, exist_ok=True)
    for attempt in table["attempt"].unique():
        shutil.move(Path(working) / str(attempt), Path(out) / str(attempt))
    table.to_csv(Path(out) / "attempts.csv", index=False)
    shutil.rmtree(working)


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        base=snakemake.params.base,
        forms=snakemake.input.templates,
        material_of=snakemake.params.material,
        plan=snakemake.input.plan,
        groups=snakemake.input.groups,
        bias=snakemake.input.bias,
        chunk=int(snakemake.wildcards.chunk),
        training=snakemake.params.training,
        min_r=snakemake.params.min_r,
        attempts=snakemake.params.attempts,
        seed=snakemake.params.seed,
        working=snakemake.params.working,
        out=snakemake.output[0],
    )
