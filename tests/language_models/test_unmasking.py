"""Probabilities of words at masks, compared with the model's plain forward pass."""

import numpy as np
import pytest
import torch

from biassay.language_models import inference, masked_sentences, templates, tokens, unmasking

WORDS = ["nurse", "hairdresser", "engineer", "social worker"]
# The queried words in brackets, others to hide in braces; words of several tokens: hairdresser 3, jeweler 2
TEXTS = [
    "the [nurse] met a {man}.",
    "the [hairdresser] met a {man}.",
    "the [nurse] met a {man}.",
    "the [engineer] met a {woman}.",
    "the [engineer] met a {man}.",
    "the {jeweler} of our town met a [hairdresser].",
    "the {jeweler} of our town met a [jeweler].",
    "[women] and {hairdresser}s came.",
    "the [social worker] met a {man}.",
]


def run_one(tiny, text):
    """log p of every token at every position of a text with masks, and the number of each word's token."""
    inputs = tiny.tokenizer(text, return_tensors="pt")
    with torch.inference_mode():
        return inputs["input_ids"][0].tolist(), tiny.model(**inputs).logits[0].log_softmax(dim=-1).numpy()


@pytest.mark.parametrize("pronouns", [("she", "he"), ("she", "he", "mary", "john")])
def test_the_probability_of_a_group_is_the_sum_of_its_pronouns(tiny, monkeypatch, pronouns):
    monkeypatch.setitem(inference.TOKENS, "cpu", 60)  # many batches
    groups = {"female": {"pronoun": pronouns[::2]}, "male": {"pronoun": pronouns[1::2]}}
    lines = "{Pronoun} is {a_occ}.", "Last year {pronoun} was {a_occ}."
    forms = [templates.parse(line, "", groups) for line in lines]
    n_forms = len(pronouns) // 2
    masked = [masked_sentences.mask(tiny.tokenizer, templates.fill(forms, WORDS, i)) for i in range(n_forms)]
    values = unmasking.pronoun_log_probabilities(tiny.model, *masked)
    assert values.shape == (len(forms) * len(WORDS), 2)
    for row, sentence in enumerate(templates.fill(forms, WORDS, 0)[::2]):
        start, end = sentence.group_word
        ids, log_p = run_one(tiny, f"{sentence.text[:start]}[MASK]{sentence.text[end:]}")
        of_pronouns = log_p[ids.index(103), tiny.tokenizer.convert_tokens_to_ids(list(pronouns))]
        p = np.exp(of_pronouns).reshape(-1, 2).sum(axis=0)
        np.testing.assert_allclose(values[row], np.log(p), atol=2e-4)


def test_normalised_is_a_softmax_that_does_not_overflow():
    shares = unmasking.normalise(np.array([[-1000.0, -1001.0, -1002.0], [0.0, 0.0, 0.0]]))
    total = 1 + np.exp(-1) + np.exp(-2)
    np.testing.assert_allclose(shares, [[1 / total, np.exp(-1) / total, np.exp(-2) / total], [1 / 3] * 3])
    shares = unmasking.normalise(np.array([[-1000.0, -np.inf], [-np.inf, -np.inf]]))
    np.testing.assert_array_equal(shares, [[1, 0], [np.nan, np.nan]])


@pytest.mark.parametrize(
    ("aligned", "options", "words", "places"),
    [
        ([["She's here.", "I saw black men"], ["He's here.", "I saw asian men"], ["It's here.", "I saw all men"]], {},
         ["she", "black", "he", "asian", "it", "all"], [[[1, 2]], [[3, 4]]] * 3),
        ([["a hairdresser sang"], ["a hairy sang"]], {"multi_token": "mean"}, ["hairdresser", "hairy"],
         [[[2, 5]], [[2, 3]]]),
        ([["an Asian-American man"], ["an black-american man"]], {"multi_token": "mean"},
         ["asian - american", "black - american"], [[[2, 5]]] * 2),
        ([["He sang"], ["She sang"]], {"others": np.array([[[3, 7]], [[4, 8]]])}, ["he", "she"],
         [[[1, 2], [2, 3]]] * 2),
    ],
)  # fmt: skip
def test_the_word_of_a_group_is_the_one_that_differs(tiny, aligned, options, words, places):
    tokenised = unmasking.tokenise_groups(tiny, aligned, **options)
    assert tokenised.places.tolist() == places
    spans = [slice(*place) for place in tokenised.places[:, 0].tolist()]
    assert [tiny.tokenizer.decode(ids[span]) for ids, span in zip(tokenised.ids, spans, strict=True)] == words


