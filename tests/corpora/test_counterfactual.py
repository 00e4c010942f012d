"""Counterfactual corpora: what is turned, how often, and what stays."""

import json

import numpy as np
import pytest
import yaml

from biassay.corpora import corpus as corpora
from biassay.corpora import counterfactual
from biassay.corpora.corpus import Corpus
from biassay.words import resources, target_lists
from tests import scripted

GENDER = {"female": ["she", "her", "hers", "Queen", "ma"], "male": ["he", "his", "his", "king", "pa"]}
SHIPPED = "resources/words/silhouette"


def write_lists(folder, groups, paired=True):
    path = folder / f"{'_'.join(groups)}.yaml"
    path.write_text(yaml.safe_dump({"source": "test", "paired": paired, "groups": groups}))
    return str(path)


def encode(folder, sentences):
    folder.mkdir()
    (folder / "text.txt").write_text("\n".join(sentences))
    corpora.encode([str(folder / "text.txt")], str(folder), min_count=1)
    return Corpus.open(folder)


def swapped(folder, paths, seed=1):
    (folder / "swapped").mkdir()
    made = {name.split(".")[0]: folder / "swapped" / name for name in corpora.FILES}
    inputs = {"corpus": [folder / "of" / name for name in corpora.FILES], "swap": list(paths)}
    scripted.run("corpora/swap_terms.py", input=inputs, output=made, params={"seed": seed})
    return Corpus.open(folder / "swapped"), json.loads(made["summary"].read_text())


def read(corpus):
    return [" ".join(corpus.words[i] for i in sentence) for sentence in corpus.sentences()]


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
    before = encode(tmp_path / "of", [" ".join(sentence) for sentence in sentences])
    count = dict(zip(before.words, before.counts.tolist(), strict=True))
    pairs = [[("her", "his"), ("her", "him"), ("hers", "his")], [("nun", "monk"), ("queen", "her")]]
    files, paths = [], []
    for number, listed in enumerate(pairs):
        groups = {"female": [a for a, _ in listed], "male": [b for _, b in listed]}
        paths.append(write_lists(tmp_path, {f"{group}{number}": words for group, words in groups.items()}))
        found = {}
        for word, partner in sorted(
            [*listed, *((b, a) for a, b in listed)], key=lambda pair: before.words.index(pair[1])
        ):
            found.setdefault(word, []).append(partner)
        files.append({w: [(p, count[p] / sum(count[q] for q in of)) for p in of] for w, of in found.items()})
    monkeypatch.setattr(corpora, "CHUNK", 100)
    after, summary = swapped(tmp_path, paths, seed=4)
    turned = plain_swap(sentences, files, 4)
    assert read(after) == [" ".join(sentence) for sentence in sentences]
    assert summary["swapped"] == dict(zip(paths, turned, strict=True))


def test_no_context_tells_the_groups_apart(tmp_path):
    random = np.random.default_rng(0)
    chances = {"nurse": 0.9, "miner": 0.05, "clerk": 0.5}
    sentences = []
    for _ in range(6000):
        word = random.choice(list(chances))
        group = "female" if random.random() < chances[word] else "male"
        sentences.append(f"{random.choice(GENDER[group][:3])} is a {word}")
    encode(tmp_path / "of", sentences)
    groups = {"f": ["she", "her", "hers"], "m": ["he", "his"]}
    texts = read(swapped(tmp_path, [write_lists(tmp_path, groups, paired=False)])[0])
    for word in chances:
        female = [text.split()[0] in GENDER["female"] for text in texts if text.endswith(word)]
        assert abs(sum(female) - len(female) / 2) < 5 * np.sqrt(len(female) / 4), word


def test_unpaired_words_are_paired_by_rank_and_the_longer_group_goes_round(tmp_path, caplog):
    words = ["smith", "joe", "jones", "jamal", "ann", "tia", "bo"]
    counts = np.array([90, 80, 70, 60, 50, 40, counterfactual.MIN_COUNT - 1])
    groups = {"a": ["bo", "Ann", "jones", "Smith", "missing", "joe"], "b": ["Tia", "Jamal", "Smith"]}
    partners = counterfactual.find_partners(write_lists(tmp_path, groups, paired=False), words, counts)
    found = {word: partners.partner[partners.start[i] : partners.start[i + 1]] for i, word in enumerate(words)}
    named = {word: {words[partner] for partner in found[word]} for word in words}
    assert named == {
        "smith": set(), "joe": {"jamal"}, "jones": {"tia"}, "ann": {"jamal"}, "jamal": {"joe", "ann"}, "tia": {"jones"},
        "bo": set(),
    }  # fmt: skip
    assert "2 words of the lists are never swapped" in caplog.text
    assert caplog.text.endswith(": smith (90), bo (19)\n")


def test_lists_without_words_of_the_corpus(tmp_path):
    encode(tmp_path / "of", ["a b c"])
    with pytest.raises(ValueError, match=r"female_male\.yaml: no word of a pair occurs 20 times"):
        swapped(tmp_path, [write_lists(tmp_path, GENDER)])


def test_shipped_swap_lists():
    gender, paired = target_lists.read_swap(f"{SHIPPED}/swap_gender.yaml")
    occupations, also_paired = target_lists.read_swap(f"{SHIPPED}/swap_occupations.yaml")
    assert (paired, also_paired) == (True, True)
    large = resources.read_groups("resources/words/gender/large.yaml")
    silhouette = target_lists.read(f"{SHIPPED}/gender.yaml").groups
    for group, other in (("female", "male"), ("male", "female")):
        assert set(map(str.lower, silhouette[group])) <= set(gender[group])
        assert set(large[group]) <= {*gender[group], *occupations[group]}
        assert not set(gender[group]) & {*gender[other], *occupations[other], *occupations[group]}
    pairs = set(zip(gender["female"], gender["male"], strict=True))
    assert {("she", "he"), ("her", "his"), ("her", "him"), ("hers", "his"), ("queen", "king")} <= pairs
    assert len(pairs) == len(gender["female"])
