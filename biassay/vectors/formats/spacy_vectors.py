"""The table of vectors of a spaCy pipeline: read from its files, without running the pipeline."""

import importlib.util
import json
from pathlib import Path
from typing import Any

from biassay.core import arrays, guard
from biassay.vectors.formats.rows import Rows

PREFIX = "spacy:"  # a pipeline, by folder or by the name of an installed package
BATCH = 4096  # rows added at a time


def is_pipeline(folder: Path) -> bool:
    """Whether a folder is one of a pipeline."""
    return (folder / "meta.json").is_file() and (folder / "vocab" / "strings.json").is_file()


def find_vocabulary(name: str) -> Path:
    """Find the folder `vocab` of a pipeline with vectors; raise ValueError if there is none.

    A package is found without importing it, since importing runs its code.
    """
    folder = Path(name)
    if not folder.is_dir():
        package = importlib.util.find_spec(name) if name.isidentifier() else None
        places = (package and package.submodule_search_locations) or []
        folder = next((path.parent for place in places for path in Path(place).glob("*/meta.json")), None)
    if folder is None or not is_pipeline(folder):
        raise ValueError(
            f"{PREFIX}{name}: expected the folder of a spaCy pipeline, with meta.json and vocab/strings.json, or the "
            "name of an installed one such as en_core_web_md"
        )
    vocabulary = folder / "vocab"
    if not (vocabulary / "vectors").is_file():
        raise ValueError(f"{folder}: the pipeline has no vectors; spaCy's pipelines named …_md and …_lg have some")
    return vocabulary


def is_floret(vocabulary: Path) -> bool:
    """Whether vectors are sums over subwords, in the mode "floret", and not a table by words."""
    path = vocabulary / "vectors.cfg"
    with guard.reading(path, "JSON file"):
        return path.is_file() and json.loads(path.read_text("utf-8")).get("mode") == "floret"


def load(vocabulary: Path, *, exclude: tuple[str, ...] = ()) -> Any:
    """Load the vectors with spaCy, which unpickles nothing."""
    try:
        from spacy.strings import StringStore
        from spacy.vectors import Vectors
    except ImportError as error:
        raise ValueError(f"{vocabulary.parent}: spaCy's vectors need spacy; pip install 'biassay[static]'") from error
    with guard.reading(vocabulary.parent, "spaCy pipeline"):
        return Vectors(strings=StringStore()).from_disk(vocabulary, exclude=exclude)


def read(name: str, rows: Rows) -> None:
    """Read the vectors of words from a table, in the order of its rows, as spaCy ranks them.

    Several words may have the same row. Raises ValueError, naming the folder, if it is broken.
    """
    vocabulary = find_vocabulary(name)
    table = load(vocabulary, exclude=("vectors",))
    vectors = arrays.open_array(vocabulary / "vectors", "f", (None, None))
    with guard.reading(vocabulary.parent, "spaCy pipeline"):
        items = sorted(table.key2row.items(), key=lambda item: item[1])
        if not items or items[0][1] < 0 or items[-1][1] >= len(vectors):
            raise ValueError(
                f"{vocabulary.parent}: expected words with rows from 0 to {len(vectors) - 1} of its table of vectors, "
                f"got {f'{items[0][1]} to {items[-1][1]}' if items else 'none; its pipelines named …_md have some'}"
            )
        rows.n_rows, chosen = len(items), []
        for rank, (key, row) in enumerate(items):
            if key not in table.strings:
                rows.skipped["rows without a word"] += 1
            elif rows.is_chosen(table.strings[key], rank):
                chosen.append((table.strings[key], row, rank))
        for start in range(0, len(chosen), BATCH):
            words, places, ranks = zip(*chosen[start : start + BATCH], strict=True)
            rows.add(words, vectors[list(places)], ranks)
