"""What is imported from biassay itself."""

import ast
import re
import subprocess
import sys

import pytest

import biassay
from biassay.core import registry
from tests.running import ROOT


def test_importing_the_package_stays_light():
    code = "import sys, biassay; print(sorted(set(sys.modules) & {'numpy', 'torch', 'biassay.core'}))"
    result = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert result.stdout == "[]\n", result.stderr


def test_public_names_are_what_they_are_called():
    for name in biassay.PUBLIC:
        if name != "load_language_model":
            assert getattr(biassay, name).__name__ == name
    assert set(dir(biassay)) >= set(biassay.PUBLIC) == set(biassay.__all__)
    assert biassay.weat.METRIC.source
    assert biassay.pmi_svd.INPUT == "counts"
    with pytest.raises(AttributeError, match="module 'biassay' has no attribute 'nothing'"):
        _ = biassay.nothing


def test_pages_use_nothing_but_the_public_face():
    pages = [ROOT / "README.md", *(ROOT / "docs").rglob("*.md")]
    blocks = [
        block for page in pages for block in re.findall(r"```python\n(.*?)```", page.read_text("utf-8"), re.DOTALL)
    ]
    assert len(blocks) >= 4
    public = {*biassay.PUBLIC, *registry.names("metrics"), *registry.names("embeddings")}
    for node in (node for block in blocks for node in ast.walk(ast.parse(block))):
        if isinstance(node, ast.ImportFrom) and node.module.split(".")[0] == "biassay":
            assert node.module == "biassay"
            assert {alias.name for alias in node.names} <= public
        elif isinstance(node, ast.Import):
            assert not any(alias.name.startswith("biassay.") for alias in node.names)
