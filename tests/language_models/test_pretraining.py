"""Pretraining of masked language models: what is masked, that it learns, and that a break changes nothing."""

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from biassay.language_models import pretraining_data as data
from biassay.language_models.pretraining import Settings, _rate, train

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")
from biassay.language_models import loading, pretraining  # noqa: E402

TINY = Settings(
    vocabulary=150, layers=1, width=16, heads=2, length=16, batch=16, steps=60, learning_rate=0.02, save_every=10
)
LINES = [f"The {w} {v} the old {o}." for w in ("nurse", "pilot") for v in ("saw", "heard") for o in ("dog", "car")] * 60


@pytest.fixture
def text(tmp_path):
    path = tmp_path / "text.txt"
    path.write_text("\n".join(LINES) + "\n")
    return [str(path)]


def weights(folder):
    return {key: value.float() for key, value in loading.load(folder).model.state_dict().items()}


def test_it_learns_and_loads(text, tmp_path):
    loss = train(text, tmp_path / "model", tmp_path / "checkpoint.pt", TINY)
    model = loading.load(tmp_path / "model", device="cpu")
    assert loss < 3  # log 60 = 4.1 at the start; some words cannot be told from their neighbours
    summary = json.loads((tmp_path / "model/training.json").read_text())
    assert summary["held_out_loss"] == loss
    assert summary["steps"] == 60
    assert model.tokenizer.tokenize("The nurse SAW the dog.") == ["the", "nurse", "saw", "the", "dog", "."]
    left = {path.name for path in (tmp_path / "model").iterdir()}
    assert left == {"config.json", "model.safetensors", "tokenizer_config.json", "vocab.txt", "training.json"}
    assert not (tmp_path / "checkpoint.pt").exists()


@pytest.mark.fault(
    "interrupted pretraining", "resumes from its last checkpoint; results equal those of an uninterrupted training"
)
def test_a_broken_run_goes_on_as_if_unbroken(text, tmp_path, monkeypatch):
    settings = replace(TINY, steps=24, save_every=8)
    train(text, tmp_path / "whole", tmp_path / "whole.pt", settings)
    usual = pretraining._loss

    def breaks(model, tokenizer, ids, seed):
        if seed == [1, 7, 20]:
            raise KeyboardInterrupt
        return usual(model, tokenizer, ids, seed)

    monkeypatch.setattr(pretraining, "_loss", breaks)
    with pytest.raises(KeyboardInterrupt):
        train(text, tmp_path / "broken", tmp_path / "broken.pt", settings)
    monkeypatch.setattr(pretraining, "_loss", usual)
    assert torch.load(tmp_path / "broken.pt", weights_only=True)["step"] == 16
    train(text, tmp_path / "broken", tmp_path / "broken.pt", settings)
    for name, value in weights(tmp_path / "whole").items():
        torch.testing.assert_close(weights(tmp_path / "broken")[name], value, rtol=0, atol=1e-6)


def test_a_given_vocabulary_and_markup(text, tmp_path):
    vocabulary = Path("resources/models/bert-tiny-enwiki/vocab.txt")
    (tmp_path / "marked.txt").write_text("<doc id='1'>\n" + "\n".join(LINES) + "\n</doc>\n")
    found = []
    for path, markup in ((text[0], False), (str(tmp_path / "marked.txt"), True)):
        folder = tmp_path / f"model {markup}"
        folder.mkdir()
        tokenizer = data.make_tokenizer(folder, str(vocabulary), [path], markup, 16)
        assert (folder / "vocab.txt").read_text("utf-8") == vocabulary.read_text("utf-8")
        found.append(data.sequences(tokenizer, [path], markup, tmp_path / "pieces.npy", 16, seed=1))
    np.testing.assert_array_equal(*found)
    assert found[0].shape == (len(LINES) * 8 // 15, 16)
    assert (found[0][:, 0] == 101).all()
    (tmp_path / "words.txt").write_text("nurse\nman\nnurse\n")
    with pytest.raises(ValueError, match=r"words.txt, line 3: .*'nurse' is already on line 1"):
        data.make_tokenizer(tmp_path, str(tmp_path / "words.txt"), text, False, 16)
    (tmp_path / "words.txt").write_text("nurse\n")
    with pytest.raises(ValueError, match=r"words.txt: expected .*\[PAD\]"):
        data.make_tokenizer(tmp_path, str(tmp_path / "words.txt"), text, False, 16)
    with pytest.raises(ValueError, match=r"text.txt: .* 5000 .* got 3840"):
        data.sequences(tokenizer, text, False, tmp_path / "pieces.npy", 5000, seed=1)


def test_masks(text, tmp_path):
    (tmp_path / "model").mkdir()
    tokenizer = data.make_tokenizer(tmp_path / "model", 150, text, False, 16)
    ids = np.full((400, 50), 10)
    ids[:, 0], ids[:, 9] = tokenizer.cls_token_id, tokenizer.sep_token_id
    changed, places = data.mask(ids, tokenizer, np.random.default_rng(1))
    assert len(places) == pytest.approx(0.15 * 400 * 48, rel=0.05)
    assert not set((places % 50).tolist()) & {0, 9}
    assert (changed.flatten()[places] == tokenizer.mask_token_id).mean() == pytest.approx(0.8, abs=0.03)
    assert (changed.flatten()[places] == 10).mean() == pytest.approx(0.1, abs=0.02)
    untouched = np.setdiff1d(np.arange(ids.size), places)
    np.testing.assert_array_equal(changed.flatten()[untouched], ids.flatten()[untouched])


def test_the_rate_rises_and_falls():
    rates = [_rate(step, 100) for step in range(100)]
    assert rates[0] == 0.1
    assert max(rates) == rates[9] == rates[10] == 1
    assert 0 < rates[99] == min(rates) < 0.02
    with pytest.raises(ValueError, match=r"^heads: .* 128, got 3"):
        Settings(heads=3)


def test_a_learned_vocabulary_is_the_same_every_time():
    paths = ["README.md", "docs/silhouette.md"]
    first = data._learn(600, paths, False)
    assert first[:5] == data.SPECIAL
    assert len(first) == len(set(first)) == 600
    assert {"the", "bias", "##s"} <= set(first)
    assert all(data._learn(600, paths, False) == first for _ in range(3))
