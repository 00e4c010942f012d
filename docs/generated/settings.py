"""Keys of the configuration, with their types and ranges."""

from collections.abc import Iterator

from biassay.workflow.configuration import Configuration

TYPES = {"integer": "an integer", "number": "a number", "string": "a text", "boolean": "true or false", "null": "null"}
LIMITS = {"minimum": "≥", "exclusiveMinimum": ">", "maximum": "≤", "exclusiveMaximum": "<"}


def format_settings() -> str:
    """Return a table of all keys; <name> stands for any name."""
    schema = Configuration.model_json_schema()
    lines = [f"| `{key}` | {values} |" for key, values in _rows(schema, schema["$defs"], "")]
    return "\n".join(["| key | values |", "|---|---|", *lines])


def _rows(node: dict, sections: dict, key: str) -> Iterator[tuple[str, str]]:
    """Yield each key below a node of the JSON schema, with a description of its values."""
    node = sections[node["$ref"].rpartition("/")[2]] if "$ref" in node else node
    if "properties" in node:
        if "source" in node["properties"]:
            key += f" ({_values(node['properties']['source']).removeprefix('one of ')})"
        for name, child in node["properties"].items():
            yield from _rows(child, sections, f"{key}.{name}".lstrip("."))
    elif isinstance(node.get("additionalProperties"), dict):
        yield from _rows(node["additionalProperties"], sections, f"{key}.<name>")
    elif any("$ref" in each for each in node.get("oneOf", [])):  # sections by source
        for each in node["oneOf"]:
            yield from _rows(each, sections, key)
    else:
        yield key, _values(node)


def _values(node: dict) -> str:
    """Describe the values of a key, as "an integer ≥ 1 and ≤ 1000"."""
    if choices := node.get("anyOf") or node.get("oneOf"):
        return ", or ".join(map(_values, choices))
    if "enum" in node or "const" in node:
        return "one of " + ", ".join(map(str, node.get("enum", [node.get("const")])))
    if node.get("type") == "array":
        return f"a list of {_values(node['items'])}"
    limits = [f"{sign} {node[limit]:.15g}" for limit, sign in LIMITS.items() if limit in node]
    return f"{TYPES.get(node.get('type'), 'a mapping')} {' and '.join(limits)}".strip()
