"""The JSON schema of an audit's audit.json, which `python -m docs.generated.audit_schema` prints."""

import json

from biassay.auditing.result import FILES, FORMAT, MARK, TABLES
from biassay.report import results

TEXT, COUNT, OPTIONAL_COUNT = {"type": "string"}, {"type": "integer", "minimum": 0}, {"type": ["integer", "null"]}
SOURCE = {"name": TEXT, "source": TEXT, "kind": TEXT, "dimensions": COUNT, "words": OPTIONAL_COUNT,
          "random_words": COUNT, "seconds": {"type": "number"}}  # fmt: skip
SERVICE = {"endpoint": TEXT, "model": TEXT, "prompt": TEXT, "dimensions": COUNT}
SETTINGS = dict.fromkeys(["permutations", "resamples", "random_words", "shuffles", "seed"], COUNT) | {
    "version": TEXT, "language": TEXT,
}  # fmt: skip


def format_schema() -> str:
    """Return the schema as text."""
    return json.dumps(make_schema(), indent=1, ensure_ascii=False) + "\n"


def make_schema() -> dict:
    """Return the schema; types and meanings of columns are those of the data dictionary."""
    tables = {name: _table(FILES[name], columns) for name, columns in TABLES.items()}
    optional = {"encoder": TEXT, "address": TEXT, "service": {"type": "object", "properties": SERVICE}}
    properties = {
        "is": {"const": MARK},
        "format": {"const": FORMAT, "description": "version of this schema"},
        "sources": {"type": "array", "minItems": 1, "items": _object(SOURCE, optional)},
        "settings": _object(SETTINGS),
        **tables,
    }
    head = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:biassay:audit:{FORMAT}",
        "title": "An audit by biassay",
        "description": "Each table has columns, rows of cells in their order, and the places of infinite numbers, "
        "which are null in the rows. Other nulls are missing values.",
    }
    return head | _object(properties)


def _object(properties: dict, optional: dict | None = None) -> dict:
    return {"type": "object", "properties": properties | (optional or {}), "required": list(properties)}


def _table(file: str, columns: list[str]) -> dict:
    described = {name: results.find_column(f"audit/model/{file}", name) for name in columns}
    cells = []
    for name, column in described.items():
        about = "; ".join(filter(None, [column.about, column.unit]))
        cells.append({"title": name, "type": [column.type, "null"], "description": about})
    row = {"type": "array", "prefixItems": cells, "minItems": len(cells), "maxItems": len(cells)}
    infinite = {"type": "array", "prefixItems": [COUNT, {"enum": columns}], "minItems": 2, "maxItems": 2}
    return {
        "description": results.locate(f"audit/model/{file}").about,
        **_object({"columns": {"const": columns}, "rows": {"type": "array", "items": row},
                   "infinite": {"type": "array", "items": infinite}}),
    }  # fmt: skip


if __name__ == "__main__":
    print(format_schema(), end="")
