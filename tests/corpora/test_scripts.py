"""The scripts of corpora: what they write, read back another way."""

from biassay.corpora import corpus as corpora
from biassay.corpora import counterfactual
from biassay.corpora.corpus import Corpus
from tests import scripted

FILES = ("tokens.npy", "words.txt", "counts.npy", "summary.json")


def outputs(folder):
    folder.mkdir()
    return {name.split(".")[0]: folder / name for name in FILES}


def decoded(folder):
    corpus = Corpus.open(folder)
    return [" ".join(corpus.words[i] for i in sentence) for sentence in corpus.sentences()]


def test_encoded_text_is_read_back(tmp_path):
    (tmp_path / "1.txt").write_text("<doc>\nShe saw. He saw.\n</doc>\n")
    (tmp_path / "2.txt").write_text("She left.\n")
    for source, boundaries, min_count, expected in (
        ("text", "sentence", 1, ["doc", "she saw", "he saw", "doc", "she left"]),
        ("wikiextractor", "line", 2, ["she saw saw", "she"]),
    ):
        scripted.run(
            "corpora/encode.py",
            input={"text": [tmp_path / "1.txt", tmp_path / "2.txt"]},
            output=outputs(tmp_path / source),
            params={"options": {"source": source, "min_count": min_count, "boundaries": boundaries}},
        )
        assert decoded(tmp_path / source) == expected


def test_swapped_terms(tmp_path):
    (tmp_path / "text.txt").write_text("She saw a nun.\nHe saw a monk.\n" * 40)
    source, out = outputs(tmp_path / "of"), outputs(tmp_path / "out")
    corpora.encode([str(tmp_path / "text.txt")], str(tmp_path / "of"), min_count=1)
    swap = [tmp_path / "sex.yaml"]
    swap[0].write_text("source: x\npaired: true\ngroups: {female: [she], male: [he]}\n")
    rule = {"input": {"corpus": list(source.values()), "swap": swap}, "output": out, "params": {"seed": 6}}
    scripted.run("corpora/swap_terms.py", **rule)
    outputs(tmp_path / "again")
    counterfactual.swap(tmp_path / "of", list(map(str, swap)), tmp_path / "again", seed=6)
    assert decoded(tmp_path / "out") == decoded(tmp_path / "again") != decoded(tmp_path / "of")
    assert out["summary"].read_bytes() == (tmp_path / "again/summary.json").read_bytes()
