"""The JSON schema of an audit's audit.json: `python -m docs.generated.audit_schema AUDIT-FOLDER` writes it anew."""

import json
import sys
from pathlib import Path

from biassay.auditing.result import FILES, FORMAT, MACHINE, MARK
from biassay.report import results

FILE = Path(__file__).parents[1] / "audit.schema.json"
TEXT, COUNT, OPTIONAL_COUNT = {"type": "string"}, {"type": "integer", "minimum": 0}, {"type": ["integer", "null"]}
SOURCE = {"name": TEXT, "source": TEXT, "kind": TEXT, "dimensions": COUNT, "words": OPTIONAL_COUNT,
          "random_words": COUNT, "seconds": {"type": "number"}}  # fmt: skip
SETTINGS = dict.fromkeys(["permutations", "resamples", "random_words", "shuffles", "seed"], COUNT) | {
    "version": TEXT, "language": TEXT,
}  # fmt: skip


def make_schema(columns: dict[str, list[str]]) -> dict:
    """Return the schema of audits with these columns by table; types and meanings are those of the data dictionary."""
    tables = {name: _table(FILES[name], columns[name]) for name in FILES}
    properties = {
        "is": {"const": MARK},
        "format": {"const": FORMAT, "description": "version of this schema"},
        "sources": {"type": "array", "minItems": 1, "items": _object(SOURCE)},
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


def _object(properties: dict) -> dict:
    return {"type": "object", "properties": properties, "required": list(properties)}


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
    content = json.loads((Path(sys.argv[1]) / MACHINE).read_text("utf-8"))
    schema = make_schema({name: content[name]["columns"] for name in FILES})
    FILE.write_text(json.dumps(schema, indent=1, ensure_ascii=False) + "\n", "utf-8")
