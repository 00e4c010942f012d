"""Word lists, occupations and occupation statistics, shipped or of a user."""

from functools import cache
from pathlib import Path

import pandas as pd

from biassay.core import registry
from biassay.words import files

PACKAGE = Path(__file__).parent.parent


def shipped_path(kind: str) -> Path:
    """Return the path of a shipped resource, such as the folder "words", in a wheel or in a checkout."""
    inside = PACKAGE / "resources" / kind
    return inside if inside.exists() else PACKAGE.parent / "resources" / kind


def word_lists(name: str | Path) -> dict[str, list[str]]:
    """Read the group words of a shipped word list or of a YAML file.

    Parameters
    ----------
    name
        The name of a shipped list, such as "gender/medium", or the path of a .yaml file.

    Returns
    -------
    dict
        The words of each group.

    Raises
    ------
    ValueError
        If there is no such list or file, if the file is malformed (see `read_groups`), or if it is a test of an audit,
        with groups and targets.

    Examples
    --------
    >>> from biassay import word_lists
    >>> word_lists("gender/tiny")
    {'female': ['she'], 'male': ['he']}
    """
    is_path = str(name).endswith((".yaml", ".yml"))
    if is_path:
        path = Path(name)
        if not path.is_file():
            raise ValueError(f"{path}: no such file; expected a YAML file of word lists")
    else:
        folder = shipped_path("words")
        path = folder / f"{name}.yaml"
        choices = sorted(file.relative_to(folder).with_suffix("").as_posix() for file in folder.rglob("*.yaml"))
        if str(name) not in choices:
            raise ValueError(
                registry.describe_unknown("word lists: unknown name", name, choices) + ", or the path of a .yaml file"
            )
    content = files.read_yaml(path)
    nested = content.get("groups")
    if is_path and "targets" in content and not isinstance(nested, list | None):
        raise ValueError(f"{path}: expected lists of words by name, got a test with groups and targets")
    return files.check_lists(path, nested if isinstance(nested, dict) else _without_keys(content))


@cache
def sensitive_words(name: str | Path) -> dict[str, set[str]]:
    """Return, by list of a shipped file, its words that are people's names or slurs; {} for a user's file.

    The file's key `sensitive` has the names of whole `lists`, and `words` of any list.
    """
    if str(name).endswith((".yaml", ".yml")):
        return {}
    content = files.read_yaml(shipped_path("words") / f"{name}.yaml")
    marked = content.get("sensitive", {})
    whole, single = marked.get("lists", []), set(marked.get("words", []))
    lists = content.get("groups", _without_keys(content))
    return {key: set(words) if key in whole else set(words) & single for key, words in lists.items()}


def read_groups(path: str | Path) -> dict[str, list[str]]:
    """Read a YAML file that maps groups to word lists. The keys `source` and `sensitive` are ignored.

    Raises ValueError if there are fewer than two groups, or if a list is empty or has invalid or duplicate words.
    """
    return files.check_lists(path, _without_keys(files.read_yaml(path)))


def _without_keys(content: dict) -> dict:
    return {key: content[key] for key in content if key not in ("source", "sensitive")}


def read_two_groups(path: str | Path) -> dict[str, list[str]]:
    """Read word lists as `read_groups` does; also raise ValueError if there are more than two groups."""
    return check_two(path, "groups", read_groups(path))


def check_two(path: str | Path, what: str, lists: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return lists; raise ValueError, which begins with the path, unless there are two."""
    if len(lists) != 2:
        raise ValueError(f"{path}: expected two {what}, got {len(lists)}: {', '.join(lists)}")
    return lists


def read_percentages(path: str | Path) -> pd.Series:
    """Read occupation statistics, the columns `word` and `percent_female`; return the percentages by word.

    Raises ValueError for a value outside of 0 to 100, and if all values are shares from 0 to 1.
    """
    rows = files.read_word_table(path, ["word", "percent_female"])
    values = pd.to_numeric(rows["percent_female"], errors="coerce")
    for line, word, value in rows.loc[~values.between(0, 100), ["word", "percent_female"]].itertuples():
        raise ValueError(
            f"{path}, line {line}: percent_female of {word!r}: expected a number from 0 to 100, got {value!r}"
        )
    if values.max() <= 1 and (values % 1).any():
        raise ValueError(
            f"{path}: percent_female: expected percentages from 0 to 100, got shares of at most {values.max():g}"
        )
    return pd.Series(values.to_numpy(float), index=rows["word"])


def read_occupations(path: str | Path) -> pd.DataFrame:
    """Read occupations: the columns `word`, `mark` (n neutral, f or m gendered by meaning) and `domain`."""
    rows = files.read_word_table(path, ["word", "mark", "domain"])
    for line, word, mark in rows[["word", "mark"]].itertuples():
        if mark not in ("n", "f", "m"):
            raise ValueError(f"{path}, line {line}: mark of {word!r}: expected n, f or m, got {mark!r}")
    return rows.reset_index(drop=True)
