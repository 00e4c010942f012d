"""The scripts of counting, on encoded text, against a plain count of the words in the text."""

import numpy as np
import pytest

from biassay.corpora import corpus as corpora
from biassay.corpora.corpus import Corpus
from biassay.counts import storage
from tests import scripted

SENTENCES = [["a", "b", "a", "c"], ["c", "d", "d", "b", "a"], ["b"], ["a", "a", "d", "c", "b", "e", "a"]] * 3


@pytest.fixture
def corpus(tmp_path):
    (tmp_path / "text.txt").write_text("\n".join(map(" ".join, SENTENCES)))
    corpora.encode([str(tmp_path / "text.txt")], str(tmp_path), min_count=1)
    return {"tokens": tmp_path / "tokens.npy", "words": tmp_path / "words.txt"}


def plain(words, window):
    """Pairs by (window − distance + 1) / window, counted in the text."""
    counts = np.zeros((len(words), len(words)))
    for sentence in SENTENCES:
        for i, word in enumerate(sentence):
            for j, other in enumerate(sentence):
                if i != j:
                    counts[words.index(word), words.index(other)] += max(0, window - abs(i - j) + 1) / window
    return counts


def test_counts_are_those_of_the_text_in_one_job_and_in_shards(corpus, tmp_path):
    options = {"window": 3, "weighting": "linear", "sample": 0.0}
    whole, merged = tmp_path / "made/whole", tmp_path / "made/merged"
    script, asked = "counts/count_cooccurrences.py", {"input": corpus, "threads": 2}
    params = {"options": options, "seed": 1}
    scripted.run(script, **asked, output={"out": whole}, params=params)
    parts = [tmp_path / f"parts/{shard}" for shard in range(3)]
    for shard, part in enumerate(parts):
        given = {"params": params | {"shards": 3}, "wildcards": {"shard": str(shard)}}
        scripted.run(script, **asked, output={"out": part}, **given)
    sums = [int(storage.load(part).data.sum()) for part in parts]
    assert min(sums) > 0
    scripted.run("counts/merge.py", input={"shards": parts}, output={"out": merged}, params={"options": options})
    for folder in (whole, merged):
        expected = plain(Corpus.open(tmp_path).words, 3)
        np.testing.assert_allclose(storage.load(folder).toarray(), expected, rtol=1e-12)
    assert sum(sums) == pytest.approx(3 * expected.sum())
