"""What an audit asks of vectors: groups and targets, by name from shipped lists or from a user's file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from biassay.support import registry
from biassay.words import files, resources

KEYS = ("title", "groups", "targets", "paired", "scored", "default", "source")
SIDES = ("groups", "targets")
YAML = (".yaml", ".yml")


@dataclass(frozen=True)
class Question:
    """Lists of words of two or more groups and of one target or more, by name.

    paired: the i-th words of the groups belong together. scored: which side WEAT takes as X and Y, one of SIDES.
    default: whether it is asked where none is named.
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
        """All words, each once."""
        lists = [*self.groups.values(), *self.targets.values()]
        return list(dict.fromkeys(word for words in lists for word in words))


def shipped() -> dict[str, Question]:
    """The tests that come with biassay, by name."""
    return dict(_shipped())


@cache
def _shipped() -> tuple[tuple[str, Question], ...]:
    return tuple((question.name, question) for question in read(resources.shipped_path("audit") / "tests.yaml"))


def find(names: Iterable[str | Path | Question]) -> list[Question]:
    """Tests by name, those of YAML files by their paths, or as they are, in the order given.

    Raises ValueError for an unknown name, with the choices, and for two tests of one name.
    """
    found: dict[str, Question] = {}
    for name in names:
        for question in _questions(name):
            if question.name in found:
                raise ValueError(f"tests: {question.name!r} is asked for twice")
            found[question.name] = question
    return list(found.values())


def of_lists(groups: str, targets: str) -> Question:
    """A test of lists by name: groups as "gender/small" or "names:female,names:male", targets likewise.

    Groups of shipped lists that are known as pairs keep them (gender/…). Raises ValueError for an unknown list.
    """
    sides = {
        key: [part for part in text.split(",") if part] for key, text in (("groups", groups), ("targets", targets))
    }
    lists = {key: _lists(key, of[0] if len(of) == 1 else of, f"--{key}") for key, of in sides.items()}
    title = f"{_named(lists['groups'])}, with {_named(lists['targets'])}"
    return Question("own", title, **lists, paired=groups.startswith("gender/") or groups.endswith("gender"))


def read(path: str | Path) -> list[Question]:
    """Read tests of a YAML file: one at the top (keys groups and targets), or several by name.

    Raises ValueError, naming the file, the test, the key and the choices, for what is malformed: unknown keys and
    lists, no words or fewer than two, words twice in a list, paired groups of unequal length.
    """
    content = files.read_yaml(path)
    if {"groups", "targets"} & set(content):
        return [_question(str(path), Path(path).stem, content)]
    found = [_question(f"{path}: {name}", str(name), entry) for name, entry in content.items() if name != "source"]
    if not found:
        raise ValueError(f"{path}: has no test; give groups and targets, or several tests by name")
    return found


def _question(where: str, name: str, entry: object) -> Question:
    if not isinstance(entry, dict):
        raise ValueError(f"{where}: needs the keys groups and targets, has {entry!r:.60}")
    registry.check_names(where, entry, KEYS)
    for key in ("groups", "targets"):
        if key not in entry:
            raise ValueError(f"{where}: lacks the key {key}")
    for key in ("paired", "default"):
        if not isinstance(entry.get(key, False), bool):
            raise ValueError(f"{where}: {key} is {entry[key]!r}; expected one of: true, false")
    scored = entry.get("scored", "groups")
    if scored not in SIDES:
        raise ValueError(registry.describe_unknown(f"{where}: scored: unknown value", scored, list(SIDES)))
    groups, targets = (_lists(key, entry[key], f"{where}: {key}") for key in ("groups", "targets"))
    if len(groups) < 2:
        raise ValueError(f"{where}: groups: needs two lists or more, has {', '.join(groups)}")
    if entry.get("paired") and len(set(map(len, groups.values()))) > 1:
        sizes = ", ".join(f"{group} {len(words)}" for group, words in groups.items())
        raise ValueError(f"{where}: paired groups need equally many words, but they have: {sizes}")
    title = entry.get("title") or f"{_named(groups)}, with {_named(targets)}"
    return Question(name, str(title), groups, targets, entry.get("paired", False), scored, entry.get("default", False))


def _lists(key: str, given: object, where: str) -> dict[str, list[str]]:
    """Lists by name: of a shipped file, some of them, or in place."""
    if isinstance(given, dict):
        return _in_place(given, where)
    if isinstance(given, str) and ":" not in given:
        return dict(resources.word_lists(given))
    names = [given] if isinstance(given, str) else given
    if not isinstance(names, list) or not names or not all(isinstance(name, str) for name in names):
        raise ValueError(f"{where}: {given!r:.60} are no lists; give words by list, a file of lists, or [file:list, …]")
    found = {}
    for name in names:
        name, _, alias = name.partition(" as ")
        file, _, part = name.partition(":")
        lists = resources.word_lists(file)
        if part not in lists:
            raise ValueError(registry.describe_unknown(f"{where}: unknown list of {file}", part, list(lists)))
        if (alias or part) in found:
            raise ValueError(f"{where}: two lists are called {alias or part!r}")
        found[alias or part] = lists[part]
    return found


def _in_place(lists: dict, where: str) -> dict[str, list[str]]:
    for name, words in lists.items():
        if not isinstance(name, str) or not name.strip():
            raise ValueError(f"{where}: the list {name!r} has no name; put it in quotes if it is one")
        if not isinstance(words, list) or len(words) < 2:
            raise ValueError(f"{where}.{name}: needs a list of two words or more, has {words!r:.60}")
        for number, word in enumerate(words):
            files.check_word(f"{where}.{name}", word)
            if word in words[:number]:
                raise ValueError(f"{where}.{name} has {word!r} twice")
    if not lists:
        raise ValueError(f"{where}: is empty; give lists of words by name")
    return lists


def _questions(name: str | Path | Question) -> list[Question]:
    if isinstance(name, Question):
        return [name]
    return read(name) if str(name).endswith(YAML) else [_by_name(str(name))]


def _by_name(name: str) -> Question:
    known = shipped()
    if name not in known:
        raise ValueError(
            registry.describe_unknown("tests: unknown name", name, list(known)) + ", or the path of a .yaml file"
        )
    return known[name]


def _named(lists: Mapping[str, list[str]]) -> str:
    return " and ".join(", ".join(name.replace("_", " ") for name in lists).rsplit(", ", 1))
