"""Word vectors from any source: files of all usual formats, objects in memory, encoders."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from biassay.support import arrays, guard
from biassay.vectors.embedding import Embedding
from biassay.vectors.formats import binary, encoder, files, hdf, lines, npz
from biassay.vectors.formats.rows import Rows
from biassay.vectors.formats.sample import Sample

ENCODER = "hf:"
INPUTS = "hf-inputs:"
SOURCES = (
    "a file (word2vec text or binary, fastText .vec, GloVe, Numberbatch text or .h5, .npz with words and vectors, "
    "gensim .kv), a folder that biassay wrote, hf: and a model's folder or hub id (its last hidden "
    "states), hf-inputs: and the same (its input embeddings), gensim KeyedVectors, "
    "a pair (words, array), a mapping from words to vectors"
)
HINTS = {
    "npy": "is an array without words; give an .npz file with arrays `words` and `vectors`, or (words, array)",
    "fasttext": "is a fastText model; give its .vec file",
}


def read_vectors(
    source: Any, words: Iterable[str] | None = None, *, allow_pickle: bool = False
) -> tuple[list[str], np.ndarray]:
    """Read word vectors: the words, and an array (n, d) of float32.

    With `words` only these are read, in their order and each once; files are streamed and reading stops where all are
    found, so that memory is bounded by the result and what stands behind is not checked. Otherwise all are read, in
    the source's order. A word that stands twice has its first vector. Of a language model, masked or causal, "hf:" has
    the mean of a text's last hidden states, "hf-inputs:" that of its input embeddings (see `formats.encoder`).

    `source` is recognised by its type and by how the file, plain or .gz, .bz2, .xz, begins. Nothing is unpickled unless
    `allow_pickle` says so: unpickling runs code of whoever made the file. Raises ValueError, naming file and line, for
    what is malformed, and if no wanted word is found; lines that are not UTF-8, duplicates and words not found are
    reported by logging. A word with its numbers may have 4 MiB, a compressed file unpack to 100 times its size (or
    1 MiB), an array of a packed .npz or .h5 file claim 100 times what is stored of it (or 1 MiB).
    """
    rows = Rows(_name(source), _wanted(words))
    _read(source, rows, allow_pickle)
    return rows.result()


@dataclass(frozen=True)
class Sampled:
    """Wanted words of a source and random ones of its rows, with their vectors (n, d) float32, and the number of each
    one's row (n,), from 0; None if the source has none. total: how many rows the source has, if that is known."""

    words: list[str]
    vectors: np.ndarray
    rows: np.ndarray | None
    total: int | None


def read_sample(source: Any, words: Iterable[str], *, density: float, seed: int, allow_pickle: bool = False) -> Sampled:
    """Read the vectors of words, as `read_vectors` does, and of random rows: row r (from 0) with the chance
    density / (r + 1), or all with the same in files that are known to be in alphabetical order (Numberbatch).

    A file is read to its end, but only the lines that are kept are parsed. Models of transformers and sparse embeddings
    give the wanted words only. No error if none of them is found, but random rows are.
    """
    plain = isinstance(source, str) and source.startswith((ENCODER, INPUTS))
    rows = Rows(_name(source), _wanted(words), None if plain else Sample(density, seed))
    _read(source, rows, allow_pickle)
    found, vectors = rows.result()
    places = np.array([rows.places[word] for word in found], np.int64) if len(rows.places) == len(found) else None
    return Sampled(found, vectors, places, rows.total)


def _read(source: Any, rows: Rows, allow_pickle: bool) -> None:
    """Read a source by what it is."""
    if isinstance(source, str) and source.startswith(ENCODER):
        encoder.read(source.removeprefix(ENCODER), rows, allow_pickle)
    elif isinstance(source, str) and source.startswith(INPUTS):
        encoder.read_inputs(source.removeprefix(INPUTS), rows, allow_pickle)
    elif isinstance(source, str | Path):
        _read_path(Path(source), rows, allow_pickle)
    elif isinstance(source, Embedding):
        _read_embedding(source, rows)
    elif hasattr(source, "key_to_index") or hasattr(source, "wv"):
        _read_gensim(source, rows)
    elif isinstance(source, Mapping):
        _read_mapping(source, rows)
    elif isinstance(source, tuple | list) and len(source) == 2:
        rows.table(source[0], arrays.as_array(rows.source, source[1]))
    else:
        raise ValueError(f"source of vectors: {source!r:.80} is none; expected one of: {SOURCES}")


