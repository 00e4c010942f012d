"""Files of published numbers: what is read of them, and what is refused with file, line and value."""

import pytest

from biassay.words import published_numbers
from tests.published.small import LISTS, number, write

BAD = {
    number(test="a b"): "line 3: test: invalid name 'a b'",
    number(vectors="../x"): "line 3: vectors: invalid name '../x'",
    number(quantity="dd"): r"line 3: quantity: unknown name 'dd' \(did you mean 'd'.*d, p, direct_bias",
    number(targets="x x"): "line 3: targets: .*2 lists, got 'x x'",
    number(quantity="direct_bias"): "line 3: targets: .*1 lists, got 'x y'",
    number(published="1·5"): "line 3: published: .*got '1·5'",
    number(published="inf"): "line 3: published: .*got 'inf'",
    number() + number(quantity="p") + number(groups="second first"): "line 5: .*t plane d",
    "t,plane,d,x y,first second,1.2,\n": "line 3: source: .*1.2",
}


@pytest.mark.parametrize(("rows", "message"), BAD.items(), ids=range(len(BAD)))
def test_bad_numbers_are_refused(tmp_path, rows, message):
    paths = write(tmp_path, rows)
    with pytest.raises(ValueError, match=f"numbers.csv, .*{message}"):
        published_numbers.read(paths["numbers"], paths["word_lists"])


def test_what_is_read(tmp_path):
    paths = write(
        tmp_path, number("one", published="1.50", source="A, Table 1"), number("one", "other", published="1e-7")
    )
    first, second = published_numbers.read(paths["numbers"], paths["word_lists"])
    assert first == published_numbers.PublishedNumber(
        "one", "plane", "d", {"x": LISTS["x"], "y": LISTS["y"]}, {"first": ["a"], "second": ["b"]}, "1.50", "A, Table 1"
    )
    assert (second.vectors, second.published, second.source) == ("other", "1e-7", "Someone")
