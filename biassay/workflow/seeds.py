"""The configuration of a run with several seeds."""

from copy import deepcopy

from biassay.studies.seeds.tables import TABLES


def numbers(seeds: object) -> object:
    """Seeds with numbers for texts of digits, as which `--config 'seeds=[1, 2]'` gives them; else unchanged."""
    if not isinstance(seeds, list):
        return seeds
    return [int(seed) if isinstance(seed, str) and seed.isdecimal() and len(seed) < 20 else seed for seed in seeds]


def check(config: dict) -> None:
    """Raise ValueError, for what asks for tables over seeds, if none is configured."""
    if not config["seeds"]:
        raise ValueError("config: seeds: is empty; name the seeds to run with, such as [1, 2, 3, 4, 5]")


def config_of(config: dict, seed: int) -> dict:
    """The configuration of one further seed: all the same but the seed."""
    return deepcopy(config) | {"seed": seed, "seeds": []}


def tables(config: dict) -> list[str]:
    """Tables of the configured studies that are summarised over seeds, by path in results/."""
    corpora = [config["corpora"][name] for name in config["first_order"]["corpora"]]
    generated = any(corpus["source"] == "generator" for corpus in corpora)
    absent = () if generated else ("first_order/confounding", "first_order/false_positives")
    found = []
    for pattern in TABLES:
        if pattern.split("/")[0] in config["studies"] and pattern not in absent:
            found += [
                pattern.replace("*", pair) for pair in (config["silhouette"]["pairs"] if "*" in pattern else [""])
            ]
    return found
