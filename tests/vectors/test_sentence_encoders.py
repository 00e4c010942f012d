"""Sentence encoders, built from a small model with layers of sentence-transformers."""

import json
import shutil

import numpy as np
import pytest

library = pytest.importorskip("sentence_transformers")

from biassay.vectors.encoders import sentence_transformer, sources  # noqa: E402
from biassay.vectors.readers import read_vectors  # noqa: E402
from tests.running import ROOT  # noqa: E402

TEXTS = ["nurse", "she", "This is nurse.", "They talked about a carpenter, who was late. " * 20]
PROMPTS = {"query": "query: ", "document": ""}


def build(folder, pooling, *, has_dense=False, **options):
    import torch
    from sentence_transformers.sentence_transformer import modules

    torch.manual_seed(7)
    transformer = modules.Transformer(str(ROOT / "resources/models/bert-tiny-enwiki"), max_seq_length=32)
    width = transformer.get_embedding_dimension()
    parts = [transformer, modules.Pooling(width, pooling)]
    parts += [modules.Dense(width, 24), modules.Normalize()] if has_dense else []
    library.SentenceTransformer(modules=parts, device="cpu", **options).save(str(folder))
    return folder


@pytest.fixture(scope="module")
def folders(tmp_path_factory):
    """Three folders; the last one has a Dense layer and a default prompt."""
    path = tmp_path_factory.mktemp("encoders")
    default = {"prompts": PROMPTS, "default_prompt_name": "query"}
    return {
        "mean": build(path / "mean", "mean", prompts=PROMPTS),
        "cls": build(path / "cls", "cls", prompts=PROMPTS),
        "dense": build(path / "dense", "cls", has_dense=True, **default),
    }


@pytest.mark.parametrize("name", ["mean", "cls", "dense"])
def test_vectors_are_those_of_the_library(folders, name):
    folder = folders[name]
    model, encoder = library.SentenceTransformer(str(folder), device="cpu"), sources.find(folder)
    np.testing.assert_allclose(encoder(TEXTS), model.encode(TEXTS), atol=1e-6)
    default = model.default_prompt_name
    assert list(encoder.variants) == (["prompt none"] if default else ["prompt query"])
    for variant, prompt in (("prompt none", ""), ("prompt query", "query: ")):
        if variant in encoder.variants:
            np.testing.assert_allclose(encoder(TEXTS, variant), model.encode(TEXTS, prompt=prompt), atol=1e-6)
    for prompt, text in (("query", "query: "), ("Classify: ", "Classify: ")):
        expected = model.encode(TEXTS, prompt=text)
        np.testing.assert_allclose(sources.find(f"st:{folder}", prompt=prompt)(TEXTS), expected, atol=1e-6)
        np.testing.assert_allclose(sources.find(model, prompt=prompt)(TEXTS), expected, atol=1e-6)
    words, vectors = read_vectors(folder, ["nurse", "\N{ROCKET}", "man"])
    assert words == ["nurse", "man"]  # the rocket has no token
    np.testing.assert_allclose(vectors, model.encode(["nurse", "man"]), atol=1e-6)
    with pytest.raises(ValueError, match=r"prompt: unknown name 'querry' \(did you mean 'query'\?\).*query"):
        sources.find(folder, prompt="querry")


def test_a_plain_model_names_the_modules_that_it_ignores(folders, caplog):
    poolings, plain = ([sources.find(f"{kind}:{folders[name]}")(["nurse"]) for name in ("mean", "cls")]
                       for kind in ("st", "hf"))  # fmt: skip
    assert np.abs(poolings[0] - poolings[1]).max() > 0.01
    np.testing.assert_array_equal(*plain)
    assert f"hf:{folders['cls']}: its modules Pooling are ignored" in caplog.text


def test_static_embeddings_have_no_context(tmp_path):
    from sentence_transformers.sentence_transformer.modules import StaticEmbedding
    from tokenizers import BertWordPieceTokenizer

    tokenizer = BertWordPieceTokenizer(str(ROOT / "resources/models/bert-tiny-enwiki/vocab.txt"))._tokenizer
    library.SentenceTransformer(modules=[StaticEmbedding(tokenizer, embedding_dim=6)], device="cpu").save(str(tmp_path))
    encoder = sources.find(f"st:{tmp_path}")
    assert not encoder.has_context
    assert [encoder.is_known(text) for text in ("nurse", "☃", "nurse ☃", "")] == [True, False, False, False]


