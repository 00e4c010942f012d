"""Folders of language models that hold pickles or code, other weights or other pieces than usual, or too little."""

import contextlib
import json
import pickle
import shutil
import sys
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")
tokenizers = pytest.importorskip("tokenizers")

from safetensors.torch import load_file  # noqa: E402

from biassay.language_models import loading, model_files  # noqa: E402
from biassay.language_models.stacked import training  # noqa: E402
from tests.language_models import broken_folders, decoders_of_ours  # noqa: E402
from tests.language_models.broken_folders import WORDS, indexed, settings  # noqa: E402

pytestmark = pytest.mark.bad_input("model folders", "refused; the message names the missing or broken file")


@pytest.fixture
def folder(tmp_path):
    return broken_folders.save(tmp_path / "model")


class Trap:
    """Unpickled, it leaves a file."""

    def __init__(self, path):
        self.path = path

    def __reduce__(self):
        return Path.touch, (self.path,)


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
            with pytest.raises(ValueError, match=r"names|lacks|expected"):
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
        loading.read_model(str(folder), str(folder), "AutoModelForMaskedLM", "model")
    loading.read_model(str(folder), str(folder), "AutoModelForMaskedLM", "model", allow_pickle=True)
    assert model_files.check_weights(folder, allow_pickle=True) == (folder / "pytorch_model.bin").stat().st_size
    (folder / "pytorch_model.bin").unlink()
    (folder / "pytorch_model.bin.index.json").write_text(json.dumps({"weight_map": {"a": "../x.bin"}}))
    with pytest.raises(ValueError, match=r"names the file '\.\./x\.bin'"):
        model_files.check_weights(folder, allow_pickle=True)


def test_a_tokenizer_without_special_pieces(folder):
    pieces = tokenizers.Tokenizer(tokenizers.models.WordLevel({"nurse": 0, "man": 1}, unk_token="nurse"))
    for name in ("vocab.txt", "tokenizer_config.json"):
        (folder / name).unlink()
    transformers.PreTrainedTokenizerFast(tokenizer_object=pieces).save_pretrained(folder)
    tokenizer, _ = loading.read_model(str(folder), str(folder), "AutoModelForMaskedLM", "model")
    assert tokenizer.all_special_ids == []
    with pytest.raises(ValueError, match=r"model: .* no mask token"):
        loading.load(folder)


def test_what_a_folder_lacks_is_said_in_words(tmp_path):
    assert model_files.missing_files(tmp_path).count(", ") == 2
    for name in ("config.json", "model.safetensors", "spiece.model"):
        (tmp_path / name).touch()
    assert model_files.missing_files(tmp_path) == ""
    (tmp_path / "model.safetensors").rename(tmp_path / "pytorch_model.bin")
    assert model_files.missing_files(tmp_path) == "model.safetensors or model.safetensors.index.json"
    assert model_files.missing_files(tmp_path, allow_pickle=True) == ""


def test_without_safetensors_it_says_what_to_install(folder, monkeypatch):
    monkeypatch.setitem(sys.modules, "safetensors", None)
    with pytest.raises(
        ValueError, match=r"safetensors: reading language models needs safetensors; pip install 'biassay"
    ):
        model_files.check_files(folder)
