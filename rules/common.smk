"""Helpers of the rules: the checked configuration, resources, plug-ins. Input functions of data are in inputs.smk."""

import os
import shutil

from snakemake.exceptions import WorkflowError

from biassay.console import jobs as job_names
from biassay.core import code, registry
from biassay.words import target_lists
from biassay.workflow import board as board_config
from biassay.workflow import interruptions
from biassay.workflow import config as settings
from biassay.workflow import machine, preparation, slurm, study_metrics

FIGURE = [".svg", ".png", ".pdf"]  # files of a figure: for pages, slides and papers
HOME = os.path.dirname(workflow.current_basedir.get_path_or_uri(secret_free=True))


def memory(factor, of=None):
    """Resources function: MB of a job that holds `factor` times its inputs, or times the input `of`."""

    def megabytes(wildcards, input, attempt):
        return round((2000 + factor * machine.size_mb(input.get(of) if of else input)) * 2 ** (attempt - 1))

    return megabytes


def minutes(number):
    """Resources function: minutes of a job; trainings that need more resume at their next attempt."""
    return lambda wildcards, attempt: number * 2 ** (attempt - 1)


def minutes_of_corpus(number):
    """Resources function: as `minutes`; a quarter of an hour for a small corpus, whose jobs' times are summed."""
    return lambda wildcards, attempt: (15 if small_corpus(wildcards) else number) * 2 ** (attempt - 1)


NAMES = ["bias", "chunk", "corpus", "counts", "embedding", "metric", "model", "pair", "pairs", "study", "texts"]


wildcard_constraints:
    **dict.fromkeys(NAMES, "[A-Za-z0-9_]+"),
    dump="[^/]+",


def tables(folder, names):
    """Named outputs: tables of a folder."""
    return {name: f"{folder}/{name}.csv" for name in names.split()}


def figures(folder, names):
    """Named outputs: figures of a folder, in all formats."""
    return {name: multiext(f"{folder}/{name}", *FIGURE) for name in names.split()}


def in_workflow(*parts):
    """Path of a file of this workflow, relative to the working directory."""
    return os.path.relpath(os.path.join(HOME, *parts))


if workflow.deployment_settings.deployment_method:  # environments hold the library's dependencies, not the library
    machine.add_to_pythonpath(HOME)

RECOVERED = interruptions.recover() if workflow.is_main_process else ""
if RECOVERED:
    logger.warning(RECOVERED)

ARGUMENTS = workflow.config_settings.config_args if workflow.modifier.is_main_snakefile() else None
try:
    GIVEN = preparation.prepare(
        config, HOME, read=workflow.is_main_process, config_files=workflow.configfiles, arguments=ARGUMENTS or ()
    )
except ValueError as error:
    raise WorkflowError(str(error))
# ASSUME: as in Snakemake 9.27, local_exec is true of every run while rules are read; `nodes` is set if jobs are submitted.
GPU_HERE = workflow.is_main_process and workflow.resource_settings.nodes is None and machine.has_gpu()
GPUS = 1 if GPU_HERE else config["gpus"]  # per job with language models
if GPU_HERE and workflow.modifier.is_main_snakefile() and "gpu" not in workflow.global_resources:
    workflow.global_resources["gpu"] = 1  # all jobs use the first


def threads_of_models(wildcards):
    """Threads of a job with language models."""
    return config["threads"] if GPU_HERE else machine.threads(config["threads"], workflow.resource_settings.cores)


def digest_code(script, plugins):
    """Params function: a digest of a script, of plug-ins and of the library modules they import; edits rerun the jobs.

    `plugins` is a list of paths, or maps wildcards to the path of a plug-in or to a list of paths.
    """

    def digest(wildcards):
        paths = plugins(wildcards) if callable(plugins) else plugins
        return code.compute_digest(script, *map(str, paths if isinstance(paths, list) else [paths]))

    return digest


def checkpoint_path(path):
    """Params function: where an interrupted job resumes, in results/checkpoints/ of the job's own results."""
    study = path.split("/")[0]

    def checkpoint_of(wildcards, output):
        results = output[0].rsplit(f"/{study}/", 1)[0]
        return f"{results}/checkpoints/{path.format(**wildcards)}"

    return checkpoint_of


def algorithm(wildcards):
    """File of an embedding's algorithm."""
    return registry.find("embeddings", config["embeddings"][wildcards.embedding]["algorithm"])


def models_with(source):
    """Wildcard constraint: the language models of one kind of source, or nothing."""
    return "|".join(name for name, model in config["language_models"].items() if source in model) or "(?!)"


def metric_names(names):
    """Map names of metrics to the same names, or to the paths of a user's own."""
    return {name: config["own_metrics"].get(name, name) for name in names}


def metric_files(metrics):
    """Files of metrics, given by name or path."""
    return [registry.find("metrics", metric) for metric in metrics]


def batches(names):
    """Split names of metrics into four lists: a job measures a list, so that few jobs start and some run at a time."""
    return [names[first::4] for first in range(min(4, len(names)))]


def variant_file(study):
    """Input function: file of a metric, or of the metric behind a variant, in a study."""
    return lambda wildcards: registry.find("metrics", study_metrics.variant(config, wildcards.metric, study)["metric"])


def variant_files(study):
    """Input function: files of all metrics of a study, and of those behind its variants."""
    return lambda wildcards: metric_files(v["metric"] for v in study_metrics.chosen_metrics(config, study).values())


def same_counts(names):
    """Embeddings by name, with the others made from the same counts, as PPMI and its SVD."""

    def count_options(name):
        own = ("algorithm", "dimensions", "threads", "epochs", "x_max", "alpha", "learning_rate")
        return {key: value for key, value in config["embeddings"][name].items() if key not in own}

    return {
        name: [
            other
            for other in names
            if other != name and "counts" in config["embeddings"][name] and count_options(other) == count_options(name)
        ]
        for name in names
    }
