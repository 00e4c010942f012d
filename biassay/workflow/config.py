"""Files, numbers and options that rules derive from the configuration."""

from dataclasses import asdict
from glob import glob
from pathlib import Path

from biassay.core import guard, options, registry
from biassay.language_models.planted import grids
from biassay.language_models.pretraining import Settings
from biassay.statistics.seeds import seed_of
from biassay.studies.seeds.tables import TABLES as SEED_TABLES
from biassay.workflow import plugins
from biassay.workflow.configuration import file_name

PLANTED = "planted"  # the unit of all models with planted bias
RETRAINED = 71  # purpose of seeds
COMMENTS = ("jigsaw", "comments")  # sources of texts labelled as toxic or not
BY_COUNT = ("bios",)  # sources where a class is a target of the group with most of its texts, for WEAT


def corpus_files(config: dict, name: str) -> list[str]:
    """List the files of a corpus, sorted within each pattern; raise ValueError for missing and duplicate files."""
    patterns, paths = config["corpora"][name].get("path", []), []
    for pattern in [patterns] if isinstance(patterns, str) else patterns:
        matching = [pattern] if Path(pattern).is_file() else glob(pattern, recursive=True)  # brackets may be in a name
        matching = sorted(path for path in matching if Path(path).is_file())
        if not matching:
            raise ValueError(f"config: corpora.{name}.path: there is no file {pattern!r}")
        paths += matching
    guard.check_different(f"config: corpora.{name}.path", paths)
    return paths


def downloads(config: dict) -> dict[str, dict]:
    """List the downloads, dumps of Wikipedia and CrowS-Pairs, by file name: `url` and `checksum`.

    Raises ValueError if two downloads have one name.
    """
    downloads = {}
    for key, section in (("corpora", config["corpora"]), ("downstream.pair_sets", config["downstream"]["pair_sets"])):
        for name, source in section.items():
            if "url" in source:
                file, options = file_name(source["url"]), {name: source[name] for name in ("url", "checksum")}
                if downloads.setdefault(file, options) != options:
                    raise ValueError(f"config: {key}.{name}.url: another download is also named {file}")
    return downloads


def article_options(corpus: dict) -> dict:
    """Return the options that select articles of a dump."""
    return {key: corpus[key] for key in ("articles", "min_words") if key in corpus}


def train_options(embedding: dict) -> dict:
    """Return all options of an embedding's training: its own and the defaults of its algorithm."""
    declared = options.read(registry.load("embeddings", embedding["algorithm"]).train)
    defaults = {name: option.default for name, option in declared.items()}
    return defaults | {key: value for key, value in embedding.items() if key not in plugins.DATA_SOURCES}


def pretraining(model: dict) -> dict:
    """Return all settings of a language model's pretraining: its own and the defaults."""
    own = {key: value for key, value in model["pretrain"].items() if key not in ("corpus", "seed")}
    return asdict(Settings(**own | {"checkpoint_steps": tuple(own.get("checkpoint_steps", ()))}))


def pretraining_seed(config: dict, name: str) -> int:
    """Return the seed of a language model's pretraining: its own, or the run's."""
    return config["language_models"][name]["pretrain"].get("seed", config["seed"])


def retraining_seed(config: dict, training: int) -> int:
    """Return the seed of another training of an embedding, which differs from those of runs with other seeds."""
    return seed_of(config["seed"], RETRAINED, training)


def plan_options(config: dict, study: str) -> dict:
    """Return the options of the study same or intrinsic that its models and training jobs depend on."""
    names = {"same": ("means", "spreads"), "intrinsic": ("min_p", "max_p", "detection")}[study]
    return {name: config[study][name] for name in (*names, "repeats", "chunk")}


