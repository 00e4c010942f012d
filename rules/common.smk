"""Helpers of the rules: checks at the start, plug-ins, the report. Input functions of the data are in inputs.smk."""

import os
from functools import cache

from snakemake.exceptions import WorkflowError

from biassay import config as settings
from biassay import registry, study_config
from biassay.silhouette import lists


wildcard_constraints:
    bias="[A-Za-z0-9_]+",
    chunk="[0-9]+",
    corpus="[A-Za-z0-9_]+",
    counts="[A-Za-z0-9_]+",
    embedding="[A-Za-z0-9_]+",
    metric="[A-Za-z0-9_]+",
    model="[A-Za-z0-9_]+",
    shard="[0-9]+",
    dump="[^/]+",
    pair="[A-Za-z0-9_]+",


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


def models_with(source):
    """Wildcard constraint: the language models from one kind of source, or nothing."""
    return "|".join(name for name, model in config["language_models"].items() if source in model) or "(?!)"


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


def silhouettes_in_report(path, title, caption=None):
    """A result of the silhouette study for a pair, shown in the report; its caption has its own name or a given one."""
    name = caption or os.path.splitext(os.path.basename(path))[0]
    return report(
        f"results/silhouette/{{pair}}/{path}",
        caption=f"../report/silhouette_{name}.rst",
        category="Silhouettes",
        subcategory="{pair}",
        labels={"result": title},
    )


def same_in_report(path, title):
    """A result of the study of planted bias, shown in the report; a table and its figure share a caption."""
    name, extension = os.path.splitext(os.path.basename(path))
    kind = {".csv": "Tables", ".svg": "Figures"}.get(extension, "Answer")
    return report(
        f"results/same/{path}",
        caption=f"../report/same_{name}.rst",
        category="SAME",
        subcategory=kind,
        labels={"result": title},
    )


def variant_file(wildcards):
    """File of a metric, or of the one that a variant of the silhouette study is of."""
    name = study_config.variant(config, wildcards.metric)["metric"]
    return registry.find("metrics", config["own_metrics"].get(name, name))


def judged_metrics():
    """Metrics whose properties are searched: those named, or all that take vectors."""
    chosen = config["properties"]["metrics"]
    return study_config.vector_metrics(config) if chosen == "all" else chosen


def relatives(names):
    """Embeddings that differ from each other in how they are factorised only, as PPMI and its SVD."""

    def same(name):
        own = ("family", "dimensions", "threads", "epochs", "x_max", "alpha", "learning_rate")
        return {key: value for key, value in config["embeddings"][name].items() if key not in own}

    return {name: [other for other in names if other != name and same(other) == same(name)] for name in names}
