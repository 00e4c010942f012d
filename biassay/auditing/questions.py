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
    SIDES. default: whether the test runs if the user names none. sensitive: people's names and slurs among the words
    of shipped lists; a user's own words are never among them.
    """

    name: str
    title: str
    groups: Mapping[str, list[str]]
    targets: Mapping[str, list[str]]
    paired: bool = False
    scored: str = "groups"
    default: bool = False
    sensitive: frozenset[str] = frozenset()

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
    tests: list[Question] = []
    for name in names:
        if isinstance(name, Question):
            tests.append(name)
        elif str(name).endswith((".yaml", ".yml")):
            tests += read(name)
        elif name in shipped_tests():
            tests.append(shipped_tests()[name])
        else:
            message = registry.describe_unknown("tests: unknown name", str(name), list(shipped_tests()))
            raise ValueError(f"{message}, or the path of a .yaml file")
    for number, question in enumerate(tests):
        if question.name in [other.name for other in tests[:number]]:
            raise ValueError(f"tests: {question.name!r} is named twice; give each test once")
    return tests


def from_lists(groups: str, targets: str) -> Question:
    """Make a test from names of word lists, such as "gender/small" or "names:female,names:male"; gender is paired."""
    sides: list[str | list[str]] = []
    for text in (groups, targets):
        names = [name for name in text.split(",") if name]
        sides.append(names[0] if len(names) == 1 else names)
    lists = [_lists(side, key) for side, key in zip(sides, ("--groups", "--targets"), strict=True)]
    paired = groups.startswith("gender/") or groups.endswith("gender")
    return Question("own", _title(*lists), *lists, paired=paired, sensitive=_sensitive_words(sides))


def read(path: str | Path) -> list[Question]:
    """Read a YAML file of tests: one test (keys groups and targets), or several by name."""
    content = files.read_yaml(path)
    if set(SIDES) & set(content):
        return [_question(str(path), Path(path).stem, content)]
    tests = [_question(f"{path}: {name}", str(name), entry) for name, entry in content.items() if name != "source"]
    if not tests:
        raise ValueError(f"{path}: has no test; give groups and targets, or several tests by name")
    return tests


def _question(where: str, name: str, entry: object) -> Question:
    if not isinstance(entry, dict) or not set(SIDES) <= set(entry):
        raise ValueError(f"{where}: expected the keys groups and targets, got {entry!r:.60}")
    registry.check_names(where, entry, KEYS)
    paired, default = (entry.get(key, False) for key in ("paired", "default"))
    for key, value in (("paired", paired), ("default", default)):
        if not isinstance(value, bool):
            raise ValueError(f"{where}: {key}: expected true or false, got {value!r}")
    scored = entry.get("scored", "groups")
    registry.check_names(f"{where}: scored", [scored], SIDES, "value")
    groups, targets = (_lists(entry[side], f"{where}: {side}") for side in SIDES)
    if len(groups) < 2:
        raise ValueError(f"{where}: groups: expected two lists or more, got {', '.join(groups)}")
    if paired and len(set(map(len, groups.values()))) > 1:
        sizes = ", ".join(f"{group} {len(words)}" for group, words in groups.items())
        raise ValueError(f"{where}: groups: expected lists of equal length because paired is true, got {sizes}")
    title = str(entry.get("title") or _title(groups, targets))
    sensitive = _sensitive_words([entry[side] for side in SIDES])
    return Question(name, title, groups, targets, paired, scored, default, sensitive)


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
        source, _, alias = name.partition(" as ")
        file, _, part = source.partition(":")
        lists = resources.word_lists(file)
        registry.check_names(where, [part], lists, f"list of {file}")
        if (alias or part) in chosen:
            raise ValueError(f"{where}: two lists are called {alias or part!r}; rename one: {source} as NAME")
        chosen[alias or part] = lists[part]
    return chosen


def _sensitive_words(sides: list[object]) -> frozenset[str]:
    """Return the sensitive words of the shipped lists that the sides of a test name, also in lower case."""
    words: set[str] = set()
    for name in (name for side in sides if not isinstance(side, dict) for name in _as_list(side)):
        file, _, part = name.partition(" as ")[0].partition(":")
        sensitive = resources.sensitive_words(file)
        words |= sensitive.get(part, set()) if part else set().union(*sensitive.values())
    return frozenset(words | {word.lower() for word in words})


def _as_list(value: object) -> list:
    return value if isinstance(value, list) else [value]


def _check_lists(lists: dict, where: str) -> dict[str, list[str]]:
    if not lists:
        raise ValueError(f"{where}: is empty; give lists of words by name")
    for name, words in lists.items():
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"{where}: expected a text as the name of a list, got {name!r}; put it in quotes")
        if not isinstance(words, list) or len(words) < 2:
            raise ValueError(f"{where}.{name}: expected a list of two words or more, got {words!r:.60}")
        for number, word in enumerate(words):
            files.check_word(f"{where}.{name}", word)
            if word in words[:number]:
                raise ValueError(f"{where}.{name}: {word!r} is listed twice")
    return lists


def _title(groups: Mapping[str, list[str]], targets: Mapping[str, list[str]]) -> str:
    return ", with ".join(join_names(name.replace("_", " ") for name in lists) for lists in (groups, targets))
