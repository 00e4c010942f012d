"""Amount of work of a rule's job in a configuration, with which its time, memory and disk grow.

Amounts have no unit; only that of one configuration over that of another counts. A rule that is not named here takes as
long whatever is asked for, as tables and figures nearly do.
"""

import json
from collections.abc import Callable
from glob import glob
from pathlib import Path

import numpy as np

BYTES = {".bz2": 7.5, ".gz": 2.5, ".xz": 2.0}  # of a file for each token; of plain text PLAIN
PLAIN = 6.0
GENERATED = 2e6  # tokens of the default's corpora
BERT_BASE = {"layers": 12, "width": 768, "vocabulary": 30_522}  # taken for models of the hub, unseen
SMALL = {"layers": 2, "width": 128, "vocabulary": 30_522}  # pretraining's defaults
PRETRAINED = {"steps": 2000, "batch": 256, "length": 128}  # the same
# Epochs by default, and what one weighs beside one of skip-gram (docs/scaling.md); other families: half of one.
EPOCHS = {"skipgram": (5, 1.0), "glove": (50, 0.06), "glove_python": (50, 0.06)}


def tokens(config: dict) -> float:
    """Mean tokens of the corpora that the studies use; those whose files are not there do not count (see `unseen`)."""
    found = [_tokens(config, name) for name in _corpora(config)]
    return float(np.mean([number for number in found if number] or [GENERATED]))


def unseen(config: dict) -> list[str]:
    """Corpora of the studies whose size is not known: their files are not there yet."""
    return [name for name in _corpora(config) if _tokens(config, name) is None]


def weights(config: dict, name: str) -> float:
    """Weights of a language model; of one from the hub those of BERT-base."""
    shape = _shape(config, name)
    return shape["vocabulary"] * shape["width"] + 12 * shape["layers"] * shape["width"] ** 2


def width(config: dict, study: str) -> int:
    """Width of a study's language model: the length of the vectors that it stores."""
    return _shape(config, config[study]["language_model"])["width"]


def training(config: dict, study: str) -> float:
    """A training job: models × sentences × epochs × what a sentence costs in the model."""
    asked = config[study]
    return trained(config, study) * sentences(config, study) * asked["training"]["epochs"] * _cost(config, study)


