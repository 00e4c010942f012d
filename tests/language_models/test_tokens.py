"""Sentences as tokens: places of words, masks in them, and special tokens that a text must not have."""

import re

import numpy as np
import pytest

from biassay import measure_language_model
from biassay.language_models import masked_sentences, templates, tokens
from biassay.vectors.readers import read_vectors
from tests.language_models import decoders_of_ours
from tests.language_models.tokenizers_of_ours import KINDS, TINY


@pytest.mark.parametrize("kind", KINDS)
def test_the_mask_is_in_the_place_of_the_pronoun(kind):
    tokenizer = KINDS[kind]()
    forms = templates.read("resources/templates/same.yaml")["training"]
    words = ["nurse", "economist", "hairdresser", "historian"]  # "historian" starts with "his", "hairdresser" with "ha"
    known = []
    for sentence in (sentence for sentence in templates.fill(forms, words) if sentence.text.isascii()):
        try:
            masked_sentences.mask(tokenizer, [sentence])
            known.append(sentence)
        except ValueError:
            assert kind != "word pieces"  # the small vocabularies split some pronouns
    assert len(known) > 100
    masked = masked_sentences.mask(tokenizer, known)
    for row, (sentence, n, place) in enumerate(zip(known, masked.lengths, masked.positions, strict=True)):
        ids, label = masked.ids[row].tolist(), int(masked.labels[row])
        assert [number == tokenizer.mask_token_id for number in ids] == [i == place for i in range(len(ids))]
        assert [*ids[:place], label, *ids[place + 1 : n]] == tokenizer(sentence.text)["input_ids"]
        assert set(ids[n:]) <= {tokenizer.pad_token_id}
        pronoun = sentence.text[slice(*sentence.group_word)]
        token = tokenizer.convert_ids_to_tokens(label).strip("Ġ▁")
        assert token == (pronoun if kind == "byte pairs" else pronoun.lower())


def test_words_of_several_or_unknown_tokens_are_named():
    sentence = masked_sentences.Sentence("Thon is a nurse.", (0, 4), (10, 15))
    with pytest.raises(ValueError, match=r"'Thon' has several tokens, \['T"):
        masked_sentences.mask(KINDS["byte pairs"](), [sentence])
    unknown = templates.parse("{Pronoun} is {a_occ}.").fill("✂", "male")
    with pytest.raises(ValueError, match=r"'✂' in .* got \['\[UNK\]'\]"):
        masked_sentences.mask(KINDS["word pieces"](), [unknown])
    with pytest.raises(ValueError, match="got none"):
        tokens.tokenise(KINDS["word pieces"](), [], np.zeros((0, 0, 2)))


def test_an_occupation_is_hidden_and_collapsed():
    tokenizer = KINDS["word pieces"]()
    sentences = templates.fill([templates.parse("The {occ} likes {possessive} job.")], ["hairdresser", "nurse"])
    tokenised = masked_sentences.tokenise(tokenizer, sentences)
    assert (tokenised.places[:, 1, 1] - tokenised.places[:, 1, 0]).tolist() == [3, 3, 1, 1]
    hidden = tokenised.hide(1, tokenizer.mask_token_id)
    assert tokenizer.decode(hidden.ids[0]) == "[CLS] the [MASK] [MASK] [MASK] likes her job. [SEP]"
    short = tokenised.collapse(1, tokenizer.mask_token_id, tokenizer.pad_token_id)
    assert [tokenizer.decode(ids[:n]) for ids, n in zip(short.ids, short.lengths, strict=True)] == [
        f"[CLS] the [MASK] likes {word} job. [SEP]" for word in ("her", "his", "her", "his")
    ]
    pronouns = short.ids[np.arange(4), short.places[:, 0, 0]]
    assert tokenizer.convert_ids_to_tokens(pronouns.tolist()) == ["her", "his", "her", "his"]
    assert short.places[0, 1].tolist() == [2, 3]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("causal", [False, True])
def test_no_text_may_have_a_special_token(kind, causal):
    tokenizer = KINDS[kind]()
    for token in (tokenizer.mask_token, tokenizer.unk_token, tokenizer.sep_token):
        text = f"The {token} said that she is a ✂."
        with pytest.raises(ValueError, match=rf"^{re.escape(repr(text))}: .*{re.escape(repr(token))}"):
            tokens.tokenise(tokenizer, ["She is a nurse.", text], np.zeros((2, 0, 2), int), causal)
        tokens.tokenise(tokenizer, ["She is a ✂.", token[1:-1]], np.zeros((2, 0, 2), int), causal)


def test_every_entry_refuses_special_tokens(tiny):
    """Metrics of masked and causal models, and vectors."""
    pair, decoder = {"antistereotypical": ["He is a nurse."]}, decoders_of_ours.decoder()
    for metric, token, model in (("aul", "[MASK]", tiny), ("pll", "[MASK]", tiny), ("unmasking", "[MASK]", tiny),
                                 ("lpbs", "[SEP]", tiny), ("log_likelihood", "<s>", decoder)):  # fmt: skip
        options = {"targets": ["nurse"]} if metric == "lpbs" else {}
        with pytest.raises(ValueError, match=re.escape(token)):
            measure_language_model(metric, model=model, stereotypical=[f"{token} is a nurse."], **pair, **options)
    for reader in ("hf", "hf-inputs"):
        with pytest.raises(ValueError, match=r"'a \[MASK\] nurse'.*special token"):
            read_vectors(f"{reader}:{TINY}", ["nurse", "a [MASK] nurse"])
