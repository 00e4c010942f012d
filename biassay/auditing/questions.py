"""The tests of an audit: groups and targets, by name from the shipped tests or from a user's file."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path

from biassay.auditing import languages
from biassay.auditing.languages import ENGLISH, Language
from biassay.core import registry
from biassay.report.formatting import join_names
from biassay.words import files, resources

KEYS = ("title", "groups", "targets", "paired", "scored", "default", "source")
SIDES = ("groups", "targets")
BARE = "-words"  # end of the name of a test on bare words, where the test is on words in sentences
EXAMPLE = "Ärztin/Arzt"
BOTH_FORMS = "/"  # between the feminine and the masculine form of a target
INHERITED = ("title", "paired", "scored", "default")  # from the English test of the same name


@dataclass(frozen=True)
class Question:
    """A test of an audit: word lists of two or more groups and of at least one target, by name.

    paired: whether the i-th words of the groups belong together. scored: the side that WEAT takes as X and Y, one of
    SIDES. default: whether the test runs if the user names none. sensitive: people's names and slurs among the words
    of shipped lists; a user's own words are never among them. language: its code. noun_genders: the grammatical genders
    of targets in one form, where they are given.
    """

    name: str
    title: str
    groups: Mapping[str, list[str]]
    targets: Mapping[str, list[str]]
    paired: bool = False
    scored: str = "groups"
    default: bool = False
    sensitive: frozenset[str] = frozenset()
    language: str = ENGLISH
    noun_genders: Mapping[str, str] = field(default_factory=dict)

    @property
    def words(self) -> list[str]:
        """All words, without repetition; both forms of a target in two."""
        lists, both_forms = [*self.groups.values(), *self.targets.values()], self.both_forms
        return list(dict.fromkeys(form for words in lists for word in words for form in both_forms.get(word, [word])))

    @property
    def both_forms(self) -> dict[str, list[str]]:
        """The feminine and masculine forms of targets such as Ärztin/Arzt; none without grammatical gender."""
        if not languages.load(self.language).genders:
            return {}
        return {word: word.split(BOTH_FORMS) for words in self.targets.values() for word in words if BOTH_FORMS in word}


@cache
def shipped_tests(language: str = ENGLISH) -> dict[str, Question]:
    """Read the tests that come with biassay for a language, by name."""
    loaded, tests = languages.load(language), {}
    for name, entry in loaded.tests.items():
        english = shipped_tests().get(name) if language != ENGLISH else None
        inherited = {key: getattr(english, key) for key in INHERITED} if english else {}
        question = _question(f"{loaded.name}: {name}", name, inherited | entry, loaded)
        names = {word for group, words in question.groups.items() if group.endswith("_names") for word in words}
        tests[name] = replace(question, sensitive=question.sensitive | names | {word.lower() for word in names})
    return tests


def find(names: Iterable[str | Path | Question], language: str = ENGLISH) -> list[Question]:
    """Return tests of a language by name, by the path of a YAML file, or as they are."""
    tests: list[Question] = []
    for name in names:
        if not isinstance(name, str | Path | Question):
            raise ValueError(f"tests: expected a name, the path of a .yaml file or a Question, got {name!r:.80}")
        if isinstance(name, Question):
            tests.append(replace(name, language=language))
        elif str(name).endswith((".yaml", ".yml")):
            own = read(name, language)
            if taken := [test.name for test in own if test.name in shipped_tests(language)]:
                raise ValueError(f"tests: {name}: {taken[0]!r} is the name of a shipped test; rename yours")
            tests += own
        elif name in shipped_tests(language):
            tests.append(shipped_tests(language)[name])
        else:
            message = registry.describe_unknown("tests: unknown name", str(name), list(shipped_tests(language)))
            raise ValueError(f"{message}, or the path of a .yaml file")
    for number, question in enumerate(tests):
        if question.name in [other.name for other in tests[:number]]:
            raise ValueError(f"tests: {question.name!r} is named twice; give each test once")
    return tests


def from_lists(groups: str, targets: str, language: str = ENGLISH, scored: str = "groups") -> Question:
    """Make a test from names of word lists, such as "gender/small" or "names:female,names:male".

    The groups of a shipped file of gender words are paired.
    """
    sides: list[str | list[str]] = []
    for text in (groups, targets):
        names = [name for name in text.split(",") if name]
        sides.append(names[0] if len(names) == 1 else names)
    loaded, keys = languages.load(language), ("--groups", "--targets")
    lists = [_lists(side, key, loaded) for side, key in zip(sides, keys, strict=True)]
    is_whole_file = isinstance(sides[0], str) and ":" not in groups and not groups.endswith((".yaml", ".yml"))
    paired = is_whole_file and (groups.startswith("gender/") or groups.endswith("gender"))
    sensitive = _sensitive_words(sides)
    options = {"paired": paired, "scored": scored, "sensitive": sensitive, "language": language}
    return Question("own", _title(*lists), *lists, **options)


def read(path: str | Path, language: str = ENGLISH) -> list[Question]:
    """Read a YAML file of tests: one test (keys groups and targets), or several by name."""
    content, loaded = files.read_yaml(path), languages.load(language)
    if set(SIDES) & set(content):
        return [_question(str(path), Path(path).stem, content, loaded)]
    entries = {name: entry for name, entry in content.items() if name != "source"}
    for name in entries:
        files.check_word(f"{path}: name of a test", name)
    tests = [_question(f"{path}: {name}", name, entry, loaded) for name, entry in entries.items()]
    if not tests:
        raise ValueError(f"{path}: has no test; give groups and targets, or several tests by name")
    return tests


def find_own_lists(path: str | Path) -> list[str]:
    """List the user's own files of word lists that a file of tests names."""
    content = files.read_yaml(path)
    entries = [content] if set(SIDES) & set(content) else content.values()
    sides = [entry.get(side) for entry in entries if isinstance(entry, dict) for side in SIDES]
    named = [_file_of(name) for side in sides for name in _as_list(side) if isinstance(name, str)]
    return [name for name in dict.fromkeys(named) if name.endswith((".yaml", ".yml"))]


