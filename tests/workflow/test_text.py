"""The workflow from text to counts."""

import functools
import hashlib
import http.server
import threading

import pytest

from tests.running import copy_project, planned, snakemake

DUMP = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/"><page><ns>0</ns><id>1</id><revision>
<text>The '''nurse''' helps the [[physician|doctor]]. The nurse sings.</text></revision></page></mediawiki>"""
SMALL = {"source": "text", "path": "mine.txt", "min_count": 2, "boundaries": "sentence"}
TEXT = "the nurse helps the doctor. the doctor thanks the nurse! a carpenter sings\n" * 300

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with a small text."""
    folder = tmp_path_factory.mktemp("project")
    copy_project(folder)
    (folder / "mine.txt").write_text(TEXT)
    return folder


@pytest.fixture
def address(tmp_path):
    """Serve a dump by two names; return their address."""
    for name in ("wiki.xml", "changed.xml"):
        (tmp_path / name).write_text(DUMP)

    class Quiet(http.server.SimpleHTTPRequestHandler):
        log_message = lambda *arguments: None  # noqa: E731

    handler = functools.partial(Quiet, directory=tmp_path)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def test_from_the_address_of_a_dump_to_words(project, address):
    checksum = "sha256:" + hashlib.sha256(DUMP.encode()).hexdigest()
    others = {"changed": checksum.replace(checksum[-1], "0"), "none": checksum}
    wikipedia = {"source": "wikipedia", "min_count": 1, "boundaries": "sentence"}
    config = {
        "corpora": {
            name: {**wikipedia, "url": f"{address}/{name}.xml", "checksum": expected}
            for name, expected in {"wiki": checksum, **others}.items()
        }
    }
    words, *none = (f"results/corpora/{name}/words.txt" for name in config["corpora"])
    result = snakemake(project, words, *none, "--keep-going", config=config)
    assert result.returncode != 0
    assert result.stderr.count("Error: downloads/changed.xml: expected sha256") == 1, result.stderr
    assert "/none.xml: the server answered 404 File not found" in result.stderr
    assert not (project / "downloads/changed.xml").exists()
    assert (project / words).read_text().split() == ["the", "nurse", "doctor", "helps", "sings"]
    (project / "downloads/wiki.xml").unlink()
    assert planned(project, words, config=config) == {}


def test_a_language_model_from_a_corpus(project):
    sizes = {"layers": 1, "width": 16, "heads": 2, "length": 16, "batch": 8, "steps": 5, "vocabulary": 100}
    config = {
        "corpora": {"small": SMALL},
        "language_models": {"made": {"pretrain": {"corpus": "small", **sizes}}},
    }
    result = snakemake(project, "results/language_models/made", config=config)
    assert result.returncode == 0, result.stderr
    assert (project / "results/language_models/made/model.safetensors").is_file()
    assert planned(project, "results/language_models/made", config=config) == {}


def test_the_papers_setting_has_a_plan(project):
    jobs = planned(project, "first_order", overlay="configs/paper.yaml")
    assert jobs["count_cooccurrences"] == 2  # with and without subsampling
    assert jobs["download_file"] == jobs["extract_articles"] == jobs["encode_corpus"] == 1
