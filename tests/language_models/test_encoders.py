"""Models that are taken for their vectors only, and models of the hub whose revision is not known yet."""

import json
import shutil

import numpy as np
import pytest

pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from biassay.language_models import hub, loading  # noqa: E402
from biassay.language_models.mean_vectors import embed  # noqa: E402

TINY = "resources/models/bert-tiny-enwiki"
TEXTS = ["the nurse works in a hospital", "he repaired the engine"]


@pytest.fixture
def folder(tmp_path):
    shutil.copytree(TINY, tmp_path / "model")
    return tmp_path / "model"


def with_config(folder, **changes):
    config = json.loads((folder / "config.json").read_text()) | changes
    (folder / "config.json").write_text(json.dumps({key: value for key, value in config.items() if value is not None}))


def test_a_model_fine_tuned_for_something_else_has_the_vectors_of_its_body(folder):
    whole = loading.load_encoder(folder, device="cpu")
    assert whole.kind == "masked"
    with_config(folder, architectures=["BertForSequenceClassification"])
    found = loading.load_encoder(folder, device="cpu")
    assert found.kind == loading.ENCODER
    assert type(found.model).__name__ == "BertModel"
    assert not found.model.training
    np.testing.assert_allclose(embed(found, TEXTS), embed(whole, TEXTS), atol=1e-6)


@pytest.mark.parametrize(
    ("config", "kind"),
    [
        ({"architectures": ["BertForMaskedLM"]}, "masked"),
        ({"architectures": ["GPT2LMHeadModel"]}, "causal"),
        ({"architectures": ["BertModel"]}, None),
        ({"architectures": ["Unheard", "GPT2LMHeadModel"]}, "causal"),
        ({"architectures": "BertForMaskedLM"}, None),
        ({}, None),
    ],
)
def test_the_kind_that_architectures_name(config, kind):
    assert loading.named_kind(config) == kind
    assert loading.kind_of(config | {"model_type": "bert"}) == (kind or "masked")
    assert loading.kind_of(config | {"model_type": "gpt2"}) == (kind or "causal")


def test_xlnet_is_an_encoder(folder):
    config = transformers.XLNetConfig(vocab_size=30522, d_model=16, n_layer=1, n_head=2, d_inner=24)
    (folder / "model.safetensors").unlink()
    transformers.XLNetLMHeadModel(config).save_pretrained(folder)
    found = loading.load_encoder(folder, device="cpu")
    assert found.kind == loading.ENCODER
    assert embed(found, TEXTS).shape == (2, 16)


def test_a_revision_that_is_to_be_found_out_is_told(folder, tmp_path, monkeypatch, caplog):
    commit, asked = "0123456789" * 4, []
    cached = tmp_path / "snapshots" / commit
    shutil.copytree(folder, cached)

    def snapshot(name, *, revision, allow_patterns):
        asked.append((name, revision))
        return str(cached)

    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot)
    hub.download("some/model", "unknown", tmp_path / "found")
    assert asked == [("some/model", None)]
    assert f"some/model: downloaded the newest revision; to pin it, set revision: {commit}" in caplog.text
    assert (tmp_path / "found/model.safetensors").is_file()
    caplog.clear()
    hub.download("some/model", commit, tmp_path / "pinned")
    assert asked[1] == ("some/model", commit)
    assert "revision" not in caplog.text
