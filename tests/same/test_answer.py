"""Every number of the study's page, against the tables that it was made of."""

import re
from html import unescape

import numpy as np
import pandas as pd
import pytest

from tests.same import study
from tests.scripted import run

NAMES = {"weat": "WEAT", "same": "SAME", "same_skew": "SAME skew", "mac": "MAC", "direct_bias": "Direct Bias",
         "ripa": "RIPA", "unmasking": "unmasking"}  # fmt: skip
TABLES = ("models", "summary", "sets", "consistency", "robustness")


def short(value):
    """A figure as the paper prints it: two decimals and no zero in front."""
    return "–" if np.isnan(value) else f"{value:.2f}".replace("0.", ".")


def answer(folder, gate=0.7, **paths):
    """The page: its sentences, and by metric the cells as {"text", "small", "bar"}."""
    run("same/answer.py", input=paths, params={"gate": gate}, output={"page": folder / "answer.html"})
    page = (folder / "answer.html").read_text("utf-8")
    rows = re.findall(r"<tr><td>(.*?)</td></tr>", page)
    cells = [[cell_of(cell) for cell in row.split("</td><td>")] for row in rows]
    sentences = [unescape(text) for text in re.findall(r"<p>(.*?)</p>", page, re.DOTALL)]
    headings = re.findall(r"<th>(.*?)</th>", page)
    return sentences, headings, {row[0]["text"]: row[1:] for row in cells}, page


def cell_of(html):
    small, bar = re.search(r"<small>(.*?)</small>", html), re.search(r"style='width:(\d+)%'", html)
    text = re.sub(r"<small>.*?</small>|<[^>]+>", "", html)
    found = {"text": text, "small": small and small[1], "bar": bar and int(bar[1])}
    if len(re.findall("<small>", html)) > 1:
        found["small"] = re.findall(r"<small>(.*?)</small>", html)
    return found


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("answer")
    paths = study.write(folder)
    return study.read(paths), answer(folder, gate=0.65, **{name: paths[name] for name in TABLES})


def test_how_many_models_were_kept(made):
    tables, (sentences, *_, page) = made
    models = tables["models"]
    median, least = (short(value) for value in (np.median(models["r2"]), min(models["r2"])))
    assert sentences[0] == (
        "15 of 18 models have learned their bias (R² of unmasking and training bias at least .65) and are kept, "
        f"3 failed. R² over all models: median {median}, least {least}."
    )
    assert "nan" not in page
    assert page.startswith("<!DOCTYPE html>")


def test_most_and_least(made):
    tables, (sentences, *_) = made
    rows = tables["summary"].query("against == 'training'").set_index("metric")["r2_mean"]
    ceiling, others = rows.pop("unmasking"), rows
    assert sentences[1] == (
        f"Most is seen by {NAMES[others.idxmax()]} (mean R² {short(others.max())}), least by "
        f"{NAMES[others.idxmin()]} ({short(others.min())}); unmasking itself reaches {short(ceiling)}."
    )
    assert (others.idxmax(), others.idxmin()) == ("same", "mac")


def test_rows_and_columns(made):
    _, (_, headings, rows, _) = made
    assert list(rows) == list(NAMES.values())
    assert [heading.split()[0] for heading in headings] == [
        "metric",
        "R²",
        "R²",
        "seen",
        "difference",
        "change",
        "sets:",
    ]
    assert "trained on" in headings[1]
    assert "unmasking" in headings[2]
    assert headings[6] == "sets: R² with mean, std, Σ|0.5 − p|"
    assert {len(cells) for cells in rows.values()} == {6}


@pytest.mark.parametrize(("column", "against"), [(0, "training"), (1, "unmasking")])
def test_cells_of_words(made, column, against):
    tables, (_, _, rows, _) = made
    table = tables["summary"].query("against == @against").set_index("metric")
    ceiling = tables["summary"].query("metric == 'unmasking'")["r2_mean"].item()
    for metric, name in NAMES.items():
        cell = rows[name][column]
        if metric not in table.index:
            assert cell == {"text": "–", "small": None, "bar": None}
            continue
        row = table.loc[metric]
        assert cell["text"] == f"{short(row['r2_mean'])} [{short(row['low'])}, {short(row['high'])}]"
        assert cell["bar"] == (round(100 * row["r2_mean"] / ceiling) if against == "training" else None)
        published = {"weat": "published about .41", "mac": "published about .04", "direct_bias": "published about .13"}
        assert cell["small"] == published.get(metric)
    assert table.index.tolist() == ["weat", "same", "mac", "direct_bias", "ripa", "unmasking"][: 6 - column]


