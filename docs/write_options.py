"""Write options.md, the options of metrics and embedding algorithms, from their files: `python
docs/write_options.py`."""

from pathlib import Path

from biassay import cli
from biassay.support import registry

PAGE = Path(__file__).resolve().parent / "options.md"
TITLES = {"metrics": "Metrics", "embeddings": "Embedding families"}
HEAD = """# Options of metrics and embedding algorithms

Types and ranges stand in each file, where the defaults stand (`Annotated[int, "1 <= x"] = 5`). They are checked at the
start of a run and by `measure`; a number is finite, `true` and `2.0` are no integers. `biassay show NAME` tells the
same at the terminal, of a file of your own too. This page comes from the files: `python docs/write_options.py`.
"""


def page() -> str:
    """The page's text."""
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
