"""Sentences as tokens: places of words, masks in them, and special tokens that a text must not have."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

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
            known.append((sentence, masked_sentences.mask(tokenizer, [sentence])))
        except ValueError:
            assert kind != "word pieces"  # the small vocabularies split some pronouns
    assert len(known) > 100
    together = masked_sentences.mask(tokenizer, [sentence for sentence, _ in known])
    for row, (sentence, masked) in enumerate(known):
        ids, place = masked.ids[0].tolist(), masked.positions[0]
        assert [number == tokenizer.mask_token_id for number in ids] == [i == place for i in range(len(ids))]
        ids[place] = masked.labels[0]
        assert ids == tokenizer(sentence.text)["input_ids"]
        pronoun = sentence.text[slice(*sentence.group_word)]
        token = tokenizer.convert_ids_to_tokens(int(masked.labels[0])).strip("Ġ▁")
        assert token == (pronoun if kind == "byte pairs" else pronoun.lower())
        n = together.lengths[row]
        assert together.ids[row, :n].tolist() == masked.ids[0].tolist()
        assert (together.ids[row, n:] == tokenizer.pad_token_id).all()


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


@pytest.mark.parametrize("name", ["mask", "unk", "sep"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_text_may_have_a_special_token(kind, name):
    tokenizer = KINDS[kind]()
    token = getattr(tokenizer, f"{name}_token")
    for text in (token, f"The {token} said that she is a ✂."):
        for causal in (False, True):
            with pytest.raises(ValueError, match="special token") as caught:
                tokens.tokenise(tokenizer, ["She is a nurse.", text], np.zeros((2, 0, 2), int), causal)
            assert repr(text) in str(caught.value)
            assert repr(token) in str(caught.value)
    tokens.tokenise(tokenizer, ["She is a ✂.", token[1:-1]], np.zeros((2, 0, 2), int))


def test_every_entry_refuses_special_tokens(tiny):
    """Metrics of masked and causal models, words at a place, and vectors."""
    pair = {"stereotypical": ["[MASK] is a nurse."], "antistereotypical": ["He is a nurse."]}
    for metric in ("aul", "pll", "unmasking"):
        with pytest.raises(ValueError, match=r"MASK.* is a nurse"):
            measure_language_model(metric, model=tiny, **pair)
    pair = {"stereotypical": ["She is a [SEP]."], "antistereotypical": ["He is a [SEP]."]}
    with pytest.raises(ValueError, match=r"'She is a .SEP"):
        measure_language_model("lpbs", model=tiny, targets=["SEP"], **pair)
    with pytest.raises(ValueError, match="<s> is a nurse"):
        measure_language_model(
            "log_likelihood", model=decoders_of_ours.decoder(), stereotypical=["She <s> is a nurse."],
            antistereotypical=["He is a nurse."],
        )  # fmt: skip
    with pytest.raises(ValueError, match=r"'a \[MASK\]': has '\[MASK\]'"):
        tokens.check_texts(tiny.tokenizer, ["nurse", "a [MASK]", "[SEP]"])
    for reader in ("hf", "hf-inputs"):
        with pytest.raises(ValueError, match=r"'a \[MASK\] nurse'.*special token"):
            read_vectors(f"{reader}:{TINY}", ["nurse", "a [MASK] nurse"])
