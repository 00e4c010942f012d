"""Folders of language models that are broken, incomplete, or contain pickles or code."""

import json
import pickle
import shutil
from pathlib import Path

import pytest
import tokenizers
import torch
import transformers
from safetensors.torch import load_file

from biassay.language_models import loading, model_files
from biassay.language_models.stacked import training
from tests.language_models import broken_folders, decoders_of_ours
from tests.language_models.broken_folders import INDEX, VOCABULARY, WORDS, Trap, indexed, settings, weights, written


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """Folders of a masked and of a causal model."""
    folder = tmp_path_factory.mktemp("whole")
    broken_folders.save(folder / "masked")
    decoders_of_ours.save(folder / "causal")
    return folder


@pytest.fixture
def folder(whole, tmp_path):
    return shutil.copytree(whole / "masked", tmp_path / "model")


def with_index(content):
    return lambda folder: [indexed()(folder), written(INDEX, content)(folder)]


def without(name):
    return lambda folder: (folder / name).unlink()


def without_token(token):
    return written("vocab.txt", "\n".join(word for word in VOCABULARY if word != token))


CASES = [
    (written("config.json", "["), r"config\.json: broken JSON file"),
    (written("config.json", '{"model_type": "nothing"}'), r"config\.json: broken configuration"),
    (settings(vocab_size=8), r"embeddings\.weight is \(7, 8\), not \(8, 8\)"),
    (settings(num_hidden_layers=2), r"got 16: bert\.encoder\.layer\.1\S* is missing"),
    (settings(tie_word_embeddings=False), r"got 2: cls\.predictions\.decoder\S* is missing"),
    (weights(**{"cls.predictions.more": torch.ones(2)}), r"got 1: cls\.predictions\.more is not part"),
    (weights(**{WORDS: torch.full((7, 8), torch.nan)}), r"got 1: bert\.emb.*word_emb\S* .* not finite"),
    (settings(transformers_weights="../x.safetensors"), r"config\.json: transformers_weights: .* got '\.\./x\."),
    (written("model.safetensors", b"\2" + bytes(7) + b"{}more"), r"model\.safetensors: broken safetensors file"),
    (indexed("../part.safetensors"), rf"{INDEX}: .* '\.\./part\.safetensors'"),
    (indexed("other.safetensors"), rf"{INDEX}: .* 'other\.safetensors'"),
    (with_index('{"weight_map": {"a": 1}}'), rf"{INDEX}: broken index of weights"),
    (without("model.safetensors"), r"lacks model\.safetensors or"),
    (without("vocab.txt"), r"lacks tokenizer\.json or vocab\.txt"),
    (written("adapter_config.json", "{}"), r"adapter_config\.json"),
    (settings(attn_implementation="a/kernel"), r"json: attn_implementation: .*got 'a/kernel'"),
    (settings(text_config={"_attn_implementation": "a/kernel"}), r"json: _attn_implementation: .*got 'a/kernel'"),
    (settings(text_config={"n_layers": 10**6}), "config.json: n_layers: expected at most 1000, got 1000000"),
    (settings(vocab_size=10**7), r"config.json: describes 8\d,\d{3},\d{3} parameters; the weights have only"),
    (written("vocab.txt", "\n".join([*VOCABULARY, "nurse"])), r"vocab\.txt, line 8: .* on line 6"),
    *((without_token(token), rf"vocab\.txt lacks .*\{token[:-1]}") for token in (VOCABULARY[0], VOCABULARY[4])),
    (written("vocab.txt", "\n".join([*VOCABULARY, *"abc"])), "token ids up to 9; .* 7 embeddings"),
    (written("tokenizer.json", '{"version": "1.0"}'), "broken tokenizer"),
    (settings(auto_map={"AutoModelForMaskedLM": "evil.Model"}, model_type="evil"), r"config\.json: broken"),
]


@pytest.mark.parametrize(("change", "message"), CASES)
def test_a_broken_folder_is_named(folder, change, message):
    (folder / "evil.py").write_text("raise SystemExit('code of a model was run')")
    change(folder)
    with pytest.raises(ValueError, match=message) as caught:
        loading.load(folder, device="cpu")
    assert str(caught.value).startswith(str(folder))


