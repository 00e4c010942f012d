"""Small valid files of every format, their readers, and ways to damage them."""

import bz2
import gzip
import io
import json
import lzma
import shutil
import tempfile
from pathlib import Path

import numpy as np
import pytest
import scipy.sparse

from biassay.corpora import corpus, plain_text, wikipedia
from biassay.corpora.corpus import Corpus
from biassay.counts import cooccurrence, storage
from biassay.language_models import model_files
from biassay.vectors.embedding import Embedding
from biassay.vectors.readers import read_vectors

WORDS = ["the", "woman", "man", "été", "日本", "new_york", "10"]
VECTORS = np.random.default_rng(2).standard_normal((7, 5)).astype(np.float32)
TEXT = "The woman saw été.\nThe man in New York saw <b>10</b> men &amp; left.\n" * 8
MARKUP = "'''A''' [[b|c]] {{d}} &lt;ref&gt;e&lt;/ref&gt; f."
SPARSE = scipy.sparse.random_array((7, 7), density=0.4, format="csr", dtype=np.float32, rng=np.random.default_rng(1))


def lines(header: bool = False) -> bytes:
    """WORDS and VECTORS as text."""
    rows = [" ".join([word, *map(str, row)]) for word, row in zip(WORDS, VECTORS.tolist(), strict=True)]
    return "\n".join((["7 5"] if header else []) + rows + [""]).encode()


def page(number: int, markup: str) -> str:
    """A page of a dump; `markup` is XML."""
    head = f"<title>P{number}</title><ns>0</ns><id>{number}</id>"
    return f"<page>{head}<revision><id>9</id><text>{markup}</text></revision></page>"


def dump(*pages: str) -> bytes:
    """A MediaWiki dump."""
    return f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/">{"".join(pages)}</mediawiki>'.encode()


def npz() -> bytes:
    """An .npz file."""
    file = io.BytesIO()
    np.savez_compressed(file, words=np.array(WORDS), vectors=VECTORS)
    return file.getvalue()


def binary() -> bytes:
    """word2vec's binary format."""
    rows = (word.encode() + b" " + row.tobytes() for word, row in zip(WORDS, VECTORS, strict=True))
    return b"7 5\n" + b"\n".join(rows) + b"\n"


def fasttext() -> bytes:
    """fastText's .bin format: WORDS with buckets of subwords."""
    from gensim.models import FastText
    from gensim.models.fasttext import save_facebook_model

    model = FastText([WORDS] * 3, vector_size=5, min_count=1, bucket=20, epochs=1, seed=1, workers=1)
    with tempfile.TemporaryDirectory() as folder:
        save_facebook_model(model, f"{folder}/m.bin")
        return Path(f"{folder}/m.bin").read_bytes()


def columns(kind: str = "parquet", **values: object) -> bytes:
    """A Parquet file, or an Arrow file or stream, of WORDS and VECTORS, or of other columns."""
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import ipc, parquet

    table = pyarrow.table(values or {"id": ["x"] * 7, "document": WORDS, "vector": list(VECTORS), "ids": [[1]] * 7})
    file = io.BytesIO()
    if kind == "parquet":
        parquet.write_table(table, file)
    else:
        with {"file": ipc.new_file, "stream": ipc.new_stream}[kind](file, table.schema) as writer:
            writer.write_table(table)
    return file.getvalue()


def tensors(folder: Path) -> None:
    """A model's folder without its large files."""
    import torch
    from safetensors.torch import save_file

    folder.mkdir()
    save_file({"a": torch.ones(2, 3), "b": torch.zeros(4)}, folder / "model-1.safetensors", {"format": "pt"})
    index = {"metadata": {}, "weight_map": {"a": "model-1.safetensors", "b": "model-1.safetensors"}}
    (folder / "model.safetensors.index.json").write_text(json.dumps(index))
    (folder / "config.json").write_text('{"model_type": "bert", "hidden_size": 8}')
    (folder / "vocab.txt").write_text("[PAD]\n[UNK]\né\n")


