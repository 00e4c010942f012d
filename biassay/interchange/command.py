"""`biassay export` and `biassay cite`."""

import argparse

from biassay.core import terminals
from biassay.interchange import bibliography, export


def add_arguments(commands: argparse._SubParsersAction) -> None:
    """Add both commands."""
    exporter = commands.add_parser("export", help="write the tables of results as a data package")
    exporter.description = (
        "Write all tables in a folder of results, also those of earlier configurations, as tables of one kind each, "
        "with descriptions of the columns and BibTeX."
    )
    exporter.add_argument("folder", metavar="FOLDER", help="a new folder for the package")
    exporter.add_argument(
        "--results", metavar="FOLDER", default="results", help="folder with the results of a run (default: results)"
    )
    exporter.add_argument(
        "--format", choices=export.FORMATS, default="csv", help="csv with values as printed (default), or typed parquet"
    )
    citer = commands.add_parser("cite", help="print the BibTeX entries of metrics")
    citer.add_argument("names", metavar="NAME", nargs="+", help="a metric, or the path of your own .py file")


def run(options: argparse.Namespace) -> None:
    """Run one of the commands; raises ValueError for wrong options."""
    if options.command == "export":
        rows = export.write_package(options.results, options.folder, form=options.format)
        count = f"{len(rows)} tables, {sum(rows.values()):,} rows"
        print(terminals.printable(f"{options.folder}: {count}, datapackage.json, {bibliography.FILE}"))
        return
    _, unknown = bibliography.find_keys(options.names, own=True)
    if unknown:
        raise ValueError(f"unknown metric: {', '.join(unknown)}; `biassay list` names the metrics")
    print(terminals.printable(bibliography.format_bibtex(options.names, own=True)), end="")
