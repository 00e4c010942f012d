"""Draw the silhouettes of all biases and lists in one page without a network: metrics side by side, values on hover."""

import json
from html import escape
from string import Template

import numpy as np
import pandas as pd
import plotly.graph_objects as go
from plotly.offline import get_plotlyjs
from plotly.subplots import make_subplots

from biassay import curves, logs, plots

COLUMNS = 3
PANEL_HEIGHT = 250
BANDS = (("min", "max", 0.13), ("q05", "q95", 0.2), ("q25", "q75", 0.35))
HOVER = ["min", "max", "q05", "q95", "q25", "q75", "undefined"]
LABEL = (
    "%{y:.3g} in the mean; min %{customdata[0]:.3g}, max %{customdata[1]:.3g}"
    "<br>90 %: %{customdata[2]:.3g} to %{customdata[3]:.3g}; 50 %: %{customdata[4]:.3g} to %{customdata[5]:.3g}"
    "<br>without a value: %{customdata[6]} orders"
)
PAGE = Template("""<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>Bias silhouettes, $pair</title>
<style>body{font-family:sans-serif;margin:1em 2em} h1{font-size:1.3em} label{margin-right:1.5em}
select{font-size:1em} p{max-width:60em;line-height:1.4}</style><script>$plotly</script></head><body>
<h1>Bias silhouettes, $pair</h1>
<p>Values of each metric on more and more of the words, in many random orders: all orders, 90 % and 50 % of them as
bands, the mean as a line, dotted the value without bias. The models lie far apart on an accurate metric; bands are
narrow on a robust one. Point at a curve for its values; drag to zoom all panels along k; click a model in the legend to
hide it.</p>
<p><label>Bias and list <select id="shown">$options</select></label>
<label><input type="checkbox" id="zoomed"> zoom on the values</label>
<label><input type="checkbox" id="log"> logarithmic k</label></p><div id="plot"></div>
<script>
const figures = $figures;
function draw() {
  const figure = figures[document.getElementById("shown").value];
  const layout = structuredClone(figure.layout);
  const ranges = layout.meta[document.getElementById("zoomed").checked ? "zoomed" : "whole"];
  for (const [axis, range] of Object.entries(ranges)) layout[axis].range = range;
  const type = document.getElementById("log").checked ? "log" : "linear";
  for (const axis of Object.keys(layout)) if (axis.startsWith("xaxis")) layout[axis].type = type;
  Plotly.react("plot", figure.data, layout, {responsive: true, displaylogo: false});
}
for (const id of ["shown", "zoomed", "log"]) document.getElementById(id).addEventListener("change", draw);
draw();
</script></body></html>
""")


def main(pair: str, silhouettes: str, scores: str, out: str) -> None:
    table, rows = pd.read_csv(silhouettes), pd.read_csv(scores)
    figures = {}
    for (bias, kind), part in rows.groupby(["bias", "list"], sort=False):
        name = f"{bias}, {curves.LISTS.get(kind, kind)}"
        figures[name] = json.loads(draw(curves.select(table, bias=bias, list=kind), part).to_json())
    options = "".join(f"<option>{escape(name)}</option>" for name in figures)
    data = json.dumps(figures, separators=(",", ":")).replace("</", "<\\/")
    with open(out, "w", encoding="utf-8") as file:
        file.write(PAGE.substitute(pair=escape(pair), plotly=get_plotlyjs(), options=options, figures=data))


def draw(table: pd.DataFrame, scores: pd.DataFrame) -> go.Figure:
    """A panel a metric; the layout's `meta` holds the ranges of values, of the metrics and zoomed."""
    panels = -(-len(scores) // COLUMNS)
    columns = min(COLUMNS, len(scores))
    titles = [
        f"<b>{escape(curves.label(row['metric'], row['relative']))}</b><br>{curves.scores(row)}"
        for _, row in scores.iterrows()
    ]
    figure = make_subplots(
        panels, columns, subplot_titles=titles, shared_xaxes="all", horizontal_spacing=0.05,
        vertical_spacing=0.32 / panels,
        specs=[[{} if i * columns + j < len(scores) else None for j in range(columns)] for i in range(panels)],
    )  # fmt: skip
    meta = {"whole": {}, "zoomed": {}}
    for number, (_, row) in enumerate(scores.iterrows()):
        curve = curves.select(table, metric=row["metric"])
        place = {"row": number // columns + 1, "col": number % columns + 1}
        for model, colour in plots.MODELS.items():
            for trace in traces(curves.select(curve, model=model), model, colour, legend=number == 0):
                figure.add_trace(trace, **place)
        if pd.notna(row["b_0"]):
            figure.add_hline(row["b_0"], line={"width": 1, "dash": "dot"}, **place)
        axis = f"yaxis{number + 1 if number else ''}"
        for name, limits in (("whole", curves.scale), ("zoomed", curves.zoomed)):
            meta[name][axis] = [float(limit) for limit in limits(row, curve)]
    figure.update_layout(
        meta=meta, template="plotly_white", hovermode="x unified", height=PANEL_HEIGHT * panels + 130,
        margin={"l": 50, "r": 20, "t": 90, "b": 50}, hoverlabel={"font": {"size": 11}},
        legend={"orientation": "h", "y": 1, "yref": "container", "yanchor": "top"},
    )  # fmt: skip
    figure.update_annotations(font_size=12)
    figure.update_xaxes(
        showticklabels=True, title={"text": "words used, k", "font_size": 11, "standoff": 5},
        unifiedhovertitle_text="%{x} words",
    )  # fmt: skip
    return figure


def traces(curve: pd.DataFrame, model: str, colour: str, legend: bool) -> list[go.Scatter]:
    """Bands and mean of a model's curve, with what hovering shows; at most as many points as `curves.thin` keeps."""
    curve = curves.thin(curve.dropna(subset="mean"))
    k, values = curve["k"].to_numpy(np.int32), curve[["mean", *HOVER]].astype(np.float32)
    shared = {"legendgroup": model, "mode": "lines"}
    bands = [
        go.Scatter(
            x=np.concatenate([k, k[::-1]]), y=np.concatenate([values[low], values[high][::-1]]), fill="toself",
            fillcolor=f"rgba{(*bytes.fromhex(colour[1:]), opacity)}", hoverinfo="skip", showlegend=False,
            line={"width": 0.5 if low == "min" else 0, "color": colour}, **shared,
        )
        for low, high, opacity in BANDS
    ]  # fmt: skip
    line = {"color": colour, "width": 2, "dash": "solid" if model == "biased" else "dash"}
    mean = go.Scatter(
        x=k, y=values["mean"].to_numpy(), name=f"{model} model", line=line, customdata=values[HOVER].to_numpy(),
        hovertemplate=LABEL, showlegend=legend, **shared,
    )  # fmt: skip
    return [*bands, mean]


if __name__ == "__main__":
    logs.start(snakemake.log[0])
    main(
        pair=snakemake.wildcards.pair,
        silhouettes=snakemake.input.silhouettes,
        scores=snakemake.input.scores,
        out=snakemake.output[0],
    )
