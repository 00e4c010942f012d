"""Write options.md, the options of metrics and embedding algorithms: `python docs/write_options.py`."""

from pathlib import Path

from biassay import cli
from biassay.core import registry

PAGE = Path(__file__).resolve().parent / "options.md"
TITLES = {"metrics": "Metrics", "embeddings": "Embedding algorithms"}
HEAD = """# Options of metrics and embedding algorithms

Each plug-in declares types and ranges with its defaults (`Annotated[int, "1 <= x"] = 5`). They are checked at the
start of a run and by `measure`. Numbers are finite; `true` and `2.0` are not integers. `biassay show NAME` prints the
options of a plug-in, also of your own file. This page is generated: `python docs/write_options.py`.
"""


def page() -> str:
    """Return the text of the page."""
    parts = [HEAD]
    for kind, title in TITLES.items():
        lines = [f"## {title}", "", "| name | option | values | default |", "|---|---|---|---|"]
        for name in registry.names(kind):
            for option, values, default in cli.option_rows(kind, name):
                lines.append(f"| `{name}` | `{option}` | {values} | {default} |")
        parts.append("\n".join(lines) + "\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), "utf-8")
