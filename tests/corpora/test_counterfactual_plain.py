"""Counterfactual corpora, against a loop over sentences and words."""

import numpy as np
import pytest

from biassay.corpora import corpus as corpora
from biassay.corpora import counterfactual
from tests import progress
from tests.corpora import test_counterfactual as lists


def plain_swap(sentences, files, seed):
    """Sentence by sentence and word by word; files: partners with their shares, by word."""
    turned = [0] * len(files)
    for number, partners in enumerate(files):
        coins, draws = (np.random.default_rng([seed, purpose, number]) for purpose in (5, 6))
        heads = coins.random(len(sentences)) < 0.5
        for row, sentence in enumerate(sentences):
            for place, word in enumerate(sentence):
                if heads[row] and word in partners:
                    upto = np.cumsum([share for _, share in partners[word]])
                    sentence[place] = partners[word][int((draws.random() >= upto).sum())][0]
                    turned[number] += 1
    return turned


def test_a_swap_is_that_of_a_plain_loop(tmp_path, monkeypatch):
    random = np.random.default_rng(2)
    words = ["his"] * 5 + ["her"] * 4 + ["him"] * 3 + ["hers", "nun", "monk", "saw", "queen"]
    sentences = [random.choice(words, random.integers(1, 7)).tolist() for _ in range(400)]
    before = lists.encode(tmp_path / "of", [" ".join(sentence) for sentence in sentences])
    count = dict(zip(before.words, before.counts.tolist(), strict=True))
    pairs = [[("her", "his"), ("her", "him"), ("hers", "his")], [("nun", "monk"), ("queen", "her")]]
    files, paths = [], []
    for number, listed in enumerate(pairs):
        groups = {"female": [a for a, _ in listed], "male": [b for _, b in listed]}
        paths.append(lists.write_lists(tmp_path, {f"{group}{number}": words for group, words in groups.items()}))
        found = {}
        for word, partner in sorted(
            [*listed, *((b, a) for a, b in listed)], key=lambda pair: before.words.index(pair[1])
        ):
            found.setdefault(word, []).append(partner)
        files.append({w: [(p, count[p] / sum(count[q] for q in of)) for p in of] for w, of in found.items()})
    monkeypatch.setattr(corpora, "CHUNK", 100)
    begun = progress.kept(monkeypatch, counterfactual)
    after, summary = lists.swapped(tmp_path, paths, seed=4)
    turned = plain_swap(sentences, files, 4)
    assert lists.read(after) == [" ".join(sentence) for sentence in sentences]
    assert summary["swapped"] == dict(zip(paths, turned, strict=True))
    assert begun[0].total == pytest.approx(begun[0].done, rel=1e-9) == len(before.tokens) / 1e6
