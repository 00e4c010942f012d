"""What a metric returns is checked against what it declares, on every call."""

import numpy as np
import pytest

from biassay import measure

TARGETS = [[1.0, 0], [0, 1], [1, 1]]
GROUPS = [[[1.0, 0]], [[0.0, 1]]]
HEAD = "import numpy as np\nfrom biassay import Level, Metric\n"
WORD = HEAD + "METRIC = Metric('s', 's', word=Level(-1.0, 1.0))\ndef word_bias(targets, groups):\n    return {}\n"
SET = HEAD + "METRIC = Metric('s', 's', set=Level({}))\ndef set_bias(targets, groups):\n    return {}\n"


@pytest.fixture
def measure_own(tmp_path):
    def measure_own(text):
        (tmp_path / "mine.py").write_text(text)
        return measure(str(tmp_path / "mine.py"), targets=TARGETS, groups=GROUPS)

    return measure_own


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (WORD.format("0.5"), r"mine.word_bias: .*\(3,\).*got shape \(\)"),
        (WORD.format("[True, False, True]"), "expected an array .*got list"),
        (WORD.format("[0, 0, 1.1]"), "mine.word_bias: .* -1 to 1, got 1.1"),
        (SET.format("0.0, None", "-0.1"), "0 to unbounded, got -0.1"),
        (SET.format("0.0, 1.0", "'0.5'"), "one number, got str '0.5'"),
        (SET.format("1.0, 1.0", "1.0"), "expected b_min < b_max, got 1.0 and 1.0"),
        (SET.format("0.0, 1.0", "1.0").replace("'s', set", "'s', takes='x', set"), "METRIC.takes: unknown value 'x'"),
        (SET.format("0.0, 1.0", "1.0").replace("'s', set", "'s', cite=('me',), set"), "METRIC.cite: .* got 'me'"),
        (SET.format("0.0, 1.0", "1.0").replace("def set_bias", "def other"), r"level set.* set_bias"),
    ],
)
def test_what_it_does_not_declare_is_refused(measure_own, text, message):
    with pytest.raises(ValueError, match=message):
        measure_own(text)


def test_what_it_declares_is_taken(measure_own):
    for values in ("[-1, 0, 1]", "[1 + 5e-6, -1 - 5e-6, 0]", "np.zeros(3, np.float32)"):
        np.testing.assert_allclose(measure_own(WORD.format(values)).word, eval(values))
    undefined = measure_own(WORD.format("[0, np.nan, np.nan]"))
    assert undefined.undefined == {"word": "2 of 3 values: the metric gives no reason"}


def test_the_range_follows_labels_and_options():
    targets = [[1.0, 0], *[[0, 1.0]] * 9]
    extreme = measure("weat", targets=targets, groups=GROUPS, labels=[0] + [1] * 9)
    assert extreme.ranges["set"][:2] == pytest.approx((-10 / 3, 10 / 3))  # 10 / √(1 · 9), which it reaches
    assert extreme.set == pytest.approx(10 / 3)
    assert extreme.ranges["word"][:2] == (-2, 2)
    for raw, limits in ((True, (-1, 1, 1)), (False, (0, 2, 0))):
        result = measure("ect", targets=TARGETS, groups=GROUPS, raw=raw)
        assert result.ranges["set"][:3] == limits
        assert result.set == pytest.approx(-1 if raw else 2)
