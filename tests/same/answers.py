"""The study's page, read back, with names and numbers as printed."""

import re
from html import unescape

import numpy as np
import pandas as pd

from tests.markup import Page
from tests.scripted import run

NAMES = {"weat": "WEAT", "same": "SAME", "same_skew": "SAME skew", "mac": "MAC", "direct_bias": "Direct Bias",
         "ripa": "RIPA", "unmasking": "unmasking"}  # fmt: skip
PARTS = ("signed", "unsigned", "sets")


def name_of(ground_truth, metric):
    """The label of the scores compared with a ground truth."""
    if ground_truth == "signed" or metric in ("mac", "direct_bias"):
        return NAMES[metric]
    return "|0.5 − unmasking|" if metric == "unmasking" else f"|{NAMES[metric]}|"


def short(value):
    """A value with two decimals."""
    return "–" if np.isnan(value) else f"{value:.2f}"


def answer(folder, min_r2=0.7, **paths):
    """The page: its sentences, and of each of its tables headings and, by metric, cells as {"text", "small", "bar"}."""
    out = {"page": folder / "answer.html", "findings": folder / "findings.csv"}
    run("same/answer.py", input=paths, params={"min_r2": min_r2}, output=out)
    page = (folder / "answer.html").read_text("utf-8")
    Page(page)  # every element is closed
    sentences = [unescape(text) for text in re.findall(r"<p>(.*?)</p>", page, re.DOTALL)]
    found = {}
    for part, table in zip(PARTS, re.findall(r"<table>(.*?)</table>", page, re.DOTALL), strict=True):
        rows = re.findall(r"<tr><th scope='row'>(.*?)</td></tr>", table)
        cells = [[cell_of(cell) for cell in re.split("</t[hd]><td>", row)] for row in rows]
        found[part] = re.findall(r"<th scope='col'>(.*?)</th>", table), {row[0]["text"]: row[1:] for row in cells}
    return sentences, found, page


def steps(effect_size=(2, 1.2, 1.3, 1.4, 1.9), same=(0.01, 0.06, 0.04, 0.1, 0.15)):
    """The columns of the table of the effect size that sentences use."""
    names = ["mild words", "one of Y replaced", "one of X replaced", "one of each replaced", "all replaced"]
    return pd.DataFrame({"step": names, "effect_size": effect_size, "same": same})


def cell_of(html):
    small, bar = re.search(r"<small>(.*?)</small>", html), re.search(r"style='width:(\d+)%'", html)
    text = re.sub(r"<small>.*?</small>|<[^>]+>", "", html)
    found = {"text": text, "small": small and small[1], "bar": bar and int(bar[1])}
    if len(re.findall("<small>", html)) > 1:
        found["small"] = re.findall(r"<small>(.*?)</small>", html)
    return found
