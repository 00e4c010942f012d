"""Tables of words: those that lists lack, and nearest neighbours, by hand."""

import numpy as np
import pandas as pd

from biassay.vectors.embedding import Embedding
from scripts.first_order import list_words
from tests.first_order import small


def test_missing_words_by_corpus_and_list(tmp_path):
    files = small.write(tmp_path)
    vocabularies = {"wiki": "she he\nwoman man nurse\njudge", "news": "she unheard null smith clerk nowhere"}
    for name, words in vocabularies.items():
        (tmp_path / f"{name}.txt").write_text(words)
    outs = [tmp_path / "missing.csv", tmp_path / "neighbours.csv"]
    paths = {name: str(tmp_path / f"{name}.txt") for name in vocabularies}
    list_words.main(paths, files.lists, files.statistics, files.occupations, [], ["he"], *outs)
    assert pd.read_csv(outs[1]).empty
    assert outs[0].read_text().splitlines() == [
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


def test_neighbours_are_the_nearest_by_cosine_without_the_word_itself(tmp_path):
    degrees = {"north": 90, "a": 95, "b": 75, "c": 110, "d": 65, "e": 30, "f": 200, "g": 350, "h": 280, "i": 0.1}
    radians, lengths = np.deg2rad(list(degrees.values())), np.array([1, 5, 1, 0.1, 2, 3, 9, 1, 1, 1])
    vectors = np.column_stack([np.cos(radians), np.sin(radians)]) * lengths[:, None]
    Embedding(list(degrees), vectors.astype(np.float32)).save(tmp_path / "wiki/sg")
    Embedding(["x", "y"], np.eye(2, dtype=np.float32)).save(tmp_path / "wiki/without")
    small.counts().save(tmp_path / "wiki/ppmi")
    Embedding(["h", "i", "she"], vectors[-3:].astype(np.float32)).save(tmp_path / "news/glove")
    folders = [tmp_path / name for name in ("wiki/sg", "wiki/without", "wiki/ppmi", "news/glove")]
    found = [list(row) for folder in folders for row in list_words.list_neighbours(folder, ["north", "she", "i"])]
    # of north: cosines of 5, 15, 20, 25, 60, 89.9, 110 and 100 degrees, the nearest eight without h at 170
    north = "a (1.00) b (0.97) c (0.94) d (0.91) e (0.50) i (0.00) g (-0.17) f (-0.34)"
    i = "g (0.98) e (0.87) d (0.42) b (0.26) h (0.17) north (0.00) a (-0.09) c (-0.34)"
    assert found == [
        ["wiki", "sg", "north", north],
        ["wiki", "sg", "i", i],
        ["news", "glove", "she", "h (0.98) i (0.17)"],
        ["news", "glove", "i", "h (0.34) she (0.17)"],
    ]
