"""GGUF files: a decoder as llama.cpp writes one, and broken ones."""

import numpy as np
import pytest

pytest.importorskip("accelerate")
pytest.importorskip("gguf")

from biassay.language_models import loading, model_files
from biassay.vectors.readers import read_vectors
from tests.language_models import decoders_of_ours as ours
from tests.language_models import gguf_of_ours

TEXTS = ["nurse", "She is a nurse."]


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return gguf_of_ours.save(tmp_path_factory.mktemp("gguf") / "tiny.gguf")


def test_a_file_is_the_model_that_it_was_written_from(path, tmp_path, capsys):
    model, words = loading.load(path, device="cpu"), ours.save(tmp_path / "llama", "Llama")
    assert model.kind == "causal"
    for text in TEXTS:
        np.testing.assert_allclose(ours.plainly(model, text), ours.plainly(ours.decoder("Llama"), text), atol=1e-5)
    vectors = read_vectors(f"hf:{words}", TEXTS)[1]
    capsys.readouterr()
    for source in (f"hf:{path}", path, path.parent):
        np.testing.assert_allclose(read_vectors(source, TEXTS)[1], vectors, atol=1e-5)
    assert capsys.readouterr().err == ""  # no progress bars of the library
    with pytest.raises(ValueError, match=r"has '<\|endoftext\|>', a special token"):  # which transformers adds
        read_vectors(f"hf:{path}", ["a <|endoftext|>"])


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"architecture": "elephant"}, "tiny.gguf: broken configuration .*elephant"),
        ({"without": ["blk.1.ffn_up.weight"]}, "1: model.layers.1.mlp.up_proj.weight is missing"),
        ({"block_count": 10**9}, "tiny.gguf: llama.block_count: expected at most 1000, got 1000000000"),
        ({"feed_forward_length": 10**6}, "tiny.gguf: describes [0-9,]+ parameters; the weights have only"),
        ({"feed_forward_length": 30}, "tiny.gguf: "),
        ({"vocab_size": 300}, "tiny.gguf: "),
    ],
    ids=lambda value: next(iter(value)) if isinstance(value, dict) else "",
)
def test_broken_metadata_is_named(changes, problem, tmp_path):
    path = gguf_of_ours.save(tmp_path / "tiny.gguf", **changes)
    with pytest.raises(ValueError, match=problem):
        loading.load(path, device="cpu")


@pytest.mark.parametrize("n_bytes", [0, 3, 20, 100, 3000, 20_000, -4])
def test_a_truncated_file_is_named(path, n_bytes, tmp_path):
    (tmp_path / "cut.gguf").write_bytes(path.read_bytes()[:n_bytes])
    with pytest.raises(ValueError, match=r"cut\.gguf"):
        loading.load(tmp_path / "cut.gguf", device="cpu")


def test_which_file_and_what_it_needs(path, tmp_path, monkeypatch):
    with pytest.raises(OSError, match=r"none\.gguf"):
        loading.load(tmp_path / "none.gguf")
    for name in "ab":
        (tmp_path / f"{name}.gguf").write_bytes(b"GGUF")
    with pytest.raises(ValueError, match=r"expected one \.gguf file, got 2; name one, such as .*a\.gguf"):
        loading.load(tmp_path)
    monkeypatch.setattr(model_files, "find_spec", lambda name: None)
    with pytest.raises(ValueError, match=r"tiny\.gguf: GGUF files need gguf and accelerate; pip install"):
        loading.load(path)
