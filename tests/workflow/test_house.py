"""Names of stages, rules, scripts, results and packages agree, and imports go one way."""

import ast
import re
from statistics import median

import pytest
import yaml

from biassay.core import registry
from tests.running import ROOT

PACKAGES = sorted(path.parent.name for path in (ROOT / "biassay").glob("*/__init__.py"))
WORDS = [
    "corpora",
    "counts",
    "embeddings",
    "language_models",
    "first_order",
    "silhouette",
    "same",
    "intrinsic",
    "downstream",
    "properties",
    "published",
    "audit",
    "seeds",
    "board",
]
FORMS = {
    "corpora": "corpus",
    "embeddings": "embedding",
    "language_models": "language_model",
    "silhouette": "silhouettes?",
    "audit": "audits?",
}


def rules():
    """(word, name, text) of all rules except targets."""
    found = []
    for word in WORDS:
        file = ROOT / f"rules/{word}.smk"
        for path in [file] if file.is_file() else sorted((ROOT / f"rules/{word}").glob("*.smk")):
            for block in re.split(r"^(?=\w)", path.read_text("utf-8"), flags=re.MULTILINE):
                name = re.match(r"rule (\w+):\n", block)
                if name and name[1] != word:
                    found.append(pytest.param(word, name[1], block.rstrip(), id=name[1]))
    return found


RULES = rules()


def test_every_file_of_rules_is_of_a_stage():
    words = {path.name.removesuffix(".smk") for path in (ROOT / "rules").iterdir()}
    assert words == {*WORDS, "cluster", "common", "inputs"}
    assert len(RULES) > 35


@pytest.mark.parametrize(("word", "name", "text"), RULES)
def test_a_rule_is_complete_and_its_script_log_and_results_bear_its_word(word, name, text):
    assert re.match(r'rule \w+:\n    """\w.+"""\n', text), "docstring"
    for part in ("output", "log", "conda", "resources"):
        assert f"\n    {part}:\n" in text, part
    assert "**SMALL" in text or f'**job_resources("{name}"' in text or ("mem_mb=" in text and "runtime=" in text)
    for kind in ("logs", "benchmarks"):
        assert all(path.startswith(word + "/") for path in re.findall(rf'"results/{kind}/([^"]+)"', text))
    assert f'"results/logs/{word}/' in text
    output = re.search(r"\n    output:\n((?:        .*\n)+)", text)[1]
    folders = set(re.findall(r'"(results/\w+|downloads)/', output))
    assert folders <= {f"results/{word}", "downloads"}
    if script := re.search(r'"[./]+/scripts/(\w+)/(\w+)\.py"', text):
        form = FORMS.get(word, word)
        assert script.groups() == (word, re.sub(rf"_?({form}|{word})(?=_|$)", "", name).strip("_"))
        assert f'code("{word}/{script[2]}"' in text


@pytest.mark.parametrize(("word", "name", "text"), RULES)
def test_every_caption_is_there(word, name, text):
    shown = re.findall(r'(?:in_report|figure)\(\s*"results/(\w+)/([^"]+)",\s*"[^"]+"(?:,\s*"(\w+)")?', text)
    assert len(shown) == len(re.findall(r"\b(?:in_report|figure)\(", text))
    for study, path, caption in shown:
        stem = caption or path.split("/")[-1].split(".")[0]
        assert (ROOT / f"report/{study}/{stem}.rst").is_file()


def test_no_script_and_no_caption_is_left_over():
    texts = "".join(text for _, _, text in (rule.values for rule in RULES))
    for path in (ROOT / "scripts").rglob("*.py"):
        assert f"scripts/{path.relative_to(ROOT / 'scripts')}" in texts
    for path in (ROOT / "report").rglob("*/*.rst"):
        assert re.search(rf'[/"]{path.stem}(\.csv|\.html)?"', texts), path


def test_rules_of_tables_and_figures_are_short():
    lengths = [text.count("\n") + 1 for _, _, text in (rule.values for rule in RULES) if "**SMALL" in text]
    assert len(lengths) >= 15
    assert median(lengths) <= 19


def test_folders_bear_the_words():
    config = yaml.safe_load((ROOT / "config.yaml").read_text("utf-8"))
    assert set(WORDS) <= set(config)
    assert {path.name for path in (ROOT / "scripts").iterdir() if path.name[0] != "_"} == set(WORDS)
    assert {path.name for path in (ROOT / "report").iterdir() if path.is_dir()} <= set(WORDS)
    folders = {path.name for path in (ROOT / "tests").iterdir() if path.is_dir() and path.name[0] != "_"}
    assert folders <= {*WORDS, *PACKAGES, "cluster"}
    assert {path.name for path in (ROOT / "biassay/studies").iterdir() if path.name[0] != "_"} <= set(WORDS)


@pytest.mark.parametrize("path", sorted((ROOT / "biassay").rglob("*.py")), ids=lambda path: str(path.relative_to(ROOT)))
def test_the_library_imports_leaf_modules_only(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.level or node.module.split(".")[0] == "biassay"):
            assert not node.level
            for alias in node.names:
                leaf = ROOT / (node.module.replace(".", "/") + ".py")
                assert leaf.is_file() or (ROOT / node.module.replace(".", "/") / f"{alias.name}.py").is_file()
        elif isinstance(node, ast.Import):
            assert not any(alias.name.split(".")[0] == "biassay" for alias in node.names)


def test_no_plug_in_is_called_as_a_package_a_public_name_or_another_plug_in():
    public = registry.read_constant(ROOT / "biassay/__init__.py", "PUBLIC")
    names = [name for kind in registry.KINDS for name in registry.names(kind)]
    assert len(set(names)) == len(names)
    assert not set(names) & {*PACKAGES, *public}
