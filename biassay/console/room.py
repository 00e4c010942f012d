"""Memory and disk of jobs, scaled from measurements of the default run."""

import os
from collections.abc import Mapping

from biassay.console import amounts

TORCH = 550.0  # MB that a job with torch takes before it has read anything
STATE = (
    12 + 2 * 8
)  # bytes of a weight in training: itself and two moments, of two models at a time gradients and copies
COPIES = 4  # of a model's weights on disk while it is trained: itself, and a checkpoint with both moments
HOLD_A_MODEL = ("encode_same", "encode_intrinsic", "train_downstream", "encode_downstream", "train_downstream_heads")
HELD = 16  # bytes of a weight while models are read one after the other, or few are trained
SHARE = 0.8  # of the memory: more models than fit into it are trained one after the other
GROWTH = 0.6  # power of the tokens with which memory grows, between those of words and of pairs of words


def machine() -> float:
    """MB of this machine's memory."""
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 1e6


def memory(rule: str, measured: float, times: float, config: Mapping, *, most: float | None = None) -> float:
    """Peak MB of a job of a rule whose work is `times` that of the one that took `measured` MB.

    Trainings do with `most` MB, by default the larger part of this machine's, if that is enough for one model.
    """
    if study := _trains(rule):
        megabytes = amounts.weights(config, config[study]["language_model"]) / 1e6
        whole = TORCH + megabytes * (12 * amounts.trained(config, study) + 16)
        return min(whole, max(TORCH + megabytes * STATE, SHARE * machine() if most is None else most))
    if rule in HOLD_A_MODEL:
        return max(measured, TORCH + HELD * max(amounts.weights(config, name) for name in _models(config, rule)) / 1e6)
    if amounts.AMOUNTS.get(rule) is amounts.tokens or rule in ("count_shard", "train_embedding"):
        return measured * max(1.0, times) ** GROWTH
    return measured


def disk(rule: str, number: int, measured: float, times: float, config: Mapping, default: Mapping) -> float:
    """MB of the files of a rule's jobs; of trainings see `training`."""
    if rule in ("encode_same", "encode_intrinsic"):
        study = rule.removeprefix("encode_")
        return number * measured * _vectors(config, study) / _vectors(default, study)
    return number * measured * times


def training(rule: str, config: Mapping) -> float:
    """MB of a training job at most: its models, and what it goes on from after a break; all is deleted later."""
    study = _trains(rule)
    if not study:
        return 0.0
    return COPIES * 4e-6 * amounts.weights(config, config[study]["language_model"]) * amounts.trained(config, study)


def _trains(rule: str) -> str:
    return rule.removeprefix("train_") if rule in ("train_same", "train_intrinsic") else ""


def _vectors(config: Mapping, study: str) -> float:
    return amounts.trained(config, study) * amounts.sentences(config, study) * amounts.width(config, study)


def _models(config: Mapping, rule: str) -> list[str]:
    study = rule.split("_")[1]
    asked = config[study]
    return (
        [asked["language_model"]] if study != "downstream" else [*asked["models"], asked["planted"]["language_model"]]
    )
