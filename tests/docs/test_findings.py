"""What README and docs say stands in docs/findings.yaml with the table it rests on; and the check of it, by hand."""

import pandas as pd
import pytest

from docs import check_findings
from tests.running import ROOT

FINDINGS = check_findings.read()


def squeezed(text):
    return " ".join(text.replace("**", "").split())


@pytest.mark.parametrize("finding", FINDINGS, ids=lambda finding: f"{finding['page']}: {finding['says'][:40]}")
def test_a_finding_is_in_its_page_and_complete(finding):
    assert set(finding) - {"run"} == {"page", "says", "test", "seeds", "cells"}
    assert squeezed(finding["says"]) in squeezed((ROOT / finding["page"]).read_text("utf-8"))
    assert finding["test"]
    assert finding["seeds"] >= (2 if finding["page"] == "README.md" else 1)
    for cell in finding["cells"]:
        assert {"table"} <= set(cell) <= {"table", "where", *check_findings.TESTS}
        assert set(cell) & set(check_findings.TESTS)


@pytest.mark.parametrize(
    ("cell", "message"),
    [
        ({"where": {"metric": "weat"}, "is": {"r2": 0.8, "metric": "weat"}}, None),
        ({"where": {"metric": "weat"}, "is": {"r2": "0.80"}}, None),
        ({"where": {"metric": "weat"}, "is": {"r2": 0.805}}, "is 0.8042"),
        ({"where": {"metric": ["weat", "mac"]}, "above": {"r2": 0.4}, "below": {"r2": 0.9}}, None),
        ({"where": {"metric": ["weat", "mac"]}, "above": {"r2": 0.5}}, "is 0.44"),
        ({"where": {"metric": "mac"}, "below": {"r2": 0.44}}, "is 0.44"),
        ({"where": {"metric": "same"}, "is": {"r2": 1}}, "no row has"),
        ({"table": "none.csv", "is": {"r2": 1}}, "none.csv"),
        ({"table": ["t.csv", "none.csv"], "above": {"r2": 0}}, "none.csv"),
    ],
)
def test_cells_are_checked(tmp_path, monkeypatch, cell, message):
    table = pd.DataFrame({"metric": ["weat", "mac"], "r2": [0.8042, 0.44]})
    table.to_csv(tmp_path / "t.csv", index=False)
    finding = {"page": "a.md", "says": "so", "cells": [{"table": "t.csv"} | cell]}
    failed = check_findings.failures(finding, tmp_path)
    assert failed == [] if message is None else message in failed[0]
    monkeypatch.setattr(check_findings, "read", lambda: [finding])
    monkeypatch.setattr("sys.argv", ["check_findings.py", str(tmp_path)])
    assert check_findings.main() == bool(message)
