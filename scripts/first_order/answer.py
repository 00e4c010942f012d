"""Answer the study's question in one page: where first order correlates more, and whether that is significant."""

import pandas as pd

from biassay.figures import plots
from biassay.support import logs

COLOURS = {"first": "#e4d9f0", "second": "#fbe3c8", "no difference": "#f4f4f4", "undefined": "#ffffff"}
PAGE = """<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>First order against second order</title>
<style>body{{font-family:sans-serif;margin:2em}} small{{display:block}}
td,th{{padding:.3em .8em;text-align:left;border-bottom:1px solid #ddd;white-space:nowrap}}
table{{border-collapse:collapse}} caption{{text-align:left;font-weight:bold;padding:1em 0 .5em}}</style></head><body>
<p>Each cell: Spearman correlation of the first-order score, against that of the cosine, with 95 % bootstrap intervals
and the p-value of Steiger's test, corrected by Holm's method over all tests of one table here.
<span style="background:{first}">Purple</span>: first order correlates more;
<span style="background:{second}">orange</span>: the cosine does; grey: no significant difference (corrected p ≥ .05).
Small: what the paper prints for the English Wikipedia of 2017 and its own words.</p>{tables}</body></html>
"""


def main(comparisons: str, main_list: str, out: str) -> None:
    table = pd.read_csv(comparisons)
    table = table[(table["word_list"] == main_list) & (table["correlation"] == "spearman")]
    table = table[table["second_method"] == "second_order_cosine"]
    pages = [corpus_table(corpus, rows) for corpus, rows in table.groupby("corpus", sort=False)]
    with open(out, "w", encoding="utf-8") as file:
        file.write(PAGE.format(first=COLOURS["first"], second=COLOURS["second"], tables="".join(pages)))


def corpus_table(corpus: str, rows: pd.DataFrame) -> str:
    """An HTML table: a row a pair of scores, a column a statistics."""
    statistics = list(rows["statistics"].unique())
    head = "".join(f"<th>{plots.STATISTICS.get(name, name.replace('_', ' '))}</th>" for name in statistics)
    lines = []
    for key, pair in rows.groupby(["embedding", "second_embedding", "second_space"], sort=False):
        cells = pair.set_index("statistics")
        texts = "".join(cell(cells.loc[name]) for name in statistics)
        names = plots.label(key[0], "explicit", "first_order"), plots.label(key[1], key[2], "second_order_cosine")
        lines.append(f"<tr><td>{names[0]}</td><td>{names[1]}</td>{texts}</tr>")
    tests = int(rows["p_holm"].notna().sum())
    caption = f"{corpus}, list “{rows['word_list'].iloc[0]}”: {tests} tests"
    return f"<table><caption>{caption}</caption><tr><th>first</th><th>second</th>{head}</tr>{''.join(lines)}</table>"


def cell(row: pd.Series) -> str:
    """One comparison: both correlations and the p-value, coloured by the verdict."""
    p = "p &lt; .001" if row["p_holm"] < 0.001 else f"p = {row['p_holm']:.3f}"
    sides = [f"{row[f'{s}_order']:.2f} [{row[f'{s}_low']:.2f}, {row[f'{s}_high']:.2f}]" for s in ("first", "second")]
    text = f"<div>{sides[0]} / </div><div>{sides[1]}, </div>{p} (n = {row['n']})"
    printed = row[["first_published", "second_published"]]
    if printed.notna().any():
        text += f"<small>published {' / '.join(f'{value:.2f}' for value in printed)}</small>"
    return f'<td style="background:{COLOURS[row["verdict"]]}">{text.replace("nan", "–")}</td>'


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        comparisons=snakemake.input.comparisons,
        main_list=snakemake.params.main_list,
        out=snakemake.output[0],
    )
