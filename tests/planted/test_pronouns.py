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

WORDS = ["nurse", "actor"]
MATERIAL = {"groups": inputs.GROUPS, "n_occupations": None, "held_out": 0.4}


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
    save_file(stacked, inputs.made(folder / "trained/0") / "weights.safetensors")
    attempts = pd.DataFrame({"place": list(models), "attempt": 0, "row": [0, 1], "r": np.nan, "best": True})
    attempts.to_csv(folder / "trained/attempts.csv", index=False)
    given = {"trained": folder / "trained", "templates": inputs.templates(folder)}
    given |= {"occupations": [inputs.occupations(folder, WORDS)]}
    params = {"base": str(inputs.BERT), "settings": MATERIAL, "seed": 1}
    run("planted/encode.py", input=given, output={"out": folder / "1"}, params=params)
    return tokenizer, models, folder / "1"


def hidden(tokenizer, model, text):
    """Token ids, last hidden states, and log-probabilities at the mask of a text."""
    ids = tokenizer(text, return_tensors="pt").input_ids
    with torch.no_grad():
        out = model(ids, output_hidden_states=True)
    ids = ids[0].tolist()
    at = ids.index(tokenizer.mask_token_id)
    return ids, out.hidden_states[-1][0].numpy(), torch.log_softmax(out.logits[0, at], 0).numpy()


@pytest.mark.parametrize("number", [2, 3])
def test_targets_hide_the_pronoun_and_groups_the_occupation(made, number):
    tokenizer, models, folder = made
    assert sorted(path.name for path in folder.iterdir()) == ["2", "3", "attempts.csv"]
    mask, pronouns = tokenizer.mask_token, np.load(folder / str(number) / "pronouns.npy")
    forms = [inputs.WORDS["possessive" if "ossessive" in template else "pronoun"] for template in inputs.TEST]
    targets = [(inputs.text(template, word, True, mask), word) for word in WORDS for template in inputs.TEST]
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


TRAINING = {"epochs": 3, "batch": 7, "vocabulary": "texts"}


def test_models_are_trained_on_the_sentences_that_are_not_held_out(tmp_path):
    tokenizer, words = transformers.AutoTokenizer.from_pretrained(inputs.BERT), list(inputs.OCCUPATIONS)
    models = [{"mean": 0.5, "spread": 0.1 * seed, "seed": 100 + seed} for seed in (1, 4, 2)]
    calls = []

    def train(base, data, *, seeds, folder, **options):
        calls.append((base, data, seeds, options))
        for name in ("weights.safetensors", "losses.csv"):
            (inputs.made(folder) / name).write_text(name)

    given = {"templates": inputs.templates(tmp_path), "occupations": [inputs.occupations(tmp_path)]}
    params = {"base": str(inputs.BERT), "training": TRAINING, "working": str(tmp_path / "working"),
              "settings": MATERIAL, "models": models, "min_r": None, "attempts": 1, "seed": 1}  # fmt: skip
    run("planted/train.py", input=given, output={"out": tmp_path / "out"}, params=params,
        replace={"biassay.language_models.stacked.training.train": train})  # fmt: skip
    ((base, data, seeds, options),) = calls
    tokens = np.unique(np.concatenate([np.append(masked.ids, masked.labels) for masked in data]))
    assert np.isin(tokens, options["vocabulary"]).all()
    assert len(options["vocabulary"]) < 100
    assert (base, seeds) == (str(inputs.BERT), [101, 104, 102])
    assert options == {"epochs": 3, "batch": 7, "vocabulary": options["vocabulary"]}
    for model, masked in zip(models, data, strict=True):
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
    attempts = pd.read_csv(tmp_path / "out/attempts.csv")
    assert attempts[["place", "row", "best"]].to_numpy().tolist() == [[0, 0, True], [1, 1, True], [2, 2, True]]
    assert not (tmp_path / "working").exists()
