"""`biassay audit`: its arguments, the audit, and what it prints."""

import argparse
import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from biassay.core import logs, terminals

if TYPE_CHECKING:
    from biassay.vectors.encoders.endpoint import Service

MAX_THREADS = 8  # by default
SEPARATORS = re.compile(r"[^A-Za-z0-9._-]+")
OF_SERVICES = ("model", "dimensions", "batch", "key_variable", "cache", "dry_run")  # options that need --endpoint
DESCRIPTION = "Audit vectors or language models: do they associate groups with targets?"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of an audit to a parser."""
    add = parser.add_argument
    about_sources = (
        "a file of vectors (word2vec, GloVe, fastText, Numberbatch, .npz, Parquet, Arrow); a folder of biassay; "
        "the folder of a model (a sentence encoder, a language model of transformers, model2vec, wordllama, spaCy), "
        "or a GGUF file; of a model of the hub, st:NAME for a sentence encoder, hf:NAME for a language model or "
        "hf-inputs:NAME for its input embeddings"
    )
    about_prompt = "prompt of a sentence encoder: a name of the model's own, or a text to put before every text"
    about_pooling = "one vector from a language model's tokens: mean (default), cls or last"
    about_groups = "word lists of the groups of your own test, such as gender/small or names:female,names:male"
    about_targets = "word lists of its targets, such as traits or published:math,published:arts"
    about_threads = f"threads (default: one per processor, at most {MAX_THREADS})"
    add("sources", nargs="*", metavar="SOURCE", help=about_sources)
    add("--lists", action="store_true", help="list the shipped tests and word lists, and exit")
    add("--tests", nargs="+", metavar="TEST", help="names of tests, or YAML files with your own")
    add(
        "--language", default="en", metavar="CODE", help="language of the words: de, en, es, fi, fr or it (default: en)"
    )
    add("--prompt", metavar="PROMPT", help=about_prompt)
    add("--pooling", metavar="NAME", help=about_pooling)
    add("--groups", metavar="LISTS", help=about_groups)
    add("--targets", metavar="LISTS", help=about_targets)
    add("--scored", choices=("groups", "targets"), help="side whose lists WEAT takes as X and Y (default: groups)")
    about_pairs = "pairs of sentences for a language model (columns stereotypical and antistereotypical)"
    add("--pairs", metavar="FILE.csv", help=about_pairs)
    add("--metrics", nargs="+", metavar="NAME", help="only these metrics (default: all that apply)")
    add("--own-metric", action="append", default=[], metavar="FILE.py", help="also a metric of your own; repeatable")
    add("--rank-by", default="same", metavar="METRIC", help="metric that ranks words, or a .py file (default: same)")
    add("--out", metavar="FOLDER", help="folder for the page and the tables (default: ./audit-NAME)")
    add("--full", action="store_true", help="print the metrics of all tests, not only of the first, and whole warnings")
    add("--show-words", action="store_true", help="also show people's names and slurs of biassay's word lists")
    add("--permutations", type=int, default=999, metavar="N", help="permutations for p-values (default: 999)")
    add("--resamples", type=int, default=200, metavar="N", help="resamples for intervals (default: 200)")
    add("--random-words", type=int, default=199, metavar="N", help="sets of random words (default: 199)")
    add("--seed", type=int, default=1, metavar="N", help="seed of all random choices (default: 1)")
    add("--threads", type=int, metavar="N", help=about_threads)
    about_calibrate = "also measure false positives and detectable effects of each test, as `biassay calibrate` does"
    add("--calibrate", action="store_true", help=about_calibrate)
    add("--allow-pickle", action="store_true", help="read pickles such as gensim's .kv files, which can run any code")
    add = parser.add_argument_group("embedding services").add_argument
    about_endpoint = "address of an OpenAI-compatible service, such as http://localhost:11434/v1"
    about_key = "environment variable with the key (default: OPENAI_API_KEY for api.openai.com, else none)"
    about_cache = "folder for received vectors (default: in the user's folder for caches)"
    add("--endpoint", metavar="URL", help=about_endpoint)
    add("--model", metavar="NAME", help="name of the service's model")
    add("--dimensions", type=int, metavar="N", help="dimensions to ask for, if the model can shorten its vectors")
    add("--batch", type=int, metavar="N", help="texts per request (default: 32)")
    add("--key-variable", metavar="NAME", help=about_key)
    add("--cache", metavar="FOLDER", help=about_cache)
    add("--no-cache", dest="cache", action="store_false", default=None, help="keep no vectors")
    add("--dry-run", action="store_true", default=None, help="say what would be sent, and exit")


def run(options: argparse.Namespace) -> None:
    """Run an audit, write it and print it. Raises ValueError for wrong options, before anything is computed."""
    if options.lists:
        print(terminals.printable("\n".join(list_tests(options.language))))
        return
    of_service = {name: getattr(options, name) for name in OF_SERVICES if getattr(options, name) is not None}
    if options.endpoint is None and of_service:
        raise ValueError(f"audit: --{next(iter(of_service)).replace('_', '-')} needs --endpoint URL")
    if not options.sources and options.endpoint is None:
        raise ValueError("audit: name a file of vectors or a model, or --endpoint, or --lists")
    if bool(options.groups) != bool(options.targets):
        raise ValueError("audit: give --groups and --targets together")
    if options.scored and not options.groups:
        raise ValueError("audit: --scored needs --groups and --targets; in a test of your own, write scored: targets")
    if options.endpoint is not None and options.sources and options.prompt is not None:
        raise ValueError("audit: --prompt: with --endpoint, name no other source")
    import joblib

    from biassay.auditing import entry, questions, result, terminal

    tests = list(options.tests or [])
    if options.groups:
        tests.append(
            questions.from_lists(options.groups, options.targets, options.language, options.scored or "groups")
        )
    sources = list(options.sources)
    if options.endpoint is not None:
        from biassay.vectors.encoders.endpoint import Service

        if options.model is None:
            raise ValueError("audit: --endpoint needs --model NAME")
        of_service.pop("dry_run", None)
        service = Service(options.endpoint, prompt=options.prompt or "", **of_service)
        sources.append(service.as_encoder())
    if options.dry_run:
        print(terminals.printable("\n".join(list_requests(service, tests or None, options))))
        return
    names = entry.name_sources(sources)
    name = SEPARATORS.sub("-", "_".join(names)).strip("-.")[:80]
    folder = Path(options.out) if options.out else Path(f"audit-{name}")
    result.check_folder(folder)
    threads = min(MAX_THREADS, joblib.cpu_count()) if options.threads is None else options.threads
    same_names = ("pairs", "metrics", "rank_by", "permutations", "resamples", "random_words", "seed", "allow_pickle",
                  "language", "calibrate")  # fmt: skip
    with terminals.latest_message(logs.PROGRESS):
        audit = entry.audit(
            sources,
            tests=tests or None,
            own_metrics=options.own_metric,
            threads=threads,
            prompt=options.prompt if options.endpoint is None else None,
            pooling=options.pooling,
            **{name: getattr(options, name) for name in same_names},
        )
    page = audit.write(folder, show_words=options.show_words)
    terminal.show(audit, full=options.full, show_words=options.show_words)
    print(f"\npage: {terminals.printable(str(page))}")


def list_requests(service: "Service", tests: list | None, options: argparse.Namespace) -> Iterator[str]:
    """Yield lines on what an audit of a service would send; sends nothing."""
    from biassay.auditing import entry, source_vectors

    chosen, encoder = entry.choose_tests(tests, options.language), service.as_encoder(dry_run=True)
    words, name = entry.list_words(chosen), service.model
    source_vectors.read(encoder, words, name=name, seed=options.seed, language=options.language)
    hidden_words = frozenset().union(*(question.sensitive for question in chosen))
    yield from service.describe_requests(frozenset() if options.show_words else hidden_words)


def list_tests(language: str = "en") -> Iterator[str]:
    """Yield one line per shipped test, per language, and per file of English word lists with the lists in it."""
    from biassay.auditing import languages, questions
    from biassay.words import resources

    yield "tests (* run by default, if the vectors have enough of the words):"
    for name, question in questions.shipped_tests(language).items():
        yield f"  {name + ('*' if question.default else ''):18} {question.title}"
    yield "languages: " + ", ".join(f"{code} {languages.load(code).name}" for code in languages.codes())
    if language != languages.ENGLISH:
        return
    yield "word lists for --groups and --targets (FILE, or FILE:LIST), with their numbers of words:"
    folder = resources.shipped_path("words")
    for path in sorted(folder.rglob("*.yaml")):
        name = str(path.relative_to(folder).with_suffix(""))
        try:
            lists = resources.word_lists(name)
        except ValueError:
            continue  # the file holds something else, such as slots of templates
        yield f"  {name:32} " + ", ".join(f"{key} {len(words)}" for key, words in lists.items())
