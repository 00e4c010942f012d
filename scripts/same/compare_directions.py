"""Compare bias directions in each model of the SAME study: of means, by PCA, by kind of pronoun."""

from itertools import combinations

import numpy as np
import pandas as pd

from biassay.language_models import templates
from biassay.numerics import directions
from biassay.studies.same import scores, tables
from biassay.support import logs


def main(plan: str, occupations: str, forms: str, groups: dict, encoded: list[str], pooling: str, out: str) -> None:
    stereotypes = tables.occupations(occupations)["stereotype"].tolist()
    chosen = templates.read(forms, groups)["test"]
    kinds = np.tile([template.kind for template in chosen], len(chosen[0].forms[0]))
    rows = []
    models = tables.plan(plan, chunks=len(encoded))
    for model, chunk in zip(models["model"], models["chunk"], strict=True):
        embedded = scores.read(f"{encoded[chunk]}/{model}", pooling, stereotypes)
        for (first, left), (second, right) in combinations(found(embedded.groups, kinds).items(), 2):
            cosine = float(np.clip(left @ right, -1, 1))
            rows.append((model, first, second, cosine, np.degrees(np.arccos(cosine))))
    table = pd.DataFrame(rows, columns=["model", "first", "second", "cosine", "angle"])
    table.to_csv(out, index=False, float_format="%.6g")


def found(groups: list[np.ndarray], kinds: np.ndarray) -> dict[str, np.ndarray]:
    """Unit directions (d,) to the first of two groups (t, d): `mean` (SAME's), `principal` (Direct Bias's), and the
    means of sentences with each kind of pronoun alone; those that do not exist are left out."""
    parts = {"mean": groups}
    parts |= {str(kind): [group[kinds == kind] for group in groups] for kind in dict.fromkeys(kinds)}
    means = {name: directions.contrasts(part) for name, part in parts.items()}
    of_names = {name: contrasts[0, 1] for name, contrasts in means.items() if contrasts}
    component = directions.principal(groups, 1)
    return of_names | ({"principal": component[0]} if len(component) else {})


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        plan=snakemake.input.plan,
        occupations=snakemake.input.occupations,
        forms=snakemake.input.templates,
        groups=snakemake.params.groups,
        encoded=list(snakemake.input.encoded),
        pooling=snakemake.params.pooling,
        out=snakemake.output[0],
    )
