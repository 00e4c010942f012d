"""Small user files: what is read, and which errors name file, line and value."""

import re

import pytest
from pandas._libs.parsers import STR_NA_VALUES

from biassay.words import files

BAD_YAML = {
    "- a\n- b\n": "expected a mapping.*list",
    "a: [\n": "invalid YAML",
    "x: {b: 1, c: 2, b: 3}\n": "line 1: duplicate key 'b'",
    "a: !!python/object/apply:os.system [ls]\n": "invalid YAML",
}
BAD_TABLES = {
    "# only a comment\n\n": "empty",
    "name,share\nnurse,1\n": "column 'word', got the columns name, share",
    "word,share\nnurse,1\njudge\n": "line 3: expected 2 cells .*, got 1",
    "# x\nword,share\n\nnurse,1\nnurse ,2\n": "line 5: duplicate word 'nurse'",
    'word,share\n"nur\nse",1\n': "a cell spans several lines",
    'word,share\n"nurse"x,1\n': "invalid CSV",
    "word,share\n=1+1,3\n": "line 2: invalid word '=1\\+1'",
}


def read_words(path):
    return files.read_word_table(path, ["word"])


@pytest.mark.parametrize(
    ("read", "content", "message"),
    [(files.read_yaml, *case) for case in BAD_YAML.items()] + [(read_words, *case) for case in BAD_TABLES.items()],
)
def test_bad_files_are_refused(tmp_path, read, content, message):
    path = tmp_path / "list"
    path.write_text(content)
    with pytest.raises(ValueError, match=f"{path}.*{message}"):
        read(path)


@pytest.mark.parametrize(
    ("lists", "message"),
    [
        (["a"], r"x: expected 2 or more lists of words by name, got \['a'\]"),
        ({"a": ["b", "c"]}, "x: expected 2 or more lists"),
        ({"a": ["b", "c"], 1: ["d", "e"]}, "x: name of a list: invalid word 1"),
        ({"a": "bc", "d": ["e", "f"]}, "x: a: expected a list of 2 or more words or texts, got 'bc'"),
        ({"a": ["b"], "d": ["e", "f"]}, "x: a: expected a list of 2 or more words"),
        ({"a": ["b", 1], "d": ["e", "f"]}, "x: a: invalid word 1"),
        ({"a": ["b", "b"], "d": ["e", "f"]}, "x: a: duplicate word 'b'"),
        ({"a": ["b", "c"], "d": ["e", "f", "g"]}, "x: expected lists of equal length.* a 2, d 3"),
    ],
)
def test_bad_lists_are_refused(lists, message):
    with pytest.raises(ValueError, match=message):
        files.check_lists("x", lists, n_words=2, paired=True)
    if "duplicate" in message:
        assert files.check_lists("x", lists, paired=True, allow_duplicates=True) is lists


@pytest.mark.parametrize("read", [files.read_yaml, read_words])
def test_no_text_and_too_much_of_it(tmp_path, read):
    path = tmp_path / "file"
    path.write_bytes(b"word,x\nfine,1\nb\xffd,2\n")
    with pytest.raises(ValueError, match="file, line 3: not UTF-8 text"):
        read(path)
    path.write_bytes(b"word,x\n" + b"a,1\n" * (files.MAX_BYTES // 4))
    with pytest.raises(ValueError, match=r"file: .*4 MiB"):
        read(path)
    with pytest.raises(ValueError, match=f"{tmp_path}: .*folder"):
        read(tmp_path)
    with pytest.raises(FileNotFoundError):
        read(tmp_path / "none")


def test_aliases_and_merges(tmp_path):
    path = tmp_path / "file.yaml"
    path.write_text("a: &a {<<: &b {x: [1]}, x: [2]}\nb: {<<: *a, y: [3]}\nc: [*b, *b]\n")
    one = {"x": [1]}
    assert files.read_yaml(path) == {"a": {"x": [2]}, "b": {"x": [2], "y": [3]}, "c": [one, one]}
    levels = [("a0", "&a0 [x]"), *((f"a{n}", f"&a{n} [{', '.join([f'*a{n - 1}'] * 10)}]") for n in range(1, 30))]
    for bomb in (levels, [(name, text.replace("[x]", "{x: 1}").replace("[", "{<<: [").replace("]", "]}"))
                          for name, text in levels], [("a", "&a [*a]")]):  # fmt: skip
        path.write_text("".join(f"{name}: {text}\n" for name, text in bomb))
        with pytest.raises(ValueError, match=r"file\.yaml: .*aliases written out"):
            files.read_yaml(path)


def test_a_table_is_read_by_line_without_space_and_comments(tmp_path):
    path = tmp_path / "table.csv"
    path.write_bytes(
        b'\xef\xbb\xbf# source\r\nword , share\r\n\r\n nurse, "9,0"\r\n# x, y\r\n"flight attendant", 1 \r\n#metoo,2'
    )
    table = files.read_word_table(path, ["word", "share"])
    assert table.to_dict("index") == {
        4: {"word": "nurse", "share": "9,0"},
        6: {"word": "flight attendant", "share": "1"},
        7: {"word": "#metoo", "share": "2"},
    }


def test_names_that_tables_would_lose_are_refused():
    for name in [name for name in STR_NA_VALUES if re.fullmatch(files.NAME, name)]:
        with pytest.raises(ValueError, match=f"^here: invalid name '{name}'"):
            files.check_name("here", name)


def test_what_is_a_word_and_what_is_not():
    for word in ("flight attendant", "naïve", "a+", "2-faced", "No", "x" * 200, "-"):
        files.check_word("here", word)
    for word in ("", " ", " nurse", "nurse\n", "a\tb", "=x", "x" * 201, 3, None, ["a"], "a\u200bb"):
        with pytest.raises(ValueError, match=r"^here: "):
            files.check_word("here", word)
