"""Language models loaded by kind, masked or causal."""

import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from biassay import measure_language_model  # noqa: E402
from biassay.language_models import hub, loading  # noqa: E402
from biassay.language_models.mean_vectors import embed  # noqa: E402
from biassay.vectors.readers import read_vectors  # noqa: E402
from tests.language_models import broken_folders  # noqa: E402
from tests.language_models import decoders_of_ours as ours  # noqa: E402


def test_the_kind_follows_from_the_configuration(tmp_path):
    folder = ours.save(tmp_path / "gpt2", bos=False)
    model = ours.loaded(folder)
    assert (model.kind, model.tokenizer.bos_token_id, model.tokenizer.pad_token_id) == ("causal", None, None)
    assert not model.model.training
    assert ours.loaded(folder, kind="causal").kind == "causal"
    with pytest.raises(ValueError, match=r"config\.json: broken configuration \(Unrecognized configuration class"):
        ours.loaded(folder, kind="masked")
    with pytest.raises(ValueError, match="kind: unknown value 'decoder'; expected one of: masked, causal"):
        ours.loaded(folder, kind="decoder")
    for content, kind in [
        ({"architectures": ["GPT2LMHeadModel"]}, "causal"),
        ({"architectures": ["GPT2Model"], "model_type": "gpt2"}, "causal"),
        ({"architectures": ["BertForMaskedLM"], "model_type": "gpt2"}, "masked"),
        ({"architectures": ["BertLMHeadModel"], "model_type": "bert"}, "causal"),
        ({"architectures": ["XLMWithLMHeadModel"], "model_type": "xlm"}, "masked"),
        ({"architectures": ["BertForPreTraining"], "model_type": "bert"}, "masked"),
        ({"architectures": "GPT2LMHeadModel", "model_type": "bert"}, "masked"),
        ({"architectures": [{}, 3, "LlamaForCausalLM"]}, "causal"),
        ({"architectures": 3, "model_type": []}, "masked"),
        ({}, "masked"),
    ]:
        assert loading.kind_of(content) == kind


def test_an_encoder_is_no_decoder(tmp_path):
    folder = tmp_path / "bert"
    config = transformers.BertConfig(
        vocab_size=400, hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    torch.manual_seed(2)
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    ours.tokenizer().save_pretrained(folder)
    with pytest.raises(ValueError, match="bert: is not causal: a token changes the prediction before it"):
        ours.loaded(folder, kind="causal")
    path = folder / "config.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"is_decoder": True}))
    assert ours.loaded(folder, kind="causal").kind == "causal"


def test_a_text_beyond_the_model_s_positions_is_named(tmp_path):
    """Where the tokenizer does not say how long a text may be."""
    folder, text = broken_folders.save(tmp_path / "bert"), "man " * 31
    model = loading.load(folder, device="cpu")
    for metric in ("aul", "pll"):
        measure_language_model(
            metric, model=model, stereotypical=["man " * 30], antistereotypical=["man " * 29 + "nurse"]
        )
        with pytest.raises(ValueError, match=r"man man .*at most 32 .* got 33"):
            measure_language_model(metric, model=model, stereotypical=[text], antistereotypical=["man"])
    assert read_vectors(f"hf:{folder}", ["man " * 30])[1].shape == (1, 8)
    with pytest.raises(ValueError, match=r"bert: 'man man .*at most 32 .* got 33"):
        read_vectors(f"hf:{folder}", ["man", text])


@pytest.mark.parametrize("kind", ["Model", "ForMaskedLM", "ForPreTraining", "ForSequenceClassification"])
def test_parts_that_are_not_used_may_lack_or_be_left(kind, tmp_path):
    """Poolers, other heads, and buffers that older versions stored."""
    folder = broken_folders.save(tmp_path / "bert")
    config = transformers.AutoConfig.from_pretrained(folder)
    saved = getattr(transformers, f"Bert{kind}")(config)
    saved.save_pretrained(folder)
    prefix = "" if kind == "Model" else "bert."
    broken_folders.weights(**{f"{prefix}embeddings.position_ids": torch.arange(32)[None]})(folder)
    _, model = loading.read_model(str(folder), str(folder), "AutoModel", "encoder")
    assert torch.equal(model.embeddings.word_embeddings.weight, saved.base_model.embeddings.word_embeddings.weight)
    broken_folders.settings(num_hidden_layers=0)(folder)
    with pytest.raises(ValueError, match=rf"bert: the weights have 16 parts .* such as {prefix}encoder.layer.0"):
        loading.read_model(str(folder), str(folder), "AutoModel", "encoder")
    if kind in ("Model", "ForSequenceClassification"):
        broken_folders.settings(num_hidden_layers=1)(folder)
        with pytest.raises(ValueError, match=r"bert: the weights lack \d parts .* such as cls\.predictions"):
            loading.load(folder, kind="masked", device="cpu")


def test_a_model_fine_tuned_for_another_task_has_the_vectors_of_its_body(tmp_path):
    folder, texts = broken_folders.save(tmp_path / "bert"), ["man nurse", "nurse"]
    model = loading.load_encoder(folder, device="cpu")
    assert model.kind == "masked"
    broken_folders.settings(architectures=["BertForSequenceClassification"])(folder)
    body = loading.load_encoder(folder, device="cpu")
    assert body.kind == loading.ENCODER
    assert type(body.model).__name__ == "BertModel"
    assert not body.model.training
    np.testing.assert_allclose(embed(body, texts), embed(model, texts), atol=1e-6)
    (folder / "model.safetensors").unlink()
    config = transformers.XLNetConfig(vocab_size=7, d_model=16, n_layer=1, n_head=2, d_inner=24)
    transformers.XLNetLMHeadModel(config).save_pretrained(folder)
    assert loading.load_encoder(folder, device="cpu").kind == loading.ENCODER


def test_models_of_the_hub(tmp_path, monkeypatch, caplog):
    commit, asked = "0123456789" * 4, []
    cached = broken_folders.save(tmp_path / "snapshots" / commit)

    def snapshot(name, *, revision, allow_patterns):
        asked.append((name, revision))
        return str(cached)

    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot)
    hub.download("some/model", "unknown", tmp_path / "newest")
    assert commit in caplog.text  # so that it can be pinned
    caplog.clear()
    hub.download("some/model", commit, tmp_path / "pinned")
    assert commit not in caplog.text
    assert (tmp_path / "pinned/model.safetensors").is_file()
    assert loading.load("some/model", device="cpu").kind == "masked"
    assert set(asked) == {("some/model", None), ("some/model", commit)}
    (cached / "model.safetensors").rename(cached / "pytorch_model.bin")
    with pytest.raises(ValueError, match=r"some/model: .* lacks model\.safetensors"):
        hub.download("some/model", commit, tmp_path / "pickled")


def test_a_failed_download_is_named(monkeypatch):
    def snapshot(*_, **__):
        raise OSError("no connection to https://user:secret@example.org")

    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot)
    for load in (loading.load, lambda name: hub.download(name, "unknown", "out")):
        with pytest.raises(ValueError, match=r"some/model: .*no connection") as caught:
            load("some/model")
        assert "secret" not in str(caught.value)
