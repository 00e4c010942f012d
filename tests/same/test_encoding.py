"""Embeddings and pronouns of fine-tuned models, against a plain pass of each model by transformers."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
from safetensors.torch import save_file  # noqa: E402

from biassay.language_models.encoding import SentenceEmbeddings  # noqa: E402
from tests.same import inputs  # noqa: E402
from tests.scripted import run  # noqa: E402

WORDS = ["nurse", "actor"]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The tokenizer, the chunk's two models by number, and the folder that the script wrote."""
    folder = tmp_path_factory.mktemp("encoding")
    tokenizer = transformers.AutoTokenizer.from_pretrained(inputs.BERT)
    models = {}
    for number in (3, 2):  # in the order of the plan
        model = transformers.AutoModelForMaskedLM.from_pretrained(inputs.BERT, dtype=torch.float32).eval()
        torch.manual_seed(number)
        with torch.no_grad():
            for weight in model.parameters():
                weight += 0.02 * torch.randn_like(weight)
        models[number] = model
    weights = [dict(model.named_parameters()) for model in models.values()]
    stacked = {name: torch.stack([part[name].detach() for part in weights]) for name in weights[0]}
    save_file(stacked, inputs.made(folder / "trained") / "weights.safetensors")
    given = {"trained": folder / "trained", "templates": inputs.templates(folder)}
    given |= {"occupations": inputs.occupations(folder, WORDS), "plan": inputs.plan(folder, {0: 0, 3: 1, 2: 1, 1: 2})}
    params = {"base": str(inputs.BERT), "groups": inputs.GROUPS}
    done = []
    run("same/encode.py", input=given, output={"out": folder / "1"}, params=params,
        wildcards={"chunk": "1"}, replace=inputs.progress(done))  # fmt: skip
    assert [(what, counted.done) for counted, what in done] == [(("encoding", 2, "models"), 2)]
    return tokenizer, models, folder / "1"


def hidden(tokenizer, model, text):
    """Token ids, last hidden states, and log-probabilities at the mask of a text."""
    ids = tokenizer(text, return_tensors="pt").input_ids
    with torch.no_grad():
        out = model(ids, output_hidden_states=True)
    ids = ids[0].tolist()
    at = ids.index(tokenizer.mask_token_id)
    return ids, out.hidden_states[-1][0].numpy(), torch.log_softmax(out.logits[0, at], 0).numpy()


def test_every_model_of_the_chunk_has_a_folder(made):
    assert sorted(path.name for path in made[2].iterdir()) == ["2", "3"]


@pytest.mark.parametrize("number", [2, 3])
def test_pronouns_of_all_sentences(made, number):
    tokenizer, models, folder = made
    found = np.load(folder / str(number) / "pronouns.npy")
    sentences = [(template, word) for word in WORDS for template in inputs.TEST]
    assert found.shape == (len(sentences), 2)
    for row, (template, word) in zip(found, sentences, strict=True):
        _, _, log_p = hidden(tokenizer, models[number], inputs.text(template, word, True, tokenizer.mask_token))
        kind = "possessive" if "ossessive" in template else "pronoun"
        expected = [log_p[tokenizer.convert_tokens_to_ids(pronoun)] for pronoun in inputs.WORDS[kind]]
        np.testing.assert_allclose(row, expected, atol=1e-4)


@pytest.mark.parametrize("number", [2, 3])
def test_targets_hide_the_pronoun(made, number):
    tokenizer, models, folder = made
    found = SentenceEmbeddings.open(folder / str(number) / "targets")
    sentences = [(template, word) for word in WORDS for template in inputs.TEST]
    assert len(found.mean) == len(sentences)
    for i, (template, word) in enumerate(sentences):
        text = inputs.text(template, word, True, tokenizer.mask_token)
        ids, states, _ = hidden(tokenizer, models[number], text)
        at = [ids.index(piece) for piece in tokenizer(word, add_special_tokens=False).input_ids]
        for pooling, expected in (("mean", states[1:-1].mean(0)), ("cls", states[0]), ("word", states[at].mean(0))):
            np.testing.assert_allclose(getattr(found, pooling)[i], expected, atol=0.004)


@pytest.mark.parametrize("number", [2, 3])
def test_attributes_hide_the_occupation(made, number):
    tokenizer, models, folder = made
    found = SentenceEmbeddings.open(folder / str(number) / "groups")
    sentences = [(template, male) for male in (False, True) for template in inputs.TEST]
    assert len(found.mean) == len(sentences)
    for i, (template, male) in enumerate(sentences):
        text = inputs.text(template, "worker", male).replace("worker", tokenizer.mask_token)
        ids, states, _ = hidden(tokenizer, models[number], text)
        pronoun = inputs.WORDS["possessive" if "ossessive" in template else "pronoun"][male]
        at = ids.index(tokenizer.convert_tokens_to_ids(pronoun))
        for pooling, expected in (("mean", states[1:-1].mean(0)), ("cls", states[0]), ("word", states[at])):
            np.testing.assert_allclose(getattr(found, pooling)[i], expected, atol=0.004)