def test_cells_of_seen_repeats_and_halves(made):
    tables, (_, _, rows, _) = made
    correlations = tables["correlations"].query("against == 'training' and kept and p == p")
    repeats, halves = (tables[name].set_index("metric") for name in ("consistency", "robustness"))
    published = [
        {"direct_bias": "published 0.306", "unmasking": "published 0.096"},
        {"mac": "published 0.0010", "same_skew": "published 0.0022", "ripa": "relative to the largest value"},
    ]
    for metric, name in NAMES.items():
        seen, repeated, half = (rows[name][column] for column in (2, 3, 4))
        of = correlations[correlations["metric"] == metric]
        sees = [row.p < 0.05 and (row.r > 0 or not row.signed) for row in of.itertuples()]
        assert seen["text"] == (f"{sum(sees)} of {len(sees)} models" if sees else "–")
        assert repeated["text"] == (f"{repeats['difference'][metric]:.3f}" if metric in repeats.index else "–")
        assert half["text"] == (f"{halves['deviation'][metric]:.4f}" if metric in halves.index else "–")
        assert [repeated["small"], half["small"]] == [of_table.get(metric) for of_table in published]
    assert rows["WEAT"][2] != rows["SAME"][2]


def holm(p):
    """Holm's corrected p-values, one after another from the least."""
    left, found = sorted(p), {}
    for rank, value in enumerate(left):
        found[value] = max([min(1, value * (len(p) - rank)), *found.values()])
    return [found[value] for value in p]


def test_cells_of_sets(made):
    tables, (_, _, rows, _) = made
    table = tables["sets"]
    table = table.assign(star=["*" * (p < 0.05) for p in holm(table["p"].tolist())])
    assert 0 < (table["star"] == "*").sum() < (table["p"] < 0.05).sum()  # the correction takes some away
    for metric, name in NAMES.items():
        of = table[table["metric"] == metric].set_index("against")
        cells = [short(of["r2"][kind]) + of["star"][kind] for kind in ("mean", "std", "absolute") if len(of)]
        assert rows[name][5]["text"] == (", ".join(cells) or "–")


def test_what_is_missing_and_ties(tmp_path):
    """Undefined values have a dash or say why; names are written as they are; ends within .005 are shared."""
    nan = np.nan
    row = {"signed": True, "models": 4, "low": nan, "high": nan, "r2_std": 0.1, "seen": 0.5, "negative": 0}
    means = {"a<b": 0.5, "weat": 0.4958, "same": 0.4948, "mac": 0.1, "empty": nan, "unmasking": 0.4}
    row |= {"against": "training", "published": nan}
    summary = [{"metric": metric, "r2_mean": mean, **row} for metric, mean in means.items()]
    summary[4] |= {"models": 0, "seen": nan}
    sets = [{"metric": "mac", "against": "mean", "r2": nan, "p": nan, "p_holm": nan, "published": nan},
            {"metric": "mac", "against": "std", "r2": 0.25, "p": 0.001, "p_holm": 0.05, "published": nan}]  # fmt: skip
    repeats = [{"metric": "weat", "difference": nan, "note": "one < two", "published": 0.15},
               {"metric": "mac", "difference": nan, "note": nan, "published": nan}]  # fmt: skip
    halves = [{"metric": "weat", "deviation": nan, "relative": False, "published": 0.04},
              {"metric": "mac", "deviation": 0.5, "relative": True, "published": 0.25}]  # fmt: skip
    models = {"model": [0], "distribution": 0, "mean": 0.5, "spread": 0.1, "repeat": 0, "r2": [nan], "kept": [False]}
    tables = {"models": models, "summary": summary, "sets": sets, "consistency": repeats, "robustness": halves}
    for name, table in tables.items():
        pd.DataFrame(table).to_csv(tmp_path / f"{name}.csv", index=False)
    paths = {name: tmp_path / f"{name}.csv" for name in tables}
    sentences, _, rows, page = answer(tmp_path, **paths)
    assert "1 failed. R² over all models: median –, least –." in sentences[0]
    assert sentences[1].startswith("Most is seen by a<b, WEAT (mean R² .50), least by MAC (.10); unmasking itself")
    assert page.count("a&lt;b") == 2
    assert rows["a&lt;b"][0] == {"text": ".50", "small": None, "bar": 100}  # above the ceiling of .4
    assert [cell["text"] for cell in rows["empty"]] == ["–"] * 6
    assert rows["WEAT"][3]["text"] == "one &lt; two"
    assert rows["WEAT"][4]["text"] == "–"
    assert rows["MAC"][3]["text"] == "–"
    assert rows["MAC"][4] == {
        "text": "0.5000", "small": ["relative to the largest value", "published 0.2500"], "bar": None
    }  # fmt: skip
    assert rows["MAC"][5]["text"] == "–, .25"
    pd.DataFrame(summary[:-1]).to_csv(paths["summary"], index=False)
    assert answer(tmp_path, **paths)[0][1] == "No metric has a score that could be compared."
    pd.DataFrame(summary[-1:]).to_csv(paths["summary"], index=False)
    assert answer(tmp_path, **paths)[0][1] == "No metric has a score that could be compared."
    pd.DataFrame(summary[-2:-3:-1] + summary[-1:] + summary[:1]).to_csv(paths["summary"], index=False)
    assert answer(tmp_path, **paths)[0][1].startswith("Most is seen by a<b (mean R² .50), least by a<b (.50)")
