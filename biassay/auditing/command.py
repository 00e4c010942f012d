"""`biassay audit`: its arguments, what it prints and where it writes."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path

from biassay.support import terminals

MOST = 8  # processes, unless more are asked for
PARTS = re.compile(r"[^A-Za-z0-9._-]+")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of an audit to a parser."""
    parser.add_argument(
        "sources", nargs="*", metavar="SOURCE",
        help="a file of vectors (word2vec, GloVe, fastText .vec, Numberbatch, .npz, compressed or not), a folder that "
        "biassay wrote, a folder of a model of transformers, or hf:NAME for one of the hub; several side by side",
    )  # fmt: skip
    parser.add_argument("--lists", action="store_true", help="name the tests and lists of words that come with biassay")
    parser.add_argument("--tests", nargs="+", metavar="TEST", help="tests by name, or YAML files of your own")
    own = "groups of a test of your own, as gender/small or names:female,names:male"
    parser.add_argument("--groups", metavar="LISTS", help=own)
    parser.add_argument("--targets", metavar="LISTS", help="its targets, as traits or published:math,published:arts")
    parser.add_argument("--metrics", nargs="+", metavar="NAME", help="only these metrics (default: all that fit)")
    parser.add_argument("--metric", action="append", default=[], metavar="FILE.py", help="a metric of your own as well")
    parser.add_argument("--rank", default="same", metavar="METRIC", help="what words are ranked by (default: same)")
    parser.add_argument("--out", metavar="FOLDER", help="where page and tables go (default: ./audit-NAME)")
    parser.add_argument("--full", action="store_true", help="print the metrics of every test, not of the first only")
    parser.add_argument("--permutations", type=int, default=999, metavar="N", help="draws for p (default: 999)")
    parser.add_argument("--resamples", type=int, default=200, metavar="N", help="draws for intervals (default: 200)")
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of all random choices (default: 1)")
    parser.add_argument(
        "--processes", type=int, metavar="N", help=f"that score (default: one a processor, at most {MOST})"
    )
    parser.add_argument("--pickle", action="store_true", help="read gensim's own files (.kv), which can run any code")


def run(given: argparse.Namespace) -> None:
    """Run an audit: write it, print it. Raises ValueError for what was asked wrongly, before anything is computed."""
    if given.lists:
        print(terminals.printable("\n".join(lists())))
        return
    if not given.sources:
        raise ValueError("audit: name a file of vectors or a model, or --lists")
    if bool(given.groups) != bool(given.targets):
        raise ValueError("audit: --groups and --targets belong together")
    import joblib

    from biassay.auditing import entry, questions, result, terminal
    from biassay.auditing.arguments import names_of

    tests = list(given.tests or [])
    if given.groups:
        tests.append(questions.of_lists(given.groups, given.targets))
    names = names_of(given.sources)
    folder = Path(given.out) if given.out else Path(f"audit-{PARTS.sub('-', '_'.join(names)).strip('-.')[:80]}")
    result.check_folder(folder)
    audit = entry.audit(
        given.sources, tests=tests or None, metrics=given.metrics, own_metrics=given.metric, ranking=given.rank,
        permutations=given.permutations, resamples=given.resamples, seed=given.seed, allow_pickle=given.pickle,
        processes=min(MOST, joblib.cpu_count()) if given.processes is None else given.processes,
    )  # fmt: skip
    page = audit.write(folder)
    terminal.show(audit, full=given.full)
    print(f"\npage: {terminals.printable(str(page))}")


def lists() -> Iterator[str]:
    """A line a test, and a line a file of lists with the lists in it."""
    from biassay.auditing import questions
    from biassay.words import resources

    yield "tests (* asked by default, if the vectors have enough of the words):"
    for name, question in questions.shipped().items():
        yield f"  {name + ('*' if question.default else ''):18} {question.title}"
    yield "lists, for --groups and --targets (a file, or file:list):"
    folder = resources.shipped_path("words")
    for path in sorted(folder.rglob("*.yaml")):
        name = str(path.relative_to(folder).with_suffix(""))
        try:
            of_file = resources.word_lists(name)
        except ValueError:
            continue  # no lists of words: templates' slots, classes of biographies
        yield f"  {name:32} " + ", ".join(f"{key} {len(words)}" for key, words in of_file.items())
