"""Sentences scored and embedded in batches, compared with one sentence per pass, for every kind of tokenizer."""

import numpy as np
import pytest
import torch

from biassay.language_models import encoding, inference, loading, templates, tokens
from biassay.language_models.loading import LanguageModel
from tests.language_models import decoders_of_ours, tokenizers_of_ours

TEMPLATES = [
    templates.parse(line)
    for line in ("The {occ} likes {possessive} job.", "{Pronoun} is {a_occ}.", "{A_occ} said {pronoun} left.")
]
WORDS = ["nurse", "hairdresser", "economist"]
ENCODERS = ["Bert", "Roberta", "DistilBert", "Albert", "Electra"]
SIZE = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 24}


def make(architecture, tokenizer, kind="masked", auto="ForMaskedLM", **sizes):
    model = decoders_of_ours.model(architecture, auto, vocab_size=len(tokenizer), **sizes)
    return LanguageModel(tokenizer, model, kind)


@pytest.fixture(params=[("Bert", "byte pairs"), ("Bert", "unigrams"), *((name, "word pieces") for name in ENCODERS)])
def model(request, monkeypatch):
    """A tiny model with a tokenizer of each kind, and of each architecture, which scores few sentences at once."""
    monkeypatch.setitem(inference.TOKENS, "cpu", 40)
    monkeypatch.setitem(inference.POSITIONS, "cpu", 3)
    architecture, kind = request.param
    sizes = {"dim": 16, "n_layers": 2, "n_heads": 2, "hidden_dim": 24} if architecture == "DistilBert" else SIZE
    tokenizer = tokenizers_of_ours.KINDS[kind]()
    return make(architecture, tokenizer, max_position_embeddings=64, pad_token_id=tokenizer.pad_token_id, **sizes)


def run_one(model, ids):
    """log p (tokens, vocabulary) and last hidden states (tokens, d) of one sentence."""
    with torch.inference_mode():
        inputs = torch.tensor([list(map(int, ids))])
        hidden = model.base_model(input_ids=inputs).last_hidden_state[0].numpy()
        return model(input_ids=inputs).logits[0].log_softmax(-1).numpy(), hidden


@pytest.mark.parametrize(
    ("limits", "expected"),
    [
        ((12, 100), [[1, 3, 2], [0], [4]]),  # 3 × 4 tokens, then 2 × 5 and 9 would be too many
        ((100, 4), [[1], [3, 2], [0, 4]]),
        ((1, 0), [[1], [3], [2], [0], [4]]),  # one sentence at least
        ((100, 100), [[1, 3, 2, 0, 4]]),
    ],
)
def test_batches_are_filled_with_the_shortest_sentences_first(limits, expected):
    lengths, n_positions = np.array([5, 3, 4, 3, 9]), np.array([1, 2, 0, 4, 1])
    assert [rows.tolist() for rows in inference.batches(lengths, n_positions, *limits)] == expected


def test_log_probabilities_at_positions_of_many_sentences(model):
    texts = ["She is a nurse.", "The hairdresser likes his job.", "He left.", "A nurse said she left.", "Her job."]
    sentences = tokens.tokenise(model.tokenizer, texts, np.zeros((5, 0, 2)))
    rows, columns = np.array([3, 0, 3, 1, 4, 3, 0, 2]), np.array([1, 2, 4, 3, 1, 0, 3, 2])
    wanted = np.arange(16, dtype=np.int32).reshape(8, 2) + 5
    values = inference.log_probabilities(model.model, sentences.ids, sentences.lengths, rows, columns, wanted)
    assert values.dtype == np.float32
    for row, column, pair, value in zip(rows, columns, wanted, values, strict=True):
        expected = run_one(model.model, sentences.ids[row, : sentences.lengths[row]])[0][column, pair]
        np.testing.assert_allclose(value, expected, atol=1e-5)
    whole = model.model(input_ids=torch.tensor(sentences.ids[:1, : sentences.lengths[0]]).long()).logits
    assert whole.shape[1] == sentences.lengths[0]  # the hook is removed


def test_a_large_vocabulary_has_fewer_positions_per_batch(tiny, monkeypatch):
    limits, ids, columns = [], np.full((4, 6), 1000), np.full(4, 2)

    def batches(lengths, counts, *given):
        assert (lengths.tolist(), counts.tolist()) == ([6] * 4, [1] * 4)
        limits.append(given)
        return [np.arange(4)]

    monkeypatch.setattr(inference, "batches", batches)
    for n_values in (1 << 24, 3 * 30522 + 5, 30000):
        monkeypatch.setitem(inference.VALUES, "cpu", n_values)
        inference.log_probabilities(tiny.model, ids, np.full(4, 6), np.arange(4), columns, np.full((4, 1), 1010))
    assert limits == [(4096, 256), (4096, 3), (4096, 1)]


