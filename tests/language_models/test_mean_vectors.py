"""Mean vectors of texts, against transformers asked for one text at a time; texts that are too long, or empty."""

import logging

import numpy as np
import pytest

from tests.language_models import decoders_of_ours, tokenizers_of_ours

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
from biassay.language_models import loading, mean_vectors  # noqa: E402
from biassay.language_models.loading import LanguageModel  # noqa: E402
from biassay.language_models.mean_vectors import embed, max_text_tokens  # noqa: E402

TEXTS = [
    "She saw a nurse.",
    "He worked.",
    "Her job as a chef said that she worked as an economist.",
    "nurse",
    "His chef",
]
SIZE = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24}


def made(config, tokenizer, kind="masked", auto="AutoModelForMaskedLM"):
    torch.manual_seed(1)
    model = getattr(transformers, auto).from_config(config).eval()
    with torch.no_grad():
        for weight in model.parameters():
            if weight.ndim == 2:
                weight.normal_(std=0.3)
    return LanguageModel(tokenizer, model, kind)


def bert(length=32, **options):
    config = transformers.BertConfig(vocab_size=30522, max_position_embeddings=length, **SIZE)
    return made(config, tokenizers_of_ours.subword_tokens(), **options)


def roberta(length=22, auto="AutoModelForMaskedLM", **options):
    config = transformers.RobertaConfig(vocab_size=400, max_position_embeddings=length, pad_token_id=1,
                                        is_decoder=auto == "AutoModelForCausalLM", **SIZE)  # fmt: skip
    return made(config, tokenizers_of_ours.byte_pairs(), auto=auto, **options)


def xlnet():
    config = transformers.XLNetConfig(vocab_size=400, d_model=16, n_layer=2, n_head=2, d_inner=24)
    return made(config, tokenizers_of_ours.byte_pairs(), loading.ENCODER, "AutoModel")


def opt():
    """A decoder whose last layer is narrower than the others."""
    found = decoders_of_ours.decoder("OPT")
    config = transformers.OPTConfig(**{**found.model.config.to_dict(), "word_embed_proj_dim": 8})
    return made(config, found.tokenizer, "causal", "AutoModelForCausalLM")


MODELS = {
    "BERT": bert, "RoBERTa": roberta, "encoder": lambda: bert(kind=loading.ENCODER, auto="AutoModel"), "XLNet": xlnet,
    "GPT-2": lambda: decoders_of_ours.decoder("GPT2"), "Llama": lambda: decoders_of_ours.decoder("Llama"), "OPT": opt,
}  # fmt: skip


def plainly(of, text, longest):
    """The mean of the last layer over the tokens that are not put around a text, cut to so many with these."""
    ids = of.tokenizer(text)["input_ids"]
    own = of.tokenizer(text, add_special_tokens=False)["input_ids"]
    around = len(ids) - len(own)
    first = next(i for i in range(around + 1) if ids[i : i + len(own)] == own)
    cut = own[: longest - around]
    ids = [*ids[:first], *cut, *ids[first + len(own) :]]
    with torch.inference_mode():
        hidden = of.model.base_model(input_ids=torch.tensor([ids])).last_hidden_state[0]
    return hidden[first : first + len(cut)].double().mean(dim=0).numpy(), len(cut)


@pytest.mark.parametrize("name", MODELS)
def test_means_are_those_of_a_text_alone(name):
    of = MODELS[name]()
    texts = [*TEXTS, TEXTS[2] * 3]
    found = embed(of, texts)
    expected, sizes = zip(*(plainly(of, text, max_text_tokens(of)) for text in texts), strict=True)
    assert found.dtype == np.float32
    assert found.shape == (6, 8 if name == "OPT" else 16)
    np.testing.assert_allclose(found, expected, atol=2e-5)
    assert np.std(found, axis=0).min() > 1e-3
    assert len(set(sizes)) > 3


@pytest.mark.parametrize(
    ("make", "longest"),
    [
        (lambda: bert(20), 20),
        (lambda: bert(20, kind=loading.ENCODER, auto="AutoModel"), 20),
        (lambda: bert(1000), 512),
        (lambda: roberta(22), 20),  # two places are never used
        (lambda: roberta(22, kind=loading.ENCODER, auto="AutoModel"), 20),
        (lambda: roberta(22, kind="causal", auto="AutoModelForCausalLM"), 20),
        (lambda: roberta(400), 64),  # the tokenizer's
        (xlnet, 64),
        (lambda: decoders_of_ours.decoder("GPT2"), 48),
        (lambda: decoders_of_ours.decoder("Mamba"), 64),
    ],
)
def test_the_max_text_tokens(make, longest):
    of = make()
    assert max_text_tokens(of) == longest
    long = "nurse chef " * 400
    vectors = embed(of, [long, "nurse"])
    expected, size = plainly(of, long, longest)
    np.testing.assert_allclose(vectors[0], expected, atol=2e-5)
    around = len(of.tokenizer("nurse")["input_ids"]) - len(of.tokenizer("nurse", add_special_tokens=False)["input_ids"])
    assert size == longest - around


def test_a_model_without_a_length(monkeypatch):
    of = decoders_of_ours.decoder("Mamba")
    of.tokenizer.model_max_length = int(1e30)
    assert max_text_tokens(of) == 512


@pytest.mark.parametrize("make", [bert, roberta])
def test_a_mask_counts_as_a_word(make):
    of = make()
    text = f"She saw {of.tokenizer.mask_token} here."
    expected, size = plainly(of, text, max_text_tokens(of))
    np.testing.assert_allclose(embed(of, [text, "She"])[0], expected, atol=2e-5)
    assert size == len(of.tokenizer(text)["input_ids"]) - 2


@pytest.mark.parametrize("at_once", [1, 2, 5])
def test_texts_are_in_their_order_however_many_at_once(monkeypatch, at_once, caplog):
    of, texts = bert(), TEXTS[::-1]
    expected = embed(of, texts)
    monkeypatch.setattr(mean_vectors, "BATCH", at_once)
    added = []
    monkeypatch.setattr(mean_vectors.Progress, "add", lambda self, n: added.append((self.task, self.total, n)))
    np.testing.assert_allclose(embed(of, texts, what="titles"), expected, atol=1e-5)
    assert {part[:2] for part in added} == {("embedding titles", 5)}
    assert sum(part[2] for part in added) == 5
    assert len(added) == -(-5 // at_once)


@pytest.mark.bad_input(
    "texts to be embedded", "a text without tokens is refused; the message has its number and not its words"
)
@pytest.mark.parametrize("make", [bert, roberta, lambda: decoders_of_ours.decoder("GPT2")])
@pytest.mark.parametrize("at_once", [2, 10])
def test_a_text_without_a_token(make, at_once, monkeypatch, caplog):
    monkeypatch.setattr(mean_vectors, "BATCH", at_once)
    with (
        caplog.at_level(logging.DEBUG),
        pytest.raises(ValueError, match=r"^raw texts of bios: text 3 has no token of its own$"),
    ):
        embed(make(), [*TEXTS[:3], "", ""], what="raw texts of bios")
    with pytest.raises(ValueError, match=r"^texts: text 0 has no token of its own$"):
        embed(make(), [""])
    assert not any("nurse" in message for message in caplog.messages)
