"""Sentences asked in batches, against the model asked one sentence at a time; with every kind of tokenizer."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
from biassay.language_models import encoding, inference, templates, tokens, unmasking  # noqa: E402
from biassay.language_models.loading import LanguageModel  # noqa: E402
from tests.language_models import tokenizers_of_ours  # noqa: E402

TEMPLATES = [
    templates.parse(line)
    for line in ("The {occ} likes {possessive} job.", "{Pronoun} is {a_occ}.", "{A_occ} said {pronoun} left.")
]
WORDS = ["nurse", "hairdresser", "economist"]


@pytest.fixture(scope="module", params=list(tokenizers_of_ours.KINDS))
def model(request):
    """A tiny model with random weights for a tokenizer of each kind."""
    tokenizer = tokenizers_of_ours.KINDS[request.param]()
    torch.manual_seed(2)
    config = transformers.BertConfig(
        vocab_size=len(tokenizer), hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=8,
        initializer_range=0.5, max_position_embeddings=64,
    )  # fmt: skip
    return LanguageModel(tokenizer, transformers.BertForMaskedLM(config).eval())


@pytest.fixture(autouse=True)
def small_batches(monkeypatch):
    monkeypatch.setitem(inference.TOKENS, "cpu", 40)
    monkeypatch.setitem(inference.POSITIONS, "cpu", 3)


def plain(model, ids):
    """log p (tokens, vocabulary) and last hidden states (tokens, d) of one sentence."""
    with torch.inference_mode():
        inputs = torch.tensor([list(map(int, ids))])
        logits = model.model(input_ids=inputs).logits[0].log_softmax(-1).numpy()
        return logits, model.model.base_model(input_ids=inputs).last_hidden_state[0].numpy()


@pytest.fixture
def shapes(model):
    """Sentences and tokens of the batches that the model is asked."""
    found = []
    handle = model.model.base_model.register_forward_pre_hook(
        lambda body, inputs, named: found.append(tuple((*inputs, named.get("input_ids"))[0].shape)), with_kwargs=True
    )
    yield found
    handle.remove()


def greedy(lengths, counts, tokens_, positions):
    """Rows in batches as full as may be, the shortest sentences first."""
    batches = [[]]
    for row in sorted(range(len(lengths)), key=lambda row: lengths[row]):
        longer = [*batches[-1], row]
        if batches[-1] and (len(longer) * lengths[row] > tokens_ or counts[longer].sum() > positions):
            batches.append([row])
        else:
            batches[-1] = longer
    return batches


def shapes_of(lengths, counts):
    return [(len(rows), max(lengths[rows])) for rows in greedy(lengths, counts, 40, 3)]


def special(tokenizer):
    return {tokenizer.cls_token_id, tokenizer.sep_token_id, tokenizer.bos_token_id, tokenizer.eos_token_id}


@pytest.mark.parametrize(("make", "place"), [(encoding.target_sentences, 1), (encoding.group_sentences, 0)])
def test_sentences_are_pooled_one_by_one(model, shapes, make, place):
    given = (WORDS,) if make is encoding.target_sentences else ()
    sentences = make(model.tokenizer, TEMPLATES, *given)
    found = encoding.encode(model, sentences, place)
    assert shapes == shapes_of(sentences.lengths, np.zeros(len(sentences), int))
    assert len(sentences) == (9 if given else 6)
    for row, n in enumerate(sentences.lengths):
        ids = sentences.ids[row, :n].tolist()
        assert ids.count(model.tokenizer.mask_token_id) == 1
        hidden = plain(model, ids)[1]
        own = [i for i, token in enumerate(ids) if token not in special(model.tokenizer)]
        word = slice(*sentences.places[row, place])
        assert hidden.shape[1] == found.mean.shape[1] == 8
        for values, expected in (
            (found.mean, hidden[own].mean(0)),
            (found.cls, hidden[0]),
            (found.word, hidden[word].mean(0)),
        ):
            np.testing.assert_allclose(values[row], expected, atol=2e-3)
    assert found.cls.dtype == np.float16


def test_embeddings_on_disk(tmp_path):
    parts = [np.full((2, 3), value, np.float16) for value in (1, 2, 3)]
    for _ in range(2):
        encoding.SentenceEmbeddings(*parts).save(tmp_path / "made/here")
    found = encoding.SentenceEmbeddings.open(tmp_path / "made/here")
    assert [found.mean[0, 0], found.cls[0, 0], found.word[0, 0]] == [1, 2, 3]
    assert isinstance(found.word, np.memmap)
    (tmp_path / "made/here/cls.npy").unlink()
    with pytest.raises(ValueError, match=r"made/here: .* cls\.npy"):
        encoding.SentenceEmbeddings.open(tmp_path / "made/here")


def test_positions_of_many_sentences(model, shapes):
    texts = ["She is a nurse.", "The hairdresser likes his job.", "He left.", "A nurse said she left.", "Her job."]
    found = tokens.tokenise(model.tokenizer, texts, np.zeros((5, 0, 2)))
    rows = np.array([3, 0, 3, 1, 4, 3, 0, 2])
    columns = np.array([1, 2, 4, 3, 1, 0, 3, 2])
    wanted = np.arange(16, dtype=np.int32).reshape(8, 2) + 5
    values = inference.log_probabilities(model.model, found.ids, found.lengths, rows, columns, wanted)
    assert shapes == shapes_of(found.lengths, np.bincount(rows, minlength=5))
    assert values.dtype == np.float32
    for row, column, pair, value in zip(rows, columns, wanted, values, strict=True):
        expected = plain(model, found.ids[row, : found.lengths[row]])[0][column, pair]
        np.testing.assert_allclose(value, expected, atol=1e-5)
    whole = model.model(input_ids=torch.tensor(found.ids[:1, : found.lengths[0]]).long()).logits
    assert whole.shape[1] == found.lengths[0]  # nothing is left of the cut


@pytest.mark.parametrize("seed", range(12))
def test_batches_are_filled_greedily(seed):
    random = np.random.default_rng(seed)
    lengths, counts = random.integers(3, 13, 60), random.integers(0, 4, 60)
    for tokens_, positions in ((30, 5), (100, 3), (12, 100), (5, 1)):
        found = [rows.tolist() for rows in inference.batches(lengths, counts, tokens_, positions)]
        assert found == greedy(lengths, counts, tokens_, positions)


def test_words_masked_together_and_places_hidden_besides(model):
    texts, parts = ["The nurse likes her job.", "She is a nurse.", "The nurse likes his job."], []
    places = np.array([[(4, 9), (16, 19)], [(9, 14), (0, 3)], [(4, 9), (16, 19)]])
    found = tokens.tokenise(model.tokenizer, texts, places)
    mask = model.tokenizer.mask_token_id
    for hidden in ((), (1,)):
        values = unmasking.place_log_probabilities(model, found, 0, hidden)
        assert values.dtype == np.float32
        for row in range(3):
            ids = found.ids[row, : found.lengths[row]].copy()
            first, end = found.places[row, 0]
            own = ids[first:end].copy()
            ids[first:end] = mask
            for place in hidden:
                ids[slice(*found.places[row, place])] = mask
            expected = plain(model, ids)[0][np.arange(first, end), own].mean()
            assert values[row] == pytest.approx(expected, abs=1e-5)
        parts.append(values)
    assert (parts[0] != parts[1]).all()


def test_sentences_alike_once_masked_are_asked_once(monkeypatch, model):
    asked, usual = [], inference.log_probabilities

    def log_probabilities(model, ids, lengths, rows, columns, wanted):
        asked.append((len(ids), len(rows)))
        return usual(model, ids, lengths, rows, columns, wanted)

    monkeypatch.setattr(inference, "log_probabilities", log_probabilities)
    found = unmasking.word_log_probabilities(
        model, ["Oh x left."] * 3, [(3, 4)] * 3, ["she", "she"], multi_token="mean"
    )
    assert found.shape == (3, 2)
    assert len(set(found.ravel())) == 1
    assert asked[0][0] == 1


def test_normalised_is_a_softmax_that_does_not_overflow():
    found = unmasking.normalise(np.array([[-1000.0, -1001.0, -1002.0], [0.0, 0.0, 0.0]]))
    total = 1 + np.exp(-1) + np.exp(-2)
    np.testing.assert_allclose(found, [[1 / total, np.exp(-1) / total, np.exp(-2) / total], [1 / 3] * 3])
    found = unmasking.normalise(np.array([[-1000.0, -np.inf], [-np.inf, -np.inf]]))
    np.testing.assert_array_equal(found, [[1, 0], [np.nan, np.nan]])


@pytest.mark.bad_input("vectors of a model", "values that are not finite are not written; the message names the file")
@pytest.mark.parametrize("value", [np.nan, np.inf, -np.inf])
@pytest.mark.parametrize("name", encoding.POOLINGS)
def test_vectors_that_are_not_finite_are_not_written(tmp_path, name, value):
    parts = {key: np.ones((3, 4), np.float16) for key in encoding.POOLINGS}
    encoding.SentenceEmbeddings(**parts).save(tmp_path / "good")
    found = encoding.SentenceEmbeddings.open(tmp_path / "good")
    np.testing.assert_array_equal(found.word, parts["word"])
    parts[name][2, 1] = value
    with pytest.raises(ValueError, match=rf"bad/{name}\.npy: .* row 2"):
        encoding.SentenceEmbeddings(**parts).save(tmp_path / "bad")
    assert not list((tmp_path / "bad").glob("*"))
