"""Fixtures of all tests of language models."""

import pytest

from biassay.language_models import loading
from biassay.language_models.stacked import run as runs
from tests.language_models import plain_training


@pytest.fixture(params=["one at a time", "one pass for all"])
def in_one_pass(request, monkeypatch):
    """Stacked training as on a CPU, and as on a GPU."""
    if request.param == "one pass for all":
        monkeypatch.setattr(runs, "trains_separately", lambda _: False)
    return request.param == "one pass for all"


@pytest.fixture(scope="session")
def base(tmp_path_factory):
    """Folder of the small BERT whose copies are trained."""
    return plain_training.base("bert", tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="session")
def tiny():
    """A pretrained model."""
    return loading.load("resources/models/bert-tiny-enwiki", device="cpu")
