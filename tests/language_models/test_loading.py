"""Language models loaded by kind, masked or causal."""

import numpy as np
import pytest
import torch
import transformers

from biassay import measure_language_model
from biassay.language_models import hub, loading
from biassay.language_models.encoding import embed
from biassay.vectors.readers import read_vectors
from tests.language_models import broken_folders
from tests.language_models import decoders_of_ours as ours

COMMIT = "0123456789" * 4


def test_the_kind_follows_from_the_configuration(tmp_path):
    folder = ours.save(tmp_path / "gpt2", bos=False)
    model = ours.loaded(folder)
    assert (model.kind, model.tokenizer.bos_token_id, model.tokenizer.pad_token_id) == ("causal", None, None)
    assert not model.model.training
    assert ours.loaded(folder, kind="causal").kind == "causal"
    with pytest.raises(ValueError, match=r"gpt2: broken masked language model"):
        ours.loaded(folder, kind="masked")
    with pytest.raises(ValueError, match="kind: unknown value 'decoder'; expected one of: masked, causal"):
        ours.loaded(folder, kind="decoder")
    for content, kind in [
        ({"architectures": ["GPT2Model"], "model_type": "gpt2"}, "causal"),
        ({"architectures": ["BertForMaskedLM"], "model_type": "gpt2"}, "masked"),
        ({"architectures": ["BertLMHeadModel"], "model_type": "bert"}, "causal"),
        ({"architectures": [{}, 3, "LlamaForCausalLM"]}, "causal"),
        ({}, "masked"),
    ]:
        assert loading.kind_of(content) == kind


def test_an_encoder_is_no_decoder(tmp_path):
    folder = broken_folders.save(tmp_path / "bert")
    with pytest.raises(ValueError, match="bert: is not causal: a token changes the prediction before it"):
        ours.loaded(folder, kind="causal")
    broken_folders.settings(is_decoder=True)(folder)
    assert ours.loaded(folder, kind="causal").kind == "causal"


def test_a_text_beyond_the_model_s_positions_is_named(tmp_path):
    """Where the tokenizer does not say how long a text may be."""
    folder, text = broken_folders.save(tmp_path / "bert"), "man " * 31
    model = loading.load(folder, device="cpu")
    pair = {"stereotypical": ["man " * 30], "antistereotypical": ["man " * 29 + "nurse"]}
    measure_language_model("aul", model=model, **pair)
    with pytest.raises(ValueError, match=r"man man .*at most 32 .* got 33"):
        measure_language_model("aul", model=model, **pair | {"stereotypical": [text]})
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
    with pytest.raises(ValueError, match=rf"bert: .* got 16: {prefix}encoder.layer.0\S* is not part"):
        loading.read_model(str(folder), str(folder), "AutoModel", "encoder")
    if kind in ("Model", "ForSequenceClassification"):
        broken_folders.settings(num_hidden_layers=1)(folder)
        with pytest.raises(ValueError, match=r"bert: .*cls\.predictions\S* is missing"):
            loading.load(folder, kind="masked", device="cpu")


def test_a_model_fine_tuned_for_another_task_has_the_vectors_of_its_body(tmp_path):
    folder, texts = broken_folders.save(tmp_path / "bert"), ["man nurse", "nurse"]
    model = loading.load_encoder(folder)
    assert model.kind == "masked"
    broken_folders.settings(architectures=["BertForSequenceClassification"])(folder)
    body = loading.load_encoder(folder)
    assert body.kind == loading.ENCODER
    assert type(body.model).__name__ == "BertModel"
    assert not body.model.training
    np.testing.assert_allclose(embed(body, texts), embed(model, texts), atol=1e-6)
    (folder / "model.safetensors").unlink()
    config = transformers.XLNetConfig(vocab_size=7, d_model=16, n_layer=1, n_head=2, d_inner=24)
    transformers.XLNetLMHeadModel(config).save_pretrained(folder)
    assert loading.load_encoder(folder).kind == loading.ENCODER


@pytest.fixture
def cached(tmp_path, monkeypatch):
    """The folder of a model in the cache of the hub, and the calls for it."""
    folder = broken_folders.save(tmp_path / "snapshots" / COMMIT)
    calls = []

    def snapshot(name, *, revision, allow_patterns):
        calls.append((name, revision))
        return str(folder)

    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot)
    return folder, calls


def test_models_of_the_hub(cached, tmp_path, caplog):
    folder, calls = cached
    hub.download("some/model", "unknown", tmp_path / "newest")
    assert COMMIT in caplog.text  # so that it can be pinned
    caplog.clear()
    hub.download("some/model", COMMIT, tmp_path / "pinned")
    assert COMMIT not in caplog.text
    assert (tmp_path / "pinned/model.safetensors").is_file()
    assert loading.load("some/model", device="cpu").kind == "masked"
    assert set(calls) == {("some/model", None), ("some/model", COMMIT)}
    (folder / "model.safetensors").rename(folder / "pytorch_model.bin")
    with pytest.raises(ValueError, match=r"some/model: .* lacks model\.safetensors"):
        hub.download("some/model", COMMIT, tmp_path / "pickled")


def test_a_failed_download_is_named(monkeypatch):
    def snapshot(*_, **__):
        raise OSError("no connection to https://user:secret@example.org")

    monkeypatch.setattr("huggingface_hub.snapshot_download", snapshot)
    with pytest.raises(ValueError, match=r"some/model: .*no connection") as caught:
        loading.load("some/model")
    assert "secret" not in str(caught.value)


def test_a_model_that_mixes_padding_into_a_text_is_refused(tmp_path):
    """FNet has no attention mask: a batch would change the scores and vectors of its texts."""
    folder = broken_folders.save(tmp_path / "bert")
    config = transformers.FNetConfig(vocab_size=len(loading.load(folder).tokenizer), hidden_size=8,
                                     num_hidden_layers=1, intermediate_size=16)  # fmt: skip
    transformers.FNetForMaskedLM(config).save_pretrained(folder)
    for load in (loading.load, loading.load_encoder):
        with pytest.raises(ValueError, match=r"bert: FNet\w+ is not supported: padding after a text"):
            load(folder)


@pytest.mark.parametrize("change", [{"return_dict": False}, {"chunk_size_feed_forward": 4}])
def test_settings_of_the_library_change_no_score(tmp_path, change):
    folder, pair = (
        broken_folders.save(tmp_path / "bert"),
        {"stereotypical": ["man nurse"], "antistereotypical": ["man"]},
    )
    before = measure_language_model("aul", model=folder, **pair).set
    broken_folders.settings(**change)(folder)
    assert measure_language_model("aul", model=folder, **pair).set == before


@pytest.mark.parametrize("metric", ["pll", "log_likelihood", "aul"])
def test_a_model_that_computes_nan_has_no_score(tmp_path, metric):
    folder = broken_folders.save(tmp_path / "bert")
    broken_folders.settings(layer_norm_eps=float("nan"))(folder)
    found = measure_language_model(metric, model=folder, stereotypical=["man nurse"], antistereotypical=["man man"])
    assert np.isnan([*found.word, found.set]).all()
