"""Draw img/architecture.svg and the tables of architecture.md from the code: `python docs/draw_architecture.py`."""

import ast
import html
import re
import subprocess
import sys
import tempfile
import textwrap
import tomllib
from pathlib import Path
from typing import NamedTuple

from biassay.core import registry

ROOT = Path(__file__).resolve().parent.parent
BRANCHES = ROOT / "docs/branches.yaml"
TARGETS = ["results/language_models/hub"]  # beside the studies
COLOURS = ["#0067a5", "#c2500a", "#00805a", "#8e3b8e", "#8a6d00", "#b02a4c", "#2f7f93", "#5f5fb0"]
CODE, WORDS = 6.95, 6.1  # width of a letter
HEAD = """<svg xmlns="http://www.w3.org/2000/svg" width="1000" height="{0:g}" viewBox="0 0 1000 {0:g}"><style>
text {{ font-family: Helvetica, Arial, sans-serif; font-size: 12.5px; fill: #1f2430 }}
.title {{ font-size: 20px; font-weight: bold }} .name {{ font-size: 15px; font-weight: bold }}
.code {{ font-family: Menlo, Consolas, "DejaVu Sans Mono", monospace; font-size: 11.5px }} .pale {{ fill: #5b6372 }}
.line {{ fill: none; stroke-width: 2 }} .gap {{ stroke: #fff; stroke-width: 6 }} .box {{ fill: #f4f5f8 }}
</style><title>Stages and packages of biassay</title><rect width="1000" height="{0:g}" fill="#fff"/>
<text x="16" y="32" class="title">Data flow</text>
<text x="16" y="52">A rule (grey) writes files into results/&lt;stage&gt;/. Lines lead to stages that read them.</text>
<text x="664" y="32" class="title">Packages of biassay/</text>
<text x="664" y="52">Each imports only from packages above it.</text>"""


class Part(NamedTuple):
    """A stage with the files that its rules write, or a package of the library with its modules."""

    name: str
    purpose: str
    place: str  # of a stage's rules
    rows: list[tuple[str, list[str]]]
    sources: list[str]  # stages whose files it reads, or packages that it imports from
    readers: list[str]  # stages that read its files, or whose scripts import from it


def dry_run(targets: list[str]) -> tuple[dict[str, list[str]], set[tuple[str, str]]]:
    """Return the files that each rule writes, and pairs of a rule and one that reads its files.

    They come from Snakemake because many inputs are functions of the configuration.
    """
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "snakemake", "--directory", folder, "--configfile", BRANCHES, "--filegraph"]
        result = subprocess.run([*command, "--", *targets], cwd=ROOT, capture_output=True, text=True)
    if result.returncode:
        raise RuntimeError(result.stderr)
    names, written = {}, {}
    for number, box in re.findall(r"^(\d+) \[ (.*?)>>\]$", result.stdout, re.MULTILINE | re.DOTALL):
        names[number] = re.search(r'point-size="18">(\w+)<', box)[1]
        files = re.findall(r'monospace">(.+?)</font>', box.partition("output &rarr;")[2])
        written[names[number]] = [re.sub(r"\{(\w+),[^}]*\}", r"{\1}", html.unescape(file)) for file in files]
    edges = re.findall(r"^\s*(\d+) -> (\d+)$", result.stdout, re.MULTILINE)
    return written, {(names[source], names[reader]) for source, reader in edges}


