"""The examples in the docstrings of the public functions and classes run and give what they show."""

import doctest
from importlib import import_module

import pytest

from biassay import PUBLIC
from tests.running import ROOT

MODULES = sorted({target.partition(":")[0] for target in PUBLIC.values()})


@pytest.mark.parametrize("module", MODULES)
def test_examples_run(module, monkeypatch):
    monkeypatch.chdir(ROOT)
    result = doctest.testmod(import_module(module), optionflags=doctest.NORMALIZE_WHITESPACE)
    assert result.failed == 0


@pytest.mark.parametrize("name", PUBLIC)
def test_every_public_name_has_an_example(name):
    module, _, attribute = PUBLIC[name].partition(":")
    assert ">>> " in getattr(import_module(module), attribute).__doc__
