"""Masks placed by position, with every kind of tokenizer, and words hidden and collapsed."""

import numpy as np
import pytest

from biassay.language_models import template_sentences, templates

SAME = templates.read("resources/templates/same.yaml")


@pytest.fixture(scope="module")
def kinds():
    pytest.importorskip("transformers")
    from tests.language_models import tokenizers_of_ours

    return {name: make() for name, make in tokenizers_of_ours.KINDS.items()}


@pytest.mark.parametrize("kind", ["word pieces", "byte pairs", "unigrams"])
def test_the_mask_stands_where_the_pronoun_stood(kinds, kind):
    tokenizer = kinds[kind]
    words = ["nurse", "economist", "hairdresser", "historian"]  # "historian" holds "his", "hairdresser" begins as "ha"
    sentences = [s for s in templates.fill(SAME["training"], words) if s.text.isascii()]
    known = []
    for sentence in sentences:
        try:
            known.append((sentence, template_sentences.mask(tokenizer, [sentence])))
        except ValueError:
            assert kind != "word pieces"  # the small vocabularies split some pronouns
    assert len(known) > 100
    for sentence, masked in known:
        tokens, place = masked.ids[0].tolist(), masked.positions[0]
        assert tokens.count(tokenizer.mask_token_id) == 1
        assert tokens[place] == tokenizer.mask_token_id
        tokens[place] = masked.labels[0]
        assert tokens == tokenizer(sentence.text)["input_ids"]
        pronoun = sentence.text[slice(*sentence.group_word)]
        piece = tokenizer.convert_ids_to_tokens(int(masked.labels[0])).strip("Ġ▁")
        assert piece == (pronoun if kind == "byte pairs" else pronoun.lower())
    together = template_sentences.mask(tokenizer, [sentence for sentence, _ in known])
    for row, (_, masked) in enumerate(known):
        assert together.lengths[row] == masked.lengths[0] == len(masked.ids[0])
        np.testing.assert_array_equal(together.ids[row, : masked.lengths[0]], masked.ids[0])
        assert (together.ids[row, masked.lengths[0] :] == tokenizer.pad_token_id).all()


def test_a_pronoun_in_pieces_and_an_unknown_word_are_refused(kinds):
    tokenizer = kinds["byte pairs"]
    split = template_sentences.Sentence("Thon is a nurse.", (0, 4), (10, 15))
    with pytest.raises(ValueError, match=r"word 'Thon' in 'Thon is a nurse.' has several tokens, \['T"):
        template_sentences.mask(tokenizer, [split])
    unknown = templates.parse("{Pronoun} is {a_occ}.").fill("✂", "male")
    with pytest.raises(ValueError, match=r"'✂' in .* got \['\[UNK\]'\]"):
        template_sentences.mask(kinds["word pieces"], [unknown])


def test_an_occupation_hidden_and_collapsed(kinds):
    tokenizer = kinds["word pieces"]
    sentences = templates.fill([templates.parse("The {occ} likes {possessive} job.")], ["hairdresser", "nurse"])
    found = template_sentences.tokenise(tokenizer, sentences)
    assert (found.places[:, 1, 1] - found.places[:, 1, 0]).tolist() == [3, 3, 1, 1]
    hidden = found.hide(1, tokenizer.mask_token_id)
    assert tokenizer.decode(hidden.ids[0]) == "[CLS] the [MASK] [MASK] [MASK] likes her job. [SEP]"
    short = found.collapse(1, tokenizer.mask_token_id, tokenizer.pad_token_id)
    assert [tokenizer.decode(ids[:n]) for ids, n in zip(short.ids, short.lengths, strict=True)] == [
        f"[CLS] the [MASK] likes {word} job. [SEP]" for word in ("her", "his", "her", "his")
    ]
    pronouns = short.ids[np.arange(4), short.places[:, 0, 0]]
    assert tokenizer.convert_ids_to_tokens(pronouns.tolist()) == ["her", "his", "her", "his"]
    assert short.places[0, 1].tolist() == [2, 3]
