"""The command line: `biassay audit` audits vectors, `metrics` tells of metrics, `list` and `show` of all plug-ins."""

import argparse
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path

from biassay.auditing import command
from biassay.interchange import command as interchange
from biassay.measurement import metric as metrics
from biassay.measurement.metric import FUNCTIONS
from biassay.support import options, registry, terminals
from biassay.support.redaction import redact


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; 0, or 2 for what was asked wrongly and for output that cannot be written."""
    try:
        with terminals.flushed_output():
            _run(arguments)
    except (ValueError, OSError) as error:
        with suppress(OSError):
            print(f"biassay: {terminals.printable(redact(str(error)))}", file=sys.stderr)
        return 2
    return 0


def _run(arguments: Sequence[str] | None) -> None:
    parser = argparse.ArgumentParser(prog="biassay", description="What comes with biassay, and what it takes.")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("list", help="name the metrics and embedding algorithms")
    shown = commands.add_parser("show", help="tell what a metric or family is, its range and its options")
    shown.add_argument("name", metavar="NAME", help="its name, or the path of a .py file of your own")
    told = commands.add_parser(
        "metrics", help="tell what metrics mean, their ranges, when not to use them, their papers"
    )
    told.add_argument("name", metavar="NAME", nargs="?", help="one metric, by name or as the path of a .py file")
    command.add_arguments(commands.add_parser("audit", help="audit vectors or language models for associations of groups"))
    interchange.add_arguments(commands)
    given = parser.parse_args(arguments)
    if given.command in ("export", "cite"):
        interchange.run(given)
    elif given.command == "audit":
        command.run(given)
    else:
        lines = {"list": listed, "show": lambda: shown_lines(given.name), "metrics": lambda: told_lines(given.name)}
        print(terminals.printable("\n".join(lines[given.command]())))


def listed() -> Iterator[str]:
    """A line for each plug-in: its name and what it is."""
    for kind in registry.KINDS:
        yield f"{kind}:"
        for name in registry.names(kind):
            text = (
                registry.read_keyword(registry.find(kind, name), "METRIC", "summary")
                if kind == "metrics"
                else _about(name)
            )
            yield f"  {name:22} {text}"


def told_lines(name: str | None) -> Iterator[str]:
    """What a metric means, or a line for each: name, papers, and what it measures."""
    if name is None:
        for metric in registry.names("metrics"):
            declared = metrics.load(metric).METRIC
            yield f"{metric:20} {declared.summary} [{', '.join(declared.cite)}]"
        yield "biassay metrics NAME tells more of one."
        return
    if not name.endswith(".py") and name not in registry.names("metrics"):
        raise ValueError(registry.describe_unknown("unknown metric", name, registry.names("metrics")))
    yield from _metric(name)


def shown_lines(name: str) -> Iterator[str]:
    """What a metric or an embedding algorithm is: source, ranges, options."""
    path = Path(name) if name.endswith(".py") else None
    kind = registry.find_kind(name) if path is None else _kind_of_file(path)
    if kind is None:
        choices = [known for each in registry.KINDS for known in registry.names(each)]
        raise ValueError(
            registry.describe_unknown("unknown name", name, choices) + ", or the path of a .py file of your own"
        )
    yield from (_metric(name) if kind == "metrics" else _algorithm(name))


def option_rows(kind: str, name: str) -> list[tuple[str, str, str]]:
    """Name, values in words and default of each option of a plug-in."""
    path = registry.find(kind, name)
    functions = ("train",) if kind == "embeddings" else (*FUNCTIONS.values(), "scores")
    text = path.read_text("utf-8")
    found = {}
    for function in functions:
        if f"\ndef {function}(" in text:
            found |= options.read_options(path, function)
    return [(option.name, str(option), _default(option.default)) for option in found.values()]


def _metric(name: str) -> Iterator[str]:
    module = metrics.load(name)
    declared = module.METRIC
    yield f"{name}: {declared.summary}"
    yield f"source: {declared.source}" + (f" [{', '.join(declared.cite)}]" if declared.cite else "")
    if declared.avoid:
        yield textwrap.fill(f"when not to use it: {declared.avoid}", 100, subsequent_indent="  ")
    models = f", {' or '.join(declared.models)}" if declared.takes == "language_model" else ""
    yield f"takes: {declared.takes.replace('_', ' ')}{models}"
    for level, about in declared.levels.items():
        b_min, b_max, b_0, signed = declared.range(level, 2)
        low, high = ("unbounded" if bound is None else f"{bound:g}" for bound in (b_min, b_max))
        without = "no value says that there is no bias" if b_0 is None else f"{b_0:g} without bias"
        words = [f"{low} to {high} for two groups", without, *(["signed"] if signed else [])]
        words += ["needs labels"] if about.labels else []
        yield f"{level} level: {', '.join(words)}" + (f"; NaN if {about.undefined}" if about.undefined else "")
    yield from _options("metrics", name)


def _algorithm(name: str) -> Iterator[str]:
    path = registry.find("embeddings", name)
    yield f"{name}: {_about(name)}"
    yield f"made from: {registry.read_constant(path, 'INPUT')}"
    yield from _options("embeddings", name)


def _options(kind: str, name: str) -> Iterator[str]:
    rows = option_rows(kind, name)
    yield "options:" if rows else "options: none"
    for option, values, default in rows:
        yield f"  {option:15} {values}; default {default}"


def _about(name: str) -> str:
    """The first line of what a family's file says of itself."""
    return options.read_docstring(registry.find("embeddings", name)).partition("\n")[0].rstrip(".")


def _kind_of_file(path: Path) -> str:
    return "metrics" if "METRIC" in path.read_text("utf-8") else "embeddings"


def _default(value: object) -> str:
    return "nothing" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    sys.exit(main())
