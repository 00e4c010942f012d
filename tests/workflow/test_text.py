"""The workflow from text to counts."""

import functools
import hashlib
import http.server
import re
import threading

import pytest

from tests.running import copy_project, planned, snakemake

DUMP = """<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.11/"><page><ns>0</ns><id>1</id><revision>
<text>The '''nurse''' helps the [[physician|doctor]]. The nurse sings.</text></revision></page></mediawiki>"""
TEXT = "the nurse helps the doctor. the doctor thanks the nurse! a carpenter sings\n" * 300

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def project(tmp_path_factory):
    """A copy of the project with a small text."""
    folder = tmp_path_factory.mktemp("project")
    copy_project(folder)
    (folder / "mine.txt").write_text(TEXT)
    return folder


def counted(project, name, shards):
    """Count the text in a number of shards; return the bytes of the files, and Snakemake's output."""
    config = {
        "corpora": {name: {"source": "text", "path": "mine.txt", "min_count": 2, "boundaries": "sentence"}},
        "counts": {"skipgram": {"shards": shards}},
    }
    result = snakemake(project, f"results/counts/{name}/skipgram", config=config)
    assert result.returncode == 0, result.stderr
    folder = project / f"results/counts/{name}/skipgram"
    return {path.name: path.read_bytes() for path in folder.iterdir()}, result.stderr


def test_counting_in_shards_changes_nothing(project):
    whole, _ = counted(project, "whole", 1)
    merged, said = counted(project, "parts", 3)
    assert len(re.findall(r" of \d+  counts: count_shard ", said)) == 3
    assert merged == whole


@pytest.fixture
def address(tmp_path):
    """Serve a dump; return its address."""
    (tmp_path / "small.xml").write_text(DUMP)

    class Quiet(http.server.SimpleHTTPRequestHandler):
        log_message = lambda *arguments: None  # noqa: E731

    handler = functools.partial(Quiet, directory=tmp_path)
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


def wikipedia(**options):
    return {"corpora": {"wiki": {"source": "wikipedia", "min_count": 1, "boundaries": "sentence", **options}}}


def test_from_the_address_of_a_dump_to_words(project, address):
    checksum = "sha256:" + hashlib.sha256(DUMP.encode()).hexdigest()
    words, dump = project / "results/corpora/wiki/words.txt", project / "downloads/small.xml"
    target = "results/corpora/wiki/words.txt"
    config = wikipedia(url=f"{address}/small.xml", checksum=checksum.replace(checksum[-1], "0"))
    result = snakemake(project, target, config=config)
    assert result.stderr.count("Error: downloads/small.xml: expected sha256") == 1, result.stderr
    assert not dump.exists()
    result = snakemake(project, target, config=wikipedia(url=f"{address}/none.xml", checksum=checksum))
    assert "/none.xml: the server answered 404 File not found" in result.stderr
    config = wikipedia(url=f"{address}/small.xml", checksum=checksum)
    result = snakemake(project, target, config=config)
    assert result.returncode == 0, result.stderr
    assert words.read_text().split() == ["the", "nurse", "doctor", "helps", "sings"]
    dump.unlink()
    assert planned(project, target, config=config) == {}


def test_a_language_model_from_a_corpus(project):
    sizes = {"layers": 1, "width": 16, "heads": 2, "length": 16, "batch": 8, "steps": 5, "vocabulary": 100}
    config = {
        "corpora": {"small": {"source": "text", "path": "mine.txt", "min_count": 2, "boundaries": "sentence"}},
        "language_models": {"made": {"pretrain": {"corpus": "small", **sizes}}},
    }
    result = snakemake(project, "results/language_models/made", config=config)
    assert result.returncode == 0, result.stderr
    assert (project / "results/language_models/made/model.safetensors").is_file()
    assert planned(project, "results/language_models/made", config=config) == {}


def test_the_papers_setting_has_a_plan(project):
    jobs = planned(project, "first_order", overlay="configs/paper.yaml")
    assert jobs["count_shard"] == 32 * jobs["merge_counts"]
    assert jobs["download_file"] == jobs["extract_articles"] == jobs["encode_corpus"] == 1
