"""Mean vectors of texts, compared with transformers run on one text at a time; texts that are too long, or empty."""

import logging

import numpy as np
import pytest

from tests.language_models import decoders_of_ours, tokenizers_of_ours

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
from biassay.language_models import loading, mean_vectors  # noqa: E402
from biassay.language_models.loading import LanguageModel  # noqa: E402
from biassay.language_models.mean_vectors import embed, max_text_tokens  # noqa: E402

TEXTS = ["She saw a nurse.", "He worked.", "Her job as a chef said that she worked as an economist.", "His chef"]
SIZE = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24}


def make(config, tokenizer, kind="masked", auto="AutoModelForMaskedLM"):
    torch.manual_seed(1)
    model = getattr(transformers, auto).from_config(config).eval()
    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim == 2:
                weight.normal_(std=0.3)
    return LanguageModel(tokenizer, model, kind)


def bert(length=32, **options):
    config = transformers.BertConfig(vocab_size=30522, max_position_embeddings=length, **SIZE)
    return make(config, tokenizers_of_ours.subword_tokens(), **options)


def roberta(length=22, **options):
    config = transformers.RobertaConfig(vocab_size=400, max_position_embeddings=length, pad_token_id=1, **SIZE)
    return make(config, tokenizers_of_ours.byte_pairs(), **options)


def xlnet():
    config = transformers.XLNetConfig(vocab_size=400, d_model=16, n_layer=2, n_head=2, d_inner=24)
    return make(config, tokenizers_of_ours.byte_pairs(), loading.ENCODER, "AutoModel")


def narrow_opt():
    """A decoder whose last layer is narrower than the others."""
    model = decoders_of_ours.decoder("OPT")
    config = transformers.OPTConfig(**{**model.model.config.to_dict(), "word_embed_proj_dim": 8})
    return make(config, model.tokenizer, "causal", "AutoModelForCausalLM")


ENCODER = {"kind": loading.ENCODER, "auto": "AutoModel"}
MODELS = {  # and the largest number of tokens of a text
    "BERT": (bert, 32),
    "encoder": (lambda: bert(20, **ENCODER), 20),
    "long BERT": (lambda: bert(1000), 512),
    "RoBERTa": (roberta, 20),  # two positions are never used
    "RoBERTa encoder": (lambda: roberta(22, **ENCODER), 20),
    "long RoBERTa": (lambda: roberta(400), 64),  # as the tokenizer says
    "XLNet": (xlnet, 64),
    "GPT-2": (lambda: decoders_of_ours.decoder("GPT2"), 48),
    "Mamba": (lambda: decoders_of_ours.decoder("Mamba"), 64),
    "OPT": (narrow_opt, 48),
}


def embed_one(model, text, longest):
    """The mean of the last layer over the tokens of a cut text, without those around it; their number."""
    ids = model.tokenizer(text)["input_ids"]
    own = model.tokenizer(text, add_special_tokens=False)["input_ids"]
    around = len(ids) - len(own)
    first = next(i for i in range(around + 1) if ids[i : i + len(own)] == own)
    cut = own[: longest - around]
    ids = [*ids[:first], *cut, *ids[first + len(own) :]]
    with torch.inference_mode():
        hidden = model.model.base_model(input_ids=torch.tensor([ids])).last_hidden_state[0]
    return hidden[first : first + len(cut)].double().mean(dim=0).numpy(), len(cut) + around


@pytest.mark.parametrize("name", MODELS)
def test_means_equal_those_of_one_text_at_a_time(name, monkeypatch):
    build, longest = MODELS[name]
    model = build()
    assert max_text_tokens(model) == longest
    texts = [*TEXTS, "nurse chef " * 300]
    if model.tokenizer.mask_token and model.kind == "masked":
        texts.append(f"She saw {model.tokenizer.mask_token} here.")  # the mask counts as a word
    vectors = embed(model, texts)
    expected, sizes = zip(*(embed_one(model, text, longest) for text in texts), strict=True)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(texts), 8 if name == "OPT" else 16)
    np.testing.assert_allclose(vectors, expected, atol=2e-5)
    assert max(sizes) == longest
    monkeypatch.setattr(mean_vectors, "BATCH", 2)
    np.testing.assert_allclose(embed(model, texts), vectors, atol=1e-5)


def test_a_model_without_a_length():
    model = decoders_of_ours.decoder("Mamba")
    model.tokenizer.model_max_length = int(1e30)
    assert max_text_tokens(model) == 512


@pytest.mark.parametrize("build", [bert, roberta, lambda: decoders_of_ours.decoder("GPT2")])
@pytest.mark.parametrize("batch", [2, 10])
def test_a_text_without_a_token_is_numbered(build, batch, monkeypatch, caplog):
    monkeypatch.setattr(mean_vectors, "BATCH", batch)
    caplog.set_level(logging.DEBUG)
    with pytest.raises(ValueError, match=r"^raw texts of bios: text 3 "):
        embed(build(), [*TEXTS[:3], "", ""], what="raw texts of bios")
    assert "nurse" not in caplog.text
