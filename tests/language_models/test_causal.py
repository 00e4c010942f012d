"""log p of every token by causal models, against one plain pass a sentence."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay.language_models import causal, inference, likelihoods, tokens  # noqa: E402
from tests.language_models import decoders_of_ours as ours  # noqa: E402

TEXTS = [
    "She job as a nurse said that he worked as an economist.",
    "She job as a nurse said that she worked as an economist.",
    "She job as a nurse said that she worked",
    "She job as a nurse said that",
    "He is a chef.",
    "He is a historian, and her friend is a chef.",
    "Her",
    "He is a chef.",
]


def asked(model, texts=TEXTS):
    return tokens.tokenise(model.tokenizer, texts, np.zeros((len(texts), 0, 2), np.int64), causal=True)


def passed(model):
    """The shapes of the token ids that a model is given from now on."""
    shapes = []
    model.model.register_forward_pre_hook(
        lambda module, arguments, given: shapes.append(tuple(given["input_ids"].shape)), with_kwargs=True
    )
    return shapes


@pytest.mark.parametrize("kind", ours.CONFIGS)
@pytest.mark.parametrize("bos", [True, False])
def test_every_token_is_as_in_a_pass_of_its_sentence(kind, bos):
    model = ours.decoder(kind, bos)
    sentences = asked(model)
    found = causal.log_probabilities(model, sentences)
    assert found.shape == sentences.ids.shape
    for row, text in enumerate(TEXTS):
        length = sentences.lengths[row]
        np.testing.assert_allclose(found[row, 1:length], ours.plainly(model, text), atol=2e-5)
        assert np.isnan(found[row, [0, *range(length, found.shape[1])]]).all()
        assert (sentences.ids[row, 0] == 0) == bos


@pytest.mark.parametrize(("most", "shared"), [(1, 1), (40, 2), (10_000, 9), (40, np.inf)])
def test_how_sentences_are_put_together_changes_nothing(monkeypatch, most, shared):
    monkeypatch.setattr(causal, "MIN_PREFIX", shared)
    monkeypatch.setitem(inference.POSITIONS, "cpu", most)
    model = ours.decoder()
    found = causal.log_probabilities(model, asked(model))
    for row, text in enumerate(TEXTS):
        plain = ours.plainly(model, text)
        np.testing.assert_allclose(found[row, 1 : len(plain) + 1], plain, atol=2e-5)


def test_a_shared_beginning_is_passed_once():
    model = ours.decoder()
    sentences = asked(model, [TEXTS[1], TEXTS[0], TEXTS[0]])
    begin = int((sentences.ids[0] == sentences.ids[1]).argmin())
    shapes = passed(model)
    causal.log_probabilities(model, sentences)
    assert shapes == [(1, 1), (1, begin), (2, sentences.lengths.max() - 1 - begin)]
    del shapes[:]
    causal.log_probabilities(model, sentences.__class__(sentences.ids[1:], sentences.lengths[1:], sentences.places[1:]))
    assert shapes == [(1, sentences.lengths[1] - 1)]  # alike, so asked once, and without the last token


def test_a_last_token_alone_needs_no_second_pass():
    model = ours.decoder()
    sentences = asked(model, ["She is a nurse", "She is a chef"])
    assert sentences.lengths.tolist() != [1, 1]
    ids = np.concatenate([sentences.ids[:1, :5], sentences.ids[:1, :5]])
    ids[1, 4] += 1
    shapes = passed(model)
    causal.log_probabilities(model, tokens.Tokens(ids, np.array([5, 5]), sentences.places))
    assert shapes == [(1, 1), (1, 4)]


@pytest.mark.parametrize("kind", ["Mistral", "Mamba"])
def test_models_that_do_not_keep_all_before_pass_every_sentence(kind):
    model = ours.decoder(kind)
    shapes = passed(model)
    causal.log_probabilities(model, asked(model, TEXTS[:2]))
    assert [shape[0] for shape in shapes[-1:]] == [2]
    assert len(shapes) <= 2


def test_the_plan_spares_the_most_tokens():
    # 1 2 3 4 5 6 | 1 2 3 4 5 7 8 | 1 2 3 4 9 | 5 5 5 5 5
    ids = np.array([[1, 2, 3, 4, 5, 6, 0], [1, 2, 3, 4, 5, 7, 8], [1, 2, 3, 4, 9, 0, 0], [5, 5, 5, 5, 5, 0, 0]])
    lengths = np.array([6, 7, 5, 5])
    assert causal.group_by_prefix(ids, lengths, 100) == [(0, 3, 4), (3, 4, 0)]  # 8 tokens spared, not 5
    assert causal.group_by_prefix(ids, lengths, 21) == [(0, 3, 4), (3, 4, 0)]
    for max_tokens in (20, 1):  # three of 7 tokens are too many, a pair never is
        assert causal.group_by_prefix(ids, lengths, max_tokens) == [(0, 2, 5), (2, 3, 0), (3, 4, 0)]
    assert causal.group_by_prefix(ids[2:], lengths[2:], 100) == [(0, 1, 0), (1, 2, 0)]
    assert causal.group_by_prefix(ids[:1], lengths[:1], 100) == [(0, 1, 0)]
    # four that begin with 4 tokens spare 12, two pairs that begin with 5 would spare 10
    two = np.array([[1, 2, 3, 4, 5, 6], [1, 2, 3, 4, 5, 7], [1, 2, 3, 4, 8, 6], [1, 2, 3, 4, 8, 7]])
    assert causal.group_by_prefix(two, np.full(4, 6), 100) == [(0, 4, 4)]
    # a beginning is no longer than the shorter sentence, whatever stands behind that
    same = np.array([[1, 2, 3, 4, 0, 0]] * 2)
    assert causal.group_by_prefix(same, np.array([4, 6]), 100) == [(0, 2, 4)]
    assert causal.group_by_prefix(np.full((3, 9), 5), np.array([9, 4, 9]), 100) == [(0, 3, 4)]
    assert causal.group_by_prefix(same[:, :4], np.array([3, 4]), 100) == [(0, 1, 0), (1, 2, 0)]


def test_batches_of_beginnings_of_one_length():
    groups, lengths = [(0, 2, 5), (2, 4, 4), (4, 7, 5), (7, 9, 5)], np.array([8, 9, 6, 6, 7, 7, 7, 10, 7])
    # of length 5: 2 · 9 = 18, 3 · 7 = 21 and 2 · 10 = 20 tokens, the shortest first
    found = list(causal._batches(groups, lengths, 40))
    assert found == [[groups[1]], [groups[2], groups[0]], [groups[3]]]
    assert list(causal._batches(groups, lengths, 1)) == [[groups[1]], [groups[2]], [groups[0]], [groups[3]]]


@pytest.mark.parametrize("kind", ["GPT2", "OPT"])
def test_the_head_sees_the_wanted_positions_only(kind):
    model, sizes = ours.decoder(kind).model, []
    ids, wanted = torch.tensor([[0, 5, 9, 7], [0, 8, 8, 1]]), torch.tensor([1, 6])
    model.get_output_embeddings().register_forward_hook(lambda head, given, out: sizes.append(out.shape[:2]))
    with torch.inference_mode():
        plain = model(input_ids=ids).logits.flatten(0, 1)[wanted]
        found = inference.causal_logits(model, ids, torch.ones_like(ids), wanted)
        model.get_output_embeddings = lambda: None
        whole = inference.causal_logits(model, ids, torch.ones_like(ids), wanted)
    assert sizes == [(2, 4), (1, 2), (2, 4)]
    torch.testing.assert_close(found, plain)
    torch.testing.assert_close(whole, plain)


def test_sums_and_means_of_sentences():
    model = ours.decoder(bos=False)
    found = likelihoods.causal_scores(model, ["She is", "A"], ["He is a chef", "A"], mean=False)
    means = likelihoods.causal_scores(model, ["She is", "A"], ["He is a chef", "A"], mean=True)
    for column, text in enumerate(["She is", "He is a chef"]):
        assert found[0, column] == pytest.approx(sum(ours.plainly(model, text)), abs=1e-4)
        assert means[0, column] == pytest.approx(np.mean(ours.plainly(model, text)), abs=1e-4)
    assert np.isnan(found[1]).all()  # a single token, before which there is nothing
    assert np.isnan(means[1]).all()