def _question(where: str, name: str, entry: object, language: Language) -> Question:
    if not isinstance(entry, dict) or not set(SIDES) <= set(entry):
        raise ValueError(f"{where}: expected the keys groups and targets, got {entry!r:.60}")
    registry.check_names(where, entry, KEYS)
    paired, default = (entry.get(key, False) for key in ("paired", "default"))
    for key, value in (("paired", paired), ("default", default)):
        if not isinstance(value, bool):
            raise ValueError(f"{where}: {key}: expected true or false, got {value!r}")
    scored = entry.get("scored", "groups")
    registry.check_names(f"{where}: scored", [scored], SIDES, "value")
    targets, noun_genders = _flatten(entry["targets"], f"{where}: targets", language)
    groups, targets = (
        _lists(lists, f"{where}: {side}", language)
        for side, lists in zip(SIDES, (entry["groups"], targets), strict=True)
    )
    files.check_lists(f"{where}: groups", groups, paired=paired)
    title = str(entry.get("title") or _title(groups, targets))
    sensitive = _sensitive_words([entry[side] for side in SIDES])
    return Question(name, title, groups, targets, paired, scored, default, sensitive, language.code, noun_genders)


def _flatten(lists: object, where: str, language: Language) -> tuple[object, dict[str, str]]:
    """Return lists of targets without their division by grammatical gender, and the gender of each word."""
    flat, noun_genders = {}, {}
    if not language.genders or not isinstance(lists, dict):
        return lists, noun_genders
    for name, words in lists.items():
        by_gender = words if isinstance(words, dict) else {}
        registry.check_names(f"{where}.{name}", by_gender, language.genders, "grammatical gender")
        for gender, of_gender in by_gender.items():
            if not isinstance(of_gender, list):
                raise ValueError(f"{where}.{name}.{gender}: expected a list of words, got {of_gender!r:.60}")
            noun_genders |= {str(word): gender for word in of_gender}
        flat[name] = [word for of_gender in by_gender.values() for word in of_gender] if by_gender else words
        for word in flat[name] if isinstance(flat[name], list) else []:
            forms = str(word).split(BOTH_FORMS)
            if len(forms) > 2 or not all(forms) or len(set(forms)) < len(forms):
                raise ValueError(f"{where}.{name}: expected two forms such as {EXAMPLE}, got {word!r}")
    return flat, noun_genders


def _lists(value: object, where: str, language: Language) -> dict[str, list[str]]:
    """Return lists by name: all or some of a shipped file, or those of a mapping."""
    if isinstance(value, dict):
        return files.check_lists(where, value, n_lists=1, n_words=2)
    for name in map(str, _as_list(value)):
        if language.code != ENGLISH and not _file_of(name).endswith((".yaml", ".yml")):
            raise ValueError(f"{where}: the list {name!r} is English; give words or a .yaml file in {language.name}")
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


def _file_of(name: str) -> str:
    return name.partition(" as ")[0].partition(":")[0]


def _as_list(value: object) -> list:
    return value if isinstance(value, list) else [value]


def _title(groups: Mapping[str, list[str]], targets: Mapping[str, list[str]]) -> str:
    return ", with ".join(join_names(name.replace("_", " ") for name in lists) for lists in (groups, targets))
