"""Answer the study's question: a table of verdicts and titles of figures, and a fragment of a page with comparisons."""

from collections.abc import Mapping
from html import escape
from pathlib import Path

import pandas as pd

from biassay.figures import plots
from biassay.figures.findings import write_findings
from biassay.figures.formatting import format_decimal, format_p_value
from biassay.pages.tables import render_table
from biassay.studies.first_order import comparison_findings
from biassay.studies.first_order import tables as study_tables
from biassay.studies.first_order.findings import Tables, findings
from biassay.support import logs

COLOURS = {"first": "#e4d9f0", "second": "#fbe3c8", "no difference": "#f4f4f4", "undefined": "#ffffff"}
DARK = "#1d1d24"  # text upon these, also where the page is dark
HOW = """<p>Each cell: Spearman's correlation of the first-order score, against that of the other, with 95 % bootstrap
intervals and the p-value of Steiger's test, corrected by Holm's method over all tests of a corpus with one other score.
{first}: first order correlates more; {second}: the other does; grey: no significant difference (corrected p ≥ .05).
Small: what the paper prints for the English Wikipedia of 2017 and its own words. (planted): the generator planted these
numbers in the text, so that a correlation says how well it is found again, nothing about the world.</p>
"""


def main(tables: list[str], main_list: str, generated: Mapping[str, bool], answer: str, findings_out: str) -> None:
    files = {}
    for path in tables:
        files.setdefault(Path(path).stem, []).append(study_tables.result(path, Path(path).stem, "corpus"))
    tables = Tables(**{name: pd.concat(of) for name, of in files.items()})
    found = findings(tables, main_list, generated)
    write_findings(found, findings_out)
    text = fragment(tables.comparisons, found[0].sentence, main_list, generated)
    with open(answer, "w", encoding="utf-8") as file:
        file.write(text)


def fragment(table: pd.DataFrame, verdict: str, main_list: str, generated: Mapping[str, bool]) -> str:
    """HTML without head and body: the verdict, each embedding's own scores, and all else to be unfolded."""
    table = table[(table["word_list"] == main_list) & (table["correlation"] == "spearman")]
    table = table[table["second_method"] != comparison_findings.NND]
    own = comparison_findings.own(table, main_list)
    parts = [f"<p><strong>{escape(verdict)}</strong></p>"]
    for corpus, rows in own.groupby("corpus", sort=False):
        heading = f"{comparison_findings.text(corpus, generated)}, list “{main_list}”, each embedding's own scores"
        parts.append(f"<h3>{escape(heading[0].upper() + heading[1:])}</h3>{corpus_table(corpus, rows, generated)}")
    marks = {side: f'<span style="{style(side)}">{name}</span>' for side, name in (("first", "Purple"),
             ("second", "orange"))}  # fmt: skip
    every = [
        f"<h3>{escape(corpus)}, list “{escape(main_list)}”: {rows['p_holm'].notna().sum()} tests</h3>"
        f"{corpus_table(corpus, rows, generated)}" for corpus, rows in table.groupby("corpus", sort=False)
    ]  # fmt: skip
    parts.append(HOW.format(**marks))
    parts.append(f"<details><summary>All comparisons, also of related embeddings</summary>{''.join(every)}</details>")
    return "\n".join(parts) + "\n"


def corpus_table(corpus: str, rows: pd.DataFrame, generated: Mapping[str, bool]) -> str:
    """An HTML table: a row a pair of scores, a column a statistics."""
    known = set(rows["statistics"])
    statistics = [
        name for name in dict.fromkeys([*comparison_findings.GROUND_TRUTH, *rows["statistics"]]) if name in known
    ]
    head = ["first", "second", *(comparison_findings.statistics(name, corpus, generated) for name in statistics)]
    lines = []
    keys = ["embedding", "second_embedding", "second_space", "second_method"]
    for (embedding, other, space, method), pair in rows.groupby(keys, sort=False):
        cells = pair.set_index("statistics")
        names = plots.label(embedding, "explicit", "first_order"), plots.label(other, space, method)
        texts = [cell(cells.loc[name]) if name in cells.index else "" for name in statistics]
        lines.append([*map(escape, names), *texts])
    return render_table(head, lines)


def cell(row: pd.Series) -> str:
    """One comparison: both correlations and the p-value, coloured by the verdict, which is told in a word, too."""
    p = "p –" if pd.isna(row["p_holm"]) else escape(format_p_value(row["p_holm"]))
    sides = [
        "{} [{}, {}]".format(*(format_decimal(row[f"{side}_{part}"]) for part in ("order", "low", "high")))
        for side in ("first", "second")
    ]
    ahead = {"first": "Λ1 ahead: ", "second": "Λ1 behind: "}.get(row["verdict"], "")
    text = f"<div>{ahead}{sides[0]} / </div><div>{sides[1]}, </div>{p} (n = {row['n']})"
    printed = row[["first_published", "second_published"]]
    if printed.notna().any():
        text += (
            f"<small style='color:inherit'>published {' / '.join(format_decimal(value) for value in printed)}</small>"
        )
    return f'<div style="{style(row["verdict"])}">{text}</div>'


def style(verdict: str) -> str:
    return f"background:{COLOURS[verdict]};color:{DARK};padding:.2em .4em;white-space:nowrap"


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        tables=list(snakemake.input.tables),
        main_list=snakemake.params.main_list,
        generated=snakemake.params.generated,
        answer=snakemake.output.answer,
        findings_out=snakemake.output.findings,
    )
