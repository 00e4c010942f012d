"""Helpers of the rules: checks at the start, input functions."""

import os
from functools import cache

from snakemake.exceptions import WorkflowError

from biassay import config as settings
from biassay import registry


wildcard_constraints:
    corpus="[A-Za-z0-9_]+",
    counts="[A-Za-z0-9_]+",
    embedding="[A-Za-z0-9_]+",
    metric="[A-Za-z0-9_]+",
    model="[A-Za-z0-9_]+",
    shard="[0-9]+",
    dump="[^/]+",


def in_workflow(*parts):
    """Path of a file of this workflow, relative to the working directory."""
    return os.path.relpath(os.path.join(workflow.basedir, *parts))


try:
    settings.check(config, in_workflow("config.schema.yaml"))
except ValueError as error:
    raise WorkflowError(str(error))


@cache
def _code(*paths):
    return [os.path.relpath(path) for path in registry.sources(*paths)]


def code(script, plugin=None):
    """Input function: the library files that a script runs, and a plug-in if given, so that an edit reruns them.

    `plugin` maps wildcards to the plug-in's path.
    """

    def files(wildcards):
        plugins = [str(plugin(wildcards))] if plugin else []
        return _code(in_workflow("scripts", f"{script}.py"), *plugins)

    return files


def family(wildcards):
    """File of an embedding's family."""
    return registry.find("embeddings", config["embeddings"][wildcards.embedding]["family"])


def embeddings_of(name):
    """Wildcard constraint: the embeddings of one family, or nothing."""
    chosen = [key for key, options in config["embeddings"].items() if options["family"] == name]
    return "|".join(chosen) or "(?!)"


def metric_name(wildcards):
    """Name of a metric, or the path of a user's own."""
    return config["own_metrics"].get(wildcards.metric, wildcards.metric)


def metric_file(wildcards):
    """File of a metric."""
    return registry.find("metrics", metric_name(wildcards))


def text_files(corpus):
    """Text files of a corpus."""
    made = {"generator": "text.txt", "wikipedia": "articles.txt"}
    source = config["corpora"][corpus]["source"]
    if source in made:
        return [f"results/corpora/{corpus}/{made[source]}"]
    return settings.corpus_files(config, corpus)


def corpus_text(wildcards):
    """Text files of the corpus that a wildcard names."""
    return text_files(wildcards.corpus)


def dumps(wildcards):
    """Dumps of a corpus, or the receipts of those that are downloaded."""
    corpus = config["corpora"][wildcards.corpus]
    if "url" in corpus:
        return [f"downloads/{settings.dump_name(corpus)}.checked"]
    return settings.corpus_files(config, wildcards.corpus)


def names_of_counts(sharded):
    """Regular expression of the names of counts that are cut into shards, or of those that are not."""
    names = [name for name, options in config["counts"].items() if (options["shards"] > 1) == sharded]
    return "|".join(names) or "(?!)"


def shards(wildcards):
    """Counts of all shards of a corpus."""
    number = config["counts"][wildcards.counts]["shards"]
    return [f"results/shards/{wildcards.corpus}/{wildcards.counts}/{shard}" for shard in range(number)]


def training_data(wildcards):
    """What an embedding is trained from: a corpus's tokens or its counts."""
    if registry.constant(family(wildcards), "INPUT") == "counts":
        counts = config["embeddings"][wildcards.embedding]["counts"]
        return f"results/counts/{wildcards.corpus}/{counts}"
    return f"results/corpora/{wildcards.corpus}/tokens.npy"


def training_threads(wildcards):
    """Threads of an embedding's training."""
    return settings.train_options(config["embeddings"][wildcards.embedding])["threads"]


def models_with(source):
    """Wildcard constraint: the language models from one kind of source, or nothing."""
    return "|".join(name for name, model in config["language_models"].items() if source in model) or "(?!)"


def language_model(wildcards):
    """Folder of a language model."""
    return config["language_models"][wildcards.model].get("path", f"results/language_models/{wildcards.model}")


def pretraining_corpus(wildcards):
    """Name of the corpus that a language model is pretrained on."""
    return config["language_models"][wildcards.model]["pretrain"]["corpus"]


def pretraining_text(wildcards):
    """Text files that a language model is pretrained on."""
    return text_files(pretraining_corpus(wildcards))


def pretraining_vocabulary(wildcards):
    """The vocabulary of a language model, if it is a file."""
    vocabulary = settings.pretraining(config["language_models"][wildcards.model])["vocabulary"]
    return [vocabulary] if isinstance(vocabulary, str) else []


def pretraining_markup(wildcards):
    """Whether there are tags in the text that a language model is pretrained on."""
    return config["corpora"][pretraining_corpus(wildcards)]["source"] == "wikiextractor"


def diagnosed(wildcards):
    """The embedding that the first-order study diagnoses."""
    return f"results/embeddings/{wildcards.corpus}/{config['first_order']['diagnosed']}"


def in_report(path, title):
    """A result of the first-order study for a corpus, shown in the report with the caption of the same name."""
    caption = os.path.splitext(os.path.basename(path))[0]
    kind = "table" if path.endswith(".csv") else "figure"
    return report(
        path,
        caption=f"../report/{caption}.rst",
        category="First order",
        subcategory=f"{kind.capitalize()}s",
        labels={kind: title, "corpus": "{corpus}"},
    )


def truths(corpora):
    """Truth tables of those corpora that have one, which are the generated ones."""
    generated = [name for name in corpora if config["corpora"][name]["source"] == "generator"]
    return [f"results/corpora/{name}/truth.csv" for name in generated]


def judged_metrics():
    """Metrics whose properties are searched: those named, or all that take vectors."""
    chosen = config["properties"]["metrics"]
    return settings.vector_metrics(config) if chosen == "all" else chosen


def relatives(names):
    """Embeddings that differ from each other in how they are factorised only, as PPMI and its SVD."""

    def same(name):
        own = ("family", "dimensions", "threads", "epochs", "x_max", "alpha", "learning_rate")
        return {key: value for key, value in config["embeddings"][name].items() if key not in own}

    return {name: [other for other in names if other != name and same(other) == same(name)] for name in names}
