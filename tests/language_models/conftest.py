"""What all tests of language models share."""

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


@pytest.fixture(scope="module")
def base(tmp_path_factory):
    """The small BERT whose copies are trained side by side."""
    from tests.language_models import plain_training

    return plain_training.base("bert", tmp_path_factory.mktemp("base"))


@pytest.fixture(scope="module")
def data():
    """What each copy is trained on."""
    from tests.language_models import stacked_material

    return stacked_material.data_sets()


@pytest.fixture(scope="module")
def whole(base, data, tmp_path_factory):
    """A training in one go, without checkpoints, so that files are written while it waits."""
    from tests.language_models import stacked_material

    folder = tmp_path_factory.mktemp("whole")
    stacked_material.train(base, data, folder, checkpoint_every=0)
    return folder
