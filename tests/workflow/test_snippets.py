"""Configurations shown in README and docs are valid."""

import re

import pytest
import yaml
from snakemake.utils import update_config

from biassay.workflow import preparation, problems
from tests.running import ROOT

BLOCK = re.compile(r"```yaml\n(.*?)```", re.DOTALL)
OPTION = re.compile(r"(?:--configfile (configs/\S+) )?--config ((?:'[^']+' ?|\w+=\S+ ?)+)")
# Messages about files of the reader, and about names that another block of the page defines.
ABSENT = re.compile("there is no file|expected a folder with|unknown name")


def read(path):
    return yaml.safe_load((ROOT / path).read_text("utf-8"))


def snippets():
    """Yield each configuration that a page shows, as a block of YAML or after --config."""
    for page in [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        text = re.sub(r"\\\n +", "", page.read_text("utf-8"))  # commands of several lines
        blocks = [yaml.safe_load(block) for block in BLOCK.findall(text)]
        for overlay, pairs in OPTION.findall(text):
            config = read(overlay) if overlay else {}
            for quoted, bare in re.findall(r"'([^']+)'|(\w+=\S+)", pairs):
                key, _, value = (quoted or bare).partition("=")
                update_config(config, {key: yaml.safe_load(value)})
            blocks.append(config)
        for number, block in enumerate(blocks):
            if "source" not in block and "default-resources" not in block:  # no word list, no profile
                yield pytest.param(block, id=f"{page.name}-{number}")


SNIPPETS = list(snippets())


@pytest.mark.parametrize("snippet", SNIPPETS)
def test_a_configuration_in_the_docs_is_valid(snippet):
    assert len(SNIPPETS) > 20
    config = read("config.yaml")
    update_config(config, snippet)
    messages = []
    try:
        preparation.check(config, ROOT)
    except problems.Problems as error:
        messages = error.messages
    assert [message for message in messages if not ABSENT.search(message)] == []
