"""The configuration of a run, completed by the defaults and checked."""

from collections.abc import Iterable
from copy import deepcopy
from pathlib import Path

import yaml
from pydantic import ValidationError
from snakemake.utils import update_config

from biassay.words import files
from biassay.workflow import cross_checks, problems, study_metrics
from biassay.workflow.studies import Configuration


def prepare(config: dict, home: str | Path, *, read: bool = True, config_files: Iterable[str | Path] = ()) -> None:
    """Complete a configuration with the defaults, resolve its paths and check it, in place.

    `home` is the folder of the workflow. `read` also reads the small files that the configuration names, and looks for
    duplicate keys in `config_files`, which it comes from. Raises ValueError with all problems.
    """
    for path in config_files if read else ():
        files.check_keys(path)
    overrides = deepcopy(config)
    config |= yaml.safe_load((Path(home) / "config.yaml").read_text("utf-8"))
    update_config(config, overrides)
    check(config, home)
    if read:
        from biassay.workflow import contents  # jobs do not need it

        contents.check(config)


def check(config: dict, home: str | Path) -> None:
    """Check a configuration; raise ValueError with all problems.

    In place, resolves its paths and replaces "own" in the studies' lists of metrics by the user's metrics.
    """
    config |= validate(config, {"config": config, "home": home})
    study_metrics.expand_own(config)
    problems.gather(cross_checks.checks(config))


def validate(config: dict, context: dict | None = None) -> dict:
    """Return the configuration with resolved paths; without a context, only check types, ranges and keys."""
    try:
        checked = Configuration.model_validate(config, context=context)
    except ValidationError as error:
        raise problems.describe(error, Configuration, config) from None
    return _replace_texts(config, checked)


def _replace_texts(value: object, checked: object) -> object:
    """Replace the texts of a configuration by the checked ones; keep keys, their order, and the type of numbers."""
    if isinstance(value, dict):
        items = dict(checked)
        return {key: _replace_texts(one, items[key]) for key, one in value.items()}
    if isinstance(value, list):
        return [_replace_texts(*pair) for pair in zip(value, checked, strict=True)]
    return checked if isinstance(value, str) else value