def trained(config: dict, study: str) -> float:
    """Models that a training job has."""
    asked = config[study]
    if study == "same":
        models = len(asked["means"]) * len(asked["spreads"]) * asked["repeats"]
    else:
        models = len(asked["min_p"]) * len(asked["max_p"]) * asked["repeats"]
        models += len(asked["detection"]["strengths"]) * asked["detection"]["repeats"]
    return models / -(-models // asked["chunk"])


def sentences(config: dict, study: str) -> float:
    """Sentences that a model is trained on, but for their templates where these are all taken."""
    asked = config[study]
    if study == "same":
        return asked["n_occupations"] or _rows(asked["occupations"])
    templates = asked["n_templates"]["training"] or 150
    return (asked["n_occupations"] or 60) * templates


def _planted(config: dict) -> float:
    asked = config["downstream"]["planted"]
    return max(1, len(asked["strengths"])) * asked["repeats"]


def _planting(config: dict) -> float:
    asked = config["downstream"]["planted"]
    size = len(asked["occupations"] or []) * (asked["n_templates"]["training"] or 150) * asked["training"]["epochs"]
    return _planted(config) * size * _cost(config, "downstream", asked["language_model"])


def _texts(config: dict) -> float:
    asked = config["downstream"]
    return sum(asked["text_sets"][name].get("n", 5000) for name in asked["texts"]) or 1.0


def _heads(config: dict) -> float:
    heads = config["downstream"]["heads"]
    folds = heads["biographies"]["folds"]
    return _texts(config) * folds * len(heads["learning_rates"]) * (1 + len(heads["n_directions"])) * heads["epochs"]


def _embedding(config: dict) -> float:
    """The mean of tokens × dimensions × epochs over the embeddings, by what these weigh in each family."""
    chosen = [config["embeddings"][name] for name in config["first_order"]["embeddings"]]
    work = []
    for options in chosen:
        epochs, weight = EPOCHS.get(options["algorithm"], (1, 0.5))
        work.append(weight * options.get("epochs", epochs) * options.get("dimensions", 100))
    return tokens(config) * float(np.mean(work))


def _pretraining(config: dict) -> float:
    asked = [model["pretrain"] for model in config["language_models"].values() if "pretrain" in model] or [{}]
    work = [  # of the default configuration, which has none, one with the defaults
        np.prod([options.get(key, usual) for key, usual in PRETRAINED.items()])
        * _cost({"language_models": {"one": {"pretrain": options}}}, "", "one")
        for options in asked
    ]
    return float(np.mean(work))


def _times(*factors: Callable[[dict], float]) -> Callable[[dict], float]:
    return lambda config: float(np.prod([factor(config) for factor in factors]))


def _of(*keys: str) -> Callable[[dict], float]:
    """An option that work grows with."""

    def value(config: dict) -> float:
        for key in keys:
            config = config[key]
        return float(len(config) if isinstance(config, list) else config)

    return value


def _encoding(study: str) -> Callable[[dict], float]:
    return lambda config: trained(config, study) * sentences(config, study) * _cost(config, study)


AMOUNTS: dict[str, Callable[[dict], float]] = {
    **dict.fromkeys(
        ["generate_corpus", "encode_corpus", "swap_terms", "extract_articles", "count_cooccurrences", "merge_counts"],
        tokens,
    ),
    "count_shard": lambda config: tokens(config) / config["counts"]["skipgram"]["shards"],
    "train_embedding": _embedding,
    "measure_silhouettes": _of("silhouette", "shuffles"),
    "check_properties": _of("properties", "n_starts"),
    "correlate_first_order": _of("first_order", "resamples"),
    "train_same": lambda config: training(config, "same"),
    "encode_same": _encoding("same"),
    "train_intrinsic": lambda config: training(config, "intrinsic"),
    "encode_intrinsic": _encoding("intrinsic"),
    "train_downstream": _planting,
    "encode_downstream": _times(_planted, _texts),
    "train_downstream_heads": _heads,
    "pretrain_language_model": _pretraining,
}


def _corpora(config: dict) -> list[str]:
    used = set()
    if "first_order" in config["studies"]:
        used |= set(config["first_order"]["corpora"])
    if "silhouette" in config["studies"]:
        pairs = [config["reference_pairs"][name] for name in config["silhouette"]["pairs"]]
        used |= {pair[which]["corpus"] for pair in pairs for which in ("biased", "unbiased") if "corpus" in pair[which]}
    used |= {model["pretrain"]["corpus"] for model in config["language_models"].values() if "pretrain" in model}
    return [name for name in config["corpora"] if name in used]


def _tokens(config: dict, name: str) -> float | None:
    """Tokens of a corpus: as many as it generates, else by the size of its files; None if these are not there."""
    options = config["corpora"][name]
    if "corpus" in options:
        return _tokens(config, options["corpus"])
    if "tokens" in options:
        return float(options["tokens"])
    patterns = options.get("path") or []
    found = [
        Path(path) for pattern in ([patterns] if isinstance(patterns, str) else patterns) for path in glob(pattern)
    ]
    return sum(path.stat().st_size / BYTES.get(path.suffix, PLAIN) for path in found) or None


def _cost(config: dict, study: str, name: str | None = None) -> float:
    """What a sentence costs in a model: its vocabulary's head and twice its layers, as measured on two models."""
    shape = _shape(config, name or config[study]["language_model"])
    return shape["vocabulary"] * shape["width"] + 24 * shape["layers"] * shape["width"] ** 2


def _shape(config: dict, name: str) -> dict:
    model = config["language_models"][name]
    if "pretrain" in model:
        size = model["pretrain"].get("vocabulary", SMALL["vocabulary"])
        return SMALL | model["pretrain"] | {"vocabulary": size if isinstance(size, int) else SMALL["vocabulary"]}
    if "checkpoint" in model:
        return _shape(config, model["checkpoint"]["model"])
    try:
        read = json.loads(Path(model["path"], "config.json").read_text("utf-8"))
        return {"layers": read["num_hidden_layers"], "width": read["hidden_size"], "vocabulary": read["vocab_size"]}
    except (KeyError, OSError, ValueError):  # of the hub, or with other names
        return BERT_BASE


def _rows(path: str) -> int:
    return sum(1 for _ in open(path, "rb")) - 1
