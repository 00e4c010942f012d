"""The scripts of corpora: what they write, read back another way."""

import hashlib

import pandas as pd
import pytest

from biassay.corpora import corpus as corpora
from biassay.corpora import counterfactual, wikipedia
from biassay.corpora.corpus import Corpus
from biassay.corpora.generator import Generator
from tests import scripted
from tests.corpora import planted

FILES = ("tokens.npy", "words.txt", "counts.npy", "summary.json")


def outputs(folder):
    folder.mkdir()
    return {name.split(".")[0]: folder / name for name in FILES}


def decoded(folder):
    corpus = Corpus.open(folder)
    return [" ".join(corpus.words[i] for i in sentence) for sentence in corpus.sentences()]


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"source": "text", "min_count": 1, "boundaries": "sentence"}, ["doc", "she saw", "he saw", "doc", "she left"]),
        ({"source": "wikiextractor", "min_count": 2, "boundaries": "line"}, ["she saw saw", "she"]),
    ],
)
def test_encoded_text_is_read_back(tmp_path, options, expected):
    (tmp_path / "1.txt").write_text("<doc>\nShe saw. He saw.\n</doc>\n")
    (tmp_path / "2.txt").write_text("She left.\n")
    text = [tmp_path / "1.txt", tmp_path / "2.txt"]
    scripted.run(
        "corpora/encode.py", input={"text": text}, output=outputs(tmp_path / "out"), params={"options": options}
    )
    assert decoded(tmp_path / "out") == expected


def test_generated_text_and_its_truth(tmp_path, caplog):
    rows = [(f"job{i}", "nnnfm"[i % 5], ("sea", "law")[i % 2]) for i in range(20)]
    lists = planted.write(tmp_path, rows)
    paths = [planted.statistics(tmp_path, name, {"job0": share}) for name, share in (("one", 10), ("two", 80))]
    inputs = {"words": [lists / "traits.yaml"], "occupations": lists / "occupations.csv"}
    inputs |= {"templates": lists / "templates.yaml", "occupation_statistics": paths}
    options = {"tokens": 900, "control": False, "confounded": 0.8, "confounding": 0.3, "source": "synthetic"}
    for number, changes in enumerate(({}, {"control": True, "confounded": 0.2, "confounding": 0.9})):
        chosen = options | changes
        text, ground_truth = tmp_path / f"{number}.txt", tmp_path / f"{number}.csv"
        scripted.run(
            "corpora/generate.py",
            input=inputs,
            output={"text": text, "ground_truth": ground_truth},
            params={"options": chosen, "seed": 3},
        )
        asked = {key: chosen[key] for key in ("control", "confounded", "confounding")}
        generator = Generator(lists, lists / "templates.yaml", paths, seed=3, **asked)
        lines = list(generator.sentences(900))
        assert text.read_text() == "".join(lines)
        read = pd.read_csv(ground_truth, keep_default_na=False, na_values={"observed": ""})
        pd.testing.assert_frame_equal(read, generator.ground_truth())
        assert read.set_index("word").loc["job0", "origin"].tolist() == ["one", "one"]
        assert caplog.messages[-1] == "The first sentences:\n" + "".join(lines[:5])


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


def test_a_dump_that_is_there_is_checked_and_gets_a_receipt(tmp_path):
    dump, receipt = tmp_path / "dump.xml", tmp_path / "dump.xml.checked"
    dump.write_bytes(b"<mediawiki/>")
    right = "sha1:" + hashlib.sha1(b"<mediawiki/>").hexdigest()
    asked = {"url": "http://nowhere.invalid/dump.xml", "checksum": right}
    scripted.run("corpora/download_file.py", output={"out": receipt}, params={"dump": asked})
    assert receipt.read_text() == right + "\n"
    receipt.unlink()
    wrong = asked | {"checksum": "md5:" + 32 * "0"}
    with pytest.raises(ValueError, match=r"dump\.xml: expected md5"):
        scripted.run("corpora/download_file.py", output={"out": receipt}, params={"dump": wrong})
    assert not receipt.exists()


def test_articles_of_dumps_are_sampled_by_the_seed(tmp_path):
    page = "<page><ns>0</ns><id>{0}</id><revision><text>Article {0} is about its own number.</text></revision></page>"
    paths = [tmp_path / f"{part}.xml" for part in (0, 1)]
    for part, path in enumerate(paths):
        pages = "".join(page.format(10 * part + number) for number in range(1, 7))
        path.write_text(f'<mediawiki xmlns="http://www.mediawiki.org/xml/export-0.10/">{pages}</mediawiki>')

    def extracted(seed, options):
        dumps = [f"{paths[0]}.checked", paths[1]]
        scripted.run(
            "corpora/extract_articles.py",
            input={"dumps": dumps},
            output={"out": tmp_path / "out.txt"},
            params={"options": options, "seed": seed},
        )
        return (tmp_path / "out.txt").read_text()

    assert extracted(1, {"min_words": 3}).count("Article") == 12
    for seed in (2, 3):
        wikipedia.extract(list(map(str, paths)), tmp_path / "direct.txt", articles=4, seed=seed)
        assert extracted(seed, {"articles": 4}) == (tmp_path / "direct.txt").read_text()
