"""The data dictionary, from the files results.yaml."""

from biassay.report import results


def format_dictionary() -> str:
    """Return the tables of each results.yaml with their columns; first the columns of all tables."""
    columns = results.read_columns()
    lines = ["## Common columns", "", *_rows(columns[results.COMMON])]
    for source in (each for each in columns if each != results.COMMON):
        tables = [one for one in results.read_descriptions().values() if one.source == source]
        lines += ["", f"## {source.parent.name}", ""]
        lines += [f"- `{one.pattern}`: {one.caption}" for one in tables if one.pattern.endswith(".csv")]
        lines += ["", *_rows(columns[source])]
    return "\n".join(lines)


def _rows(columns: dict[str, results.Column]) -> list[str]:
    rows = [f"| `{name}` | {column.type} | {column.unit} | {column.about} |" for name, column in columns.items()]
    return ["| column | type | unit or range | meaning |", "|---|---|---|---|", *rows]
