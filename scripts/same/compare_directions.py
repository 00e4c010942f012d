"""Measure the angles between bias directions in each model of the SAME study: by means, PCA and kind of pronoun."""

from itertools import combinations

import numpy as np
import pandas as pd

from biassay.core import scripts
from biassay.language_models import templates
from biassay.statistics import directions
from biassay.studies.same import scores, tables


def main(plan: str, occupations: str, forms: str, groups: dict, encoded: list[str], pooling: str, out: str) -> None:
    stereotypes = tables.read_occupations(occupations)["stereotype"].tolist()
    test_templates = templates.read(forms, groups)["test"]
    kinds = np.tile([template.kind for template in test_templates], len(test_templates[0].forms[0]))
    rows = []
    models = tables.read_plan(plan, chunks=len(encoded))
    for model, chunk in zip(models["model"], models["chunk"], strict=True):
        embedded = scores.read_embeddings(f"{encoded[chunk]}/{model}", pooling, stereotypes)
        for (first, left), (second, right) in combinations(bias_directions(embedded.groups, kinds).items(), 2):
            cosine = float(np.clip(left @ right, -1, 1))
            rows.append((model, first, second, cosine, np.degrees(np.arccos(cosine))))
    table = pd.DataFrame(rows, columns=["model", "first", "second", "cosine", "angle"])
    table.to_csv(out, index=False, float_format="%.6g")


def bias_directions(groups: list[np.ndarray], kinds: np.ndarray) -> dict[str, np.ndarray]:
    """Compute unit directions (d,) towards the first of two groups (t, d).

    `mean` is SAME's direction, `principal` that of Direct Bias; the others use only the sentences with one kind of
    pronoun. Undefined directions are left out.
    """
    parts = {"mean": groups}
    parts |= {str(kind): [group[kinds == kind] for group in groups] for kind in dict.fromkeys(kinds)}
    means = {name: directions.contrasts(part) for name, part in parts.items()}
    by_name = {name: contrasts[0, 1] for name, contrasts in means.items() if contrasts}
    component = directions.principal_components(groups, 1)
    return by_name | ({"principal": component[0]} if len(component) else {})


if __name__ == "__main__":
    scripts.run(main, snakemake, forms=snakemake.input.templates)
