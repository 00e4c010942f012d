"""Measure the angles between each model's bias directions, and effect sizes of four occupations (Figure 2)."""

from itertools import combinations

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.language_models import templates
from biassay.studies.same import directions, effect_size, tables


def main(
    models: str, bias: str, plan: str, occupations: str, forms: str, groups: dict, encoded: list[str], pooling: str,
    angles_out: str, effect_size_out: str,
) -> None:  # fmt: skip
    folders, chosen = tables.model_folders(plan, encoded), tables.read_occupations(occupations)
    stereotypes = chosen["stereotype"].tolist()
    test_templates = templates.read(forms, groups)["test"]
    kinds = np.tile([template.kind for template in test_templates], len(test_templates[0].forms[0]))
    rows = []
    for model, folder in folders.items():
        embedded = tables.read_embeddings(folder, pooling, stereotypes)
        by_name = directions.bias_directions(embedded.groups, kinds)
        for (first, left), (second, right) in combinations(by_name.items(), 2):
            cosine = float(np.clip(left @ right, -1, 1))
            rows.append((model, first, second, cosine, np.degrees(np.arccos(cosine))))
    table = pd.DataFrame(rows, columns=["model", "first", "second", "cosine", "angle"])
    table.to_csv(angles_out, index=False, float_format="%.6g")

    model = effect_size.select_model(tables.load_grid(models, bias))
    embedded = tables.read_embeddings(folders[model], pooling, stereotypes)
    steps = effect_size.demonstrate(chosen["word"].tolist(), embedded.targets.mean(axis=1), embedded.groups)
    steps.assign(model=model).to_csv(effect_size_out, index=False, float_format="%.6g")


if __name__ == "__main__":
    scripts.run(main, snakemake, forms=snakemake.input.templates)
