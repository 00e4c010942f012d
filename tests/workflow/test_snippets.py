"""Configurations shown in README and docs are valid."""

import re

import pytest
import yaml
from snakemake.utils import update_config

from biassay.workflow import preparation as settings
from tests.running import ROOT

PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
BLOCK = re.compile(r"```yaml\n(.*?)```", re.DOTALL)
OPTION = re.compile(r"(?:--configfile (configs/\S+) )?--config ((?:'[^']+' ?|\w+=\S+ ?)+)")


def shown():
    """Yield each page with a configuration that it shows, as a block of YAML or after --config."""
    for page in PAGES:
        text = page.read_text("utf-8")
        blocks = [yaml.safe_load(block) for block in BLOCK.findall(text)]
        given = [overlaid(overlay, parsed(pairs)) for overlay, pairs in OPTION.findall(text)]
        for number, block in enumerate([*blocks, *given]):
            if "source" not in block and "default-resources" not in block:  # no word list, no profile
                yield pytest.param(block, id=f"{page.name}-{number}")


def overlaid(overlay, changes):
    """Merge changes over a file of configs/, if one is named."""
    config = yaml.safe_load((ROOT / overlay).read_text("utf-8")) if overlay else {}
    update_config(config, changes)
    return config


def parsed(pairs):
    """Parse the arguments of --config: key=value, with values in YAML."""
    found = (quoted or bare for quoted, bare in re.findall(r"'([^']+)'|(\w+=\S+)", pairs))
    return {key: yaml.safe_load(value) for key, _, value in (pair.partition("=") for pair in found)}


@pytest.mark.parametrize("block", list(shown()))
def test_a_configuration_that_is_shown_is_one_that_the_schema_takes(block):
    config = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
    update_config(config, block)
    settings.validate(config)


def test_there_are_some_and_faults_are_seen():
    assert len(list(shown())) > 20
    config = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
    update_config(config, parsed("'silhouette={pair: [mine]}' seed=3"))
    assert config["seed"] == 3
    with pytest.raises(ValueError, match="unknown key 'pair'"):
        settings.validate(config)