def test_combining_marks_are_parts_of_words():
    words = "यह लड़का नर्स है । Rene\u0301e-Ann ' s"
    assert unmasking.WORD.findall("यह लड़का नर्स है। Rene\u0301e-Ann's") == words.split()


@pytest.mark.parametrize(
    ("texts", "words"),
    [
        (["女王同人。", "男王同人。"], "女 男"),
        (["我的爸爸很忙", "我的妈妈很忙", "我的奶奶很忙"], "爸爸 妈妈 奶奶"),
        (["父亲。", "母亲。"], "父 母"),
        (["Anna是护士", "Adam是护士"], "Anna Adam"),
        (["护士Anna走了", "护士Ana走了"], "Anna Ana"),
        (["彼は忙しい", "彼女は忙しい"], "彼 彼女"),
        (["護士。", "男護士。"], "護 男護"),
    ],
)
def test_the_word_of_a_group_in_text_without_spaces_is_what_differs(texts, words):
    spans = unmasking._group_words(texts)
    assert [text[start:end] for text, (start, end) in zip(texts, spans, strict=True)] == words.split()


@pytest.mark.parametrize(
    ("texts", "message"),
    [
        (["He sang", "She sang", "She sang"], "'She sang' and 'She sang': must differ in one word"),
        (["He sang", "He sang well"], "'He sang' and 'He sang well'"),
        (["He sang"], "sentences: .* got 1"),
        (["A nurse sang", "A hairdresser sang"], "the word 'hairdresser' has several tokens"),
    ],
)
def test_sentences_that_do_not_differ_in_one_word_are_named(tiny, texts, message):
    with pytest.raises(ValueError, match=message):
        unmasking.tokenise_groups(tiny, [[text] for text in texts])
    with pytest.raises(ValueError, match="multi_token: unknown value 'first'"):
        unmasking.tokenise_groups(tiny, [["He sang"], ["She sang"]], multi_token="first")


@pytest.fixture(scope="module")
def marked(tiny):
    """TEXTS without marks, the places in brackets and braces, and the tokens."""
    texts = [text.translate(str.maketrans("", "", "[]{}")) for text in TEXTS]
    places = []
    for text, bare in zip(TEXTS, texts, strict=True):
        words = [text[text.index(a) + 1 : text.index(b)] for a, b in ("[]", "{}")]
        places.append([(bare.index(word), bare.index(word) + len(word)) for word in words])
    return texts, np.array(places), tokens.tokenise(tiny.tokenizer, texts, np.array(places))


@pytest.mark.parametrize(("place", "hidden"), [(0, ()), (0, [1]), (1, [0])])
def test_queries_equal_the_plain_model(tiny, marked, place, hidden):
    texts, places, tokenised = marked
    expected = []
    for text, spans in zip(texts, places, strict=True):
        inputs = tiny.tokenizer(text, return_tensors="pt", return_offsets_mapping=True)
        offsets, ids = inputs.pop("offset_mapping")[0].tolist(), inputs["input_ids"][0].clone()
        inside = [[a >= spans[p][0] and b <= spans[p][1] and a < b for a, b in offsets] for p in (0, 1)]
        for other in (place, *hidden):
            inputs["input_ids"][0][torch.tensor(inside[other])] = tiny.tokenizer.mask_token_id
        with torch.inference_mode():
            values = tiny.model(**inputs).logits[0].log_softmax(dim=-1)
        expected.append(np.mean([float(values[at, ids[at]]) for at in np.flatnonzero(inside[place])]))
    queries = unmasking.Queries.from_tokens(tokenised, place, tiny.tokenizer.mask_token_id, hidden)
    answers = queries.run(tiny.model)
    assert answers.dtype == np.float32
    np.testing.assert_allclose(answers, expected, atol=2e-4)
    np.testing.assert_array_equal(answers, unmasking.place_log_probabilities(tiny, tokenised, place, hidden))
