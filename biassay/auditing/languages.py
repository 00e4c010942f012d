"""Languages of an audit: the sentences, the random words and the shipped tests of each."""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

from biassay.core import registry
from biassay.words import files, resources

ENGLISH = "en"


@dataclass(frozen=True)
class Language:
    """A language.

    genders: of its nouns, such as feminine; empty without grammatical gender. sentences: for words in context; none has
    a word that agrees in gender. random_words: for sources without a vocabulary of their own. tests: entries of a YAML
    file of tests, by name.
    """

    code: str
    name: str
    genders: tuple[str, ...]
    sentences: tuple[str, ...]
    random_words: tuple[str, ...]
    tests: dict[str, dict]
    capitalises_nouns: bool = False

    def is_random_word(self, word: str) -> bool:
        """Whether a word of a source's vocabulary can be a random word: three letters or more, not a name."""
        if not word.isalpha() or len(word) < 3 or (self.code == ENGLISH and not word.isascii()):
            return False
        return word.islower() or (self.capitalises_nouns and word.istitle()) or word.lower() == word.upper()


def codes() -> list[str]:
    """Return the codes of all languages, English first."""
    return [ENGLISH, *sorted(path.stem for path in _folder().glob("*.yaml") if path.stem != ENGLISH)]


@cache
def load(code: str) -> Language:
    """Return a language by its code, such as "de"; raises ValueError for one without lists."""
    if code not in codes():
        raise ValueError(registry.describe_unknown("language: unknown name", code, codes()))
    path = _folder() / f"{code}.yaml"
    content = files.read_yaml(path)
    words = content["random_words"]
    if isinstance(words, str):  # English: the nouns and adjectives of a shipped file
        domains = files.read_yaml(resources.shipped_path("words") / f"{words}.yaml")["domains"].values()
        words = [word for kind in ("nouns", "adjectives") for lists in domains for word in lists[kind]]
    elif isinstance(words, dict):  # by grammatical gender
        words = [word for of_gender in words.values() for word in of_gender]
    return Language(
        code,
        content["name"],
        tuple(content["genders"]),
        tuple(content["sentences"]),
        tuple(dict.fromkeys(words)),
        content["tests"],
        content.get("capitalised_nouns", False),
    )


def _folder() -> Path:
    return resources.shipped_path("audit")