@pytest.mark.parametrize("name", ["model-1.bin", "pytorch_model.bin"])
def test_no_pickle_is_read(folder, tmp_path, name):
    """An index or a configuration can name one, or it is in the folder; no way to load a model reads it."""
    trap = tmp_path / "sprung"
    content = pickle.dumps(Trap(trap))
    for change in (indexed(name), settings(transformers_weights=name)):
        copy = shutil.copytree(folder, tmp_path / "copy")
        change(copy)
        (copy / name).write_bytes(content)
        for load in (loading.load, lambda path: training.load(path, 0.1)):
            with pytest.raises(ValueError, match=r"names|lacks|expected"):
                load(copy)
        shutil.rmtree(copy)
    (folder / name).write_bytes(content)
    loading.load(folder, device="cpu")
    training.load(folder, 0.1)
    assert not trap.exists()


def test_code_of_a_model_is_never_run(whole, tmp_path):
    folder, trap = shutil.copytree(whole / "causal", tmp_path / "model"), tmp_path / "sprung"
    (folder / "evil.py").write_text(f"open({str(trap)!r}, 'w')\nModel = Config = Tokenizer = None\n")
    settings(auto_map={"AutoConfig": "evil.Config", "AutoModelForCausalLM": "evil.Model"})(folder)
    path = folder / "tokenizer_config.json"
    changes = {"auto_map": {"AutoTokenizer": ["evil.Tokenizer", "evil.Tokenizer"]}}
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    loading.load(folder, device="cpu")
    assert not trap.exists()


def test_weights_in_parts_are_read(folder):
    before = load_file(folder / "model.safetensors")[WORDS]
    indexed()(folder)
    model = loading.load(folder, device="cpu").model
    assert torch.equal(model.get_input_embeddings().weight, before)
    assert model_files.check_weights(folder) == [folder / "part.safetensors"]


def test_pickles_that_are_allowed_stay_in_their_folder(folder):
    (folder / "model.safetensors").unlink()
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps({"weight_map": {"a": "../x.bin"}}))
    with pytest.raises(ValueError, match=r"names the file '\.\./x\.bin'"):
        loading.read_model(str(folder), str(folder), "AutoModelForMaskedLM", "model", allow_pickle=True)


def test_a_tokenizer_without_special_tokens(folder):
    words = tokenizers.Tokenizer(tokenizers.models.WordLevel({"nurse": 0, "man": 1}, unk_token="nurse"))
    for name in ("vocab.txt", "tokenizer_config.json"):
        (folder / name).unlink()
    transformers.PreTrainedTokenizerFast(tokenizer_object=words).save_pretrained(folder)
    assert loading.read_model(str(folder), str(folder), "AutoModel", "encoder")[0].all_special_ids == []
    with pytest.raises(ValueError, match=r"model: .* no mask token"):
        loading.load(folder)


def test_subword_tokens_by_the_kind_of_tokenizer(tmp_path):
    """Lower-case or not as the folder says, a tokenizer.json, or none that is known."""
    tiny, words = Path("resources/models/bert-tiny-enwiki"), ["She", "hairdresser"]
    assert model_files.subword_tokens(tiny, words) == {"She": ["she"], "hairdresser": ["hair", "##dre", "##sser"]}
    assert model_files.subword_tokens(tiny / "vocab.txt", ["She"]) == {"She": ["she"]}
    assert set(model_files.special_tokens(tiny)) == {"[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"}
    shutil.copy(tiny / "vocab.txt", tmp_path)
    (tmp_path / "tokenizer_config.json").write_text(json.dumps({"do_lower_case": False}))
    assert model_files.subword_tokens(tmp_path, ["She", "she"]) == {"She": ["[UNK]"], "she": ["she"]}
    vocabulary = [(word, -float(n)) for n, word in enumerate(["<unk>", "▁She", "s", "▁", "h", "e"])]
    whole = tokenizers.Tokenizer(tokenizers.models.Unigram(vocabulary, 0))
    whole.pre_tokenizer = tokenizers.pre_tokenizers.Metaspace()
    whole.enable_padding(length=8)
    whole.save(str(tmp_path / "tokenizer.json"))
    assert model_files.subword_tokens(tmp_path, ["She"]) == {"She": ["▁She"]}
    assert model_files.subword_tokens(tmp_path / "other", ["She"]) == {}
    (tmp_path / "tokenizer.json").write_text("{")
    with pytest.raises(ValueError, match=r"tokenizer.json"):
        model_files.subword_tokens(tmp_path, ["She"])
