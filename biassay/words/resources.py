"""Word lists and statistics: read, checked, with errors that name file, line and value."""

from pathlib import Path

import numpy as np
import pandas as pd
import yaml

from biassay.support import registry

PACKAGE = Path(__file__).parent.parent


def shipped(kind: str) -> Path:
    """The folder of a kind of small inputs that come with biassay, such as "words": of a wheel, or of the checkout."""
    inside = PACKAGE / "resources" / kind
    return inside if inside.is_dir() else PACKAGE.parent / "resources" / kind


def word_lists(name: str | Path) -> dict[str, list[str]]:
    """Word lists by group: those that come with biassay by name, such as "gender/medium", or a YAML file's by its path.

    Raises ValueError, naming the choices, for an unknown name, and as `groups` does for a file that is malformed.
    """
    if str(name).endswith((".yaml", ".yml")):
        path = Path(name)
        if not path.is_file():
            raise ValueError(f"{path}: there is no such file of word lists")
    else:
        folder = shipped("words")
        path = folder / f"{name}.yaml"
        if not path.is_file():
            choices = sorted(str(file.relative_to(folder).with_suffix("")) for file in folder.rglob("*.yaml"))
            raise ValueError(
                registry.unknown("word lists: unknown name", name, choices) + ", or the path of a .yaml file"
            )
    content = read_yaml(path)
    nested = content.get("groups")
    lists = nested if isinstance(nested, dict) else {key: content[key] for key in content if key != "source"}
    return check_groups(path, lists)


def groups(path: str | Path) -> dict[str, list[str]]:
    """Read a YAML file of word lists by group, such as the definitional words of female and male.

    The key `source` is left out. Raises ValueError, naming the file, if it has fewer than two groups, or if a group is
    no list of words, is empty, or has a word twice.
    """
    content = read_yaml(path)
    return check_groups(path, {group: content[group] for group in content if group != "source"})


def check_groups(path: str | Path, lists: dict, *, repeats: bool = False) -> dict[str, list[str]]:
    """The word lists, as they are; the errors of `groups`. With `repeats`, a word may be in a list twice."""
    if len(lists) < 2:
        raise ValueError(f"{path}: needs two groups of words or more, has: {', '.join(map(str, lists)) or 'none'}")
    for group, words in lists.items():
        if not isinstance(words, list) or not words:
            raise ValueError(f"{path}: {group} is empty; give a list of one word or more")
        seen = set()
        for word in words:
            if not isinstance(word, str) or not word:
                raise ValueError(f"{path}: {group} has {word!r}, which is no word; put it in quotes if it is")
            if word in seen and not repeats:
                raise ValueError(f"{path}: {group} has {word!r} twice")
            seen.add(word)
    return lists


def read_yaml(path: str | Path) -> dict:
    """Read a YAML file that holds a mapping."""
    try:
        content = yaml.safe_load(Path(path).read_text("utf-8"))
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not a YAML file: {error}") from error
    if not isinstance(content, dict):
        raise ValueError(f"{path}: needs a mapping of names to lists, has {type(content).__name__}")
    return content


def table(path: str | Path, columns: list[str]) -> pd.DataFrame:
    """Read a CSV file with `#` comments, strings only, a word a row; raises ValueError if columns or rows lack."""
    try:
        rows = pd.read_csv(path, comment="#", dtype=str, skipinitialspace=True, keep_default_na=False)
    except (pd.errors.ParserError, pd.errors.EmptyDataError, UnicodeDecodeError) as error:
        raise ValueError(f"{path}: not a CSV table: {error}") from error
    lacking = [column for column in columns if column not in rows]
    if lacking:
        raise ValueError(f"{path}: lacks the column {lacking[0]!r}; it has: {', '.join(rows.columns)}")
    if rows.empty:
        raise ValueError(f"{path}: has no rows")
    duplicates = rows["word"][rows["word"].duplicated()]
    if len(duplicates):
        raise ValueError(f"{path}: has the word {duplicates.iloc[0]!r} twice")
    return rows


def percentages(path: str | Path) -> pd.Series:
    """Read statistics, `word,percent_female`: percentages by word. Raises ValueError for a value not from 0 to 100."""
    rows = table(path, ["word", "percent_female"])
    values = pd.to_numeric(rows["percent_female"], errors="coerce").to_numpy(float)
    bad = np.flatnonzero(~((values >= 0) & (values <= 100)))
    if len(bad):
        word, value = rows["word"].iloc[bad[0]], rows["percent_female"].iloc[bad[0]]
        lines = Path(path).read_text("utf-8").splitlines()
        line = next(number for number, text in enumerate(lines, 1) if text.split(",")[0].strip() == word)
        raise ValueError(f"{path}, line {line}: percent_female of {word!r} is {value!r}, not a number from 0 to 100")
    return pd.Series(values, index=rows["word"])


def occupations(path: str | Path) -> pd.DataFrame:
    """Read occupations, `word,mark,domain`; mark n (gender-neutral), f or m (female- or male-specific by meaning)."""
    rows = table(path, ["word", "mark", "domain"])
    bad = rows[~rows["mark"].isin(["n", "f", "m"])]
    if len(bad):
        raise ValueError(f"{path}: mark of {bad['word'].iloc[0]!r} is {bad['mark'].iloc[0]!r}; choices: n, f, m")
    return rows
