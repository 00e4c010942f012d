"""The page of an audit, in a browser if there is one."""

import re
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from biassay.auditing import numbers, page
from tests import browser


@browser.needed
def test_in_a_browser(joint_audit, tmp_path):
    path = joint_audit.write(tmp_path / "out")
    with browser.chromium() as chromium:
        for width, scheme in ((390, "light"), (1400, "dark")):
            with browser.opened(chromium, path, width=width, scheme=scheme) as (view, messages):
                view.evaluate("document.querySelectorAll('details').forEach(part => part.open = true)")
                assert browser.overflowing(view) == [0, []]
                assert browser.violations(view) == []
                assert not messages


def test_numbers_as_people_read_them():
    assert [numbers.number(value) for value in (0.5, -1.234, 0.0123, float("nan"), float("inf"))] == [
        "0.50", "−1.23", "0.012", "–", "∞",
    ]  # fmt: skip
    assert numbers.probability(0.0004) == "< 0.001"
    assert numbers.probability(0.04) == "0.040"
    assert [numbers.bounds(*ends) for ends in ((-2, 2), (0, None), (None, None))] == ["−2 … 2", "from 0", "unbounded"]
    assert [numbers.bounds(*ends) for ends in ((None, 1), (float("nan"), 1.5))] == ["to 1", "to 1.5"]
    assert [numbers.number(value) for value in (None, 0.1, -0.1, 0.0999)] == ["–", "0.10", "−0.10", "0.100"]
    assert [numbers.probability(p) for p in (float("nan"), 0.001, 0.00099, 1.0)] == ["–", "0.001", "< 0.001", "1.000"]
    assert [numbers.share(value) for value in (float("nan"), 0.25, 1.0)] == ["–", "25 %", "100 %"]
    assert [numbers.interval(*ends) for ends in ((float("nan"),) * 2, (-0.5, 1))] == ["–", "−0.50 … 1.00"]
    assert numbers.name("pll", "difference of lists") == "pll (lists)"
    assert numbers.name("pll", "set") == "pll"


def test_everything_is_on_the_page(joint_audit):
    text = page.text(joint_audit)
    for row in joint_audit.table.itertuples():
        assert f"{numbers.name(row.metric, row.level)}</th>" in text
    for caution in joint_audit.warning_table["text"]:
        assert caution.split("“")[0][:40].replace("'", "&#39;") in text
    for conclusion in joint_audit.summary["conclusion"]:
        assert conclusion in text
    pictures = joint_audit.table[["b_min", "b_max"]].notna().all(axis=1).sum()
    grown = len(joint_audit.silhouettes.groupby(["source", "metric", "growing"]))
    assert text.count('<svg role="img"') == pictures + grown
    assert not re.search(r'(src|href)="(https?:)?//', text)
    assert "<script" not in text
    ids = re.findall(r' id="([^"]+)"', text)
    assert len(set(ids)) == len(ids)
    assert set(re.findall(r'href="#([^"]+)"', text)) <= set(ids)


def test_a_value_is_drawn_in_its_place(joint_audit):
    rows = joint_audit.table[(joint_audit.table["metric"] == "weat")]
    for row in rows.itertuples():
        x = float(re.search(r'class="value" cx="([\d.]+)"', page.draw_value(row))[1])
        assert x == pytest.approx(4 + (page.WIDTH - 8) * (row.value + 2) / 4, abs=0.1)
    assert page.draw_value(next(joint_audit.table[joint_audit.table["metric"] == "gweat"].itertuples())) == ""


def test_a_silhouette_is_drawn_by_hand():
    sizes = {
        "n_words": [2, 4, 6],
        "min": [-1.0, 0.0, 0.5],
        "max": [1.0, 0.75, 0.5],
        "mean": [0.0, 0.25, 0.5],
        "growing": "groups",
    }
    one = pd.DataFrame(sizes | {"metric": "weat", "n_undefined": 0})
    undefined = one.assign(metric="mac", min=[0.1, np.nan, np.nan])
    ((metric, about, svg),) = page._silhouettes(pd.concat([one, undefined]))
    assert metric == "weat"
    assert "2 to 6 words" in about
    band = re.search(r'class="band" points="([^"]+)"', svg)[1]
    mean = re.search(r'class="mean" points="([^"]+)"', svg)[1]
    assert band == "4.0,4.0 110.0,14.2 216.0,24.5 216.0,24.5 110.0,45.0 4.0,86.0"  # 82 high and 212 wide, from 4, 4
    assert mean == "4.0,45.0 110.0,34.8 216.0,24.5"


def test_the_words_and_the_values_side_by_side_are_of_their_test_and_sources(joint_audit):
    tables = {name: getattr(joint_audit, name) for name in ("table", "summary", "words", "lists", "silhouettes")}
    tables = {
        name: pd.concat([table, table.assign(test="second")], ignore_index=True) for name, table in tables.items()
    }
    tables["table"].loc[tables["table"]["test"] == "second", "value"] = 7.77
    made = page._test(replace(joint_audit, **tables), "ours")
    for name, of_sources in made["comparison"]:
        for row, source in zip(of_sources, joint_audit.sources, strict=True):
            assert (row.source, row.test, numbers.name(row.metric, row.level)) == (source["name"], "ours", name)
            assert row.value != 7.77
    assert len(made["comparison"]) == joint_audit.table["metric"].nunique()
    for source in made["sources"]:
        assert source["ranking"] == "same"
        first, last = source["ends"]
        assert [row.rank for row in first] == list(range(1, 13))
        assert [row.rank for row in last] == list(range(16, 4, -1))
    assert page._test(replace(joint_audit, words=joint_audit.words[:0]), "ours")["sources"][0]["ranking"] == ""
