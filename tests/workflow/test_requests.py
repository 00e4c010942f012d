"""Memory and time that jobs request, compared with measurements of the default and of larger runs."""

import re
from pathlib import Path

import pytest

from biassay.console import forecast, requests
from tests.running import ROOT, copy_project, snakemake

MEASURED = forecast.read(ROOT / forecast.MEASURED)
DEFAULT = forecast.default(str(ROOT))
HOME = str(ROOT)
BLOCK = re.compile(r"^ *(?:local)?rule (\w+):\n((?: +\S.*\n)+)", re.MULTILINE)


@pytest.fixture(scope="module")
def asked(tmp_path_factory):
    """Return MB and minutes that jobs of the default request, by rule, from a dry run."""
    folder = tmp_path_factory.mktemp("default")
    copy_project(folder)
    result = snakemake(folder, "-n", "--verbose", overlay="config.yaml")
    assert result.returncode == 0, result.stderr
    found = {}
    for rule, text in BLOCK.findall(result.stdout + result.stderr):
        number = {key: re.search(rf"\b{key}=(\d+)", text) for key in ("mem_mb", "runtime")}
        found.setdefault(rule, []).append({key: int(value[1]) for key, value in number.items() if value})
    return found


def test_every_rule_of_the_default_is_measured(asked):
    assert set(asked) - {"all", *MEASURED} == set()
    assert min(row["memory_mb"] for row in MEASURED.values()) > 20


@pytest.mark.parametrize("rule", sorted(MEASURED))
def test_requests_fit_what_was_measured(asked, rule):
    memory, minutes = MEASURED[rule]["memory_mb"], MEASURED[rule]["seconds"] / 60
    for job in asked.get(rule, []):
        if "mem_mb" in job:  # known once the inputs are there
            assert 1.2 * memory <= job["mem_mb"] <= max(1000, 2 * memory)
        assert 3 * minutes <= job["runtime"]
        assert minutes < 5 or job["runtime"] <= 5 * minutes


def test_what_is_asked_grows_with_the_models_and_the_attempts():
    config = DEFAULT | {"language_models": {"tiny": {"hub": "bert-base-uncased", "revision": "0" * 40}}}
    weights = 12 * 12 * 768**2 + 30_522 * 768
    chunk = DEFAULT["same"]["chunk"]
    at_least = weights * 12 * chunk / 1e6
    for attempt in (1, 2, 3):
        found = requests.memory("train_same", config, HOME)({}, [], attempt)
        assert at_least * 2 ** (attempt - 1) < found < 2 * (at_least + 3000) * 2 ** (attempt - 1)
    assert requests.memory("encode_same", config, HOME)({}, [], 1) > weights * 8 / 1e6
    slower = requests.minutes("train_same", config, HOME)({}, 1)
    foreseen = MEASURED["train_same"]["seconds"] * forecast.ratio("train_same", config, DEFAULT)
    assert slower == pytest.approx(4 * foreseen / 60, abs=1)
    assert slower > 300


def test_the_least_that_is_asked():
    assert [requests.memory("select_same_models", DEFAULT, HOME)({}, [], attempt) for attempt in (1, 2, 3)] == [
        1000,
        2000,
        4000,
    ]
    assert [requests.minutes("select_same_models", DEFAULT, HOME)({}, attempt) for attempt in (1, 2, 3)] == [10, 20, 40]
    assert requests.minutes("select_same_models", DEFAULT, HOME, least=30)({}, 1) == 30
    assert requests.memory("select_same_models", DEFAULT, HOME, least=2000)({}, [], 1) == 2000


def test_what_is_read_counts_files_of_folders(tmp_path):
    (tmp_path / "a/b").mkdir(parents=True)
    (tmp_path / "a/b/c").write_bytes(b"0" * 3_000_000)
    (tmp_path / "d").write_bytes(b"0" * 500_000)
    paths = [str(tmp_path / "a"), str(tmp_path / "d")]
    assert requests.size(paths) == 3.5
    plain, more = (
        requests.memory("no_rule", DEFAULT, HOME, least=100, reads=reads)({}, paths, 1) for reads in (0, 100)
    )
    assert more - plain == pytest.approx(350, abs=100)
    with pytest.raises(FileNotFoundError) as error:
        requests.size([*paths, str(tmp_path / "no")])
    assert Path(error.value.filename).name == "no"


@pytest.mark.parametrize(("rule", "tokens", "measured"), [  # GB, docs/scaling.md and docs/benchmarks.md
    ("count_cooccurrences", 64.8e6, 1.73), ("encode_corpus", 64.8e6, 0.49), ("train_embedding", 62.6e6, 0.67),
])  # fmt: skip
def test_requests_for_wikipedia_are_not_below_what_it_took(tmp_path, rule, tokens, measured):
    text = tmp_path / "text.txt"
    with open(text, "wb") as file:
        file.truncate(int(tokens * 6))  # a sparse file of that length
    corpora = {"wiki": {"source": "text", "path": str(text)}}
    config = DEFAULT | {"corpora": corpora, "studies": ["first_order"]}
    config["first_order"] = DEFAULT["first_order"] | {"corpora": ["wiki"]}
    found = requests.memory(rule, config, HOME)({}, [], 1)
    assert measured < found / 1000 < 4 * max(1, measured)
