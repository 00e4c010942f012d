"""Tables with a text and a vector per row, as vector databases export them: Parquet, Arrow and Feather files."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from biassay.core import guard
from biassay.vectors.formats.rows import Rows

BATCH = 4096  # rows read at a time
MAX_TEXTS = 1 << 28  # bytes of the texts of a batch
MAX_RATIO = 100  # largest ratio of the bytes of a column to those of its file
SMALL = 1 << 26  # bytes of a column that are allowed in any file
TEXTS = ("text", "word", "token", "document", "content")  # preferred names of columns, best first
VECTORS = ("vector", "embedding", "embeddings")


def read(path: str | Path, rows: Rows) -> None:
    """Read the column of strings and the column of lists of numbers, in batches; skip rows where one of them is empty.

    Of several such columns, one with a common name is read. Rows have no order by frequency, so that all have the same
    probability of being sampled. Raises ValueError, naming the file, if there are no such columns, or if the vector of
    a wanted or sampled text has an empty place or another length than the first one.
    """
    with guard.reading(path, "Parquet or Arrow file"):
        n_rows, schema, batches = _open(path)
        columns = _find_columns(path, schema)
        start, dimensions = 0, None
        rows.n_rows = n_rows
        if rows.sample:
            rows.sample.flatten(n_rows)
        for batch in batches(columns):
            if (size := int(_lengths(batch.column(columns[0])).sum())) > MAX_TEXTS:
                at = f"the texts from row {start + 1} to {start + len(batch)}"
                raise ValueError(f"{path}: expected at most {MAX_TEXTS} bytes in {at}, got {size}")
            texts, vectors = batch.column(columns[0]).to_pylist(), batch.column(columns[1])
            is_whole = [bool(text) and has for text, has in zip(texts, vectors.is_valid().to_pylist(), strict=True)]
            if not all(is_whole):
                rows.skipped["rows without a text or a vector"] += len(texts) - sum(is_whole)
            chosen = [row for row, text in enumerate(texts) if is_whole[row] and rows.is_chosen(text, start + row)]
            if chosen:
                words = [texts[row] for row in chosen]
                values = _stack(path, words, vectors.take(chosen), dimensions)
                dimensions = values.shape[1]
                rows.add(words, values, [start + row for row in chosen])
            start += len(texts)
            if rows.is_complete:
                return


def _open(path: str | Path) -> tuple[int, Any, Any]:
    """Open a file: its number of rows, its schema, and a function of columns that yields batches of rows."""
    try:
        import pyarrow
        from pyarrow import ipc, parquet
    except ImportError as error:
        raise ValueError(f"{path}: Parquet and Arrow files need pyarrow; pip install 'biassay[static]'") from error
    with open(path, "rb") as file:
        start = file.read(4)
    if start == b"PAR1":
        options = {"pre_buffer": False, "buffer_size": 1 << 20}
        table = parquet.ParquetFile(path, **options)
        _check_size(path, table.metadata)

        def batches(columns: list[str]) -> Any:
            coded = parquet.ParquetFile(path, read_dictionary=columns[:1], **options)  # equal texts are kept once
            return coded.iter_batches(BATCH, columns=columns)

        return table.metadata.num_rows, table.schema_arrow, batches
    if start == b"ARRO":
        table = ipc.open_file(pyarrow.memory_map(str(path)))
        parts = (table.get_batch(number) for number in range(table.num_record_batches))
        return table.count_rows(), table.schema, lambda columns: _cut(parts)
    table = ipc.open_stream(pyarrow.memory_map(str(path)))
    n_rows = sum(batch.num_rows for batch in table)
    return n_rows, table.schema, lambda columns: _cut(ipc.open_stream(pyarrow.memory_map(str(path))))


def _check_size(path: str | Path, metadata: Any) -> None:
    """Raise ValueError if a column of a Parquet file is far larger than the file."""
    limit = max(SMALL, MAX_RATIO * os.path.getsize(path))
    for group in map(metadata.row_group, range(metadata.num_row_groups)):
        for part in map(group.column, range(group.num_columns)):
            if max(4 * part.num_values, part.total_uncompressed_size) > limit:
                name, sizes = part.path_in_schema, f"{part.num_values} values, {part.total_uncompressed_size} bytes"
                raise ValueError(f"{path}: expected at most {limit} bytes in column {name} of a row group, got {sizes}")


def _lengths(texts: Any) -> np.ndarray:
    """Return the bytes of each text of a column, before any of them is copied; 0 for none."""
    from pyarrow import compute, types

    if types.is_dictionary(texts.type):
        return np.append(_lengths(texts.dictionary), 0)[texts.indices.cast("int64").fill_null(-1).to_numpy()]
    if types.is_string_view(texts.type):  # each view begins with its length
        views = np.frombuffer(texts.buffers()[1], "<i4").reshape(-1, 4)[texts.offset :][: len(texts), 0]
        return np.where(texts.is_valid().to_numpy(zero_copy_only=False), views, 0).astype(np.int64)
    return compute.binary_length(texts).cast("int64").fill_null(0).to_numpy()


def _cut(batches: Any) -> Iterator[Any]:
    """Yield the rows of batches, at most BATCH at a time."""
    for batch in batches:
        batch.validate(full=True)  # offsets of a damaged file lead to other memory
        for start in range(0, batch.num_rows, BATCH):
            yield batch.slice(start, BATCH)


def _find_columns(path: str | Path, schema: Any) -> list[str]:
    """Find the names of the columns of texts and of vectors."""
    from pyarrow import types

    def is_text(kind: Any) -> bool:
        kind = kind.value_type if types.is_dictionary(kind) else kind
        return types.is_string(kind) or types.is_large_string(kind) or types.is_string_view(kind)

    def is_vector(kind: Any) -> bool:
        is_list = types.is_list(kind) or types.is_large_list(kind) or types.is_fixed_size_list(kind)
        return is_list and (types.is_floating(kind.value_type) or types.is_integer(kind.value_type))

    kinds = {field.name: field.type for field in schema}
    texts, vectors = (list(filter(lambda name: is_kind(kinds[name]), kinds)) for is_kind in (is_text, is_vector))
    floats = [name for name in vectors if types.is_floating(kinds[name].value_type)]  # not lists of token numbers
    return [
        _choose(path, kinds, names, *expected)
        for names, *expected in ((texts, "texts", TEXTS), (floats or vectors, "vectors", VECTORS))
    ]


def _choose(path: str | Path, kinds: dict[str, Any], names: list[str], what: str, preferred: tuple[str, ...]) -> str:
    """Return the only name, or the first preferred one; raise ValueError, listing all columns, if there is none."""
    chosen = names if len(names) == 1 else [name for name in preferred if name in names]
    if not chosen:
        raise ValueError(
            f"{path}: expected one column of {what}, or one named {', '.join(preferred)}, got "
            f"{', '.join(names) or 'none'}; columns: {', '.join(f'{name} ({kind})' for name, kind in kinds.items())}"
        )
    return chosen[0]


def _stack(path: str | Path, words: list[str], vectors: Any, dimensions: int | None) -> np.ndarray:
    """Return the vectors of words as an array (n, d)."""
    lengths = [len(vector) for vector in vectors]
    dimensions = dimensions or lengths[0]
    values = vectors.flatten()
    for word, length in zip(words, lengths, strict=True):
        if length != dimensions:
            raise ValueError(
                f"{path}: expected {dimensions} values, as in the first vector, got {length} of {word!r:.80}"
            )
    if values.null_count:
        row = values.is_null().to_pylist().index(True) // dimensions
        raise ValueError(f"{path}: the vector of {words[row]!r:.80} has an empty value")
    return values.to_numpy(zero_copy_only=False).reshape(len(words), dimensions)
