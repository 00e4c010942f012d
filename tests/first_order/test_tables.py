"""Every column of the tables of words and of confounding, by hand or by another path."""

import numpy as np
import pandas as pd
import pytest

from biassay.vectors.embedding import Embedding
from scripts.first_order import list_missing_words, list_neighbours, measure_confounding
from tests.first_order import small

JOBS = [f"job{i}" for i in range(14)]
OWN = dict(zip(JOBS, np.linspace(0.05, 0.95, 14), strict=True)) | {"clerk": 0.6, "queen": 1.0, "tea": 0.5}
PARTNERS = {job: JOBS[(5 * i + 3) % 14] for i, job in enumerate(JOBS)} | {"queen": "clerk", "tea": "clerk"}


def test_missing_words_by_corpus_and_list(tmp_path):
    files = small.write(tmp_path)
    vocabularies = {"wiki": "she he\nwoman man nurse\njudge", "news": "she unheard null smith clerk nowhere"}
    for name, words in vocabularies.items():
        (tmp_path / f"{name}.txt").write_text(words)
    out = tmp_path / "missing.csv"
    paths = {name: str(tmp_path / f"{name}.txt") for name in vocabularies}
    list_missing_words.main(paths, files.lists, files.statistics, files.occupations, str(out))
    assert out.read_text().splitlines() == [
        "corpus,list,n_words,n_missing,missing_words",
        "wiki,short,2,0,",
        "wiki,long,5,1,unheard",
        "wiki,labor,3,1,baker",
        "wiki,census,4,4,clerk smith nowhere midwife",
        "wiki,occupations,7,5,king unheard smith clerk midwife",
        "news,short,2,1,he",
        "news,long,5,3,woman he man",
        "news,labor,3,3,nurse judge baker",
        "news,census,4,1,midwife",
        "news,occupations,7,4,nurse king midwife man",
    ]


def test_neighbours_are_the_nearest_by_cosine_and_not_the_word_itself(tmp_path):
    degrees = {"north": 90, "a": 95, "b": 75, "c": 110, "d": 65, "e": 30, "f": 200, "g": 350, "h": 280, "i": 0.1}
    radians, lengths = np.deg2rad(list(degrees.values())), np.array([1, 5, 1, 0.1, 2, 3, 9, 1, 1, 1])
    vectors = np.column_stack([np.cos(radians), np.sin(radians)]) * lengths[:, None]
    Embedding(list(degrees), vectors.astype(np.float32)).save(tmp_path / "wiki/sg")
    Embedding(["x", "y"], np.eye(2, dtype=np.float32)).save(tmp_path / "wiki/without")
    small.counts().save(tmp_path / "wiki/ppmi")
    Embedding(["h", "i", "she"], vectors[-3:].astype(np.float32)).save(tmp_path / "news/glove")
    folders = [str(tmp_path / name) for name in ("wiki/sg", "wiki/without", "wiki/ppmi", "news/glove")]
    out = tmp_path / "neighbours.csv"
    list_neighbours.main(folders, ["north", "she", "i"], str(out))
    # of north: cosines of 5, 15, 20, 25, 60, 89.9, 110 and 100 degrees, the nearest eight without h at 170
    north = "a (1.00) b (0.97) c (0.94) d (0.91) e (0.50) i (0.00) g (-0.17) f (-0.34)"
    i = "g (0.98) e (0.87) d (0.42) b (0.26) h (0.17) north (0.00) a (-0.09) c (-0.34)"
    rows = [["wiki", "sg", "north", north], ["wiki", "sg", "i", i]]
    rows += [["news", "glove", "she", "h (0.98) i (0.17)"], ["news", "glove", "i", "h (0.17) she (0.00)"]]
    table = pd.read_csv(out)
    assert list(table.columns) == ["corpus", "embedding", "word", "neighbours"]
    assert table.to_numpy().tolist()[:2] == rows[:2]
    list_neighbours.main(folders[:1], ["north"], str(out), n_neighbors=2)
    assert pd.read_csv(out)["neighbours"].tolist() == ["a (1.00) b (0.97)"]
    list_neighbours.main(folders[1:2], ["north"], str(out))
    assert pd.read_csv(out).empty


def ground_truth(path, planted, partners=PARTNERS):
    """A table of what was planted: a row a group of a bias, of which the confounding needs the female of gender."""
    rows = [("gender", word, "female", p, partners.get(word, "")) for word, p in planted.items()]
    rows += [("gender", word, "male", 1 - p, partners.get(word, "")) for word, p in planted.items()]
    rows += [("religion", word, "female", 0.3, "tea") for word in planted]
    path.parent.mkdir()
    columns = ["bias", "word", "group", "probability", "partner"]
    pd.DataFrame(rows, columns=columns).to_csv(path, index=False)
    return str(path)


