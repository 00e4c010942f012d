"""The tests of an audit: groups and targets, by name from the shipped tests or from a user's file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from biassay.core import registry
from biassay.report.formatting import join_names
from biassay.words import files, resources

KEYS = ("title", "groups", "targets", "paired", "scored", "default", "source")
SIDES = ("groups", "targets")


@dataclass(frozen=True)
class Question:
    """A test of an audit: word lists of two or more groups and of at least one target, by name.

    paired: whether the i-th words of the groups belong together. scored: the side that WEAT takes as X and Y, one of
    SIDES. default: whether the test runs if the user names none.
    """

    name: str
    title: str
    groups: Mapping[str, list[str]]
    targets: Mapping[str, list[str]]
    paired: bool = False
    scored: str = "groups"
    default: bool = False

    @property
    def words(self) -> list[str]:
        """All words, without repetition."""
        lists = [*self.groups.values(), *self.targets.values()]
        return list(dict.fromkeys(word for words in lists for word in words))


@cache
def shipped_tests() -> dict[str, Question]:
    """Read the tests that come with biassay, by name."""
    return {question.name: question for question in read(resources.shipped_path("audit") / "tests.yaml")}


def find(names: Iterable[str | Path | Question]) -> list[Question]:
    """Return tests by name, by the path of a YAML file, or as they are."""
    tests: dict[str, Question] = {}
    for name in names:
        if isinstance(name, Question):
            named = [name]
        elif str(name).endswith((".yaml", ".yml")):
            named = read(name)
        elif name in shipped_tests():
            named = [shipped_tests()[name]]
        else:
            message = registry.describe_unknown("tests: unknown name", str(name), list(shipped_tests()))
            raise ValueError(f"{message}, or the path of a .yaml file")
        for question in named:
            if question.name in tests:
                raise ValueError(f"tests: {question.name!r} is named twice; give each test once")
            tests[question.name] = question
    return list(tests.values())


def from_lists(groups: str, targets: str) -> Question:
    """Make a test from names of word lists, such as "gender/small" or "names:female,names:male"; gender is paired."""
    sides = {
        key: [part for part in text.split(",") if part] for key, text in (("groups", groups), ("targets", targets))
    }
    lists = {key: _lists(names[0] if len(names) == 1 else names, f"--{key}") for key, names in sides.items()}
    title = f"{_readable(lists['groups'])}, with {_readable(lists['targets'])}"
    return Question("own", title, **lists, paired=groups.startswith("gender/") or groups.endswith("gender"))


def read(path: str | Path) -> list[Question]:
    """Read a YAML file of tests: one test (keys groups and targets), or several by name."""
    content = files.read_yaml(path)
    if {"groups", "targets"} & set(content):
        return [_question(str(path), Path(path).stem, content)]
    tests = [_question(f"{path}: {name}", str(name), entry) for name, entry in content.items() if name != "source"]
    if not tests:
        raise ValueError(f"{path}: has no test; give groups and targets, or several tests by name")
    return tests


def _question(where: str, name: str, entry: object) -> Question:
    if not isinstance(entry, dict):
        raise ValueError(f"{where}: expected the keys groups and targets, got {entry!r:.60}")
    registry.check_names(where, entry, KEYS)
    for key in ("groups", "targets"):
        if key not in entry:
            raise ValueError(f"{where}: lacks the key {key}")
    for key in ("paired", "default"):
        if not isinstance(entry.get(key, False), bool):
            raise ValueError(f"{where}: {key}: expected true or false, got {entry[key]!r}")
    scored = entry.get("scored", "groups")
    if scored not in SIDES:
        raise ValueError(registry.describe_unknown(f"{where}: scored: unknown value", scored, list(SIDES)))
    groups, targets = (_lists(entry[key], f"{where}: {key}") for key in ("groups", "targets"))
    if len(groups) < 2:
        raise ValueError(f"{where}: groups: expected two lists or more, got {', '.join(groups)}")
    if entry.get("paired") and len(set(map(len, groups.values()))) > 1:
        sizes = ", ".join(f"{group} {len(words)}" for group, words in groups.items())
        raise ValueError(f"{where}: groups: expected lists of equal length because paired is true, got {sizes}")
    title = entry.get("title") or f"{_readable(groups)}, with {_readable(targets)}"
    return Question(name, str(title), groups, targets, entry.get("paired", False), scored, entry.get("default", False))


def _lists(value: object, where: str) -> dict[str, list[str]]:
    """Return lists by name: all or some of a shipped file, or those of a mapping."""
    if isinstance(value, dict):
        return _check_lists(value, where)
    if isinstance(value, str) and ":" not in value:
        return dict(resources.word_lists(value))
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise ValueError(
            f"{where}: expected lists of words by name, a file of lists, or [file:list, …], got {value!r:.60}"
        )
    chosen = {}
    for name in names:
        name, _, alias = name.partition(" as ")
        file, _, part = name.partition(":")
        lists = resources.word_lists(file)
        if part not in lists:
            raise ValueError(registry.describe_unknown(f"{where}: unknown list of {file}", part, list(lists)))
        if (alias or part) in chosen:
            raise ValueError(f"{where}: two lists are called {alias or part!r}; rename one: {name} as NAME")
        chosen[alias or part] = lists[part]
    return chosen


def _check_lists(lists: dict, where: str) -> dict[str, list[str]]:
    for name, words in lists.items():
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"{where}: expected a text as the name of a list, got {name!r}; put it in quotes")
        if not isinstance(words, list) or len(words) < 2:
            raise ValueError(f"{where}.{name}: expected a list of two words or more, got {words!r:.60}")
        for number, word in enumerate(words):
            files.check_word(f"{where}.{name}", word)
            if word in words[:number]:
                raise ValueError(f"{where}.{name}: {word!r} is listed twice")
    if not lists:
        raise ValueError(f"{where}: is empty; give lists of words by name")
    return lists


def _readable(lists: Mapping[str, list[str]]) -> str:
    return join_names(name.replace("_", " ") for name in lists)
