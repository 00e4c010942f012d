"""An embedding of a few words, with its files and the lists of a study, for the tests of tables."""

from pathlib import Path
from types import SimpleNamespace

import numpy as np
import scipy.sparse

from biassay.vectors import explicit_vectors
from biassay.vectors.embedding import Embedding

JOBS = ["nurse", "smith", "baker", "clerk", "judge", "midwife"]
WORDS = ["she", "woman", "he", "man", *JOBS, "tea", "iron", "king"]
LISTS = {
    "short": "female: [she]\nmale: [he]\n",
    "long": "female: [woman, she, unheard]\nmale: [he, man]\n",  # a word is not in the vocabulary
}
MANY = tuple(f"job{i}" for i in range(24))
NEUTRAL = ["nurse", "smith", "clerk"]  # occupations neither marked nor definitional
GROUPS = {"female": ["woman", "she"], "male": ["he", "man"]}  # the long list's known words
OCCUPATIONS = "word,mark,domain\nnurse,n,x\nking,m,x\nunheard,n,x\nsmith,n,x\nclerk,n,x\nmidwife,f,x\nman,n,x\n"
STATISTICS = {"labor": "nurse,90\njudge,33\nbaker,56\n", "census": "clerk,60\nsmith,5\nnowhere,50\nmidwife,95\n"}


def embedding(link: str = "sigmoid", more: tuple[str, ...] = (), d: int = 3) -> Embedding:
    words = [*WORDS, *more]
    vectors, contexts = np.random.default_rng(2).standard_normal((2, len(words), d)).astype(np.float32)
    return explicit_vectors.add_norms(Embedding(words, vectors, contexts, link))


def counts() -> Embedding:
    """A sparse one, as of counts, with zeros."""
    matrix = np.random.default_rng(4).uniform(0, 3, (len(WORDS), len(WORDS))) * (np.arange(len(WORDS)) % 4 > 0)
    return explicit_vectors.add_norms(Embedding(WORDS, scipy.sparse.csr_array(matrix), None, "product"))


def whole(of: Embedding, vectors: np.ndarray) -> np.ndarray:
    """Explicit vectors as the paper writes them, σ(v Uᵀ) or v Uᵀ, or the rows of a sparse matrix: (n, |W|)."""
    if of.is_sparse:
        return vectors
    product = np.asarray(vectors, float) @ np.asarray(of.contexts, float).T
    return 1 / (1 + np.exp(-product)) if of.link == "sigmoid" else product


def vector(of: Embedding, word: str) -> np.ndarray:
    return of.rows([word])[0].astype(float)


def e(of: Embedding, row: np.ndarray) -> np.ndarray:
    """Explicit form of a vector (d,)."""
    return whole(of, np.asarray(row, float)[None])[0]


def first_order(of: Embedding, row: np.ndarray, words: list[str]) -> float:
    """Λ1 (eq 7) of a vector with a group's words."""
    values = e(of, row)
    return sum(values[of.index[word]] for word in words) / np.linalg.norm(values)


def cos(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / np.sqrt((a @ a) * (b @ b)))


def write(folder: Path) -> SimpleNamespace:
    """Write the lists of a study; return the paths of word lists and statistics by name, and of the occupations."""
    paths = {}
    for name, text in LISTS.items():
        paths[name] = folder / f"{name}.yaml"
        paths[name].write_text(text)
    for name, text in STATISTICS.items():
        paths[name] = folder / f"{name}.csv"
        paths[name].write_text("word,percent_female\n" + text)
    (folder / "occupations.csv").write_text(OCCUPATIONS)
    lists, statistics = ({name: str(paths[name]) for name in names} for names in (LISTS, STATISTICS))
    return SimpleNamespace(lists=lists, statistics=statistics, occupations=str(folder / "occupations.csv"))
