"""The page of an audit, in a browser if there is one, and numbers on it."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from biassay.auditing import numbers, page, pictures, sections, terminal
from tests import browser

NAN = float("nan")


@browser.needed
def test_in_a_browser(joint_audit, tmp_path, chromium):
    path = joint_audit.write(tmp_path / "out")
    for width, scheme in ((390, "light"), (1400, "dark")):
        with browser.opened(chromium, path, width=width, scheme=scheme) as (view, messages):
            view.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
            assert browser.overflowing(view) == [0, []]
            assert browser.violations(view) == []
            assert not messages


@pytest.mark.parametrize(("function", "texts"), [
    (numbers.number, {0.5: "0.50", -1.234: "−1.23", 0.0123: "0.012", NAN: "–", np.inf: "∞", 0.0999: "0.100"}),
    (numbers.probability, {0.0004: "< 0.001", 0.001: "0.001", 0.04: "0.040", NAN: "–"}),
    (numbers.bounds, {(-2, 2): "−2 … 2", (0, None): "from 0", (NAN, 1.5): "to 1.5", (None, None): "unbounded"}),
    (numbers.interval, {(NAN, NAN): "–", (-0.5, 1): "−0.50 … 1.00"}),
    (numbers.name, {("pll", "difference of lists"): "pll (lists)", ("pll", "set"): "pll"}),
])  # fmt: skip
def test_numbers_as_people_read_them(function, texts):
    for values, text in texts.items():
        assert function(*values if isinstance(values, tuple) else (values,)) == text


def test_everything_is_on_the_page(joint_audit):
    text = page.render(joint_audit)
    for row in joint_audit.table.itertuples():
        assert f"{numbers.name(row.metric, row.level)}</th>" in text
        if row.metric == "weat":
            place = 4 + 142 * (row.value + 2) / 4
            (x,) = re.findall(rf'weat: {numbers.number(row.value)}, .*?class="value" cx="([\d.]+)"', text, re.S)
            assert float(x) == pytest.approx(place, abs=0.1)
        if row.sides == "targets only" and row.b_0 == row.b_0:  # the grey area starts at the end of the range
            ends = 4.0, 4 + 142 * (row.b_0 + row.random_q95 - row.b_min) / (row.b_max - row.b_min)
            label = f"{row.metric}: {numbers.number(row.value)}, "
            drawn = re.findall(rf'{label}[^>]*>\s*<line class="random" x1="(.+?)" x2="(.+?)"', text)
            assert ends == pytest.approx(tuple(map(float, drawn[0])), abs=0.1)
    for part in (*joint_audit.warning_table["text"], *joint_audit.summary["conclusion"], *joint_audit.words["word"]):
        assert part.split("“")[0].replace("'", "&#39;") in text
    is_of_targets = joint_audit.table["sides"] == "targets only"
    assert text.count("targets only</span>") == is_of_targets.sum() > 0  # in the comparison of sources
    assert not re.search(r'(src|href)="(https?:)?//', text)
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)


def test_silhouettes_with_values_are_drawn(joint_audit):
    curve = pd.DataFrame({
        "n_words": [2, 4, 6], "min": [-1.0, 0.0, 0.5], "max": [1.0, 0.75, 0.5], "mean": [0.0, 0.25, 0.5],
        "growing": "groups", "metric": "weat", "source": joint_audit.sources[0]["name"], "test": "ours",
    })  # fmt: skip
    undefined = curve.assign(metric="mac", min=[0.1, np.nan, np.nan])
    text = page.render(replace(joint_audit, silhouettes=pd.concat([curve, undefined])))
    assert "2 to 6 words" in text
    assert text.count('class="band"') == text.count('class="mean"') == 1


def test_dots_are_placed_by_hand(joint_audit):
    """34 columns of 10 pixels, where the radius is 5; dots of a column are stacked from the bottom."""
    dots, height = pictures.stack_dots([0.0, 0.5, 1.0, 0.51], 5, ["a", "b"])
    assert (dots, height) == ([(5.0, 5.0, "a"), (165.0, 5.0, "b"), (335.0, 5.0, ""), (175.0, 5.0, "")], 10.0)
    assert pictures.stack_dots([0.2, 0.2], 5)[0] == [(75.0, 15.0, ""), (75.0, 5.0, "")]
    assert pictures.place(1.0, 5) == 335.0
    section = sections.list_sections(joint_audit)["ours"][0]
    words = pd.DataFrame({"word": ["w1", "w2", "w3"], "list": ["x", "x", "y"], "value": [-0.5, 0.25, 0.5],
                          "nearer_group": ["his", "her", "her"], "sensitive": [False, True, False]})  # fmt: skip
    section = section._replace(words=words.assign(metric="same", b_0=0.0))
    strips = pictures.word_strips(section)
    first = strips["strips"][0]
    assert strips["ends"] == ("his", "her")
    assert ([text for *_, text in first["dots"]], first["sides"]) == (["w1 −0.50", ""], {"her": 1, "his": 1})
    assert (first["dots"][0][0], strips["neutral"], strips["strips"][1]["dots"][0][0]) == (2.5, 170.0, 337.5)
    assert strips["neutral"] < first["dots"][1][0] < 337.5
    assert [text for *_, text in pictures.word_strips(section, True)["strips"][0]["dots"]] == ["w1 −0.50", "w2 0.25"]


def test_words_that_all_lean_to_one_group(joint_audit):
    section = sections.list_sections(joint_audit)["ours"][0]
    for group, sign in (("her", 1), ("his", -1)):
        words = section.words.assign(value=sign * np.arange(1.0, 1 + len(section.words)), nearer_group=group)
        assert pictures.word_strips(section._replace(words=words))["ends"] == ("his", "her")
        ((leaning, farthest),) = section._replace(words=words).farthest_words(3, True)
        assert (leaning, farthest["value"].abs().tolist()) == (group, [16, 15, 14])
    without = joint_audit.words.assign(nearer_group="")
    assert not list(section._replace(words=without).farthest_words(3, True))
    tables = [page.render(replace(joint_audit, words=words)).count("Words that lean most, ours") for words in
              (joint_audit.words, without)]  # fmt: skip
    assert tables == [4, 2]  # of two sources: one for each group, or one for all words


def test_null_distributions_and_variants_have_names(joint_audit):
    section = sections.list_sections(joint_audit)["ours"][0]
    drawn = {picture["row"].metric: picture for picture in pictures.null_dots(section)}
    associations = section.metrics[section.metrics["sides"] == "groups and targets"]
    assert set(drawn) == set(associations.loc[associations["p"].notna() | associations["p_random"].notna(), "metric"])
    for row in associations[associations["p"].notna()].itertuples():
        strip = drawn[row.metric]["strips"][0]
        assert (strip["name"], len(strip["dots"])) == ("permuted groups", 20)
        assert abs(strip["n_beyond"] / 20 - row.p) <= 0.05
    variants = pd.DataFrame({"metric": "weat", "variant": ["cls", "mean"], "value": [-1.0, 3.0]})
    (variant,) = pictures.variant_dots(section._replace(variants=variants))
    assert (variant["low"].variant, variant["high"].variant) == ("cls", "mean")


@pytest.mark.parametrize("show_words", [False, True])
def test_names_and_slurs_are_shown_on_request(joint_audit, show_words):
    words = joint_audit.words.assign(sensitive=joint_audit.words["word"] == "carea")
    lists = joint_audit.lists.assign(missing_words="herwordz", sensitive=True, n_missing=1)
    sensitive = replace(joint_audit, words=words, lists=lists)
    shown = page.render(sensitive, show_words=show_words), terminal.render(sensitive, 100, show_words=show_words)
    assert ["carea" in shown[0], "herwordz" in shown[0]] == [show_words, show_words]
    assert ("carea " in shown[1]) <= show_words
    assert all(("--show-words" in text) != show_words for text in shown)


def test_sections_and_comparisons_are_of_their_test_and_sources(joint_audit, of_two_tests):
    ours = sections.list_sections(of_two_tests)["ours"]
    comparison = list(page.compare(ours))
    assert len(comparison) == joint_audit.table["metric"].nunique()
    for name, rows in comparison:
        for row, source in zip(rows, joint_audit.sources, strict=True):
            assert (row.source, row.test, numbers.name(row.metric, row.level)) == (source["name"], "ours", name)
            assert row.value != 7.77
    for section in ours:
        weat = "gweat and weat: X and Y are her and his, A and B are care and craft"
        assert section.roles == [weat, "rnsb: craft is the negative list"]
        of_targets = section._replace(metrics=section.metrics.assign(scored="targets"))
        assert of_targets.roles[0].endswith(": X and Y are care and craft, A and B are her and his")
        three = pd.concat([section.lists, section.lists.assign(list=section.lists["list"] + "2")]).iloc[:-2]
        assert section._replace(lists=three).roles[0].startswith("gweat and weat: the scored lists are her, his")
        assert section.ranking == "same"
        assert section.words["rank"].tolist() == list(range(1, 17))