def edit(folder, file, key, value):
    content = json.loads((folder / file).read_text())
    if file == "modules.json":
        content[-1][key] = value
    else:
        content[key] = value
    (folder / file).write_text(json.dumps(content))


def drop_weights(folder, n=2):
    from safetensors.torch import load_file, save_file

    weights = load_file(folder / "model.safetensors")
    save_file(dict(list(weights.items())[n:]), folder / "model.safetensors", {"format": "pt"})


def pickle_weights(folder):
    import torch
    from safetensors.torch import load_file

    torch.save(load_file(folder / "2_Dense/model.safetensors"), folder / "2_Dense/pytorch_model.bin")
    (folder / "2_Dense/model.safetensors").unlink()


@pytest.mark.parametrize(("damage", "named"), [
    (lambda f: edit(f, "modules.json", "type", "modeling_evil.Evil"), r"modules\.json: type: .*'modeling_evil\.Evil'"),
    (lambda f: edit(f, "modules.json", "type", "sentence_transformers.util.Popen"), r"modules\.json: type: .*Popen"),
    (lambda f: edit(f, "modules.json", "type", "sentence_transformers.models.Router"), "type: .*Router"),
    (lambda f: edit(f, "modules.json", "type", 3), r"modules\.json: expected modules with texts type and path"),
    (lambda f: edit(f, "modules.json", "path", "../other"), r"modules\.json: path: .*'\.\./other'"),
    (lambda f: (f / "modules.json").write_text("{"), r"modules\.json: broken"),
    (lambda f: (f / "modules.json").write_text("[]"), r"modules\.json: expected a list of modules, got \[\]"),
    (lambda f: edit(f, "config_sentence_transformers.json", "model_type", "SparseEncoder"), "model_type: .*SparseEnc"),
    (lambda f: edit(f, "config_sentence_transformers.json", "prompts", ["q"]), r"prompts: expected texts by name.*'q'"),
    (lambda f: edit(f, "2_Dense/config.json", "activation_function", "os.system"), "activation_function: .*os.system"),
    (lambda f: edit(f, "config.json", "model_type", "evil"), "evil"),
    (lambda f: (f / "model.safetensors").unlink(), r"lacks model\.safetensors"),
    (lambda f: (f / "2_Dense/model.safetensors").unlink(), "broken sentence encoder"),
    (lambda f: (f / "1_Pooling/config.json").write_text("[1]"), r"1_Pooling/config\.json: expected an object"),
    (drop_weights, "2: .* is missing"), (pickle_weights, "2_Dense: .*pickle"),
])  # fmt: skip
def test_folders_that_are_refused(tmp_path, folders, damage, named):
    shutil.copytree(folders["dense"], tmp_path / "model")
    damage(tmp_path / "model")
    with pytest.raises(ValueError, match=named) as error:
        sources.find(tmp_path / "model")
    assert str(tmp_path) in str(error.value)


def test_pickles_of_layers_are_read_where_that_is_allowed(tmp_path, folders):
    shutil.copytree(folders["dense"], tmp_path / "model")
    pickle_weights(tmp_path / "model")
    vectors = sources.find(tmp_path / "model", allow_pickle=True)(TEXTS)
    np.testing.assert_array_equal(vectors, sources.find(folders["dense"])(TEXTS))


def test_without_the_library_the_message_says_what_to_install(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "sentence_transformers", None)
    with pytest.raises(ValueError, match=r"st:someone/model: .*pip install 'biassay\[models\]'"):
        sentence_transformer.open_encoder("someone/model")


def test_a_model_that_is_neither_a_folder_nor_on_the_hub(monkeypatch):
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", True)
    with pytest.raises(ValueError, match=r"st:\./no/such: there is no such folder, and the download"):
        sources.find("st:./no/such")
