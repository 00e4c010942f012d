"""Shuffled corpora: what stays, and that no co-occurrence does."""

import numpy as np

from biassay.corpora import corpus as corpora
from biassay.corpora.corpus import END, Corpus
from tests import scripted


def shuffled(source, name, seed=1):
    folder = source.parent / f"{name}_{seed}"
    folder.mkdir()
    made = {file.split(".")[0]: folder / file for file in corpora.FILES}
    original = [source / file for file in corpora.FILES]
    rule = {"input": {"original": original}, "params": {"seed": seed}, "wildcards": {"corpus": name}}
    scripted.run("corpora/shuffle_words.py", output=made, **rule)
    assert (folder / "summary.json").read_text() == (source / "summary.json").read_text()
    return Corpus.open(folder)


def test_words_keep_their_counts_and_sentences_their_lengths_but_words_leave_their_sentences(tmp_path):
    source = tmp_path / "of"
    source.mkdir()
    (source / "text.txt").write_text("a b c.\n" * 300 + "d e.\n" * 300 + "f.\n" * 300)
    corpora.encode([str(source / "text.txt")], str(source), min_count=1)
    before, after = Corpus.open(source), shuffled(source, "mine")
    assert after.words == before.words
    assert after.counts.tolist() == before.counts.tolist() == np.bincount(after.tokens[after.tokens != END]).tolist()
    np.testing.assert_array_equal(after.tokens == END, before.tokens == END)
    pairs = [tuple(sentence) for sentence in after.sentences() if len(sentence) == 2]
    both = {before.words.index("d"), before.words.index("e")}
    assert 0 < np.mean([set(pair) == both for pair in pairs]) < 0.15  # by chance: 2/36
    first = {after.words[pair[0]] for pair in pairs}
    assert first == set("abcdef")
    assert shuffled(source, "mine", seed=2).tokens.tolist() != after.tokens.tolist()
    assert shuffled(source, "other").tokens.tolist() != after.tokens.tolist()
