"""Folders of language models that are broken or ask for what they do not hold."""

import json
import shutil
from pathlib import Path

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay.language_models import loading  # noqa: E402
from tests.language_models import broken_folders, decoders_of_ours  # noqa: E402
from tests.language_models.broken_folders import INDEX, VOCABULARY, WORDS, header, indexed, settings, weights, written  # noqa: E402

pytestmark = pytest.mark.bad_input("model folders", "refused; the message names the missing or broken file")


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    return broken_folders.save(tmp_path_factory.mktemp("bert"))


@pytest.fixture
def folder(whole, tmp_path):
    return Path(shutil.copytree(whole, tmp_path / "model"))


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (written("adapter_config.json", "{}"), r"adapter_config\.json: "),
        (written("config.json", "{"), r"config\.json: broken JSON file \(Expecting property name"),
        (written("config.json", "[]"), r"config\.json: expected an object.* got a list"),
        (written("config.json", '{"a":' * 100_000), r"config\.json: broken JSON file \(RecursionError"),
        (written("config.json", b"\xff\xfe"), r"config\.json: not UTF-8 text"),
        (written("config.json", "{}"), r"config\.json: broken configuration \(Unrecognized model"),
        (
            written("config.json", '{"model_type": "nothing"}'),
            r"config\.json: broken configuration \(The checkpoint you",
        ),
        (settings(hidden_size="eight"), r"config\.json: broken configuration"),
        (settings(num_hidden_layers=10**9), r"config\.json: num_hidden_layers: .* 1000, got 1000000000"),
        (settings(num_labels=10**9), r"config\.json: num_labels: .* 1000, got 1000000000"),
        (settings(text_config={"n_layers": 10**9}), r"config\.json: n_layers: .* 1000, got 1000000000"),
        (
            settings(vocab_size=10**9),
            r"config\.json: describes 9,0\d\d,\d{3},\d{3} parameters; the weights have only [\d,]+ bytes",
        ),
        (settings(max_position_embeddings=10**12), r"config\.json: describes 8,0\d\d,\d{3},\d{3},\d{3} parameters"),
        (settings(intermediate_size=10**30), r"config\.json: broken configuration"),
        (settings(vocab_size=8), r"embeddings\.weight is \(7, 8\) in the weights; config\.json expects \(8, 8\)"),
        (
            settings(num_hidden_layers=2),
            r"the weights lack 16 parts of the masked language model, such as bert\.encoder",
        ),
        (settings(num_hidden_layers=0), r"the weights have 16 parts .* such as bert\.encoder\.layer\.0\."),
        (settings(tie_word_embeddings=False), r"the weights lack 2 parts .* such as cls\.predictions\.decoder"),
        (weights(**{"cls.predictions.bias": None}), r"the weights lack .* such as cls\.predictions"),
        (weights(**{"cls.predictions.more": torch.ones(2)}), r"have 1 parts .* such as cls\.predictions\.more"),
        (
            weights(**{"bert.encoder.layer.0.extra": torch.ones(2)}),
            r"have 1 parts .* such as bert\.encoder",
        ),
        (
            settings(transformers_weights="adapter_model.bin"),
            r"config\.json: transformers_weights: .* got 'adapter_model\.bin'",
        ),
        (
            settings(transformers_weights="../x.safetensors"),
            r"config\.json: transformers_weights: .* got '\.\./x\.safetensors'",
        ),
        (
            weights(**{WORDS: torch.zeros(7, 9)}),
            r"word_embeddings\.weight is \(7, 9\) in the weights; .* expects \(7, 8\)",
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
        (indexed("weights.bin"), rf"{INDEX}: names the file 'weights\.bin'"),
        (indexed("../part.safetensors"), rf"{INDEX}: names the file '\.\./part\.safetensors'"),
        (indexed("/etc/passwd.safetensors"), rf"{INDEX}: names the file '/etc/passwd\.safetensors'"),
        (indexed("part.safetensors", "model.pkl"), rf"{INDEX}: names the file 'model\.pkl'"),
        (indexed("other.safetensors"), rf"{INDEX}: names the file 'other\.safetensors', which does not exist"),
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
            written("vocab.txt", "\n".join([*VOCABULARY[:6], "nurse"])),
            r"vocab\.txt, line 7: .*'nurse' is already on line 6",
        ),
        (
            written("vocab.txt", "\n".join(["", *VOCABULARY[:5], "", ""])),
            r"vocab\.txt, line 7: .*'' is already on line 1",
        ),
        *(
            (written("vocab.txt", "\n".join(piece for piece in VOCABULARY if piece != token)), f"lack .*{token[1:-1]}")
            for token in VOCABULARY[:5]
        ),
        (written("config.json", '{"model_type": "bert", "model_type": "bert"}'), r"config\.json: .*'model_type' twice"),
        (
            written("vocab.txt", "\n".join([*VOCABULARY, *"abc"])),
            "the tokenizer has token ids up to 9; .* 7 embeddings",
        ),
        (written("tokenizer.json", "{"), r"tokenizer\.json: broken JSON file"),
        (written("tokenizer.json", '{"version": "1.0"}'), r"tokenizer\.json: broken tokenizer"),
        (written("tokenizer_config.json", "x"), r"tokenizer_config\.json: broken JSON file"),
        (written("tokenizer_config.json", "3"), r"tokenizer_config\.json: expected an object.* got a int"),
        (written("special_tokens_map.json", "[1"), r"special_tokens_map\.json: broken JSON file"),
    ],
)
def test_a_folder_that_is_broken_or_asks_for_too_much(folder, change, message):
    change(folder)
    with pytest.raises(ValueError, match=message) as raised:
        loading.load(folder, device="cpu")
    assert str(raised.value).startswith(str(folder))


def pieces(change):
    """A change of the vocabulary in a tokenizer.json."""

    def changed(folder):
        path = folder / "tokenizer.json"
        content = json.loads(path.read_text())
        content["model"]["vocab"] = change(content["model"]["vocab"])
        path.write_text(json.dumps(content))

    return changed


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (settings(n_layer=10**9), r"config\.json: n_layer: .* 1000, got 1000000000"),
        (settings(n_positions=10**12), r"config\.json: describes [\d,]+ parameters; the weights have"),
        (settings(n_layer=3), "the weights lack 12 parts of the causal language model, such as transformer"),
        (settings(n_layer=1), r"the weights have 11 parts .* such as transformer\.h\.1\."),
        (settings(tie_word_embeddings=False), r"the weights lack 1 parts .* such as lm_head\.weight"),
        (
            pieces(lambda vocabulary: vocabulary | {"She": vocabulary["<unk>"]}),
            r"tokenizer\.json: the tokens '<unk>' and 'She' have the same id, 3",
        ),
        (pieces(lambda vocabulary: vocabulary | {"She": "3"}), r"tokenizer\.json: .*'She': .* got '3'"),
        (pieces(lambda vocabulary: vocabulary | {"She": 4000}), r"token ids up to 4000; .* 400 embeddings"),
        (
            written("tokenizer.json", '{"model": {"type": "Unigram", "vocab": [["a", 0], ["b", -1], ["a", -2]]}}'),
            r"tokenizer\.json: the token 'a' has two ids, 0 and 2",
        ),
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
        (indexed("weights.bin"), rf"{INDEX}: names the file 'weights\.bin'"),
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