def training_jobs(config: dict, study: str) -> dict[str, list[dict]]:
    """List the models of each training job of the study same or intrinsic: what their training depends on."""
    plan_models = {"same": grids.plan_normal, "intrinsic": grids.plan_several}[study]
    plan = plan_models(**plan_options(config, study), seed=config["seed"]).sort_values("place", kind="stable")
    by_job = plan.drop(columns=["model", "distribution", "repeat", "place"]).groupby("chunk", sort=False)
    return {job: models.drop(columns="chunk").to_dict("records") for job, models in by_job}


def count_models(config: dict) -> dict[str, int]:
    """Count the models that each study trains, by key."""
    same, intrinsic, planted = config["same"], config["intrinsic"], config["downstream"]["planted"]
    detection = intrinsic["detection"]
    of_grid = len(intrinsic["min_p"]) * len(intrinsic["max_p"]) * intrinsic["repeats"]
    return {
        "same": len(same["means"]) * len(same["spreads"]) * same["repeats"],
        "intrinsic": of_grid + len(detection["strengths"]) * detection["repeats"],
        "downstream.planted": len(planted["strengths"]) * planted["repeats"],
    }


def measured_models(config: dict) -> dict[str, dict]:
    """Return the models that are calibrated by name: those of audits, or the biased one of silhouette's first pair."""
    pair = config["reference_pairs"][config["silhouette"]["pairs"][0]]
    return config["audit"]["models"] or {"biased": pair["biased"]}


def downstream_units(config: dict) -> list[str]:
    """List the encoding jobs: one per model, and one for all models with planted bias."""
    study = config["downstream"]
    return [*study["models"], *([PLANTED] if study["planted"]["strengths"] else [])]


def downstream_bases(config: dict) -> dict[str, str]:
    """Return the base model of each encoding job: the one whose checkpoint or copies its models are, or itself."""
    study, of_checkpoints = config["downstream"], config["language_models"]
    names = {name: name for name in study["models"]}
    if study["planted"]["strengths"]:
        names[PLANTED] = study["planted"]["language_model"]
    options = {name: of_checkpoints[base].get("checkpoint") for name, base in names.items()}
    return {name: options[name]["model"] if options[name] else base for name, base in names.items()}


def downstream_groupings(config: dict) -> dict[str, str]:
    """Return how classes are assigned to groups, by set of texts."""
    study = config["downstream"]
    return {name: "count" if study["text_sets"][name]["source"] in BY_COUNT else "share" for name in study["texts"]}


def downstream_sources(config: dict) -> dict[str, str]:
    """Return the sources of the sets of texts and pairs that are used."""
    study = config["downstream"]
    return {name: study[sets][name]["source"] for names, sets in (("texts", "text_sets"), ("pairs", "pair_sets"))
            for name in study[names]}  # fmt: skip


def downstream_heads(config: dict) -> dict:
    """Return the settings of the classifiers, with folds and minimum quality by set of texts."""
    study = config["downstream"]
    settings, text_sets = study["heads"], {name: study["text_sets"][name] for name in study["texts"]}
    kinds = {name: settings["comments" if text_set["source"] in COMMENTS else "biographies"]
             for name, text_set in text_sets.items()}  # fmt: skip
    common = {key: settings[key] for key in ("n_directions", "directions_from", "epochs", "batch", "attempts")}
    by_set = {key: {name: kind[key] for name, kind in kinds.items()} for key in ("folds", "min_quality")}
    return {"rates": settings["learning_rates"]} | common | {"n_resamples": study["resamples"]} | by_set


def seed_tables(config: dict) -> list[str]:
    """List the tables of the configured studies that are summarised over seeds, by path in results/."""
    corpora = [config["corpora"][name] for name in config["first_order"]["corpora"]]
    generated = any(corpus["source"] == "generator" for corpus in corpora)
    absent = () if generated else ("first_order/confounding", "first_order/false_positives")
    paths = []
    for pattern in SEED_TABLES:
        if pattern.split("/")[0] in config["studies"] and pattern not in absent:
            pairs = config["silhouette"]["pairs"] if "*" in pattern else [""]
            paths += [pattern.replace("*", pair) for pair in pairs]
    return paths