def scores(folder):
    """Two files of scores, and all biases by corpus, embedding and word."""
    random, rows = np.random.default_rng(1), []
    for corpus, embedding in (("real", "sg"), ("wiki", "sg"), ("wiki", "ppmi"), ("control", "sg")):
        for word in [*reversed(JOBS), "queen", "elsewhere", "clerk", "tea"]:
            space = "vectors" if embedding == "sg" else "explicit"
            rows.append((corpus, embedding, space, "cosine", "long", word, random.standard_normal()))
    columns = ["corpus", "embedding", "space", "method", "word_list", "word", "bias"]
    table = pd.DataFrame(rows, columns=columns)
    table.loc[(table["corpus"] == "wiki") & (table["word"] == "job3"), "bias"] = np.nan
    table[:20].to_csv(folder / "a.csv", index=False)
    table[20:].to_csv(folder / "b.csv", index=False)
    return [str(folder / "a.csv"), str(folder / "b.csv")], table.set_index(["corpus", "embedding", "word"])["bias"]


def slopes(y, own, partner):
    """Standardised slopes of two causes from correlations: (r_1 − r_2 r_12) / (1 − r_12²)."""
    r = np.corrcoef([y, own, partner])
    return [(r[0, i] - r[0, 3 - i] * r[1, 2]) / (1 - r[1, 2] ** 2) for i in (1, 2)]


def test_confounding_is_the_slope_on_the_partner_given_the_own_probability(tmp_path):
    """Of words with a partner and a bias, on corpora whose probabilities differ; 500 resamples."""
    files, bias = scores(tmp_path)
    ground_truths = [
        ground_truth(tmp_path / "control/ground_truth.csv", dict.fromkeys(OWN, 0.5)),
        ground_truth(tmp_path / "wiki/ground_truth.csv", OWN),
    ]
    out = tmp_path / "confounding.csv"
    measure_confounding.main(files, ground_truths, 3, str(out))
    table = pd.read_csv(out)
    keys = ["corpus", "embedding", "space", "method", "word_list", "n"]
    causes = [f"{cause}_slope{end}" for cause in ("own", "partner") for end in ("", "_low", "_high")]
    assert list(table.columns) == keys + causes
    places = [["wiki", "sg", "vectors", "cosine", "long", 15], ["wiki", "ppmi", "explicit", "cosine", "long", 15]]
    assert table[keys].to_numpy().tolist() == places
    words = [word for word in [*reversed(JOBS), "queen", "tea"] if word != "job3"]
    for row in table.to_dict("records"):
        values = [(bias["wiki", row["embedding"], word], OWN[word], OWN[PARTNERS[word]]) for word in words]
        values = np.array(values)
        assert [row["own_slope"], row["partner_slope"]] == pytest.approx(slopes(*values.T), rel=1e-4)
        resamples = np.random.default_rng(3).integers(0, 15, (500, 15))
        found = np.array([slopes(*values[cases].T) for cases in resamples])
        for cause, of_cause in zip(("own", "partner"), found.T, strict=True):
            ends = np.percentile(of_cause, [2.5, 97.5])
            assert [row[f"{cause}_slope_low"], row[f"{cause}_slope_high"]] == pytest.approx(ends, rel=1e-3)


def test_confounding_needs_two_probabilities_of_words_with_a_partner(tmp_path):
    two = {job: 0.2 + 0.6 * (i % 2) for i, job in enumerate(JOBS)} | {"clerk": 0.6}
    alone = dict(zip(JOBS, [0.5] * 7 + [0.1, 0.2, 0.3, 0.4, 0.6, 0.7, 0.8], strict=True))  # partners have none
    partners = {job: JOBS[7 + i] for i, job in enumerate(JOBS[:7])}
    ground_truths = [
        ground_truth(tmp_path / "wiki/ground_truth.csv", two),
        ground_truth(tmp_path / "real/ground_truth.csv", alone, partners),
    ]
    measure_confounding.main(scores(tmp_path)[0], ground_truths, 3, str(tmp_path / "out.csv"))
    assert pd.read_csv(tmp_path / "out.csv")["corpus"].tolist() == ["wiki", "wiki"]


def test_without_a_truth_there_is_a_header_only(tmp_path):
    files, _ = scores(tmp_path)
    measure_confounding.main(files, [], 3, str(tmp_path / "out.csv"))
    assert (
        (tmp_path / "out.csv")
        .read_text()
        .startswith("corpus,embedding,space,method,word_list,n,own_slope,own_slope_low,")
    )
    assert pd.read_csv(tmp_path / "out.csv").empty
