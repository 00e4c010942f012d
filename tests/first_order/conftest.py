"""What the tests of the first-order study share."""

import pytest

from tests.first_order import small


@pytest.fixture(scope="module")
def setting(tmp_path_factory):
    """An embedding on disk, and the lists."""
    folder = tmp_path_factory.mktemp("diagnosis")
    embedding = small.embedding(more=small.MANY)
    embedding.save(folder / "sg")
    return embedding, small.write(folder), folder
