"""Every source of word vectors, read whole and in part, against what gensim reads where it can."""

import bz2
import gzip
import logging
import lzma

import gensim
import numpy as np
import pytest
import scipy.sparse
from hypothesis import given
from hypothesis import strategies as st

from biassay.vectors.embedding import Embedding
from biassay.vectors.formats import files, lines
from biassay.vectors.readers import read_sample, read_vectors
from tests import hostile
from tests.hostile import VECTORS, WORDS

LAYOUT = lines._Layout(dimensions=2, separator=b" ", has_concepts=False, count=None)
NO_NUMBERS = ["1.2.3", "-", ".", "e5", "1e", "1e+", "nan", "inf", "1e39", "0x1", "1_0", "--1", "1-2", "1..2"]
OPENERS = {"": open, ".gz": gzip.open, ".bz2": bz2.open, ".xz": lzma.open}


def rows(words=WORDS, vectors=VECTORS, separator=" "):
    return [separator.join([word, *map(str, vector)]) for word, vector in zip(words, vectors.tolist(), strict=True)]


def write(path, text_lines, end="\n"):
    with OPENERS[path.suffix if path.suffix in OPENERS else ""](path, "wb") as file:
        file.write("".join(line + end for line in text_lines).encode())
    return path


def keyed():
    result = gensim.models.KeyedVectors(VECTORS.shape[1])
    result.add_vectors(WORDS, VECTORS)
    return result


def word2vec(path, binary):
    keyed().save_word2vec_format(str(path), binary=binary)
    return path


def pipeline(folder):
    """A spaCy pipeline with a table of vectors."""
    spacy = pytest.importorskip("spacy")
    nlp = spacy.blank("en")
    for word, vector in zip(WORDS, VECTORS, strict=True):
        nlp.vocab.set_vector(word, vector)
    folder.parent.mkdir(exist_ok=True)
    nlp.to_disk(folder)
    return folder


def sources(folder):
    """All sources of WORDS and VECTORS, by name."""
    Embedding(WORDS, VECTORS).save(folder / "saved")
    (folder / "v.npz").write_bytes(hostile.npz())
    keyed().save(str(folder / "v.kv"))
    made = {suffix or "plain": write(folder / f"glove.txt{suffix}", rows()) for suffix in OPENERS}
    with gzip.open(folder / "w.bin.gz", "wb") as file:
        file.write(word2vec(folder / "w.bin", True).read_bytes())
    for name in ("original.bin", "unnamed"):
        (folder / name).write_bytes(hostile.binary())
    crlf = write(folder / "crlf.txt", ["7 5", *[row + " " for row in rows()]], "\r\n")
    bom = write(folder / "bom.txt", ["\ufeff" + rows()[0], *rows()[1:], "", ""])
    concepts = [*[f"/c/en/{word}" for word in WORDS], "/c/fr/a", "/c/de/the"]
    concept_vectors = np.concatenate([VECTORS, VECTORS[:2]])
    for kind in ("parquet", "file", "stream"):
        (folder / f"v.{kind}").write_bytes(hostile.columns(kind))
    return made | {
        **{kind: folder / f"v.{kind}" for kind in ("parquet", "file", "stream")},
        "spacy": f"spacy:{pipeline(folder / 'pipeline')}",
        "spacy folder": folder / "pipeline",
        "header": word2vec(folder / "w.txt", False),
        "binary": folder / "w.bin",
        "binary gz": str(folder / "w.bin.gz"),
        "binary of word2vec": folder / "original.bin",
        "binary without a name": folder / "unnamed",
        "crlf": crlf,
        "bom": bom,
        "tabs": write(folder / "tabs.txt", rows(separator="\t")),
        "numberbatch": write(folder / "numberbatch.txt.gz", ["9 5", *rows(concepts, concept_vectors)]),
        "folder": folder / "saved",
        "npz": folder / "v.npz",
        "gensim": keyed(),
        "pair": (WORDS, VECTORS.astype(float)),
        "mapping": dict(zip(WORDS, VECTORS, strict=True)),
        "embedding": Embedding(WORDS, VECTORS),
    }


def test_every_source_gives_the_same(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "BLOCK", 250)  # a few lines, far less than the files
    for name, source in sources(tmp_path).items():
        words, vectors = read_vectors(source)
        assert words == WORDS, name
        assert vectors.dtype == np.float32
        np.testing.assert_array_equal(vectors, VECTORS, name)
        words, vectors = read_vectors(source, ["日本", "nothing", "man", "日本"])
        assert words == ["日本", "man"], name
        np.testing.assert_array_equal(vectors, VECTORS[[4, 2]], name)
        with pytest.raises(ValueError, match="none of the 2 words was found: 'un', 'known'"):
            read_vectors(source, ["un", "known"])


