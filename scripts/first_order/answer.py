"""Answer the study's question: write its findings, and a page fragment with the comparisons."""

from collections.abc import Mapping
from html import escape
from pathlib import Path

import pandas as pd

from biassay.core import scripts
from biassay.report import plots
from biassay.report.findings import write_findings
from biassay.report.formatting import format_decimal, format_p_value
from biassay.report.tables import render_table
from biassay.studies.first_order import comparison_findings
from biassay.studies.first_order import tables as study_tables
from biassay.studies.first_order.findings import Tables, collect_findings

COLOURS = {"first": "#e4d9f0", "second": "#fbe3c8", "no difference": "#f4f4f4", "undefined": "#ffffff"}
TEXT_COLOUR = "#1d1d24"  # on these colours, also on dark pages
LEGEND = """<p>Each cell: Spearman's correlations of the first-order score and of the second-order score with the
statistics, with 95 % bootstrap intervals and the p-value of Steiger's test (Holm's correction over all tests of a
corpus with one second-order method). {first}: first order correlates more; {second}: second order correlates more;
grey: no significant difference (corrected p ≥ 0.05). Small: published values for the English Wikipedia of 2017 and the
paper's own words. (planted): the generator planted these numbers in the text; a correlation shows how well a score
recovers them, and says nothing about the world.</p>
"""


def main(tables: list[str], main_list: str, generated: Mapping[str, bool], answer: str, findings_out: str) -> None:
    files = {}
    for path in tables:
        files.setdefault(Path(path).stem, []).append(study_tables.read_result(path, Path(path).stem, "corpus"))
    tables = Tables(**{name: pd.concat(parts) for name, parts in files.items()})
    findings = collect_findings(tables, main_list, generated)
    write_findings(findings, findings_out)
    text = render_fragment(tables.comparisons, findings[0].sentence, main_list, generated)
    with open(answer, "w", encoding="utf-8") as file:
        file.write(text)


def render_fragment(table: pd.DataFrame, verdict: str, main_list: str, generated: Mapping[str, bool]) -> str:
    """Render HTML without head and body: the verdict, each embedding's own scores, and all comparisons, folded."""
    table = table[(table["word_list"] == main_list) & (table["correlation"] == "spearman")]
    table = table[table["second_method"] != comparison_findings.NND]
    own = comparison_findings.select_own_comparisons(table, main_list)
    parts = [f"<p><strong>{escape(verdict)}</strong></p>"]
    for corpus, rows in own.groupby("corpus", sort=False):
        heading = f"{comparison_findings.corpus_label(corpus, generated)}, list “{main_list}”, scores of one embedding"
        parts.append(f"<h3>{escape(heading[0].upper() + heading[1:])}</h3>{render_corpus(corpus, rows, generated)}")
    colours = {side: f'<span style="{style(side)}">{name}</span>' for side, name in (("first", "Purple"),
             ("second", "orange"))}  # fmt: skip
    all_comparisons = [
        f"<h3>{escape(corpus)}, list “{escape(main_list)}”: {rows['p_holm'].notna().sum()} tests</h3>"
        f"{render_corpus(corpus, rows, generated)}" for corpus, rows in table.groupby("corpus", sort=False)
    ]  # fmt: skip
    parts.append(LEGEND.format(**colours))
    parts.append(
        f"<details><summary>All comparisons, including related embeddings</summary>{''.join(all_comparisons)}</details>"
    )
    return "\n".join(parts) + "\n"


def render_corpus(corpus: str, rows: pd.DataFrame, generated: Mapping[str, bool]) -> str:
    """Render an HTML table with one row per pair of scores and one column per statistics."""
    names = dict.fromkeys([*comparison_findings.GROUND_TRUTH, *rows["statistics"]])
    statistics = [name for name in names if name in set(rows["statistics"])]
    head = ["first", "second", *(comparison_findings.statistics_label(name, corpus, generated) for name in statistics)]
    lines = []
    keys = ["embedding", "second_embedding", "second_space", "second_method"]
    for (embedding, other, space, method), pair in rows.groupby(keys, sort=False):
        cells = pair.set_index("statistics")
        labels = plots.label(embedding, "explicit", "first_order"), plots.label(other, space, method)
        texts = [render_cell(cells.loc[name]) if name in cells.index else "" for name in statistics]
        lines.append([*map(escape, labels), *texts])
    return render_table(head, lines)


def render_cell(row: pd.Series) -> str:
    """Render a comparison: both correlations and the p-value, with the verdict as a colour and in words."""
    p = "p –" if pd.isna(row["p_holm"]) else escape(format_p_value(row["p_holm"]))
    sides = [
        "{} [{}, {}]".format(*(format_decimal(row[f"{side}_{part}"]) for part in ("order", "low", "high")))
        for side in ("first", "second")
    ]
    ahead = {"first": "Λ1 ahead: ", "second": "Λ1 behind: "}.get(row["verdict"], "")
    text = f"<div>{ahead}{sides[0]} / </div><div>{sides[1]}, </div>{p} (n = {row['n']})"
    published = row[["first_published", "second_published"]]
    if published.notna().any():
        values = " / ".join(format_decimal(value) for value in published)
        text += f"<small style='color:inherit'>published {values}</small>"
    return f'<div style="{style(row["verdict"])}">{text}</div>'


def style(verdict: str) -> str:
    return f"background:{COLOURS[verdict]};color:{TEXT_COLOUR};padding:.2em .4em;white-space:nowrap"


if __name__ == "__main__":
    scripts.run(main, snakemake)
