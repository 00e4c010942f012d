"""Small articles about invented persons, and their files."""

from biassay.words import defining_sets
from tests.running import ROOT

DEFINING = defining_sets.read(ROOT / "resources/words/defining.yaml")
BODY = {
    "male": "{name} grew up near the sea. He left his school early, and his mother helped him. "
    "Later he moved to the city, where he kept a boat and a garden for many years of work.",
    "female": "{name} grew up near the sea. She left her school early, and her father helped her. "
    "Later she moved to the city, where she kept a boat and a garden for many years of work.",
}


def article(title: str, first: str, group: str = "male", body: str | None = None) -> tuple[str, str]:
    """A title, and paragraphs behind which it is a biography of a group."""
    name = title.split(" (")[0].split()[-1]
    return title, f"{first} {(body or BODY[group]).format(name=name)}"


def marked(*articles: tuple[str, str]) -> str:
    """wikiextractor's output."""
    pages = [
        f'<doc id="{number}" url="http://x/{number}" title="{title}">\n{title}\n\n{text}\n\n</doc>\n'
        for number, (title, text) in enumerate(articles)
    ]
    return "".join(pages)


def plain(*articles: tuple[str, str]) -> str:
    """Our own extractor's output: paragraphs, and an empty line behind an article."""
    return "".join(f"{text}\n\n" for _, text in articles)
