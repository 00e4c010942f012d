"""Training and asking on a GPU: beside a CPU within 1e-3, which is what sums without a fixed order leave."""

import numpy as np
import pandas as pd
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay.language_models import heads, loading, pretraining  # noqa: E402
from biassay.language_models.stacked import checkpoint, dropout  # noqa: E402
from biassay.language_models.stacked import chunk as chunks  # noqa: E402
from biassay.language_models.stacked.architectures import find_architecture  # noqa: E402
from biassay.language_models.stacked.files import load_into  # noqa: E402
from biassay.language_models.stacked.optimizer import Stack, is_fused  # noqa: E402
from biassay.language_models.stacked.schedule import mix_seeds, schedule  # noqa: E402
from biassay.language_models.stacked.step_gradients import StackedGradients  # noqa: E402
from biassay.language_models.stacked.training import train  # noqa: E402
from biassay.metrics import pll  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402
from tests.language_models.test_stacked import KEY_BIASES  # noqa: E402

pytestmark = pytest.mark.gpu
NEAR = 1e-3
TINY = "resources/models/bert-tiny-enwiki"
OPTIONS = {"seeds": [5, 0, 2], "epochs": 4, "batch": 8, "learning_rate": 2e-3, "max_norm": 1.0}
CASES = [(kind, rate) for kind in plain.CONFIGS for rate in (0.0, 0.1) if not (kind == "mpnet" and rate)]


@pytest.fixture
def data():
    return [plain.sentences(n, n) for n in (21, 40, 40)]


def losses(folder):
    return pd.read_csv(folder / "losses.csv").loss.to_numpy()


def trained(base, folder, i):
    model = plain.load(base)
    load_into(model, folder, i)
    return {name: weight for name, weight in model.named_parameters() if not name.endswith(KEY_BIASES)}


@pytest.mark.parametrize(("kind", "rate"), CASES)
def test_losses_and_weights_are_those_of_a_cpu(tmp_path, data, gpu, kind, rate):
    base = plain.base(kind, tmp_path / "base")
    for device in ("cpu", gpu.type):
        train(base, data, folder=tmp_path / device, dropout=rate, device=device, **OPTIONS)
    np.testing.assert_allclose(losses(tmp_path / gpu.type), losses(tmp_path / "cpu"), atol=NEAR)
    for i in range(len(data)):
        expected = trained(base, tmp_path / "cpu", i)
        for name, weight in trained(base, tmp_path / gpu.type, i).items():
            torch.testing.assert_close(weight, expected[name], atol=NEAR, rtol=0, msg=lambda m, n=name: f"{n}: {m}")


def test_bf16_stays_near_single_precision(tmp_path, data, gpu):
    base = plain.base("bert", tmp_path / "base")
    for precision in ("fp32", "bf16"):
        train(base, data, folder=tmp_path / precision, precision=precision, device=gpu.type, **OPTIONS)
    np.testing.assert_allclose(losses(tmp_path / "bf16"), losses(tmp_path / "fp32"), atol=0.1)


@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_the_same_seed_gives_the_same_table_and_a_killed_run_goes_on(tmp_path, data, gpu, monkeypatch, precision):
    base, options = plain.base("bert", tmp_path / "base"), {**OPTIONS, "device": gpu.type, "precision": precision}
    for name in ("one", "other"):
        train(base, data, folder=tmp_path / name, **options)
    usual, near = chunks.Chunk._step, NEAR if precision == "fp32" else 0.05

    def breaks(self, jobs, stack, step):
        if step == 13:
            raise KeyboardInterrupt
        return usual(self, jobs, stack, step)

    monkeypatch.setattr(chunks.Chunk, "_step", breaks)
    with pytest.raises(KeyboardInterrupt):
        train(base, data, folder=tmp_path / "killed", checkpoint_every=5, **options)
    assert (tmp_path / "killed/checkpoint.safetensors").exists()
    monkeypatch.setattr(chunks.Chunk, "_step", usual)
    train(base, data, folder=tmp_path / "killed", checkpoint_every=5, **options)
    for name in ("other", "killed"):
        np.testing.assert_allclose(losses(tmp_path / name), losses(tmp_path / "one"), atol=near)