def counts(folder: Path) -> None:
    """A shard of counts."""
    folder.mkdir()
    matrix = scipy.sparse.csr_array((SPARSE.data * 0 + 2, SPARSE.indices, SPARSE.indptr), shape=SPARSE.shape)
    storage.save(matrix.astype(np.int64), folder)


def encoded(folder: Path) -> None:
    """An encoded corpus."""
    folder.mkdir()
    (folder / "text").write_text(TEXT, "utf-8")
    corpus.encode([str(folder / "text")], str(folder), min_count=1)
    (folder / "text").unlink()


def make(kind: str, folder: Path) -> Path:
    """A small valid file or folder of one of KINDS."""
    path = folder / kind
    content, _ = KINDS[kind]
    if not callable(content):
        path.write_bytes(content)
    elif path.suffix:
        path.write_bytes(content())
    else:
        content(path)
    return path


def read_words(path: Path) -> None:
    """Read vectors; check that they are finite, with one vector per word."""
    words, vectors = read_vectors(path)
    assert vectors.shape[0] == len(words) == len(set(words)) > 0
    assert vectors.shape[1] > 0
    assert np.isfinite(vectors).all()
    read_vectors(path, words[:2])


def read_embedding(path: Path) -> None:
    """Open an embedding and use all that compiled code reads."""
    embedding = Embedding.open(path)
    assert np.isfinite(embedding.rows(embedding.words)).all()
    assert len(embedding.words) == embedding.vectors.shape[0]
    if embedding.contexts is not None:
        assert embedding.contexts.shape == embedding.vectors.shape


def read_text(path: Path) -> None:
    """Read text with markup, as when a corpus is encoded."""
    for block, _ in plain_text.read_blocks(path):
        plain_text.split_words(block, markup=True)


def read_dump(path: Path) -> None:
    """Extract the text of a dump; check that it can be read."""
    out = path.with_name("out.txt")
    wikipedia.extract([str(path)], out)
    read_text(out)


def read_corpus(path: Path) -> None:
    """Read an encoded corpus."""
    found = Corpus.open(path)
    assert sum(len(sentence) for sentence in found.sentences()) == (found.tokens >= 0).sum()
    out = path.with_name("counted")
    out.mkdir(exist_ok=True)
    cooccurrence.count(found, out)


def read_counts(path: Path) -> None:
    """Merge a shard with a copy of it."""
    out, copy = path.with_name("merged"), path.with_name("copy")
    out.mkdir(exist_ok=True)
    shutil.copytree(path, copy, dirs_exist_ok=True)
    merged = cooccurrence.merge([str(path), str(copy)], out, window=5, weighting="flat")
    assert np.isfinite(merged.toarray()).all()


KINDS = {
    "glove.txt": (lines(), read_words),
    "word2vec.txt": (lines(True), read_words),
    "glove.txt.xz": (lzma.compress(lines()), read_words),
    "word2vec.bin.gz": (gzip.compress(binary()), read_words),
    "vectors.npz": (npz(), read_words),
    "subwords.bin": (fasttext, read_words),
    "export.parquet": (columns, read_words),
    "stream.arrow": (lambda: columns("stream"), read_words),
    "sparse": (Embedding(WORDS, SPARSE, link="product").save, read_embedding),
    "dense": (Embedding(WORDS, VECTORS, VECTORS[::-1], "sigmoid", np.ones(7)).save, read_embedding),
    "text.txt": (TEXT.encode(), read_text),
    "text.txt.gz": (gzip.compress(TEXT.encode()), read_text),
    "dump.xml.bz2": (bz2.compress(dump(*(page(i, MARKUP) for i in range(9)))), read_dump),
    "corpus": (encoded, read_corpus),
    "counts": (counts, read_counts),
    "model": (tensors, model_files.check_files),
}
