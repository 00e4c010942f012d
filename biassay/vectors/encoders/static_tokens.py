"""Static token embeddings as encoders: a text is the mean of the vectors of its tokens, whatever their order."""

import logging
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from biassay.core import guard
from biassay.vectors.encoders.encoder import Encoder
from biassay.vectors.formats import spacy_vectors

MODULES = "modules.json"  # of sentence-transformers, whose own library reads other modules than model2vec's
MODEL2VEC = ("config.json", "model.safetensors", "tokenizer.json")
TABLES = ("*.safetensors", "weights/*.safetensors")  # of wordllama
TOKENIZERS = ("tokenizer.json", "*_tokenizer_config.json", "tokenizers/*_tokenizer_config.json")
TENSOR = "embedding.weight"


def is_tokens(folder: Path) -> bool:
    """Whether a folder is of model2vec or wordllama, by its files and the names of its tensors."""
    return _is_model2vec(folder) or (not (folder / MODULES).is_file() and bool(_find_tables(folder)))


def open_tokens(name: str, *, allow_pickle: bool = False) -> Encoder:
    """Open a folder of model2vec or wordllama; nothing is downloaded, run or unpickled, even with `allow_pickle`.

    model2vec: the library encodes, with the weights and the normalisation of the model; it leaves out unknown tokens.
    wordllama: as its `embed` with its defaults, the mean over all tokens, without special ones and not normalised; an
    unknown token counts like any other. Texts without a known token are not known.
    """
    folder = Path(name)
    if not folder.is_dir():
        raise ValueError(f"{folder}: no such folder")
    return _open_model2vec(folder) if _is_model2vec(folder) else _open_wordllama(folder)


def open_spacy(name: str, *, allow_pickle: bool = False) -> Encoder | None:
    """Open spaCy's vectors in the mode "floret", sums over subwords for any word; None for a table by words."""
    vocabulary = spacy_vectors.find_vocabulary(name)
    if not spacy_vectors.is_floret(vocabulary):
        return None
    vectors = spacy_vectors.load(vocabulary)
    from spacy.attrs import LOWER, NORM

    def encode(texts: Sequence[str]) -> np.ndarray:
        with guard.reading(vocabulary.parent, "spaCy pipeline"):
            return vectors.get_batch([text.lower() if vectors.attr in (LOWER, NORM) else text for text in texts])

    return Encoder(str(vocabulary.parent), encode, has_context=False)


def _is_model2vec(folder: Path) -> bool:
    is_complete = all((folder / file).is_file() for file in MODEL2VEC)
    return is_complete and "embeddings" in _list_tensors(folder / "model.safetensors")


def _open_model2vec(folder: Path) -> Encoder:
    try:
        from model2vec import StaticModel
    except ImportError as error:
        raise ValueError(f"{folder}: needs model2vec; pip install 'biassay[static]'") from error
    with guard.reading(folder, "model2vec model"):
        model = StaticModel.from_pretrained(folder)
        mapping = np.arange(1) if model.token_mapping is None else np.asarray(model.token_mapping)
        if mapping.min() < 0 or mapping.max() >= len(model.embedding):
            raise ValueError(
                f"mapping: expected rows from 0 to {len(model.embedding) - 1}, got {mapping.min()} to {mapping.max()}"
            )

    def encode(texts: Sequence[str]) -> np.ndarray:
        with guard.reading(folder, "model2vec model"):
            return model.encode(texts)

    def is_known(text: str) -> bool:
        with guard.reading(folder, "model2vec model"):
            return bool(model.tokenize([text])[0])

    return Encoder(str(folder), encode, is_known=is_known, has_context=False)


def _open_wordllama(folder: Path) -> Encoder:
    from safetensors import safe_open

    tables = _find_tables(folder)
    tokenizers = sorted(path for pattern in TOKENIZERS for path in folder.glob(pattern))
    for what, paths in (("table of vectors", tables), ("tokenizer", tokenizers)):
        if len(paths) != 1:
            names = ", ".join(str(path.relative_to(folder)) for path in paths)
            raise ValueError(f"{folder}: expected one {what} of wordllama, got {names or 'none'}")
    try:
        from tokenizers import Tokenizer
    except ImportError as error:
        raise ValueError(f"{folder}: needs tokenizers; pip install 'biassay[static]'") from error
    with guard.reading(tables[0], "safetensors file"), safe_open(tables[0], "numpy") as file:
        table = file.get_tensor(TENSOR).astype(np.float32)
        if table.ndim != 2 or not len(table):
            raise ValueError(f"{tables[0]}: {TENSOR}: expected a table of vectors, got the shape {table.shape}")
    with guard.reading(tokenizers[0], "tokenizer"):
        tokenizer = Tokenizer.from_file(str(tokenizers[0]))
        tokenizer.no_padding()
        tokenizer.no_truncation()
    largest = max(tokenizer.get_vocab(with_added_tokens=False).values(), default=0)
    if largest >= len(table):
        about = "%s: has %d vectors, but tokens up to number %d, which take the last vector, as in wordllama"
        logging.warning(about, tables[0], len(table), largest)
    unknown = tokenizer.token_to_id(getattr(tokenizer.model, "unk_token", None) or "")

    def split(texts: Sequence[str]) -> list[list[int]]:
        with guard.reading(tokenizers[0], "tokenizer"):
            return [encoding.ids for encoding in tokenizer.encode_batch(list(texts), add_special_tokens=False)]

    def encode(texts: Sequence[str]) -> np.ndarray:
        ids = [np.minimum(row, len(table) - 1) for row in split(texts)]
        return np.stack([table[row].mean(axis=0) if len(row) else np.zeros_like(table[0]) for row in ids])

    return Encoder(str(folder), encode, is_known=lambda text: bool({*split([text])[0]} - {unknown}), has_context=False)


def _find_tables(folder: Path) -> list[Path]:
    """Find the files with one tensor of wordllama's name."""
    paths = sorted(path for pattern in TABLES for path in folder.glob(pattern))
    return [path for path in paths if _list_tensors(path) == [TENSOR]]


def _list_tensors(path: Path) -> list[str]:
    """List the names of the tensors in a safetensors file; none without the library."""
    try:
        from safetensors import safe_open
    except ImportError:
        return []
    with guard.reading(path, "safetensors file"), safe_open(path, "numpy") as file:
        return list(file.keys())
