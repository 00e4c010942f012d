"""Lists of files with the same file twice are refused, however its path is written."""

import os

import pytest

from biassay.core import guard
from biassay.corpora import corpus, counterfactual, wikipedia
from biassay.counts import shards
from biassay.studies.downstream import biographies, comments

READERS = {
    "corpus": lambda paths, out: corpus.encode(paths, str(out), min_count=1),
    "dumps": lambda paths, out: wikipedia.extract(paths, out / "text.txt"),
    "swap": lambda paths, out: counterfactual.swap(out, paths, out, seed=1),
    "shards": lambda paths, out: shards.merge(paths, out, window=2, weighting="flat"),
    "comments": lambda paths, out: comments.read_jigsaw(paths, "gender", {"gender": {"male": ["man"]}}),
    "articles": lambda paths, out: biographies.read(paths, False, defining={}),
}


@pytest.mark.parametrize("name", READERS)
def test_readers_refuse_a_file_given_twice(name, tmp_path):
    (tmp_path / "out").mkdir()
    path, link = tmp_path / "a.csv", tmp_path / "b.csv"
    path.write_text("text\n")
    link.symlink_to(path)
    with pytest.raises(ValueError, match=f"{name}: '{path}' and '{link}' are the same file"):
        READERS[name]([str(path), str(link)], tmp_path / "out")
    assert not list((tmp_path / "out").iterdir())


def test_paths_to_the_same_file(tmp_path):
    (tmp_path / "in").mkdir()
    path, link = tmp_path / "in" / "a.csv", tmp_path / "c.csv"
    path.write_text("text\n")
    os.link(path, link)
    (tmp_path / "folder").symlink_to(tmp_path / "in")
    for other in (f"{tmp_path}/in/../in/./a.csv", link, tmp_path / "folder" / "a.csv"):
        with pytest.raises(ValueError, match=r"^here: .* are the same file"):
            guard.check_different("here", [path, other])
    with pytest.raises(ValueError, match=r"^here: 'no' and 'no' are the same file"):
        guard.check_different("here", ["no", path, "other", "no"])