def read_stages() -> list[Part]:
    """Read all stages, in the order of the Snakefile."""
    rules: dict[str, dict[str, str]] = {}
    for path in re.findall(r'^include: "(rules/.+)"', (ROOT / "Snakefile").read_text("utf-8"), re.MULTILINE):
        for name, docstring in re.findall(
            r'^rule (\w+):\n +"""(.+?)"""', (ROOT / path).read_text("utf-8"), re.MULTILINE
        ):
            rules.setdefault(re.split(r"[/.]", path)[1], {})[name] = docstring
    written, edges = dry_run([*TARGETS, *(word for word in rules if word in rules[word])])
    word_of = {name: word for word, names in rules.items() for name in names}
    if missing := set(word_of) - set(written):
        raise ValueError(f"no job of {', '.join(sorted(missing))}; add one to {BRANCHES.name} or TARGETS")
    pairs = {(word_of[source], word_of.get(reader)) for source, reader in edges} - {(word, word) for word in rules}
    stages = []
    for word, docstrings in rules.items():
        about = docstrings.get(word) or read_purpose(ROOT / "biassay" / word).partition(":")[0]
        place = f"rules/{word}.smk" if (ROOT / f"rules/{word}.smk").is_file() else f"rules/{word}/"
        rows = [(name, list_files(written[name], f"results/{word}/")) for name in docstrings if name != word]
        sources = [other for other in rules if (other, word) in pairs]
        stages.append(Part(word, about, place, rows, sources, [other for other in rules if (word, other) in pairs]))
    return stages


def list_files(files: list[str], place: str) -> list[str]:
    """List files below a place, one line per folder, as `folder/ one.csv two.csv`, without PNGs of SVG figures."""
    folders: dict[str, list[str]] = {}
    for file in files:
        if not (file.endswith(".png") and f"{file[:-4]}.svg" in files):
            folder, slash, name = file.removeprefix(place).rpartition("/")
            folders.setdefault(folder + slash, []).append(name if "." in name else f"{name}/")
    return [f"{folder}{' ' * (len(names) > 1)}{' '.join(names)}".strip() for folder, names in folders.items()]


def read_purpose(package: Path) -> str:
    """Read the purpose of a package: the first paragraph of its docstring."""
    paragraph = ast.get_docstring(ast.parse((package / "__init__.py").read_bytes())).partition("\n\n")[0]
    return paragraph.replace("\n", " ").rstrip(".")


def find_imports(folder: Path) -> set[str]:
    """Find the packages that a folder's files import from."""
    nodes = [node for path in folder.rglob("*.py") for node in ast.walk(ast.parse(path.read_text("utf-8")))]
    modules = [node.module for node in nodes if isinstance(node, ast.ImportFrom) and node.module.startswith("biassay.")]
    return {module.split(".")[1] for module in modules}


def read_packages(stages: list[Part]) -> list[Part]:
    """Read all packages, from the bottom up."""
    contracts = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]["contracts"]
    users = {stage.name: find_imports(ROOT / "scripts" / stage.name) for stage in stages}
    layers, packages = contracts[0]["layers"][::-1], []
    for name in (layer for layer in layers if (ROOT / "biassay" / layer).is_dir()):
        folder = ROOT / "biassay" / name
        modules = sorted(path.stem for path in folder.glob("[!_]*.py"))
        if name in registry.KINDS:
            modules = [f"{len(modules)} plug-ins: {modules[0]} … {modules[-1]}"]
        modules += sorted(f"{path.parent.name}/" for path in folder.glob("*/__init__.py"))
        sources = sorted(find_imports(folder) - {name}, key=layers.index)
        readers = [word for word in users if name in users[word]]
        packages.append(Part(name, read_purpose(folder), "", [("", [" ".join(modules)])], sources, readers))
    return packages


def draw_parts(parts: list[Part], colours: dict[str, str], left: int, right: int) -> tuple[list[str], dict]:
    """Draw boxes one below another; return them with the top and bottom of each."""
    drawn, places, bottom = [], {}, 56
    indent = left + 14 + max(len(rule) + 2 * bool(rule) for part in parts for rule, _ in part.rows) * CODE
    for part in parts:
        top, y = bottom + 10, bottom + 30
        texts = [(left + 14, y, "name", part.name)]
        texts += [(right - 10 - len(part.place) * CODE, y, "code pale", part.place)] * bool(part.place)
        lines = textwrap.wrap(part.purpose.replace("`", ""), int((right - left - 24) / WORDS))
        texts += [(left + 14, y + 16 * n, "what", line) for n, line in enumerate(lines, 1)]
        y += 16 * len(lines) + 4
        for rule, files in part.rows:
            lines = [line for file in files for line in textwrap.wrap(file, int((right - indent - 6) / CODE))]
            texts += [(left + 14, y + 15, "code pale", rule)] * bool(rule)
            texts += [(indent, y + 15 * n, "code", line) for n, line in enumerate(lines, 1)]
            y += 15 * len(lines)
        bottom = y + 10
        drawn.append(f'<rect class="box" x="{left}" y="{top}" width="{right - left}" height="{bottom - top}"/>')
        drawn.append(f'<path stroke="{colours[part.name]}" stroke-width="5" d="M{left + 2.5} {top}V{bottom}"/>')
        drawn += [f'<text x="{x:g}" y="{y}" class="{kind}">{html.escape(text)}</text>' for x, y, kind, text in texts]
        places[part.name] = (top, bottom)
    return drawn, places


