"""Pages from templates: everything in one file, readable on paper, in the dark and by a screen reader."""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from pathlib import Path

from jinja2 import ChoiceLoader, Environment, PackageLoader, StrictUndefined, select_autoescape
from markupsafe import Markup

ROOM = "biassay.pages"


def render(template: str, context: Mapping[str, object], *, package: str = ROOM) -> str:
    """The text of a template of `package`'s folder templates/; a page's template extends base.html.

    What the context gives is escaped, but for `markupsafe.Markup`. A name that is missing raises jinja2.UndefinedError.
    """
    return _environment(package).get_template(template).render(context)


def write(path: str | Path, template: str, context: Mapping[str, object], *, package: str = ROOM) -> None:
    """Render a page and write it; nothing is written if the template fails."""
    text = render(template, context, package=package)
    Path(path).write_text(text, "utf-8")


def asset(name: str) -> Markup:
    """A style sheet or script of the room, to be put into a page as it is."""
    return Markup(resources.files(ROOM).joinpath("templates", name).read_text("utf-8"))


@cache
def _environment(package: str) -> Environment:
    loader = ChoiceLoader([PackageLoader(name) for name in dict.fromkeys([package, ROOM])])
    escape = select_autoescape()
    found = Environment(
        loader=loader, autoescape=escape, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    found.globals["asset"] = asset
    return found
