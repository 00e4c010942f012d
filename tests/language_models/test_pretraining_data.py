"""What pretraining makes of text: sequences, masks and subword tokens, by hand."""

import numpy as np
import pytest

from biassay.language_models import pretraining_data as data

pytest.importorskip("torch")
pytest.importorskip("transformers")
from tests.language_models import plain_pretraining as plain


@pytest.fixture
def files(tmp_path):
    return plain.write(tmp_path)


def test_text_becomes_sequences_line_by_line(files, monkeypatch):
    assert files.tokenizer.model_max_length == 12
    assert [files.tokenizer.convert_tokens_to_ids(piece) for piece in data.SPECIAL] == [0, 1, 2, 3, 4]
    for lines in (20_000, 7, 1):
        monkeypatch.setattr(data, "LINES", lines)
        found = data.sequences(files.tokenizer, files.text, False, files.folder / "ids.npy", 12, 4)
        assert found.tolist() == plain.sequences(12, 4).tolist()
    given = files.tokenizer, files.text, False, files.folder / "ids.npy"
    for length in (1281, 1280):  # 2560 pieces
        assert data.sequences(*given, length, 4).shape == (2, length)
    with pytest.raises(ValueError, match=r"text\.txt: .* 1282 .* got 2560"):
        data.sequences(*given, 1282, 4)


def test_lines_come_in_lists_without_empty_ones_and_markup(tmp_path, monkeypatch):
    monkeypatch.setattr(data, "LINES", 2)
    (tmp_path / "1.txt").write_text("<doc>\na\n\nb\n  \nc\n</doc>\n")
    (tmp_path / "2.txt").write_text("d\n")
    paths = [str(tmp_path / "1.txt"), str(tmp_path / "2.txt")]
    assert list(data.lines(paths, False)) == [["<doc>", "a"], ["b", "c"], ["</doc>"], ["d"]]
    assert list(data.lines(paths, True)) == [["a", "b"], ["c"], ["d"]]


def test_masks_by_hand(files):
    ids = plain.sequences(12, 1)
    changed, places = data.mask(ids, files.tokenizer, np.random.default_rng(6))
    inputs, labels = plain.mask(ids, np.random.default_rng(6))
    assert changed.tolist() == inputs.tolist()
    assert places.tolist() == np.flatnonzero(labels.numpy().ravel() != -100).tolist()
    assert 0.12 < len(places) / (~np.isin(ids, [2, 3])).sum() < 0.18
    tiny = np.array([[2, 7, 3]])
    for seed in range(40):
        assert data.mask(tiny, files.tokenizer, np.random.default_rng(seed))[1].tolist() == [1]


def test_a_learned_vocabulary_has_the_most_frequent_letters(tmp_path, monkeypatch):
    monkeypatch.setattr(data, "ALPHABET", 4)
    (tmp_path / "text.txt").write_text("aab aab ab, ab! xa xa c\n" * 5 + "zz\n")
    learned = data._learn(40, [str(tmp_path / "text.txt")], False)
    assert learned[:5] == ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
    letters = {piece for piece in learned if len(piece.removeprefix("##")) == 1}
    # 35 a, 20 b, 10 x, then ! and , and c, 5 each; only what stands inside of words may follow
    assert {"a", "b", "x", "!"} <= letters <= {"a", "b", "x", "!", "##a", "##b", "##x"}
    assert learned[5:7] == ["##a", "##b"]
    assert "aab" in learned
    assert len(data._learn(12, [str(tmp_path / "text.txt")], False)) == 12
