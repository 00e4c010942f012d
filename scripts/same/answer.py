"""Answer the study's question in one page: does a metric see the bias that was trained in?"""

from html import escape

import numpy as np
import pandas as pd

from biassay.figures import curves
from biassay.studies.same import agreement, tables
from biassay.support import logs

PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Planted bias</title>
<style>body{{font-family:sans-serif;margin:2em;max-width:80em;line-height:1.4}} table{{border-collapse:collapse}}
td,th{{padding:.35em 1em .35em 0;text-align:left;border-bottom:1px solid #ddd;vertical-align:top}}
small{{color:#555;display:block}} .bar{{width:8em;height:.6em;background:#eee;margin-top:.25em}}
.bar div{{height:100%;background:#54278f}}</style></head><body>
<h1>Does a metric see the bias that was trained in?</h1><p>{gate}</p><p>{best}</p>
<table><tr><th>metric</th><th>R² with the bias trained on</th><th>R² with unmasking bias</th><th>seen in</th>
<th>difference between repeats</th><th>change on half of the occupations</th>
<th>sets: R² with mean, std, Σ|0.5 − p|</th>
</tr>{lines}</table>
<p>R² is the squared Pearson correlation of the scores of a model's occupations with the share of male pronouns that it
was trained on, and with those that it gives by unmasking; the mean over kept models, with the 95 % bootstrap interval,
for which distributions are drawn as wholes. Metrics without a sign are compared with |0.5 − p|. The bar is the share of
what unmasking itself reaches. Seen: models with p &lt; .05 (and the right sign, of metrics that have one). Repeats are
models trained on the same probabilities; smaller is better, as on half of the occupations, where the change is a share
of the metric's range. * of sets: p &lt; .05 after Holm's correction. Published figures are of BERT-base and 330 models:
something else than what was measured here.</p></body></html>
"""


def main(models: str, summary: str, sets: str, consistency: str, robustness: str, gate: float, out: str) -> None:
    summary, sets, consistency, robustness = map(pd.read_csv, (summary, sets, consistency, robustness))
    biases = ("training", agreement.UNMASKING)
    found = {bias: curves.select(summary, against=bias).set_index("metric") for bias in biases}
    found |= {"consistency": consistency.set_index("metric"), "robustness": robustness.set_index("metric")}
    found["sets"] = sets
    names = dict.fromkeys([*robustness["metric"], *sets["metric"], *summary["metric"]])
    lines = "".join(line(name, found) for name in names)
    page = PAGE.format(gate=kept(tables.read(models, tables.MODELS), gate), best=escape(best(summary)), lines=lines)
    with open(out, "w", encoding="utf-8") as file:
        file.write(page)


def kept(models: pd.DataFrame, gate: float) -> str:
    """How many models passed the gate."""
    passed = models["kept"].sum()
    return (
        f"{passed} of {len(models)} models have learned their bias (R² of unmasking and training bias at least "
        f"{curves.decimal(gate)}) and are kept, {len(models) - passed} failed. R² over all models: median "
        f"{curves.decimal(models['r2'].median())}, least {curves.decimal(models['r2'].min())}."
    )


def best(summary: pd.DataFrame) -> str:
    """Which metrics see most and least, in a sentence."""
    rows = summary[(summary["against"] == "training") & summary["r2_mean"].notna()].set_index("metric")["r2_mean"]
    if agreement.UNMASKING not in rows or len(rows) < 2:
        return "No metric has a score that could be compared."
    ceiling, others = rows[agreement.UNMASKING], rows.drop(agreement.UNMASKING)
    most, least = (others.index[(others - end).abs() < 0.005] for end in (others.max(), others.min()))
    text = [", ".join(curves.label(name) for name in names) for names in (most, least)]
    return (
        f"Most is seen by {text[0]} (mean R² {curves.decimal(others.max())}), least by {text[1]} "
        f"({curves.decimal(others.min())}); unmasking itself reaches {curves.decimal(ceiling)}."
    )


def line(metric: str, found: dict[str, pd.DataFrame]) -> str:
    """A row of the table."""
    cells = [f"<b>{escape(curves.label(metric))}</b>"]
    ceiling = found["training"]["r2_mean"].get(agreement.UNMASKING, np.nan)
    for against in ("training", agreement.UNMASKING):
        cells.append(words(found[against], metric, ceiling if against == "training" else np.nan))
    cells.append(seen(found["training"], metric))
    cells += [value(found["consistency"], metric, "difference", 3), value(found["robustness"], metric, "deviation", 4)]
    rows = found["sets"][found["sets"]["metric"] == metric]
    of_sets = [curves.decimal(row["r2"]) + "*" * int(row["p_holm"] < agreement.LEVEL) for _, row in rows.iterrows()]
    cells.append(", ".join(of_sets) or "–")
    return "<tr>" + "".join(f"<td>{cell}</td>" for cell in cells) + "</tr>"


def words(table: pd.DataFrame, metric: str, ceiling: float) -> str:
    """Mean R² with its interval, and a bar of its share of the ceiling."""
    if metric not in table.index or np.isnan(table.loc[metric, "r2_mean"]):
        return "–"
    row = table.loc[metric]
    interval = f" [{curves.decimal(row['low'])}, {curves.decimal(row['high'])}]" if np.isfinite(row["low"]) else ""
    text = f"{curves.decimal(row['r2_mean'])}{interval}"
    if ceiling > 0:
        text += f"<div class='bar'><div style='width:{100 * min(row['r2_mean'] / ceiling, 1):.0f}%'></div></div>"
    about = (
        f"<small>published about {curves.decimal(row['published'])}</small>" if np.isfinite(row["published"]) else ""
    )
    return text + about


def seen(table: pd.DataFrame, metric: str) -> str:
    if metric not in table.index or not table.loc[metric, "models"]:
        return "–"
    row = table.loc[metric]
    return f"{row['seen'] * row['models']:.0f} of {row['models']} models"


def value(table: pd.DataFrame, metric: str, column: str, digits: int) -> str:
    """A figure of T2 or T3, and the published one; what is wrong where there is none."""
    if metric not in table.index:
        return "–"
    row = table.loc[metric]
    if np.isnan(row[column]):
        note = row.get("note")
        return escape(note) if isinstance(note, str) else "–"
    relative = "<small>relative to the largest value</small>" if row.get("relative", False) else ""
    return f"{row[column]:.{digits}f}{relative}{published(row, digits)}"


def published(row: pd.Series, digits: int) -> str:
    return f"<small>published {row['published']:.{digits}f}</small>" if np.isfinite(row["published"]) else ""


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        models=snakemake.input.models,
        summary=snakemake.input.summary,
        sets=snakemake.input.sets,
        consistency=snakemake.input.consistency,
        robustness=snakemake.input.robustness,
        gate=snakemake.params.gate,
        out=snakemake.output[0],
    )
