"""`biassay calibrate`: its arguments, the calibration, and what it prints."""

import argparse
from pathlib import Path

from biassay.auditing.command import MAX_THREADS as MAX_PROCESSES
from biassay.auditing.command import SEPARATORS
from biassay.core import terminals

DESCRIPTION = "Calibrate metrics on your vectors and words: false positives without association, and detectable doses."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a calibration to a parser."""
    add = parser.add_argument
    about_source = "a file of vectors, a folder, or a model, as for `biassay audit`"
    about_doses = "doses in standard deviations of random words (default: 0.25 0.5 1 2)"
    about_processes = f"processes (default: one per processor, at most {MAX_PROCESSES})"
    add("source", metavar="SOURCE", help=about_source)
    add(
        "--test",
        default="gender",
        metavar="TEST",
        help="name of a test, or a YAML file with your own (default: gender)",
    )
    add("--metrics", nargs="+", metavar="NAME", help="only these metrics (default: all that apply)")
    add("--own-metric", action="append", default=[], metavar="FILE.py", help="also a metric of your own; repeatable")
    add("--doses", nargs="+", type=float, metavar="DOSE", help=about_doses)
    add("--samples", type=int, default=40, metavar="N", help="samples for each form and dose (default: 40)")
    add(
        "--null-samples",
        type=int,
        default=100,
        metavar="N",
        help="samples without association, of each kind (default: 100)",
    )
    add("--permutations", type=int, default=99, metavar="N", help="permutations of each test (default: 99)")
    add("--out", metavar="FOLDER", help="folder for the tables (default: ./calibration-NAME)")
    add("--seed", type=int, default=1, metavar="N", help="seed of all random choices (default: 1)")
    add("--processes", type=int, metavar="N", help=about_processes)
    add("--allow-pickle", action="store_true", help="read pickles such as gensim's .kv files, which can run any code")


def run(options: argparse.Namespace) -> None:
    """Run a calibration, write it and print it. Raises ValueError for wrong options, before anything is computed."""
    import joblib

    from biassay.auditing import entry
    from biassay.calibration import entry as calibration
    from biassay.calibration import result

    [name] = entry.name_sources([options.source])
    default = f"calibration-{SEPARATORS.sub('-', f'{name}-{Path(options.test).stem}').strip('-.')[:80]}"
    folder = Path(options.out or default)
    result.check_folder(folder)
    processes = min(MAX_PROCESSES, joblib.cpu_count()) if options.processes is None else options.processes
    same_names = ("metrics", "samples", "null_samples", "permutations", "seed", "allow_pickle")
    found = calibration.calibrate(
        options.source,
        options.test,
        own_metrics=options.own_metric,
        doses=calibration.DOSES if options.doses is None else options.doses,
        processes=processes,
        **{name: getattr(options, name) for name in same_names},
    )
    page = found.write(folder)
    found.show()
    print(f"\npage: {terminals.printable(str(page))}")
