"""Options of metrics and embedding algorithms."""

from biassay import cli
from biassay.core import registry

TITLES = {"metrics": "Metrics", "embeddings": "Embedding algorithms"}


def format_options() -> str:
    """Return one table per kind of plug-in."""
    lines = []
    for kind, title in TITLES.items():
        lines += [f"## {title}", "", "| name | option | values | default |", "|---|---|---|---|"]
        for name in registry.names(kind):
            for option, values, default in cli.option_rows(registry.load(kind, name)):
                lines.append(f"| `{name}` | `{option}` | {values} | {default} |")
        lines.append("")
    return "\n".join(lines)