@pytest.mark.parametrize("place", [0, 1])
def test_sentences_are_pooled_as_one_by_one(model, place):
    """Place 0 is the pronoun, 1 the occupation; the other one is masked."""
    sentences, sizes = encoding.mask_place(model.tokenizer, templates.fill(TEMPLATES, WORDS), 1 - place), []
    model.model.base_model.register_forward_hook(
        lambda _model, _inputs, output: sizes.append(output.last_hidden_state.shape[:2].numel())
    )
    embeddings = encoding.encode(model, sentences, place)
    tokenizer = model.tokenizer
    around = {tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.bos_token_id, tokenizer.eos_token_id}
    for row, n in enumerate(sentences.lengths):
        ids = sentences.ids[row, :n].tolist()
        assert ids.count(tokenizer.mask_token_id) == 1
        hidden = run_one(model.model, ids)[1]
        own = [i for i, token in enumerate(ids) if token not in around]
        word = hidden[slice(*sentences.places[row, place])].mean(0)
        for name, expected in (("mean", hidden[own].mean(0)), ("cls", hidden[0]), ("word", word)):
            np.testing.assert_allclose(embeddings[name][row], expected, atol=2e-3)
    assert embeddings["cls"].dtype == np.float16
    assert max(sizes) <= 40


def test_values_that_are_not_finite_are_not_stored(tmp_path):
    with pytest.raises(ValueError, match=r"bad/word\.npy: .* row 2"):
        encoding.save(tmp_path / "bad/word.npy", np.array([[0, 1], [2, 3], [4, np.nan]]))
    assert not (tmp_path / "bad").exists()


TEXTS = ["She saw a nurse.", "He worked.", "Her job as a chef said that she worked as an economist.", "His chef"]
XLNET = {"d_model": 16, "n_layer": 2, "n_head": 2, "d_inner": 24}


def bert(length=32, **options):
    return make("Bert", tokenizers_of_ours.subword_tokens(), max_position_embeddings=length, **options, **SIZE)


def roberta():
    sizes = {"max_position_embeddings": 22, "pad_token_id": 1, **SIZE}
    return make("Roberta", tokenizers_of_ours.byte_pairs(), **sizes)


def opt():
    """A decoder whose last layer is narrower than the others."""
    sizes = {**decoders_of_ours.COMMON, **decoders_of_ours.CONFIGS["OPT"], "word_embed_proj_dim": 8}
    return make("OPT", decoders_of_ours.tokenizer(), "causal", "ForCausalLM", **sizes)


MODELS = {  # and the largest number of tokens of a text
    "BERT": (bert, 32),
    "long encoder": (lambda: bert(1000, kind=loading.ENCODER, auto=""), 512),
    "RoBERTa": (roberta, 20),  # two positions are never used
    "XLNet": (lambda: make("XLNet", tokenizers_of_ours.byte_pairs(), loading.ENCODER, "", **XLNET), 64),
    "GPT-2": (lambda: decoders_of_ours.decoder("GPT2"), 48),
    "GPT-2 without a token for the beginning": (lambda: decoders_of_ours.decoder("GPT2", bos=False), 48),
    "Mamba": (lambda: decoders_of_ours.decoder("Mamba"), 64),
    "OPT": (opt, 48),
}


def embed_one(model, text, longest):
    """The mean of the last layer over the tokens of a cut text, without those around it; their number."""
    own = model.tokenizer(text, add_special_tokens=False)["input_ids"]
    start = 2 if model.tokenizer.bos_token_id is None else model.tokenizer.bos_token_id  # 2: the end of a text
    ids = [start, *own] if model.kind == "causal" else model.tokenizer(text)["input_ids"]
    around = len(ids) - len(own)
    first = next(i for i in range(around + 1) if ids[i : i + len(own)] == own)
    cut = own[: longest - around]
    inputs = torch.tensor([[*ids[:first], *cut, *ids[first + len(own) :]]])
    with torch.inference_mode():
        hidden = model.model.base_model(input_ids=inputs).last_hidden_state[0].numpy()
    return hidden[first : first + len(cut)].astype(float).mean(axis=0), len(cut) + around


@pytest.mark.parametrize("name", MODELS)
def test_means_equal_those_of_one_text_at_a_time(name, monkeypatch):
    build, longest = MODELS[name]
    model = build()
    assert encoding.max_text_tokens(model) == longest
    texts = [*TEXTS, "nurse chef " * 300]
    if model.tokenizer.mask_token and model.kind == "masked":
        texts.append(f"She saw {model.tokenizer.mask_token} here.")  # the mask counts as a word
    vectors = encoding.embed(model, texts)
    expected, sizes = zip(*(embed_one(model, text, longest) for text in texts), strict=True)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(texts), 8 if name == "OPT" else 16)
    np.testing.assert_allclose(vectors, expected, atol=2e-5)
    assert max(sizes) == longest
    monkeypatch.setattr(encoding, "BATCH", 2)
    np.testing.assert_allclose(encoding.embed(model, texts), vectors, atol=1e-5)


@pytest.mark.parametrize("batch", [2, 10])
def test_a_text_without_a_token_is_numbered(batch, monkeypatch):
    monkeypatch.setattr(encoding, "BATCH", batch)
    with pytest.raises(ValueError, match=r"^raw texts of bios: text 3 "):
        encoding.embed(bert(), [*TEXTS[:3], "", ""], what="raw texts of bios")
