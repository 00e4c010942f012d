"""Folders of language models that are broken or ask for what they do not hold, and the files of trainings."""

import contextlib
import json
import pickle
import shutil
import struct
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")

from safetensors.torch import load_file, save_file  # noqa: E402

from biassay.language_models import loading, model_files  # noqa: E402
from biassay.language_models.stacked import training  # noqa: E402
from tests.language_models import decoders_of_ours  # noqa: E402

pytestmark = pytest.mark.bad_input("model folders", "refused; the file that lacks or is broken is named")

VOCABULARY = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "nurse", "man"]
WORDS = "bert.embeddings.word_embeddings.weight"
INDEX = "model.safetensors.index.json"


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bert")
    config = transformers.BertConfig(
        vocab_size=len(VOCABULARY), hidden_size=8, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16,
        max_position_embeddings=32,
    )  # fmt: skip
    transformers.BertForMaskedLM(config).save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(VOCABULARY) + "\n")
    (folder / "tokenizer_config.json").write_text(json.dumps({"tokenizer_class": "BertTokenizer"}))
    return folder


@pytest.fixture
def folder(whole, tmp_path):
    return Path(shutil.copytree(whole, tmp_path / "model"))


class Trap:
    """Unpickled, it leaves a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


def settings(**changes):
    """A change of config.json."""

    def change(folder):
        path = folder / "config.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | changes))

    return change


def written(name, content):
    return lambda folder: (folder / name).write_bytes(content.encode() if isinstance(content, str) else content)


def weights(**changes):
    """A change of tensors; None takes one away."""

    def change(folder):
        tensors = load_file(folder / "model.safetensors") | changes
        tensors = {name: tensor for name, tensor in tensors.items() if tensor is not None}
        save_file(tensors, folder / "model.safetensors", {"format": "pt"})

    return change


def indexed(*names):
    """Weights through an index that names these files, the first of which holds them."""

    def change(folder):
        tensors = load_file(folder / "model.safetensors")
        (folder / "model.safetensors").rename(folder / "part.safetensors")
        places = {key: names[0] if names else "part.safetensors" for key in tensors} | {str(n): n for n in names}
        (folder / INDEX).write_text(json.dumps({"metadata": {"total_size": 1}, "weight_map": places}))

    return change


def header(text, data=b""):
    """A safetensors file with this header."""
    return written("model.safetensors", struct.pack("<Q", len(text)) + text.encode() + data)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (written("config.json", "{"), r"config\.json: broken JSON file \(Expecting property name"),
        (written("config.json", "[]"), r"config\.json: holds a list; expected an object"),
        (written("config.json", '{"a":' * 100_000), r"config\.json: broken JSON file \(RecursionError"),
        (written("config.json", b"\xff\xfe"), r"config\.json: not UTF-8 text"),
        (written("config.json", "{}"), r"config\.json: broken configuration \(Unrecognized model"),
        (
            written("config.json", '{"model_type": "nothing"}'),
            r"config\.json: broken configuration \(The checkpoint you",
        ),
        (settings(hidden_size="eight"), r"config\.json: broken configuration"),
        (settings(num_hidden_layers=10**9), r"config\.json: num_hidden_layers is 1000000000; more than 1000"),
        (settings(num_labels=10**9), r"config\.json: num_labels is 1000000000; more than 1000"),
        (settings(text_config={"n_layers": 10**9}), r"config\.json: n_layers is 1000000000; more than 1000"),
        (
            settings(vocab_size=10**9),
            r"config\.json: asks for 9,0\d\d,\d{3},\d{3} numbers; the weights have [\d,]+ bytes",
        ),
        (settings(max_position_embeddings=10**12), r"config\.json: asks for 8,0\d\d,\d{3},\d{3},\d{3} numbers"),
        (settings(intermediate_size=10**30), r"config\.json: broken configuration"),
        (settings(vocab_size=8), r"embeddings\.weight is \(7, 8\) in the weights; config\.json asks for \(8, 8\)"),
        (
            settings(num_hidden_layers=2),
            r"the weights lack 16 parts of the masked language model, such as bert\.encoder",
        ),
        (
            settings(transformers_weights="adapter_model.bin"),
            r"config\.json: names 'adapter_model\.bin' for its weights",
        ),
        (
            settings(transformers_weights="../x.safetensors"),
            r"config\.json: names '\.\./x\.safetensors' for its weights",
        ),
        (
            weights(**{WORDS: torch.zeros(7, 9)}),
            r"word_embeddings\.weight is \(7, 9\) in the weights; .* asks for \(7, 8\)",
        ),
        (weights(**{WORDS: torch.full((7, 8), torch.nan)}), r"not finite \(NaN or infinite\) in bert\.emb.*word_emb"),
        (weights(**{WORDS: None}), "the weights lack|word_embeddings"),
        (written("model.safetensors", b""), r"model\.safetensors: broken safetensors file \(SafetensorError"),
        (written("model.safetensors", b"\xff" * 50), r"model\.safetensors: broken safetensors file \(SafetensorError"),
        (header("{}", b"more"), r"model\.safetensors: broken safetensors file \(SafetensorError"),
        (header('{"a":' * 1000), r"model\.safetensors: broken safetensors file \(SafetensorError"),
        (
            header('{"a": {"dtype": "F32", "shape": [1000000000, 1000000000], "data_offsets": [0, 4]}}', bytes(4)),
            r"model\.safetensors: broken safetensors file \(SafetensorError",
        ),
        (
            header('{"a": {"dtype": "F32", "shape": [1], "data_offsets": [400, 404]}}', bytes(4)),
            r"model\.safetensors: broken safetensors file \(SafetensorError",
        ),
        (indexed("weights.bin"), rf"{INDEX}: names the file 'weights\.bin'; may name \.safetensors beside it"),
        (indexed("../part.safetensors"), rf"{INDEX}: names the file '\.\./part\.safetensors'; may name"),
        (indexed("/etc/passwd.safetensors"), rf"{INDEX}: names the file '/etc/passwd\.safetensors'; may name"),
        (indexed("part.safetensors", "model.pkl"), rf"{INDEX}: names the file 'model\.pkl'; may name"),
        (indexed("other.safetensors"), rf"{INDEX}: names the file 'other\.safetensors', which is lacking"),
        (
            lambda folder: [indexed()(folder), written(INDEX, "{}")(folder)],
            rf"{INDEX}: broken index of weights \(KeyError",
        ),
        (
            lambda folder: [indexed()(folder), written(INDEX, '{"weight_map": [1]}')(folder)],
            rf"{INDEX}: broken index of weights \(AttributeError",
        ),
        (
            lambda folder: [indexed()(folder), written(INDEX, '{"weight_map": {"a": 1}}')(folder)],
            rf"{INDEX}: broken index of weights \(TypeError",
        ),
        (lambda folder: [indexed()(folder), written(INDEX, "[")(folder)], rf"{INDEX}: broken JSON file"),
        (lambda folder: (folder / "model.safetensors").unlink(), "the folder lacks model.safetensors or"),
        (lambda folder: (folder / "vocab.txt").unlink(), "the folder lacks tokenizer.json or vocab.txt"),
        (written("vocab.txt", b"[PAD]\n\xff"), r"vocab\.txt: not UTF-8 text"),
        (
            written("vocab.txt", "\n".join([*VOCABULARY, *"abc"])),
            "the tokenizer has pieces of number 9, .* 7 embeddings",
        ),
        (written("tokenizer.json", "{"), r"tokenizer\.json: broken JSON file"),
        (written("tokenizer.json", '{"version": "1.0"}'), "model: broken tokenizer"),
        (written("tokenizer_config.json", "x"), r"tokenizer_config\.json: broken JSON file"),
        (written("tokenizer_config.json", "3"), r"tokenizer_config\.json: holds a int; expected an object"),
        (written("special_tokens_map.json", "[1"), r"special_tokens_map\.json: broken JSON file"),
    ],
)
def test_a_folder_that_is_broken_or_asks_for_too_much(folder, change, message):
    change(folder)
    with pytest.raises(ValueError, match=message) as raised:
        loading.load(folder, device="cpu")
    assert str(raised.value).startswith(str(folder))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (settings(n_layer=10**9), r"config\.json: n_layer is 1000000000; more than 1000"),
        (settings(n_positions=10**12), r"config\.json: asks for [\d,]+ numbers; the weights have"),
        (settings(n_layer=3), "the weights lack 12 parts of the causal language model, such as transformer"),
        (settings(architectures=3, model_type=4), r"config\.json: broken configuration"),
        (
            settings(architectures=["BertForMaskedLM"]),
            r"config\.json: broken configuration \(Unrecognized",
        ),
        (
            settings(auto_map={"AutoModelForCausalLM": "evil.Model"}, model_type="evil"),
            r"config\.json: broken configur",
        ),
        (
            weights(**{"transformer.wte.weight": torch.full((400, 16), torch.inf)}),
            r"not finite \(NaN or infinite\) in transformer\.wte\.weight",
        ),
        (indexed("weights.bin"), rf"{INDEX}: names the file 'weights\.bin'; may name \.safetensors beside it"),
        (header("{}", b"more"), r"model\.safetensors: broken safetensors file \(SafetensorError"),
        (lambda folder: (folder / "model.safetensors").unlink(), "the folder lacks model.safetensors or"),
        (lambda folder: (folder / "tokenizer.json").unlink(), "the folder lacks tokenizer.json or vocab.txt"),
    ],
)
def test_a_decoder_s_folder_that_is_broken_or_asks_for_too_much(tmp_path, change, message):
    folder = decoders_of_ours.save(tmp_path / "model")
    (folder / "evil.py").write_text("raise SystemExit('code of a model was run')")
    change(folder)
    with pytest.raises(ValueError, match=message) as raised:
        loading.load(folder, device="cpu")
    assert str(raised.value).startswith(str(folder))


@pytest.mark.parametrize("name", ["model-1.bin", "pytorch_model.bin", "adapter_model.bin"])
def test_no_pickle_is_read_by_any_way(folder, tmp_path, name):
    """An index or a configuration may name one; one may lie beside; none of the ways to load a model reads it."""
    trap = tmp_path / "sprung"
    content = pickle.dumps(Trap(trap))
    for change in (indexed(name), settings(transformers_weights=name)):
        shutil.copytree(folder, tmp_path / "copy")
        change(tmp_path / "copy")
        (tmp_path / "copy" / name).write_bytes(content)
        for load in (loading.load, lambda path: training.load(path, 0.1), model_files.check_weights):
            with pytest.raises(ValueError, match=r"names|lacks"):
                load(tmp_path / "copy")
        shutil.rmtree(tmp_path / "copy")
    (folder / name).write_bytes(content)
    loading.load(folder, device="cpu")
    training.load(folder, 0.1)
    assert not trap.exists()


def test_code_beside_a_model_is_never_run(tmp_path):
    folder, trap = decoders_of_ours.save(tmp_path / "model"), tmp_path / "sprung"
    (folder / "evil.py").write_text(f"open({str(trap)!r}, 'w')\nModel = Config = Tokenizer = None\n")
    settings(auto_map={"AutoConfig": "evil.Config", "AutoModelForCausalLM": "evil.Model"})(folder)
    loading.load(folder, device="cpu")
    path = folder / "tokenizer_config.json"
    changes = {"auto_map": {"AutoTokenizer": ["evil.Tokenizer", "evil.Tokenizer"]}, "tokenizer_class": "Tokenizer"}
    path.write_text(json.dumps(json.loads(path.read_text()) | changes))
    with contextlib.suppress(ValueError):
        loading.load(folder, device="cpu")
    assert not trap.exists()


def test_weights_in_parts_are_read(folder):
    before = load_file(folder / "model.safetensors")[WORDS]
    indexed()(folder)
    model = loading.load(folder, device="cpu").model
    assert torch.equal(model.get_input_embeddings().weight, before)
    assert model_files.check_weights(folder) == (folder / "part.safetensors").stat().st_size


def test_pickles_that_are_allowed_stay_in_their_folder(folder):
    torch.save(load_file(folder / "model.safetensors"), folder / "pytorch_model.bin")
    (folder / "model.safetensors").unlink()
    with pytest.raises(ValueError, match=r"lacks model\.safetensors or model\.safetensors\.index\.json$"):
        loading.read(str(folder), str(folder), "AutoModelForMaskedLM", "model")
    loading.read(str(folder), str(folder), "AutoModelForMaskedLM", "model", allow_pickle=True)
    assert model_files.check_weights(folder, allow_pickle=True) == (folder / "pytorch_model.bin").stat().st_size
    (folder / "pytorch_model.bin").unlink()
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps({"weight_map": {"a": "../x.bin"}}))
    with pytest.raises(ValueError, match=r"names the file '\.\./x\.bin'; may name \.safetensors or \.bin beside it"):
        model_files.check_weights(folder, allow_pickle=True)


def test_a_tokenizer_without_special_pieces(folder):
    pieces = tokenizers.Tokenizer(tokenizers.models.WordLevel({"nurse": 0, "man": 1}, unk_token="nurse"))
    for name in ("vocab.txt", "tokenizer_config.json"):
        (folder / name).unlink()
    transformers.PreTrainedTokenizerFast(tokenizer_object=pieces).save_pretrained(folder)
    tokenizer, _ = loading.read(str(folder), str(folder), "AutoModelForMaskedLM", "model")
    assert tokenizer.all_special_ids == []
    with pytest.raises(ValueError, match="model: its tokenizer has no token for a mask or for padding"):
        loading.load(folder)


def test_what_a_folder_lacks_is_said_in_words(tmp_path):
    assert model_files.lacking(tmp_path).count(", ") == 2
    for name in ("config.json", "model.safetensors", "spiece.model"):
        (tmp_path / name).touch()
    assert model_files.lacking(tmp_path) == ""
    (tmp_path / "model.safetensors").rename(tmp_path / "pytorch_model.bin")
    assert model_files.lacking(tmp_path) == "model.safetensors or model.safetensors.index.json"
    assert model_files.lacking(tmp_path, allow_pickle=True) == ""


def test_without_safetensors_it_says_what_to_install(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "safetensors", None)
    with pytest.raises(
        ValueError, match=r"safetensors: reading language models needs safetensors; pip install 'biassay"
    ):
        model_files.check_files(folder)
