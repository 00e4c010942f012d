"""Counterfactual corpora: what is turned, how often, and what stays."""

import numpy as np
import pytest
import yaml

from biassay.corpora import corpus as corpora
from biassay.corpora import counterfactual
from biassay.corpora.corpus import Corpus
from biassay.words import resources, target_lists
from tests.running import copy_project, snakemake

GENDER = {"female": ["she", "her", "hers", "Queen", "ma"], "male": ["he", "his", "his", "king", "pa"]}
SHIPPED = "resources/words/silhouette"
TOKENS = "results/corpora/swapped/tokens.npy"


def write_lists(folder, groups, paired=True):
    path = folder / f"{'_'.join(groups)}.yaml"
    path.write_text(yaml.safe_dump({"source": "test", "paired": paired, "groups": groups}))
    return str(path)


def encode(folder, sentences):
    folder.mkdir()
    (folder / "text.txt").write_text("\n".join(sentences))
    corpora.encode([str(folder / "text.txt")], str(folder), min_count=1)
    return Corpus.open(folder)


def swapped(folder, paths, name="swapped", seed=1):
    (folder / name).mkdir()
    summary = counterfactual.swap(folder / "of", paths, folder / name, seed=seed)
    return Corpus.open(folder / name), summary


def read(corpus):
    return [" ".join(corpus.words[i] for i in sentence) for sentence in corpus.sentences()]


def test_a_sentence_is_turned_as_a_whole_or_stays(tmp_path):
    sentences = ["she saw the queen", "he saw the king", "his king saw him", "nobody saw her"] * 200
    before = encode(tmp_path / "of", sentences)
    after, summary = swapped(tmp_path, [write_lists(tmp_path, GENDER)])
    turned = {
        "she saw the queen": "he saw the king",
        "he saw the king": "she saw the queen",
        "his king saw him": "her queen saw him",  # him has no partner in these lists
        "nobody saw her": "nobody saw his",
    }
    pairs = list(zip(read(before), read(after), strict=True))
    assert set(pairs) == {*turned.items(), *((sentence, sentence) for sentence in turned)}
    changed = sum(a != b for a, b in pairs)
    assert abs(changed - 400) < 5 * np.sqrt(800 / 4)
    tokens = sum({"s": 2, "h": 2, "n": 1}[a[0]] for a, b in pairs if a != b)
    assert summary["swapped"] == {str(tmp_path / "female_male.yaml"): tokens}


@pytest.mark.parametrize("paired", [True, False])
def test_no_context_tells_the_groups_apart(tmp_path, paired):
    random = np.random.default_rng(0)
    chances = {"nurse": 0.9, "miner": 0.05, "clerk": 0.5}
    sentences = []
    for _ in range(6000):
        word = random.choice(list(chances))
        group = "female" if random.random() < chances[word] else "male"
        sentences.append(f"{random.choice(GENDER[group][:3])} is a {word}")
    encode(tmp_path / "of", sentences)
    groups = GENDER if paired else {"f": ["she", "her", "hers"], "m": ["he", "his"]}
    texts = read(swapped(tmp_path, [write_lists(tmp_path, groups, paired)])[0])
    for word in chances:
        female = [text.split()[0] in GENDER["female"] for text in texts if text.endswith(word)]
        assert abs(sum(female) - len(female) / 2) < 5 * np.sqrt(len(female) / 4), word


def test_repeatable_by_seed_and_whatever_the_chunks(tmp_path, monkeypatch):
    encode(tmp_path / "of", ["she saw her king", "his queen is here", "hers or his"] * 60)
    path = write_lists(tmp_path, GENDER)
    first = swapped(tmp_path, [path])[0].tokens.tolist()
    assert swapped(tmp_path, [path], "other", seed=2)[0].tokens.tolist() != first
    monkeypatch.setattr(corpora, "CHUNK", 10)
    assert swapped(tmp_path, [path], "again")[0].tokens.tolist() == first


def test_unpaired_words_are_paired_by_rank_and_the_longer_group_goes_round(tmp_path):
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


def test_lists_without_words_of_the_corpus(tmp_path):
    encode(tmp_path / "of", ["a b c"])
    with pytest.raises(ValueError, match=r"female_male\.yaml: no word of a pair occurs 20 times"):
        swapped(tmp_path, [write_lists(tmp_path, GENDER)])


def test_shipped_swap_lists():
    gender, paired = target_lists.read_groups(f"{SHIPPED}/swap_gender.yaml", lower=True, allow_duplicates=True)
    occupations, also_paired = target_lists.read_groups(f"{SHIPPED}/swap_occupations.yaml", lower=True)
    assert paired
    assert also_paired
    large = resources.read_groups("resources/words/gender/large.yaml")
    silhouette = target_lists.read(f"{SHIPPED}/gender.yaml", lower=True).groups
    for group, other in (("female", "male"), ("male", "female")):
        assert set(silhouette[group]) <= set(gender[group])
        assert set(large[group]) <= {*gender[group], *occupations[group]}
        assert not set(gender[group]) & {*gender[other], *occupations[other], *occupations[group]}
    pairs = set(zip(gender["female"], gender["male"], strict=True))
    assert {("she", "he"), ("her", "his"), ("her", "him"), ("hers", "his"), ("queen", "king")} <= pairs
    assert len(pairs) == len(gender["female"])


@pytest.mark.slow
def test_the_workflow_swaps_what_it_encoded(tmp_path):
    copy_project(tmp_path)
    (tmp_path / "mine.txt").write_text("She saw the queen.\nHe saw the king.\n" * 100)
    swapped = {"source": "counterfactual", "corpus": "mine", "swap": [f"{SHIPPED}/swap_gender.yaml"]}
    mine = {"source": "text", "path": "mine.txt", "min_count": 1, "boundaries": "sentence"}
    result = snakemake(tmp_path, TOKENS, config={"corpora": {"mine": mine, "swapped": swapped}})
    assert result.returncode == 0, result.stderr
    texts = read(Corpus.open((tmp_path / TOKENS).parent))
    assert texts != ["she saw the queen", "he saw the king"] * 100
    assert set(texts) == {"she saw the queen", "he saw the king"}
