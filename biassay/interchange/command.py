"""`biassay export` and `biassay cite`."""

import argparse

from biassay.interchange import bibliography, export
from biassay.support import terminals


def arguments(commands: argparse._SubParsersAction) -> None:
    """Add both commands."""
    exported = commands.add_parser("export", help="write all results as a data package, with a dictionary and BibTeX")
    exported.add_argument("folder", metavar="FOLDER", help="a new folder for it")
    exported.add_argument("--results", metavar="FOLDER", default="results", help="results of a run (results)")
    exported.add_argument("--format", choices=export.FORMATS, default="csv", help="csv as printed, or typed parquet")
    cited = commands.add_parser("cite", help="print the BibTeX entries of metrics")
    cited.add_argument("names", metavar="NAME", nargs="+", help="a metric, or the path of a .py file of your own")


def run(given: argparse.Namespace) -> None:
    """Do what was asked for; ValueError for what cannot be done."""
    if given.command == "export":
        rows = export.package(given.results, given.folder, form=given.format)
        count = f"{len(rows)} tables, {sum(rows.values()):,} rows"
        print(terminals.printable(f"{given.folder}: {count}, datapackage.json, {bibliography.FILE}"))
        return
    _, unknown = bibliography.keys(given.names, own=True)
    if unknown:
        raise ValueError(f"unknown metric: {', '.join(unknown)}; `biassay list` names those that come with biassay")
    print(terminals.printable(bibliography.text(given.names, own=True)), end="")