@given(st.floats(-1e30, 1e30), st.sampled_from(["%r", "%.3f", "%.25f", "%.6e", "%+.9G", "%d"]))
def test_numbers_are_python_s(value, style):
    word, numbers = lines._parse_plain_line(f"w {style % value} 2".encode(), LAYOUT)
    assert word == b"w"
    np.testing.assert_array_equal(numbers, np.float32([float(style % value), 2]))


@pytest.mark.parametrize("field", NO_NUMBERS)
def test_what_is_no_number(tmp_path, field):
    path = write(tmp_path / "v.txt", ["a 1 2", "b 3 4", f"w {field} 2"])
    with pytest.raises(ValueError, match=r"v\.txt, line 3: "):
        read_vectors(path)


def test_words_with_spaces(tmp_path):
    path = write(tmp_path / "v.txt", ["the 1 2", ". . . 3 4", "at name@domain.com 5 6", "windows 10 7 8", "a 9 9"])
    words, vectors = read_vectors(path)
    assert words == ["the", ". . .", "at name@domain.com", "windows 10", "a"]
    assert vectors[:, 1].tolist() == [2, 4, 6, 8, 9]
    assert read_vectors(path, ["at name@domain.com", "a"])[1].tolist() == [[5, 6], [9, 9]]


@pytest.mark.parametrize("rest", ["York", "dog"])
@pytest.mark.parametrize("wanted", [None, ["New"], ["she", "pilot"]])
def test_words_with_spaces_in_word2vec_s_binary_format(tmp_path, wanted, rest):
    made = gensim.models.KeyedVectors(50)
    made.add_vectors(["she", f"New {rest}", "he", "pilot"], np.random.default_rng(1).normal(size=(4, 50)))
    made.save_word2vec_format(str(tmp_path / "w.bin"), binary=True)
    with pytest.raises(ValueError, match=r"w\.bin, row 2: .* for 'New'; a word may contain a space"):
        read_vectors(tmp_path / "w.bin", wanted)


def test_other_encodings_in_word2vec_s_binary_format(tmp_path, caplog):
    words = [b"she", "caf\u00e9".encode("latin-1"), "日本".encode()[:-1], b"a\x01b", b"he"]
    rows = b"".join(word + b" " + np.float32([i, -i]).tobytes() for i, word in enumerate(words))
    (tmp_path / "w.bin").write_bytes(b"5 2\n" + rows)
    assert read_vectors(tmp_path / "w.bin", ["he", "she"])[1].tolist() == [[4, -4], [0, 0]]
    assert read_vectors(tmp_path / "w.bin")[0] == ["she", "a\x01b", "he"]
    assert "skipped 2 words that are not UTF-8" in caplog.text


def test_a_file_is_read_no_further_than_the_last_wanted_word(tmp_path, monkeypatch):
    monkeypatch.setattr(files, "BLOCK", 30)
    write(tmp_path / "v.txt", ["the 1 2", "of 3 4", *["and 5 6"] * 20, "bad 7 x"])
    assert read_vectors(tmp_path / "v.txt", ["of", "the"])[1].tolist() == [[3, 4], [1, 2]]


def test_pickles_are_read_only_when_allowed(tmp_path):
    keyed().save(str(tmp_path / "v.kv"))
    with pytest.raises(ValueError, match=r"v\.kv: a pickle.*allow_pickle=True"):
        read_vectors(tmp_path / "v.kv")
    assert read_vectors(tmp_path / "v.kv", allow_pickle=True)[0] == WORDS


def test_sparse_embeddings_are_read_by_words(tmp_path):
    matrix = scipy.sparse.csr_array(np.array([[0, 3.0], [1, 0]], np.float32))
    Embedding(["a", "b"], matrix, link="product").save(tmp_path)
    assert read_vectors(tmp_path, ["b"])[1].tolist() == [[1, 0]]
    with pytest.raises(ValueError, match=r"sparse vectors.*give `words`"):
        read_vectors(tmp_path)


def test_duplicates_and_odd_lines_are_reported(tmp_path, caplog):
    (tmp_path / "v.txt").write_bytes(b"a 1 2\n\x96 3 4\nb 5 6\na 7 8\n 9 9\n\x96\xff x\n")
    with caplog.at_level(logging.WARNING):
        words, vectors = read_vectors(tmp_path / "v.txt")
        read_vectors(tmp_path / "v.txt", ["b", "c"])
    assert words == ["a", "b"]
    assert vectors.tolist() == [[1, 2], [5, 6]]
    assert "skipped 2 words that are not UTF-8" in caplog.text
    assert "skipped 1 rows without a word" in caplog.text
    assert "1 duplicate words, such as 'a'" in caplog.text
    assert "1 of 2 words are missing: 'c'" in caplog.text


