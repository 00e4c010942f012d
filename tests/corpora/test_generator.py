"""The generator on small lists: its truth against the sentences counted in the text, its shares, its draws by hand."""

import math
import re
from collections import Counter

import numpy as np
import pytest

from biassay.corpora.generator import Generator
from tests.corpora import planted

ROWS = [(f"job{i}", "nnnnnfm"[i % 7], ("sea", "law")[i % 2]) for i in range(28)]
SHARES = {"gendered": None, "neutral": None, "confounder": None, "gender_only": 0.15, "groups": 0.15}
SHARES |= {"domain": 0.12, "daily": 0.13}
GENDERS = {
    word: number
    for pairs in (*planted.SLOTS.values(), zip(planted.NAMES["female"], planted.NAMES["male"], strict=True))
    for pair in pairs
    for number, word in enumerate(pair)
}


def make(folder, **options):
    return Generator(planted.write(folder, ROWS), folder / "templates.yaml", [], **options)


@pytest.fixture(scope="module")
def written(tmp_path_factory):
    generator = make(tmp_path_factory.mktemp("lists"), seed=5, confounding=0.7)
    return generator, [line.lower().rstrip(".\n").split() for line in generator.sentences(120_000)]


def close(found, share, n):
    """A number of n that is within five standard errors of the share."""
    return abs(found - share * n) < 5 * math.sqrt(n * share * (1 - share))


def gender(words):
    """The gender of a sentence's words, which must be one."""
    found = {GENDERS[word] for word in words if word in GENDERS}
    assert len(found) == 1, words
    return found.pop()


def test_the_truth_is_what_stands_in_the_text(written):
    generator, lines = written
    gendered, beside, traits = Counter(), Counter(), Counter()
    for kind, *words in lines:
        if kind == "gendered":
            gendered[words[0], gender(words)] += 1
        elif kind == "confounder":
            occupation, partner, *articles, noun = words
            assert articles == ["a", occupation, "a", partner]
            assert noun in planted.DOMAINS[{word: domain for word, _, domain in ROWS}[occupation]]["nouns"]
            beside[occupation, partner] += 1
        elif kind == "groups":
            traits[words[0], re.sub(r"\d", "", words[1])] += 1
    ground_truth = generator.ground_truth()
    of_gender = ground_truth[ground_truth["bias"] == "gender"].merge(
        generator.plan, on="word", suffixes=("", "_planned")
    )
    assert len(of_gender) == 2 * len(ROWS)
    for row in of_gender.itertuples():
        counts = [gendered[row.word, number] for number in (0, 1)]
        female = row.group == "female"
        assert (row.sentences, row.category, row.partner) == (sum(counts), row.mark, row.partner_planned)
        assert row.observed == counts[0 if female else 1] / sum(counts)
        assert row.probability == (row.probability_planned if female else 1 - row.probability_planned)
        assert row.origin == row.origin_planned
        assert row.with_partner == beside[row.word, row.partner]
        assert close(counts[0 if female else 1], row.probability, sum(counts))
    assert sum(beside.values()) == of_gender["with_partner"].sum() / 2 > 1000
    of_traits = ground_truth[ground_truth["bias"] != "gender"]
    for row in of_traits.itertuples():
        total = sum(traits[row.word, group] for group in planted.GROUPS[row.bias])
        assert (row.sentences, row.observed) == (total, traits[row.word, row.group] / total)
        assert close(traits[row.word, row.group], row.probability, total)
        assert (row.origin, row.partner, row.with_partner) == ("random", "", 0)
        assert row.category == ("pleasant" if row.word in planted.TRAITS["pleasant"] else "unpleasant")
        planned = generator.traits[row.bias].set_index("word").loc[row.word]
        assert row.probability == planned[row.group]
    assert of_traits.groupby("bias", sort=False)["group"].unique().map(list).to_dict() == {
        kind: list(groups) for kind, groups in planted.GROUPS.items()
    }


def test_kinds_have_their_shares(written):
    generator, lines = written
    kinds, n = Counter(line[0] for line in lines), len(lines)
    assert set(kinds) == set(SHARES)
    assert all(close(kinds[kind], share, n) for kind, share in SHARES.items() if share)
    of_occupations = kinds["gendered"] + kinds["neutral"] + kinds["confounder"]
    assert close(of_occupations, 0.45, n)
    assert close(kinds["gendered"], 0.6, kinds["gendered"] + kinds["neutral"])
    partners = set(generator.plan.loc[generator.plan["partner"] != "", "word"])
    of_confounded = sum(line[0] in ("gendered", "neutral", "confounder") and line[1] in partners for line in lines)
    assert close(kinds["confounder"], 0.7, of_confounded)
    even = Counter(gender(words) for kind, *words in lines if kind == "gender_only")
    assert close(even[0], 0.5, even.total())
    templates = Counter("a" in words for kind, *words in lines if kind == "gendered")
    assert close(templates[True], 0.5, templates.total())


def test_words_follow_zipf_and_mandelbrot(written):
    _, lines = written
    words = Counter(word for line in lines if line[0] == "daily" for word in line)
    for names in (planted.DAILY["nouns"], planted.DAILY["towns"], planted.NAMES["last"]):
        expected = np.array([1 / (rank + 3) for rank in range(len(names))])
        for name, share in zip(names, expected / expected.sum(), strict=True):
            assert close(words[name], share, sum(words[word] for word in names)), name
    domains = Counter(line[1][:3] for line in lines if line[0] == "domain")
    assert close(domains["sea"], (1 / 25) / (1 / 25 + 1 / 26), domains.total())


def test_the_control_differs_in_group_words_only(tmp_path):
    biased, control = (list(make(tmp_path, seed=2, strength=strength).sentences(20_000)) for strength in (1.0, 0.0))
    assert biased == list(make(tmp_path, seed=2).sentences(20_000)) != list(make(tmp_path, seed=3).sentences(20_000))
    groups = {word for kind in planted.GROUPS.values() for words in kind.values() for word in words} | set(GENDERS)
    changed = [
        (left, right)
        for lines in zip(biased, control, strict=True)
        for left, right in zip(*(line.lower().rstrip(".\n").split() for line in lines), strict=True)
        if left != right
    ]
    assert len(changed) > 500
    assert {word for pair in changed for word in pair} <= groups


def test_it_stops_at_the_words_asked_for(tmp_path):
    lines = list(make(tmp_path).sentences(500))
    lengths = np.cumsum([len(line.split()) for line in lines])
    assert lengths[-2] < 500 <= lengths[-1]
    assert all(re.fullmatch(r"[A-Z].*[^. ]\.\n", line) for line in lines)
    assert list(make(tmp_path).sentences(int(lengths[9]))) == lines[:10]
    assert list(make(tmp_path, strength=1.0, seed=1).sentences(int(lengths[9]) + 1)) == lines[:11]
