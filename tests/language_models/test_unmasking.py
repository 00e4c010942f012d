"""Probabilities behind masks and embeddings of sentences, against the model's plain forward pass."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
from biassay.language_models import encoding, inference, loading, template_sentences, templates, unmasking  # noqa: E402

TEMPLATES = templates.read("resources/templates/same.yaml")["test"][:8]
WORDS = ["nurse", "hairdresser", "engineer", "social worker"]


@pytest.fixture(scope="module")
def tiny():
    return loading.load("resources/models/bert-tiny-enwiki", device="cpu")


def plain(tiny, text):
    """log p of every piece at every position of a text with masks in it."""
    inputs = tiny.tokenizer(text, return_tensors="pt")
    with torch.inference_mode():
        return inputs["input_ids"][0].tolist(), tiny.model(**inputs).logits[0].log_softmax(dim=-1).numpy()


def piece(tiny, word):
    return tiny.tokenizer.convert_tokens_to_ids(word)


def test_batches_keep_the_limits():
    random = np.random.default_rng(1)
    lengths, counts = random.integers(5, 60, 300), random.integers(0, 9, 300)
    found = list(inference.batches(lengths, counts, 200, 30))
    assert sorted(np.concatenate(found).tolist()) == list(range(300))
    assert all(len(rows) == 1 or len(rows) * lengths[rows].max() <= 200 for rows in found)
    assert all(len(rows) == 1 or counts[rows].sum() <= 30 for rows in found)
    assert len(found) < 120


def test_pronouns_of_all_sentences(tiny, monkeypatch):
    monkeypatch.setitem(inference.TOKENS, "cpu", 60)  # many batches
    sentences = templates.fill(TEMPLATES, WORDS)
    found = unmasking.pronoun_log_probabilities(tiny.model, template_sentences.mask(tiny.tokenizer, sentences))
    assert found.shape == (len(TEMPLATES) * len(WORDS), 2)
    for row, sentence in enumerate(sentences[::2]):
        start, end = sentence.group_word
        ids, values = plain(tiny, f"{sentence.text[:start]}[MASK]{sentence.text[end:]}")
        pair = [
            piece(tiny, sentences[2 * row + i].text[slice(*sentences[2 * row + i].group_word)].lower()) for i in (0, 1)
        ]
        np.testing.assert_allclose(found[row], values[ids.index(103), pair], atol=2e-4)
    shares = unmasking.normalise(found)
    np.testing.assert_allclose(shares.sum(axis=1), 1)
    np.testing.assert_allclose(shares[:, 1], 1 / (1 + np.exp(found[:, 0] - found[:, 1])), rtol=1e-5)
    male = dict(zip(WORDS, shares[:, 1].reshape(len(WORDS), -1).mean(axis=1), strict=True))
    assert male["nurse"] < male["engineer"]


def test_several_pronouns_of_a_group_have_the_sum_of_their_probabilities(tiny):
    given = {"female": {"pronoun": ["she", "mary"]}, "male": {"pronoun": ["he", "john"]}}
    lines = [templates.parse(line, "", given) for line in ("{Pronoun} is {a_occ}.", "Last year {pronoun} was {a_occ}.")]
    asked = [template_sentences.mask(tiny.tokenizer, templates.fill(lines, WORDS, form)) for form in (0, 1)]
    found = unmasking.pronoun_log_probabilities(tiny.model, *asked)
    for row, sentence in enumerate(templates.fill(lines, WORDS, 0)[::2]):
        start, end = sentence.group_word
        ids, values = plain(tiny, f"{sentence.text[:start]}[MASK]{sentence.text[end:]}")
        for column, words in enumerate((("she", "mary"), ("he", "john"))):
            p = sum(np.exp(values[ids.index(103), piece(tiny, word)]) for word in words)
            assert found[row, column] == pytest.approx(np.log(p), abs=2e-4)


def test_words_of_one_and_of_several_pieces(tiny):
    texts, places = ["Xx was there.", "The xx nurse sang."], np.array([(0, 2), (4, 6)])
    found = unmasking.word_log_probabilities(tiny, texts, places, ["christian", "jewish"])
    for row, text in enumerate(("[MASK] was there.", "The [MASK] nurse sang.")):
        ids, values = plain(tiny, text)
        expected = values[ids.index(103), [piece(tiny, "christian"), piece(tiny, "jewish")]]
        np.testing.assert_allclose(found[row], expected, atol=1e-4)
    assert tiny.tokenizer.tokenize("hairdresser") == ["hair", "##dre", "##sser"]
    with pytest.raises(ValueError, match=r"the word 'hairdresser' has several tokens, \['hair', '##dre', '##sser'\]"):
        unmasking.word_log_probabilities(tiny, texts[1:], places[1:], ["jewish", "hairdresser"])
    with pytest.raises(ValueError, match=r"the word 'midwife' has several tokens, \['mid', '##wife'\]"):
        unmasking.word_log_probabilities(tiny, texts, places, ["midwife", "jewish"])
    found = unmasking.word_log_probabilities(tiny, texts[1:], places[1:], ["jewish", "hairdresser"], multi_token="mean")
    ids, values = plain(tiny, "The [MASK] [MASK] [MASK] nurse sang.")
    pieces = [values[2 + i, piece(tiny, part)] for i, part in enumerate(("hair", "##dre", "##sser"))]
    assert found[0, 1] == pytest.approx(np.mean(pieces), abs=1e-4)
    with pytest.raises(ValueError, match="multi_token: unknown value 'first'"):
        unmasking.word_log_probabilities(tiny, texts, places, ["jewish"], multi_token="first")


def group_words(tiny, *aligned, **options):
    """The words at the first place, as the tokenizer has them, and what is there besides."""
    found = unmasking.tokenise_groups(tiny, aligned, **options)
    places = [slice(*place) for place in found.places[:, 0].tolist()]
    return [tiny.tokenizer.decode(ids[place]) for ids, place in zip(found.ids, places, strict=True)], found


def test_the_word_of_the_group_is_the_one_that_differs(tiny):
    lists = ["She's here.", "I saw black men"], ["He's here.", "I saw asian men"], ["It's here.", "I saw all men"]
    words, found = group_words(tiny, *lists)
    assert words == ["she", "black", "he", "asian", "it", "all"]
    assert found.places.tolist() == [[[1, 2]], [[3, 4]]] * 3
    # whole words, though "hairy" and "hairdresser" begin alike; hyphens join
    words, found = group_words(tiny, ["a hairdresser sang"], ["a hairy sang"], multi_token="mean")
    assert words == ["hairdresser", "hairy"]
    words, _ = group_words(tiny, ["an Asian-American man"], ["an black-american man"], multi_token="mean")
    assert words == ["asian - american", "black - american"]
    # other places come after it
    words, found = group_words(tiny, ["He sang"], ["She sang"], others=np.array([[[3, 7]], [[4, 8]]]))
    assert found.places.tolist() == [[[1, 2], [2, 3]]] * 2


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["He sang", "She sang", "She sang"], "'She sang' and 'She sang': must differ in one word, the group word"),
        (["He sang it", "She sang it", "He lost it"], "'She sang it' and 'He lost it': must differ in one word"),
        (["He sang", "She sang well"], "'He sang' and 'She sang well': must differ in one word"),
        (["He sang", "He sang well"], "'He sang' and 'He sang well': must differ in one word"),
        (["He sang", "He sang", "She sang"], "'He sang' and 'He sang': must differ in one word"),
        (["He sang"], "sentences: .* got 1"),
        ([], "sentences: .* got 0"),
        (["A nurse sang", "A hairdresser sang"], "the word 'hairdresser' has several tokens"),
    ],
)
def test_sentences_that_do_not_differ_in_the_word_of_the_group(tiny, texts, message):
    with pytest.raises(ValueError, match=message):
        unmasking.tokenise_groups(tiny, [[text] for text in texts])


def test_embeddings(tiny, tmp_path, monkeypatch):
    monkeypatch.setitem(inference.TOKENS, "cpu", 60)
    sentences = encoding.target_sentences(tiny.tokenizer, TEMPLATES, WORDS)
    encoding.encode(tiny, sentences, 1).save(tmp_path / "targets")
    found = encoding.SentenceEmbeddings.open(tmp_path / "targets")
    assert found.mean.shape == found.cls.shape == found.word.shape == (len(WORDS) * len(TEMPLATES), 128)
    assert found.mean.dtype == np.float16
    row = len(TEMPLATES) + 1  # hairdresser, "She wants to become {a_occ}."
    with torch.inference_mode():
        inputs = tiny.tokenizer("[MASK] wants to become a hairdresser.", return_tensors="pt")
        hidden = tiny.model.base_model(**inputs).last_hidden_state[0].numpy()
    np.testing.assert_allclose(found.cls[row], hidden[0], atol=2e-3)
    np.testing.assert_allclose(found.mean[row], hidden[1:-1].mean(axis=0), atol=2e-3)
    np.testing.assert_allclose(found.word[row], hidden[6:9].mean(axis=0), atol=2e-3)
    with pytest.raises(ValueError, match=r".* mean\.npy"):
        encoding.SentenceEmbeddings.open(tmp_path)


def test_attributes_are_aligned(tiny):
    sentences = encoding.group_sentences(tiny.tokenizer, TEMPLATES)
    texts = [tiny.tokenizer.decode(ids[1 : n - 1]) for ids, n in zip(sentences.ids, sentences.lengths, strict=True)]
    assert texts[1] == "she wants to become a [MASK]."
    swapped = [" ".join({"she": "he", "her": "his"}.get(word, word) for word in text.split()) for text in texts[:8]]
    assert swapped == texts[8:]
    found = encoding.encode(tiny, sentences, 0)
    with torch.inference_mode():
        inputs = tiny.tokenizer("He wants to become a [MASK].", return_tensors="pt")
        hidden = tiny.model.base_model(**inputs).last_hidden_state[0].numpy()
    np.testing.assert_allclose(found.word[9], hidden[1], atol=2e-3)


@pytest.mark.parametrize("architecture", ["Roberta", "DistilBert", "Albert", "Electra"])
def test_other_architectures_compute_the_same_at_the_masks(architecture):
    import transformers

    sizes = {"vocab_size": 40, "pad_token_id": 0}
    if architecture == "DistilBert":
        sizes |= {"dim": 8, "n_layers": 2, "n_heads": 2, "hidden_dim": 16}
    else:
        sizes |= {"hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2, "intermediate_size": 16}
        sizes |= {"embedding_size": 8} if architecture in ("Albert", "Electra") else {}
    torch.manual_seed(3)
    config = getattr(transformers, f"{architecture}Config")(**sizes)
    model = getattr(transformers, f"{architecture}ForMaskedLM")(config).eval()
    ids = np.random.default_rng(1).integers(1, 40, (6, 9)).astype(np.int32)
    lengths = np.array([9, 4, 7, 9, 5, 6])
    ids[np.arange(9) >= lengths[:, None]] = 0
    wanted = np.array([[3, 7], [1, 2], [5, 6], [9, 9]])
    rows, columns = np.array([4, 0, 4, 2]), np.array([1, 8, 2, 3])
    found = inference.log_probabilities(model, ids, lengths, rows, columns, wanted)
    for row, column, pair, values in zip(rows, columns, wanted, found, strict=True):
        with torch.inference_mode():
            logits = model(input_ids=torch.from_numpy(ids[row : row + 1, : lengths[row]]).long()).logits[0, column]
        np.testing.assert_allclose(values, logits.log_softmax(dim=0)[pair].numpy(), atol=1e-5)