@pytest.mark.parametrize(("name", "binary"), [("w.bin", True), ("w.txt", False), ("w.bin", False)])
def test_rows_are_read_across_blocks(tmp_path, monkeypatch, name, binary):
    """gensim writes text by default, whatever the name of the file."""
    word2vec(tmp_path / name, binary)
    for block in range(21, 45):
        monkeypatch.setattr(files, "BLOCK", block)
        words, vectors = read_vectors(tmp_path / name)
        assert words == WORDS
        np.testing.assert_array_equal(vectors, VECTORS)


def test_fasttext_s_words_and_subwords_are_gensim_s(tmp_path, caplog):
    (tmp_path / "m.bin").write_bytes(hostile.fasttext())
    expected = gensim.models.fasttext.load_facebook_vectors(str(tmp_path / "m.bin"))
    words, vectors = read_vectors(tmp_path / "m.bin")
    assert words == expected.index_to_key
    np.testing.assert_allclose(vectors, expected.vectors, rtol=1e-6)
    with caplog.at_level(logging.WARNING):
        found = read_sample(tmp_path / "m.bin", ["zebra", "Man", "man", "日本語"], density=1e-12, seed=1)
    assert found.words == ["zebra", "man", "日本語"]  # "man" is in the vocabulary, so "Man" gets no subwords
    np.testing.assert_allclose(found.vectors, [expected[word] for word in found.words], rtol=1e-6)
    assert found.row_numbers.tolist() == [7, words.index("man"), 7]
    assert "m.bin: 2 words are outside the vocabulary" in caplog.text
    assert read_vectors(tmp_path / "m.bin", ["Man"])[0] == ["Man"]


@pytest.mark.parametrize("kind", ["list_(float16())", "list_(float64(), 5)", "large_list(int8())"])
def test_columns_of_any_list_of_numbers(tmp_path, kind):
    pyarrow = pytest.importorskip("pyarrow")
    values = np.round(VECTORS * 10).astype("int8" if "int8" in kind else "float16")
    vectors = pyarrow.array(list(values), eval(kind, vars(pyarrow)))
    texts = pyarrow.array([*WORDS[:5], None, ""]).dictionary_encode()
    (tmp_path / "v").write_bytes(hostile.columns(text=texts, other=WORDS, of_tokens=[[1, 2]] * 7, embedding=vectors))
    words, read = read_vectors(tmp_path / "v")
    assert words == WORDS[:5]
    np.testing.assert_array_equal(read, values[:5])


@pytest.mark.parametrize("kind", ["file", "stream"])
def test_offsets_out_of_the_texts_are_an_error(tmp_path, kind):
    content = hostile.columns(kind)
    offsets = np.cumsum([0, *(len(word.encode()) for word in WORDS)]).astype(np.int32).tobytes()
    assert content.count(offsets) == 1
    (tmp_path / "v").write_bytes(content.replace(offsets, offsets[:-4] + np.int32(500_000_000).tobytes()))
    with pytest.raises(ValueError, match=r"v: broken Parquet or Arrow file .*500000000"):
        read_vectors(tmp_path / "v")


def test_spacy_s_packages_are_read_but_not_imported(tmp_path, monkeypatch):
    folder = pipeline(tmp_path / "xx_pipeline_md" / "xx_pipeline_md-1.0")
    (tmp_path / "xx_pipeline_md" / "__init__.py").write_text("raise SystemExit")
    monkeypatch.syspath_prepend(tmp_path)
    words, vectors = read_vectors("spacy:xx_pipeline_md", ["man", "Man"])
    assert (words, vectors.tolist()) == (["man"], VECTORS[2:3].tolist())
    (folder / "vocab" / "key2row").write_bytes(b"\x81\x01\x7f")  # the key 1 with the row 127
    with pytest.raises(ValueError, match=r"xx_pipeline_md-1.0: expected words with rows from 0 to .*, got 127 to 127"):
        read_vectors("spacy:xx_pipeline_md")
    (folder / "vocab" / "key2row").write_bytes(b"\x81\x01")
    with pytest.raises(ValueError, match=r"xx_pipeline_md-1.0: broken spaCy pipeline"):
        read_vectors(folder)
    (folder / "vocab" / "vectors").unlink()
    with pytest.raises(ValueError, match=r"xx_pipeline_md-1.0: the pipeline has no vectors"):
        read_vectors(folder)
    with pytest.raises(ValueError, match=r"^spacy:no.such: expected the folder of a spaCy pipeline"):
        read_vectors("spacy:no.such")
