"""Configuration of a run with several seeds."""

from copy import deepcopy

from biassay.studies.seeds.tables import TABLES


def check(config: dict) -> None:
    """Raise ValueError, for a target that summarises seeds, if none are configured."""
    if not config["seeds"]:
        raise ValueError("config: seeds: expected a list of seeds, such as [1, 2, 3, 4, 5], got []")


def config_of(config: dict, seed: int) -> dict:
    """Return the configuration with another seed."""
    return deepcopy(config) | {"seed": seed, "seeds": []}


def tables(config: dict) -> list[str]:
    """List the tables of the configured studies that are summarised over seeds, by path in results/."""
    corpora = [config["corpora"][name] for name in config["first_order"]["corpora"]]
    generated = any(corpus["source"] == "generator" for corpus in corpora)
    absent = () if generated else ("first_order/confounding", "first_order/false_positives")
    paths = []
    for pattern in TABLES:
        if pattern.split("/")[0] in config["studies"] and pattern not in absent:
            pairs = config["silhouette"]["pairs"] if "*" in pattern else [""]
            paths += [pattern.replace("*", pair) for pair in pairs]
    return paths
