"""Static token embeddings against model2vec's own encode, a plain mean of tokens, and spaCy's own vectors."""

import numpy as np
import pytest

from biassay.vectors.encoders import static_tokens

pytest.importorskip("model2vec")
tokenizers = pytest.importorskip("tokenizers")

from model2vec import StaticModel  # noqa: E402
from safetensors.numpy import save_file  # noqa: E402

TOKENS = ["[UNK]", "nurse", "pilot", "hair", "##dresser", "the"]
TABLE = np.random.default_rng(1).standard_normal((6, 4)).astype(np.float32)
TEXTS = ["nurse", "hairdresser", "the pilot", "the unseen nurse", "unseen"]


def make_tokenizer():
    """WordPiece, with padding, truncation and special tokens that a mean over tokens ignores."""
    tokenizer = tokenizers.Tokenizer(
        tokenizers.models.WordPiece({t: i for i, t in enumerate(TOKENS)}, unk_token="[UNK]")
    )
    tokenizer.pre_tokenizer = tokenizers.pre_tokenizers.Whitespace()
    tokenizer.post_processor = tokenizers.processors.TemplateProcessing("the $A", special_tokens=[("the", 5)])
    tokenizer.enable_padding()
    tokenizer.enable_truncation(2)
    return tokenizer


def make_wordllama(folder, table=TABLE):
    for name in ("weights", "tokenizers"):
        (folder / name).mkdir(exist_ok=True)
    save_file({"embedding.weight": table}, folder / "weights" / "tiny_4.safetensors")
    make_tokenizer().save(str(folder / "tokenizers" / "tiny_tokenizer_config.json"))


def make_model2vec(folder, **arguments):
    model = StaticModel(**({"vectors": TABLE, "tokenizer": make_tokenizer()} | arguments))
    model.save_pretrained(folder)
    return model


@pytest.mark.parametrize(
    "arguments",
    [
        {},
        {"normalize": True, "max_length": 1},
        {"vectors": TABLE.astype(np.float16)},
        {
            "vectors": TABLE[:3],
            "token_mapping": np.array([0, 1, 2, 0, 1, 2]),
            "weights": np.arange(6, dtype=np.float32),
            "normalize": True,
        },
    ],
    ids=["plain", "normalised", "half", "quantised vocabulary"],
)
def test_model2vec_is_encoded_by_the_library(tmp_path, arguments):
    expected = make_model2vec(tmp_path, **arguments).encode(TEXTS[:4])
    assert static_tokens.is_tokens(tmp_path)
    encoder = static_tokens.open_tokens(tmp_path)
    np.testing.assert_allclose(encoder(TEXTS[:4]), expected, rtol=1e-5)
    assert [encoder.is_known(text) for text in [*TEXTS, ""]] == [True] * 4 + [False] * 2
    assert not encoder.has_context


def test_wordllama_is_the_mean_of_all_tokens(tmp_path, caplog):
    make_wordllama(tmp_path, TABLE[:5].astype(np.float16))
    assert static_tokens.is_tokens(tmp_path)
    encoder = static_tokens.open_tokens(tmp_path)
    assert "has 5 vectors, but tokens up to number 5" in caplog.text
    table = TABLE[:5].astype(np.float16).astype(np.float32)
    by_hand = [[1], [3, 4], [4, 2], [4, 0, 1]]  # the token 5 is beyond the table, whose last row wordllama takes
    np.testing.assert_allclose(encoder(TEXTS[:4]), [table[ids].mean(axis=0) for ids in by_hand], rtol=1e-6)
    assert [encoder.is_known(text) for text in [*TEXTS, ""]] == [True] * 4 + [False] * 2
    assert not encoder.has_context
    (tmp_path / "modules.json").write_text("[]")  # of sentence-transformers, which may do more
    assert not static_tokens.is_tokens(tmp_path)


def test_floret_s_subwords_are_spacy_s(tmp_path):
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    nlp.vocab.vectors = spacy.vectors.Vectors(
        data=TABLE, mode="floret", minn=2, maxn=3, hash_count=2, attr="LOWER", strings=nlp.vocab.strings
    )
    nlp.to_disk(tmp_path)
    expected = [spacy.load(tmp_path)(word)[0].vector for word in ("Nurse", "unseen")]
    np.testing.assert_allclose(static_tokens.open_spacy(tmp_path)(["Nurse", "unseen"]), expected, rtol=1e-6)


def replace_by_wordllama(folder):
    make_wordllama(folder)
    for path in folder.glob("*.*"):
        path.unlink()


def add_table(folder):
    replace_by_wordllama(folder)
    save_file({"embedding.weight": TABLE}, folder / "weights" / "other.safetensors")


def damage_tokenizer(folder):
    replace_by_wordllama(folder)
    path = folder / "tokenizers" / "tiny_tokenizer_config.json"
    path.write_text(path.read_text().replace("[UNK]", "other", 1))


def mapped(rows, table=TABLE):
    """A model2vec folder that maps its tokens to these rows of a table."""
    ones = np.ones(6, np.float32)
    return lambda folder: make_model2vec(folder, vectors=table, token_mapping=np.array(rows), weights=ones)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda folder: (folder / "config.json").write_text("{"), "broken model2vec model"),
        (mapped(range(6), TABLE[:2]), "broken model2vec model .*mapping: expected rows from 0 to 1, got 0 to 5"),
        (mapped([0, 1, 2, 3, -1, 5]), "mapping: expected rows from 0 to 5, got -1 to 5"),
        (
            lambda folder: make_model2vec(folder, vectors=np.where(np.arange(6)[:, None] == 1, np.nan, TABLE)),
            "the vector of 'nurse' has a value that is not finite",
        ),
        (add_table, "expected one table of vectors of wordllama, got weights/other.safetensors, weights/tiny_4"),
        (damage_tokenizer, "tiny_tokenizer_config.json: broken tokenizer"),
    ],
)
def test_broken_folders_are_named(tmp_path, damage, message):
    make_model2vec(tmp_path)
    damage(tmp_path)
    assert static_tokens.is_tokens(tmp_path)
    with pytest.raises(ValueError, match=message) as raised:
        static_tokens.open_tokens(tmp_path)(TEXTS)
    assert str(tmp_path) in str(raised.value)
