"""Lists of files with the same file twice are refused, however its path is written."""

import os

import pytest

from biassay.auditing import arguments
from biassay.corpora import corpus, counterfactual, wikipedia
from biassay.counts import shards
from biassay.studies.downstream import biographies, jigsaw

READERS = {
    "corpus": lambda paths, out: corpus.encode(paths, str(out), min_count=1),
    "dumps": lambda paths, out: wikipedia.extract(paths, out / "text.txt"),
    "swap": lambda paths, out: counterfactual.swap(out, paths, out, seed=1),
    "shards": lambda paths, out: shards.merge(paths, out, window=2, weighting="flat"),
    "comments": lambda paths, out: jigsaw.read(paths, "gender", {"gender": {"male": ["man"], "female": ["woman"]}}),
    "articles": lambda paths, out: biographies.read(paths, False, defining={}),
    "sources": lambda paths, out: arguments.source_names(paths),
}


@pytest.mark.bad_input("paths", "refused; the message names both paths; nothing is written")
@pytest.mark.parametrize("kind", ["equal", "spelled otherwise", "symbolic link", "hard link", "link to its folder"])
@pytest.mark.parametrize("what", READERS)
def test_a_file_that_is_given_twice_is_refused(what, kind, tmp_path):
    (tmp_path / "in").mkdir()
    (tmp_path / "out").mkdir()
    path, link = tmp_path / "in" / "a.csv", tmp_path / "in" / "b.csv"
    path.write_text("text\n")
    link.symlink_to(path)
    os.link(path, tmp_path / "c.csv")
    (tmp_path / "folder").symlink_to(tmp_path / "in")
    others = {
        "equal": str(path),
        "spelled otherwise": f"{tmp_path}/in/../in/./a.csv",
        "symbolic link": str(link),
        "hard link": str(tmp_path / "c.csv"),
        "link to its folder": str(tmp_path / "folder" / "a.csv"),
    }
    with pytest.raises(ValueError, match="are the same file") as caught:
        READERS[what]([str(path), others[kind]], tmp_path / "out")
    assert f"{what}: {str(path)!r} and {others[kind]!r}" in str(caught.value)
    assert not list((tmp_path / "out").iterdir())


def test_other_sources_may_read_the_same_model(tmp_path):
    assert len(arguments.source_names([f"hf:{tmp_path}", f"hf-inputs:{tmp_path}"])) == 2
