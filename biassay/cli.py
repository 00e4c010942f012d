"""The command line: `biassay audit`, `calibrate`, `metrics`, `card`, `show`, `list`, `export` and `cite`."""

import argparse
import inspect
import logging
import sys
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import suppress
from importlib.metadata import version
from types import ModuleType

from biassay import embeddings
from biassay.auditing import command as auditing
from biassay.calibration import command as calibration
from biassay.core import logs, options, registry, terminals
from biassay.core.redaction import redact
from biassay.interchange import command as interchange
from biassay.measurement import evaluation
from biassay.measurement import metric as metrics
from biassay.measurement.ranges import describe_level


def main(arguments: Sequence[str] | None = None) -> int:
    """Run a command; returns 0, or 2 for wrong input, a missing package, too little memory or an output's error."""
    try:
        with terminals.flushed_output():
            _run(arguments)
    except (ValueError, OSError, ModuleNotFoundError, MemoryError) as error:
        advice = "; pip install 'biassay[audit]'" if isinstance(error, ModuleNotFoundError) else ""
        if isinstance(error, MemoryError):
            advice = " (not enough memory; fewer --permutations, --resamples or --samples need less)"
        with suppress(OSError):
            print(f"biassay: {terminals.printable(redact(str(error)))}{advice}", file=sys.stderr)
        return 2
    return 0


def _run(arguments: Sequence[str] | None) -> None:
    parser = argparse.ArgumentParser(
        prog="biassay", description="Assay metrics of social bias in word embeddings and language models."
    )
    handler = logging.StreamHandler()  # of warnings
    handler.setFormatter(logs.PrintableFormatter("biassay: %(message)s"))
    logging.basicConfig(handlers=[handler])
    parser.add_argument("--version", action="version", version=f"biassay {version('biassay')}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    commands.add_parser("list", help="list the metrics and embedding algorithms")
    show = commands.add_parser("show", help="describe a metric or an embedding algorithm and its options")
    show.add_argument("name", metavar="NAME", help="its name, or the path of your own .py file")
    about = commands.add_parser("metrics", help="describe metrics: meaning, range, when not to use them, papers")
    about.add_argument("name", metavar="NAME", nargs="?", help="a metric, or the path of your own .py file")
    card = commands.add_parser("card", help="print a measurement card: what a metric measures, and how well")
    card.add_argument("name", metavar="METRIC", help="a metric, or the path of your own .py file")
    card.add_argument("--board", metavar="FILE", help="board.csv of a run of yours (default: biassay's own board)")
    card.add_argument("--json", action="store_true", help="JSON instead of Markdown")
    audit = commands.add_parser("audit", help="audit vectors or language models", description=auditing.DESCRIPTION)
    auditing.add_arguments(audit)
    calibrate = commands.add_parser(
        "calibrate", help="calibrate metrics on your vectors and words", description=calibration.DESCRIPTION
    )
    calibration.add_arguments(calibrate)
    interchange.add_arguments(commands)
    parsed = parser.parse_args(arguments)
    if parsed.command in ("export", "cite"):
        interchange.run(parsed)
    elif parsed.command == "audit":
        auditing.run(parsed)
    elif parsed.command == "calibrate":
        calibration.run(parsed)
    elif parsed.command == "card":
        print(terminals.printable(format_card(parsed.name, parsed.board, as_json=parsed.json)), end="")
    else:
        name = getattr(parsed, "name", None)
        lines = list_plug_ins() if parsed.command == "list" else list_metrics() if name is None else describe(name)
        if parsed.command == "metrics" and name is not None and not name.endswith(".py"):
            registry.check_names("metrics", [name], registry.names("metrics"))
        print(terminals.printable("\n".join(lines)))


def format_card(name: str, board: str | None, *, as_json: bool) -> str:
    """Return the measurement card of a metric as Markdown or JSON."""
    from biassay.studies.board import card

    found = card.make_card(name, board)
    return card.format_json(found) if as_json else card.format_markdown(found)


def list_plug_ins() -> Iterator[str]:
    """Yield one line per metric and embedding algorithm: its name and its summary."""
    for kind in registry.KINDS:
        yield f"{kind}:"
        for name in registry.names(kind):
            module = registry.load(kind, name)
            yield f"  {name:22} {module.METRIC.summary if kind == 'metrics' else _about(module)}"


def list_metrics() -> Iterator[str]:
    """Yield one line per metric: name, summary and papers."""
    for name in registry.names("metrics"):
        declared = metrics.load(name).METRIC
        yield f"{name:20} {declared.summary} [{', '.join(declared.cite)}]"
    yield "biassay metrics NAME describes one of them."


def describe(name: str) -> Iterator[str]:
    """Yield the description of a metric or an embedding algorithm: source, ranges, options."""
    kind = registry.find_kind(name)
    if kind is None and not name.endswith(".py"):
        choices = [choice for kind in registry.KINDS for choice in registry.names(kind)]
        text = registry.describe_unknown("unknown name", name, choices)
        raise ValueError(f"{text}, or the path of your own .py file")
    is_metric = hasattr(registry.load(kind or "metrics", name), "METRIC")
    yield from (_metric(name) if is_metric else _algorithm(name))


def option_rows(module: ModuleType) -> list[tuple[str, str, str]]:
    """Return name, possible values and default of each option of a metric or embedding algorithm."""
    declared = evaluation.read_options(module) if hasattr(module, "METRIC") else options.read(module.train)
    return [(option.name, str(option), _default(option.default)) for option in declared.values()]


def _metric(name: str) -> Iterator[str]:
    module = metrics.load(name)
    declared = module.METRIC
    yield f"{name}: {declared.summary}"
    yield f"source: {declared.source}" + (f" [{', '.join(declared.cite)}]" if declared.cite else "")
    if declared.avoid:
        yield textwrap.fill(f"when not to use it: {declared.avoid}", 80, subsequent_indent="  ")
    models = f", {' or '.join(declared.models)}" if declared.takes == "language_model" else ""
    yield f"takes: {declared.takes.replace('_', ' ')}{models}"
    for level in declared.levels:
        yield f"{level} level: {describe_level(declared, level)}"
    yield from _options(module)


def _algorithm(name: str) -> Iterator[str]:
    module = embeddings.load(name)
    yield f"{name}: {_about(module)}"
    yield f"trained on: {module.INPUT}"
    yield from _options(module)


def _options(module: ModuleType) -> Iterator[str]:
    rows = option_rows(module)
    yield "options:" if rows else "options: none"
    for option, values, default in rows:
        yield f"  {option:15} {values}; default {default}"


def _about(module: ModuleType) -> str:
    """Return the first line of the docstring of an embedding algorithm."""
    return (inspect.getdoc(module) or "").partition("\n")[0].rstrip(".")


def _default(value: object) -> str:
    return "nothing" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


if __name__ == "__main__":
    sys.exit(main())
