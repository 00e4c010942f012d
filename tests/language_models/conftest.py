"""Fixtures of all tests of language models."""

import importlib.util

import pytest


@pytest.fixture(autouse=True, scope="module")
def one_thread():
    """Products this small wait for a second core longer than it would save, and one thread is repeatable."""
    if not importlib.util.find_spec("torch"):
        yield
        return
    import torch

    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


@pytest.fixture(params=["one at a time", "one pass for all"])
def in_one_pass(request, monkeypatch):
    """Stacked training as on a CPU, and as on a GPU."""
    from biassay.language_models.stacked import chunk

    if request.param == "one pass for all":
        monkeypatch.setattr(chunk, "trains_separately", lambda _: False)
    return request.param == "one pass for all"


@pytest.fixture(scope="session")
def base(tmp_path_factory):
    """Folder of the small BERT whose copies are trained."""
    from tests.language_models import plain_training

    return plain_training.base("bert", tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="session")
def tiny():
    """A pretrained model."""
    from biassay.language_models import loading

    return loading.load("resources/models/bert-tiny-enwiki", device="cpu")
