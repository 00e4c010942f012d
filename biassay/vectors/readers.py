"""Readers of word vectors: files of all common formats, objects in memory, language models."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from biassay.core import arrays, guard
from biassay.vectors.embedding import Embedding
from biassay.vectors.encoders import sources
from biassay.vectors.encoders.encoder import Encoder
from biassay.vectors.formats import binary, columns, fasttext, files, lines, npz, spacy_vectors
from biassay.vectors.formats.rows import Rows, Sample

SOURCES = (
    "a path, an address such as hf:MODEL or spacy:PIPELINE, a function of texts, KeyedVectors of gensim, a pair "
    "(words, array), or a mapping from words to vectors; see biassay.read_vectors"
)
READERS = {
    "binary": binary.read,
    "columns": columns.read,
    "fasttext": fasttext.read,
    "text": lines.read,
    "zip": npz.read,
}


def read_vectors(
    source: Any, words: Iterable[str] | None = None, *, allow_pickle: bool = False
) -> tuple[list[str], np.ndarray]:
    """Read word vectors from a file, a folder, a language model or an object in memory.

    A file may be compressed (.gz, .bz2, .xz); its format is recognised by its first bytes. With `words`, reading stops
    when all are found, and the rest of the file is not checked. For a duplicate word, the first vector counts. Lines
    that are not UTF-8, duplicates and missing words are logged as warnings.

    Parameters
    ----------
    source
        A word2vec, fastText .vec or .bin, GloVe, Numberbatch, Parquet, Arrow, .npz or gensim file; a folder that
        biassay wrote, or of a spaCy pipeline; "spacy:" and the name of an installed pipeline; "hf:MODEL" or
        "hf-inputs:MODEL" (the mean of the last hidden states or of the input embeddings of a word's tokens; see
        `encoders.transformer`); gensim KeyedVectors; a pair (words, array); or a mapping from words to vectors.
    words
        Words to read; None for all.
    allow_pickle
        Whether to unpickle files. Unpickling can run code of the author of the file.

    Returns
    -------
    words : list of str
        The words found, in the order of `words` or of the source.
    vectors : ndarray
        Their vectors, shape (n_words, d), float32.

    Raises
    ------
    ValueError
        If the source is malformed or has none of the words.

    Examples
    --------
    >>> from biassay import read_vectors
    >>> read_vectors({"she": [1.0, 0.0], "he": [0.0, 1.0]}, ["he"])
    (['he'], array([[0., 1.]], dtype=float32))
    """
    rows = Rows(_name(source), _check_words(words))
    _read(source, rows, allow_pickle)
    return rows.result()


@dataclass(frozen=True)
class SampledVectors:
    """Words with their vectors (n, d), their row numbers (n,) and the number of rows of the source, None if unknown."""

    words: list[str]
    vectors: np.ndarray
    row_numbers: np.ndarray | None
    n_rows: int | None


def read_sample(
    source: Any, words: Iterable[str], *, density: float, seed: int, allow_pickle: bool = False, language: str = "en"
) -> SampledVectors:
    """Read the vectors of words, as `read_vectors` does, and of random rows.

    Row r, from 0, is drawn with probability density / (r + 1). All rows have the same probability in tables of columns
    and in text files in alphabetical order whose header has the number of words. Encoders and sparse embeddings have no
    random rows. Files are read to the end, but only the needed lines are parsed. It is no error if the source has none
    of the words but some random rows.
    """
    rows = Rows(_name(source), _check_words(words), Sample(density, seed), language)
    _read(source, rows, allow_pickle)
    words, vectors = rows.result()
    row_numbers = None
    if len(rows.row_numbers) == len(words) and rows.sample.probability is None:
        row_numbers = np.array([rows.row_numbers[word] for word in words], np.int64)
    return SampledVectors(words, vectors, row_numbers, rows.n_rows)


def _read(source: Any, rows: Rows, allow_pickle: bool) -> None:
    """Read a source of any kind."""
    if encoder := sources.find(source, allow_pickle=allow_pickle):
        _read_encoder(encoder, rows)
    elif isinstance(source, str | Path):
        kind, name = sources.split(sources.locate(source))
        if kind == spacy_vectors.PREFIX:
            spacy_vectors.read(name, rows)
        else:
            _read_path(Path(name), rows, allow_pickle)
    elif isinstance(source, Embedding):
        _read_embedding(source, rows)
    elif hasattr(source, "key_to_index") or hasattr(source, "wv"):
        _read_gensim(source, rows)
    elif isinstance(source, Mapping):
        _read_mapping(source, rows)
    elif isinstance(source, tuple | list) and len(source) == 2:
        rows.add_table(source[0], arrays.as_array(rows.source, source[1]))
    else:
        raise ValueError(f"source of vectors: invalid value {source!r:.80}; expected {SOURCES}")


def _read_encoder(encoder: Encoder, rows: Rows) -> None:
    """Read the wanted words that an encoder knows."""
    if rows.wanted is None:
        raise ValueError(f"{rows.source}: an encoder has no list of words; give `words`")
    rows.sample = None
    if words := [word for word in rows.wanted if encoder.is_known(encoder.text_of(word))]:
        rows.add(words, encoder(list(map(encoder.text_of, words))))


def _name(source: Any) -> str:
    """Name a source in messages."""
    return str(Path(source)) if isinstance(source, str | Path) else f"vectors ({type(source).__name__})"


def _check_words(words: Iterable[str] | None) -> list[str] | None:
    """Return the wanted words without duplicates; raise ValueError if they are not a list of one string or more."""
    if words is None:
        return None
    wanted = [words] if isinstance(words, str) else list(dict.fromkeys(words))
    if isinstance(words, str) or not wanted or not all(isinstance(word, str) for word in wanted):
        raise ValueError(f"words: expected a list of one string or more, or None for all words, got {words!r:.80}")
    return [str(word) for word in wanted]


def _read_path(path: Path, rows: Rows, allow_pickle: bool) -> None:
    """Read a file of any format, or a folder that biassay wrote."""
    if path.is_dir():
        if not (path / "words.txt").is_file() or not (path / "embedding.json").is_file():
            raise ValueError(f"{path}: expected a folder with words.txt and embedding.json, or of a language model")
        _read_embedding(Embedding.open(path), rows)
        return
    file_format = files.detect_format(path)
    if file_format == "npy":
        raise ValueError(
            f"{path}: an array without words; give an .npz file with arrays `words` and `vectors`, or (words, array)"
        )
    if file_format == "hdf":
        raise ValueError(f"{path}: an HDF5 file, which biassay does not read; give the vectors as a text file")
    if file_format in ("columns", "fasttext", "zip", "pickle") and files.find_compression(path):
        raise ValueError(f"{path}: a compressed {file_format} file; decompress it first")
    if file_format == "pickle":
        _read_pickle(path, rows, allow_pickle)
    else:
        READERS[file_format](path, rows)


def _read_embedding(embedding: Embedding, rows: Rows) -> None:
    """Read an embedding; a sparse one only with `words`, since its rows are as long as the vocabulary."""
    if not embedding.is_sparse:
        rows.add_table(embedding.words, embedding.vectors)
        return
    if rows.wanted is None:
        raise ValueError(f"{rows.source}: sparse vectors have one column per word; give `words`, or use Embedding.open")
    rows.sample = None
    words = [word for word in rows.wanted if word in embedding.index]
    if words:
        rows.add(words, embedding.rows(words))


def _read_gensim(source: Any, rows: Rows) -> None:
    """Read KeyedVectors of gensim, or a model that has them."""
    vectors = getattr(source, "wv", source)
    rows.add_table(vectors.index_to_key, vectors.vectors)


def _read_mapping(source: Mapping, rows: Rows) -> None:
    """Read a mapping from words to vectors."""
    wanted = source if rows.wanted is None or rows.sample else [word for word in rows.wanted if word in source]
    vectors = {word: arrays.as_array(f"{rows.source}: {word!r}", source[word]) for word in wanted}
    shapes = {vector.shape: word for word, vector in vectors.items()}
    if len(shapes) > 1:
        (first, word), (second, other) = list(shapes.items())[:2]
        raise ValueError(
            f"{rows.source}: expected vectors of equal shape, got {first} for {word!r} and {second} for {other!r}"
        )
    if vectors:
        rows.add_table(list(vectors), np.stack(list(vectors.values())))


def _read_pickle(path: Path, rows: Rows, allow_pickle: bool) -> None:
    """Read vectors that gensim pickled."""
    if not allow_pickle:
        raise ValueError(
            f"{path}: a pickle, as written by gensim's save; reading it can run any code. Convert it with gensim's "
            "save_word2vec_format, or set allow_pickle=True if you trust it"
        )
    with guard.reading(path, "gensim pickle"):
        from gensim.utils import SaveLoad

        loaded = SaveLoad.load(str(path))
    if not hasattr(loaded, "key_to_index") and not hasattr(loaded, "wv"):
        raise ValueError(f"{path}: expected a pickle of gensim's KeyedVectors, got {type(loaded).__name__}")
    _read_gensim(loaded, rows)
