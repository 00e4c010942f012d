"""Small valid files of every format that users bring, and their readers."""

import bz2
import gzip
import io
import json
import lzma
import tempfile
from pathlib import Path

import numpy as np
import pytest

from biassay.corpora import plain_text, wikipedia
from biassay.language_models import model_files
from biassay.vectors.readers import read_vectors

WORDS = ["the", "woman", "man", "été", "日本", "new_york", "10"]
VECTORS = np.random.default_rng(2).standard_normal((7, 5)).astype(np.float32)
TEXT = "The woman saw été.\nThe man in New York saw <b>10</b> men &amp; left.\n" * 8
MARKUP = "'''A''' [[b|c]] {{d}} &lt;ref&gt;e&lt;/ref&gt; f."


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


def read_text(path: Path) -> None:
    """Read text with markup, as when a corpus is encoded."""
    for block, _ in plain_text.read_blocks(path):
        plain_text.split_words(block, markup=True)


def read_dump(path: Path) -> None:
    """Extract the text of a dump; check that it can be read."""
    out = path.with_name("out.txt")
    wikipedia.extract([str(path)], out)
    read_text(out)


KINDS = {
    "glove.txt": (lines(), read_words),
    "word2vec.txt": (lines(True), read_words),
    "glove.txt.xz": (lzma.compress(lines()), read_words),
    "word2vec.bin.gz": (gzip.compress(binary()), read_words),
    "vectors.npz": (npz(), read_words),
    "subwords.bin": (fasttext, read_words),
    "export.parquet": (columns, read_words),
    "stream.arrow": (lambda: columns("stream"), read_words),
    "text.txt": (TEXT.encode(), read_text),
    "text.txt.gz": (gzip.compress(TEXT.encode()), read_text),
    "dump.xml.bz2": (bz2.compress(dump(*(page(i, MARKUP) for i in range(9)))), read_dump),
    "model": (tensors, model_files.check_files),
}
