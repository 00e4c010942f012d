"""Word lists and statistics: read, checked, with errors that name file, line and value."""

from pathlib import Path

import pandas as pd

from biassay.support import registry
from biassay.words import files

PACKAGE = Path(__file__).parent.parent


def shipped_path(kind: str) -> Path:
    """A kind of small inputs that come with biassay, such as the folder "words": of a wheel, or of the checkout."""
    inside = PACKAGE / "resources" / kind
    return inside if inside.exists() else PACKAGE.parent / "resources" / kind


def word_lists(name: str | Path) -> dict[str, list[str]]:
    """Word lists by group: those that come with biassay by name, such as "gender/medium", or a YAML file's by its path.

    Raises ValueError, naming the choices, for an unknown name, and as `groups` does for a file that is malformed.
    """
    if str(name).endswith((".yaml", ".yml")):
        path = Path(name)
        if not path.is_file():
            raise ValueError(f"{path}: there is no such file of word lists")
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
    lists = nested if isinstance(nested, dict) else {key: content[key] for key in content if key != "source"}
    return check_groups(path, lists)


def read_groups(path: str | Path) -> dict[str, list[str]]:
    """Read a YAML file of word lists by group, such as the definitional words of female and male.

    The key `source` is left out. Raises ValueError, naming the file, if it has fewer than two groups, or if a group is
    no list of words, is empty, or has a word twice.
    """
    content = files.read_yaml(path)
    return check_groups(path, {group: content[group] for group in content if group != "source"})


def read_two_groups(path: str | Path) -> dict[str, list[str]]:
    """Read word lists as `groups` does; raises ValueError, too, if there are more than two groups."""
    found = read_groups(path)
    if len(found) != 2:
        raise ValueError(f"{path}: has {len(found)} groups, {', '.join(found)}; two are compared here")
    return found


def check_groups(path: str | Path, lists: dict, *, repeats: bool = False) -> dict[str, list[str]]:
    """The word lists, as they are; the errors of `groups`. With `repeats`, a word may be in a list twice."""
    for group in lists:
        if not isinstance(group, str) or not group.strip():
            raise ValueError(f"{path}: the group {group!r} is no name; put it in quotes if it is")
    if len(lists) < 2:
        raise ValueError(f"{path}: needs two groups of words or more, has: {', '.join(lists) or 'none'}")
    for group, words in lists.items():
        if words and not isinstance(words, list):
            raise ValueError(f"{path}: {group} is {words!r:.60}, no list; write it as [she, her]")
        if not words:
            raise ValueError(f"{path}: {group} is empty; give a list of one word or more")
        seen = set()
        for word in words:
            files.check_word(f"{path}: {group}", word)
            if word in seen and not repeats:
                raise ValueError(f"{path}: {group} has {word!r} twice")
            seen.add(word)
    return lists


def read_percentages(path: str | Path) -> pd.Series:
    """Read statistics, `word,percent_female`: percentages by word. Raises ValueError for a value not from 0 to 100, and
    where all are shares, from 0 to 1.
    """
    rows = files.read_word_table(path, ["word", "percent_female"])
    values = pd.to_numeric(rows["percent_female"], errors="coerce").to_numpy(float)
    for line, right in zip(rows.index, (values >= 0) & (values <= 100), strict=True):
        if not right:
            word, value = rows.loc[line, ["word", "percent_female"]]
            raise ValueError(
                f"{path}, line {line}: percent_female of {word!r} is {value!r}, not a number from 0 to 100"
            )
    if values.max() <= 1 and (values % 1).any():
        raise ValueError(
            f"{path}: percent_female is at most {values.max():g}: shares; give percentages, 100 times those"
        )
    return pd.Series(values, index=rows["word"])


def read_occupations(path: str | Path) -> pd.DataFrame:
    """Read occupations, `word,mark,domain`; mark n (gender-neutral), f or m (female- or male-specific by meaning)."""
    rows = files.read_word_table(path, ["word", "mark", "domain"])
    for line, word, mark in rows[["word", "mark"]].itertuples():
        if mark not in ("n", "f", "m"):
            raise ValueError(f"{path}, line {line}: mark of {word!r} is {mark!r}; expected one of: n, f, m")
    return rows.reset_index(drop=True)
