"""Embeddings and pronouns of fine-tuned models, against a plain pass of each model by transformers."""

import numpy as np
import pandas as pd
import pytest
import torch
import transformers
from safetensors.torch import save_file

from biassay.language_models.planted import distributions
from tests.same import inputs
from tests.scripted import run

MATERIAL = {"groups": inputs.GROUPS, "n_occupations": None, "held_out": 0.4}
TRAINING = {"epochs": 3, "batch": 7, "vocabulary": "texts"}
MODELS = [{"mean": 0.5, "spread": 0.1 * seed, "seed": 100 + seed} for seed in (1, 4, 2)]


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """The tokenizer, the job's models, arguments of their training, which is skipped, and the folder of the results."""
    folder = tmp_path_factory.mktemp("encoding")
    tokenizer = transformers.AutoTokenizer.from_pretrained(inputs.BERT)
    models, calls = [], []
    for number in range(len(MODELS)):
        model = transformers.AutoModelForMaskedLM.from_pretrained(inputs.BERT, dtype=torch.float32).eval()
        torch.manual_seed(number)
        with torch.no_grad():
            for weight in model.parameters():
                weight += 0.02 * torch.randn_like(weight)
        models.append(model)

    def train(base, data, *, seeds, folder, **options):
        calls.append((base, data, seeds, options))
        weights = [dict(model.named_parameters()) for model in models]
        stacked = {name: torch.stack([part[name].detach() for part in weights]) for name in weights[0]}
        save_file(stacked, inputs.made(folder) / "weights.safetensors")

    given = {"templates": inputs.templates(folder), "occupations": [inputs.occupations(folder)]}
    params = {"base": str(inputs.BERT), "training": TRAINING, "working": str(folder / "working"),
              "settings": MATERIAL, "models": MODELS, "min_r": None, "attempts": 1, "seed": 1}  # fmt: skip
    run("planted/train.py", input=given, output={"out": folder / "out"}, params=params,
        replace={"biassay.language_models.stacked.training.train": train})  # fmt: skip
    assert not (folder / "working").exists()
    (call,) = calls
    return tokenizer, models, call, folder / "out"


def hidden(tokenizer, model, text):
    """Token ids, last hidden states, and log-probabilities at the mask of a text."""
    ids = tokenizer(text, return_tensors="pt").input_ids
    with torch.no_grad():
        out = model(ids, output_hidden_states=True)
    ids = ids[0].tolist()
    at = ids.index(tokenizer.mask_token_id)
    return ids, out.hidden_states[-1][0].numpy(), torch.log_softmax(out.logits[0, at], 0).numpy()


@pytest.mark.parametrize("number", [0, 2])
def test_targets_hide_the_pronoun_and_groups_the_occupation(made, number):
    tokenizer, models, _, folder = made
    assert sorted(path.name for path in folder.iterdir()) == ["0", "1", "2", "attempts.csv"]
    mask, pronouns = tokenizer.mask_token, np.load(folder / str(number) / "pronouns.npy")
    forms = [inputs.WORDS["possessive" if "ossessive" in template else "pronoun"] for template in inputs.TEST]
    targets = [
        (inputs.text(template, word, True, mask), word) for word in inputs.OCCUPATIONS for template in inputs.TEST
    ]
    groups = [
        (inputs.text(template, "worker", male).replace("worker", mask), form[male])
        for male in (False, True)
        for template, form in zip(inputs.TEST, forms, strict=True)
    ]
    assert pronouns.shape == (len(targets), 2)
    for part, sentences in (("targets", targets), ("groups", groups)):
        found = {path.stem: np.load(path) for path in (folder / str(number) / part).iterdir()}
        assert len(found["mean"]) == len(sentences)
        for i, (text, word) in enumerate(sentences):
            ids, states, log_p = hidden(tokenizer, models[number], text)
            at = [ids.index(piece) for piece in tokenizer(word, add_special_tokens=False).input_ids]
            for pooling, expected in (("mean", states[1:-1].mean(0)), ("cls", states[0]), ("word", states[at].mean(0))):
                np.testing.assert_allclose(found[pooling][i], expected, atol=0.004)
            if part == "targets":
                asked = tokenizer.convert_tokens_to_ids(forms[i % len(forms)])
                np.testing.assert_allclose(pronouns[i], log_p[asked], atol=1e-4)


def test_models_are_trained_on_the_sentences_that_are_not_held_out(made):
    tokenizer, _, (base, data, seeds, options), folder = made
    words = list(inputs.OCCUPATIONS)
    tokens = np.unique(np.concatenate([np.append(masked.ids, masked.labels) for masked in data]))
    assert np.isin(tokens, options["vocabulary"]).all()
    assert len(options["vocabulary"]) < 100
    assert (base, seeds) == (str(inputs.BERT), [101, 104, 102])
    assert options == {"epochs": 3, "batch": 7, "vocabulary": options["vocabulary"]}
    for model, masked in zip(MODELS, data, strict=True):
        p = distributions.normal_probabilities(6, model["mean"], model["spread"], seed=1)
        drawn = distributions.draw_pronouns(p, 3, 0.4, seed=model["seed"])
        trained = np.argwhere(drawn >= 0)
        assert len(masked) == len(trained) == 11
        for i, (occupation, template) in enumerate(trained):
            word, male = words[occupation], bool(drawn[occupation, template])
            hidden = tokenizer(inputs.text(inputs.TRAINING[template], word, male, tokenizer.mask_token)).input_ids
            shown = tokenizer(inputs.text(inputs.TRAINING[template], word, male)).input_ids
            assert masked.ids[i, : masked.lengths[i]].tolist() == hidden
            assert masked.labels[i] == shown[masked.positions[i]]
    attempts = pd.read_csv(folder / "attempts.csv")
    assert attempts[["place", "row", "best"]].to_numpy().tolist() == [[0, 0, True], [1, 1, True], [2, 2, True]]
