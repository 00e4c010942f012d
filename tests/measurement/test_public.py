"""What is imported from biassay itself."""

import subprocess
import sys

import pytest

import biassay


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