def test_a_checkpoint_comes_back_to_the_gpu_as_it_was(tmp_path, gpu):
    stack = Stack.of({"a": torch.randn(3, 4), "b": torch.randn(5)}, 2, gpu)
    checkpoint.save(tmp_path / "c.safetensors", checkpoint.Checkpoint(1, 2, torch.zeros(4, 9), stack), "x")
    found = checkpoint.load(tmp_path / "c.safetensors", "x", gpu).stack
    for group, parts in stack.groups().items():
        for name, part in parts.items():
            assert found.groups()[group][name].device.type == gpu.type
            assert torch.equal(found.groups()[group][name], part)


def test_dropout_masks_are_those_of_a_cpu(gpu):
    found = []
    for device, fused in ((torch.device("cpu"), False), (gpu, False), (gpu, is_fused(gpu))):
        places = torch.arange(32, dtype=torch.int32, device=device)[:, None] * dropout.MAX_LENGTH
        tokens = (places + torch.arange(20, dtype=torch.int32, device=device)).expand(3, -1, -1)
        keys = torch.from_numpy(dropout.split_seeds([mix_seeds(seed, 7) for seed in (1, 2**31, 9)])).to(device)
        drop = dropout.Dropout(0.1, keys, fused)
        hidden = drop(torch.ones(3, 32, 20, 768, device=device), dropout.token_counters(tokens, 768))
        attention = drop(torch.ones(3, 32, 12, 20, 20, device=device), dropout.attention_counters(tokens, 12))
        found.append((hidden.cpu(), attention.cpu()))
    for others in found[1:]:
        assert all(torch.equal(ours, theirs) for ours, theirs in zip(found[0], others, strict=True))


def test_a_step_waits_for_the_gpu_nowhere(tmp_path, data, gpu):
    model = plain.load(plain.base("bert", tmp_path))
    jobs = [chunks.Job(i, i, part, schedule(part.lengths, 8, 4, i)) for i, part in enumerate(data[1:])]
    stack = Stack.of(dict(model.named_parameters()), len(jobs), gpu)
    settings = chunks.Settings(4, 8, 1e-3, 0.1, 0.01, 0.1, 1.0, "fp32")
    way = StackedGradients(find_architecture(model), 0.1, torch.float32, is_fused(gpu))
    chunk = chunks.Chunk(jobs, stack, way, frozenset(stack.weights), settings, gpu, is_fused(gpu))
    chunk.advance(0, 2, None)
    before = torch.cuda.get_sync_debug_mode()
    torch.cuda.set_sync_debug_mode("error")
    try:
        chunk._advance(slice(None), 2, 20)
    finally:
        torch.cuda.set_sync_debug_mode(before)


def test_pseudo_log_likelihoods_are_those_of_a_cpu(gpu):
    texts = [
        f"{who} repaired the engine near the river{more}." for who in ("She", "He") for more in ("", " after a day")
    ]
    found = [pll.scores(loading.load(TINY, device=device), texts[:2], texts[2:]) for device in ("cpu", gpu.type)]
    np.testing.assert_allclose(found[1], found[0], atol=1e-4)


def test_pretraining_learns_on_a_gpu(tmp_path, gpu):
    lines = [
        f"The {who} {did} the old {it}."
        for who in ("nurse", "pilot")
        for did in ("saw", "heard")
        for it in ("dog", "car")
    ]
    (tmp_path / "text.txt").write_text("\n".join(lines * 60) + "\n")
    settings = pretraining.Settings(150, 1, 16, 2, length=16, batch=16, steps=60, learning_rate=0.02, save_every=10)
    loss = pretraining.train([str(tmp_path / "text.txt")], tmp_path / "model", tmp_path / "checkpoint.pt", settings)
    assert loss < 3  # log 60 = 4.1 at the start


def test_heads_are_those_of_a_cpu(gpu):
    random = np.random.default_rng(1)
    labels = (random.random((80, 3)) < 0.4).astype(np.float32)
    vectors = (labels @ random.standard_normal((3, 12)) + random.standard_normal((2, 80, 12))).astype(np.float32)
    folds = np.arange(80) % 2
    found = [
        heads.cross_validate(vectors, labels, folds, rates=[1e-2], recalls=(-1.0, 2.0), device=device)
        for device in ("cpu", gpu.type)
    ]
    np.testing.assert_allclose(found[1].probabilities, found[0].probabilities, atol=1e-2)
