"""`biassay calibrate`: its arguments, the calibration, and what it prints."""

import argparse
from pathlib import Path

from biassay.auditing.command import MAX_THREADS as MAX_PROCESSES
from biassay.auditing.command import SEPARATORS
from biassay.core import logs, terminals

SHIPPED = ""  # --pairs without a file
OF_BOTH = ("metrics", "doses", "null_samples", "permutations", "seed")
OF_WORDS, OF_PAIRS = ("test", "samples", "processes", "allow_pickle"), ("repeats", "epochs")
DESCRIPTION = "Calibrate metrics on your vectors and words: false positives without association, and detectable doses."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of a calibration to a parser."""
    add = parser.add_argument
    about_source = "a file of vectors, a folder, or a model, as for `biassay audit`"
    about_doses = "doses in standard deviations of random words (default: 0.25 0.5 1 2), with --pairs from 0 to 1"
    about_pairs = "calibrate scores of pairs of sentences on a language model: a CSV file, or shipped templates without"
    about_processes = f"processes (default: one per processor, at most {MAX_PROCESSES})"
    add("source", metavar="SOURCE", help=about_source)
    add("--test", metavar="TEST", help="name of a test, or a YAML file with your own (default: gender)")
    add("--pairs", nargs="?", const=SHIPPED, metavar="FILE.csv", help=about_pairs)
    add("--metrics", nargs="+", metavar="NAME", help="only these metrics (default: all that apply)")
    add("--own-metric", action="append", default=[], metavar="FILE.py", help="also a metric of your own; repeatable")
    add("--doses", nargs="+", type=float, metavar="DOSE", help=about_doses)
    add("--samples", type=int, metavar="N", help="samples for each form and dose (default: 40)")
    add("--null-samples", type=int, metavar="N", help="samples without association, of each kind (default: 100)")
    add("--permutations", type=int, metavar="N", help="permutations of each test (default: 99)")
    add("--repeats", type=int, metavar="N", help="with --pairs: copies of each dose (default: 3; 0: none)")
    add("--epochs", type=int, metavar="N", help="with --pairs: epochs of training a copy (default: 5)")
    add("--out", metavar="FOLDER", help="folder for the tables (default: ./calibration-NAME)")
    add("--seed", type=int, metavar="N", help="seed of all random choices (default: 1)")
    add("--processes", type=int, metavar="N", help=about_processes)
    about_pickle = "read pickles such as gensim's .kv files, which can run any code"
    add("--allow-pickle", action="store_true", default=None, help=about_pickle)


def run(options: argparse.Namespace) -> None:
    """Run a calibration, write it and print it. Raises ValueError for wrong options, before anything is computed."""
    from biassay.auditing import entry
    from biassay.calibration import result

    own, other, form = (OF_WORDS, OF_PAIRS, "without") if options.pairs is None else (OF_PAIRS, OF_WORDS, "with")
    given = {name: value for name in (*OF_BOTH, *own) if (value := getattr(options, name)) is not None}
    if ignored := [name for name in other if getattr(options, name) is not None]:
        raise ValueError(f"calibrate: --{ignored[0].replace('_', '-')} has no effect {form} --pairs")
    [name] = entry.name_sources([options.source])
    about = Path(options.test or "gender").stem if options.pairs is None else f"pairs-{Path(options.pairs).stem}"
    default = f"calibration-{SEPARATORS.sub('-', f'{name}-{about}').strip('-.')[:80]}"
    folder = Path(options.out or default)
    result.check_folder(folder)
    with terminals.latest_message(logs.PROGRESS):
        if options.pairs is None:
            import joblib

            from biassay.calibration.entry import calibrate

            given = {"processes": min(MAX_PROCESSES, joblib.cpu_count())} | given
            found = calibrate(options.source, own_metrics=options.own_metric, **given)
        else:
            from biassay.calibration.pairs import calibrate_pairs

            found = calibrate_pairs(options.source, options.pairs or None, own_metrics=options.own_metric, **given)
    page = found.write(folder)
    found.show()
    print(f"\npage: {terminals.printable(str(page))}")