def draw_lines(stages: list[Part], places: dict, colours: dict[str, str], left: int) -> list[str]:
    """Draw a line from each stage to those that read its files, shorter lines nearer to the boxes."""
    ends = {stage.name: [places[reader][0] for reader in stage.readers] for stage in stages if stage.readers}
    down, across, taken, step = [], [], [], min(12, 80 // len(ends))
    for name in sorted(ends, key=lambda name: max(ends[name]) - places[name][1]):
        start, last = places[name][1] - 10, max(ends[name])
        track = next(n for n in range(len(ends)) if not any(n == m and start < b and last > a for m, a, b in taken))
        taken.append((track, start, last))
        x, ink, last = left - 16 - step * track, f'="{colours[name]}"', last + 14 + step * track
        down.append(f'<path class="line" stroke{ink} d="M{x + 6} {start}q-6 0-6 6V{last - 6}q0 6 6 6"/>')
        for y in (start, *(end + 14 + step * track for end in ends[name])):
            across.append(f'<path class="line gap" d="M{x + 7} {y}H{left}"/>')
            across.append(f'<path class="line" stroke{ink} d="M{x + 6 * (y in (start, last))} {y}H{left - 1}"/>')
            across.append(f'<path fill{ink} d="M{left - 8} {y - 4.5}l8 4.5l-8 4.5z"/>' * (y > start))
    return down + across


def picture(stages: list[Part], packages: list[Part]) -> str:
    """Draw the stages on the left and the packages on the right, in the colour of the stage of the same name."""
    colours = dict.fromkeys([part.name for part in stages + packages], "#8b93a3")
    colours |= dict(zip([stage.name for stage in stages if stage.readers], COLOURS * 9, strict=False))
    (boxes, places), (others, also) = draw_parts(stages, colours, 96, 646), draw_parts(packages, colours, 664, 984)
    bottom = max(end for _, end in [*places.values(), *also.values()])
    return "\n".join([HEAD.format(bottom + 16), *boxes, *others, *draw_lines(stages, places, colours, 96), "</svg>\n"])


def table(name: str, parts: list[Part]) -> str:
    """Format the stages or packages as a table between the markers of its place in the page."""
    heads = {"stages": "rules | reads | read by", "packages": "modules | imports from | used by scripts of"}
    rows = [f"| {name[:-1]} | purpose | {heads[name]} |", "|---|---|---|---|---|"]
    for part in parts:
        sources, readers = (", ".join(names) or "–" for names in (part.sources, part.readers))
        place = part.place or " ".join(part.rows[0][1])
        rows.append(f"| **{part.name}** | {part.purpose} | `{place}` | {sources} | {readers} |")
    return "\n".join([f"<!-- {name} -->", *rows, "<!-- end -->"])


if __name__ == "__main__":
    packages = read_packages(stages := read_stages())
    (ROOT / "docs/img/architecture.svg").write_text(picture(stages, packages), "utf-8")
    page = ROOT / "docs/architecture.md"
    parts = re.split(r"(<!-- \w+ -->.*?<!-- end -->)", page.read_text("utf-8"), flags=re.DOTALL)
    page.write_text(
        "".join([parts[0], table("stages", stages), parts[2], table("packages", packages), parts[4]]), "utf-8"
    )
