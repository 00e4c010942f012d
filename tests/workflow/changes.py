"""The default configuration with changes."""

import copy

import yaml

from biassay.workflow import study_metrics
from tests.running import ROOT

CONFIG = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
DEFAULT = copy.deepcopy(CONFIG)  # with lists of metrics without "own"
study_metrics.expand_own(DEFAULT)
CROWS = {"source": "crows", "url": "https://x.org/a/pairs.csv", "checksum": f"sha256:{'0' * 64}"}


def changed(changes, study="", default=DEFAULT):
    """Return the default configuration with other values, by path in a study or, with a leading dot, in the whole."""
    config = copy.deepcopy(default)
    for path, value in changes.items():
        *parents, last = (path[1:] if path.startswith(".") else f"{study}.{path}".lstrip(".")).split(".")
        place = config
        for key in parents:
            place = place[key]
        place[last] = value
    return config


def a_set(**options):
    """Return changes that add a used set of texts with these options."""
    return {"texts": ["mine"], "text_sets.mine": options}


def crows(**options):
    """Return changes that add a used set of pairs."""
    return {"pairs": ["mine"], "pair_sets.mine": {"source": "crows"} | options}