def _name(source: Any) -> str:
    """What messages call a source: a path as a reader of files does."""
    if isinstance(source, str | Path):
        return str(Path(source))
    return f"the {type(source).__name__} of vectors"


def _wanted(words: Iterable[str] | None) -> list[str] | None:
    """The wanted words, each once; raises ValueError if they are not one string or more in a list."""
    if words is None:
        return None
    wanted = [words] if isinstance(words, str) else list(dict.fromkeys(words))
    if isinstance(words, str) or not wanted or not all(isinstance(word, str) for word in wanted):
        raise ValueError(f"words: {words!r:.80} is no list of one word or more; give strings, or None for all words")
    return [str(word) for word in wanted]


def _read_path(path: Path, rows: Rows, allow_pickle: bool) -> None:
    """Read a file or folder by what it holds."""
    if path.is_dir():
        _read_folder(path, rows)
        return
    kind = files.kind(path)
    if kind in HINTS:
        raise ValueError(f"{path}: {HINTS[kind]}")
    if kind in ("hdf", "zip", "pickle") and files.compressed(path):
        raise ValueError(f"{path}: a compressed {kind} file; uncompress it first")
    if kind == "pickle":
        _read_pickle(path, rows, allow_pickle)
    else:
        {"hdf": hdf.read, "zip": npz.read, "binary": binary.read, "text": lines.read}[kind](path, rows)


def _read_folder(path: Path, rows: Rows) -> None:
    """Read an embedding that biassay wrote."""
    if not (path / "words.txt").is_file() or not (path / "embedding.json").is_file():
        hint = f"; for an encoder give {ENCODER}{path}" if (path / "config.json").is_file() else ""
        raise ValueError(f"{path}: no folder of vectors: lacks words.txt and embedding.json{hint}")
    _read_embedding(Embedding.open(path), rows)


def _read_embedding(embedding: Embedding, rows: Rows) -> None:
    """Read an embedding; the rows of a sparse one only by words, since they are as long as the vocabulary."""
    if not embedding.sparse:
        rows.table(embedding.words, embedding.vectors)
        return
    if rows.wanted is None:
        raise ValueError(f"{rows.source}: sparse vectors, one column a word; give `words`, or open it with Embedding")
    rows.sample, known = (
        None,
        [word for word in rows.wanted if word in embedding.index],
    )  # rows as long as the vocabulary
    if known:
        rows.add(known, embedding.rows(known))


def _read_gensim(source: Any, rows: Rows) -> None:
    """Read gensim's KeyedVectors, or a model that has them."""
    vectors = getattr(source, "wv", source)
    rows.table(vectors.index_to_key, vectors.vectors)


def _read_mapping(source: Mapping, rows: Rows) -> None:
    """Read a mapping from words to vectors."""
    wanted = source if rows.wanted is None or rows.sample else [word for word in rows.wanted if word in source]
    vectors = {word: arrays.as_array(f"{rows.source}: {word!r}", source[word]) for word in wanted}
    shapes = {vector.shape: word for word, vector in vectors.items()}
    if len(shapes) > 1:
        (first, word), (second, other) = list(shapes.items())[:2]
        raise ValueError(f"{rows.source}: {word!r} has shape {first}, {other!r} has {second}; give equal lengths")
    if vectors:
        rows.table(list(vectors), np.stack(list(vectors.values())))


def _read_pickle(path: Path, rows: Rows, allow_pickle: bool) -> None:
    """Read vectors that gensim saved in its own format, a pickle."""
    if not allow_pickle:
        raise ValueError(
            f"{path}: a pickle, as gensim's save writes it, which can run any code when it is read; if you trust it, "
            "say allow_pickle=True, else convert it with gensim's save_word2vec_format"
        )
    from gensim.utils import SaveLoad

    with guard.reading(path, "file of gensim's save"):
        loaded = SaveLoad.load(str(path))
    if not hasattr(loaded, "key_to_index") and not hasattr(loaded, "wv"):
        raise ValueError(f"{path}: a pickle of {type(loaded).__name__}, not of gensim's KeyedVectors")
    _read_gensim(loaded, rows)
