"""Measure the group factors of occupations, normalised over all words, before and after hard debiasing."""

import pandas as pd

from biassay.core import scripts
from biassay.studies.first_order import diagnosis
from biassay.studies.first_order.diagnosis import Scale
from biassay.words import resources


def main(
    corpus: str, folder: str, main_list: str, word_lists: list[str], occupations: str, out: str, bands: str
) -> None:
    embedding, groups = diagnosis.open_embedding(folder, main_list)
    table = diagnosis.select_occupations(occupations, embedding, word_lists)
    words, names = table["word"].tolist(), list(groups)
    indices = [embedding.index[word] for word in words]
    before = diagnosis.measure_factors(embedding, embedding.vectors, embedding.norms, groups)
    after = diagnosis.debias_words(
        embedding, words, resources.read_groups(main_list), table.loc[~table["neutral"], "word"].tolist()
    )
    after = diagnosis.measure_factors(embedding, after, diagnosis.measure_lengths(embedding, after), groups)
    tables, summaries = [], []
    for method, values in before.items():
        scale = Scale.from_factors(values)
        for state, factors in (("original", values[indices]), ("debiased", after[method])):
            rows = table.assign(method=method, state=state)
            rows[[f"factor_{name}" for name in names]] = scale.normalise(factors)
            rows["bias"] = rows[f"factor_{names[0]}"] - rows[f"factor_{names[1]}"]
            rows["side"] = scale.classify_sides(rows["bias"].to_numpy(), names)
            tables.append(rows)
            summaries.append(summarise(rows[rows["neutral"]], scale, names) | {"method": method, "state": state})
    pd.concat(tables).assign(corpus=corpus).to_csv(out, index=False, float_format="%.6g")
    frame = pd.DataFrame(summaries).assign(corpus=corpus)
    first = ["corpus", "method", "state"]
    frame[first + [name for name in frame if name not in first]].to_csv(bands, index=False, float_format="%.6g")


def summarise(rows: pd.DataFrame, scale: Scale, names: list[str]) -> dict:
    """Summarise a method: its scale and band, and the bias of gender-neutral occupations."""
    counts = rows["side"].value_counts()
    return {
        "min_factor": scale.low,
        "max_factor": scale.high,
        "band": scale.band,
        "n_neutral_occupations": len(rows),
        "mean_absolute_bias": rows["bias"].abs().mean(),
        "mean_bias": rows["bias"].mean(),
    } | {f"n_{side}": int(counts.get(side, 0)) for side in (*names, diagnosis.UNBIASED)}


if __name__ == "__main__":
    scripts.run(main, snakemake, folder=snakemake.input.embedding, out=snakemake.output.factors)
