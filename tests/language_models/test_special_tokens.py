"""Special tokens, such as [MASK], given as words or within sentences."""

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay import audit, measure_language_model
from biassay.language_models import encoding, loading, templates, tokens, unmasking
from biassay.vectors.readers import read_vectors
from tests.language_models import decoders_of_ours
from tests.language_models.tokenizers_of_ours import KINDS, TINY

pytestmark = pytest.mark.bad_input("special tokens as words", "refused; the message names the text and the token")
SPECIAL = ["[MASK]", "[PAD]", "[UNK]", "[CLS]", "[SEP]"]


@pytest.fixture(scope="module")
def tiny():
    return loading.load(TINY, device="cpu")


@pytest.mark.parametrize("name", ["mask", "pad", "unk", "cls", "sep"])
@pytest.mark.parametrize("kind", KINDS)
def test_no_text_may_have_one(kind, name):
    tokenizer = KINDS[kind]()
    token = getattr(tokenizer, f"{name}_token")
    for text in (token, f"She is {token}.", f"The {token} said that she is a ✂."):
        for causal in (False, True):
            with pytest.raises(ValueError, match="special token") as raised:
                tokens.tokenise(tokenizer, ["She is a nurse.", text], np.zeros((2, 0, 2), int), causal)
            assert repr(text) in str(raised.value)
            assert repr(token) in str(raised.value)
    tokens.tokenise(tokenizer, ["She is a ✂.", token[1:-1]], np.zeros((2, 0, 2), int))


@pytest.mark.parametrize("token", SPECIAL)
def test_no_word_of_a_question_may_be_one(tiny, token):
    stereotypical, antistereotypical = [f"{token} is a nurse."], ["He is a nurse."]
    for metric in ("aul", "pll", "lpbs", "unmasking"):
        options = {"targets": ["nurse"]} if metric == "lpbs" else {}
        with pytest.raises(ValueError, match=f"{token[1:-1]}.* is a nurse"):
            measure_language_model(
                metric, model=tiny, stereotypical=stereotypical, antistereotypical=antistereotypical, **options
            )
    sentences = {"stereotypical": [f"She is a {token}."], "antistereotypical": [f"He is a {token}."]}
    with pytest.raises(ValueError, match=f"'She is a .{token[1:-1]}"):
        measure_language_model("lpbs", model=tiny, targets=[token[1:-1]], **sentences)
    with pytest.raises(ValueError, match=token[1:-1]):
        unmasking.word_log_probabilities(tiny, ["X is a nurse."], np.array([[0, 1]]), ["she", token])
    template = templates.parse("{Pronoun} is {a_occ}.")
    with pytest.raises(ValueError, match=token[1:-1]):
        encoding.target_sentences(tiny.tokenizer, [template], ["nurse", token])


def test_no_sentence_of_a_decoder_may_have_one():
    with pytest.raises(ValueError, match="<s> is a nurse"):
        measure_language_model(
            "log_likelihood",
            model=decoders_of_ours.decoder(),
            stereotypical=["She <s> is a nurse."],
            antistereotypical=["He is a nurse."],
        )


@pytest.mark.parametrize("way", ["hf", "hf-inputs"])
@pytest.mark.parametrize("word", [*SPECIAL, "a [MASK] nurse"])
def test_no_vector_is_given_of_one(way, word):
    with pytest.raises(ValueError, match="special token") as raised:
        read_vectors(f"{way}:{TINY}", ["nurse", word])
    assert repr(word) in str(raised.value)


def test_no_word_of_an_audit_may_be_one(tmp_path):
    path = tmp_path / "mine.yaml"
    lists = {name: [f"{name}{i}" for i in range(3)] for name in "ab"}
    groups = {"women": ["she", "her", "woman"], "men": ["he", "his", "[MASK]"]}
    path.write_text(f"groups: {groups}\ntargets: {lists}\n")
    with pytest.raises(ValueError, match=r"\[MASK\]"):
        audit(TINY, tests=[str(path)], metrics=["weat"], permutations=19, resamples=20, board=False)
