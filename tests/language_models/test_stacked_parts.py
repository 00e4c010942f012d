"""Parts of stacked training: batches, dropout, memory, files, and going on after a kill."""

import signal
import subprocess
import sys
import time
from contextlib import suppress

import numpy as np
import pytest

torch = pytest.importorskip("torch")
transformers = pytest.importorskip("transformers")

from safetensors import safe_open  # noqa: E402

from biassay.language_models.stacked import dropout, memory  # noqa: E402
from biassay.language_models.stacked.architectures import find_architecture  # noqa: E402
from biassay.language_models.stacked.files import load_into  # noqa: E402
from biassay.language_models.stacked.schedule import mix_seeds, rate, schedule  # noqa: E402
from biassay.language_models.stacked.training import train  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402

LONG_RUN = {"seeds": [1, 2, 3], "epochs": 24, "batch": 8, "dropout": 0.1, "checkpoint_every": 20, "at_once": 2}


def test_each_epoch_goes_through_all_sentences_with_little_padding():
    lengths = np.random.default_rng(0).integers(8, 21, 1000)
    steps = schedule(lengths, 32, 3, seed=5)
    assert len(steps) == 3 * 32
    for epoch in range(3):
        assert sorted(np.concatenate(steps[32 * epoch : 32 * (epoch + 1)])) == list(range(1000))
    padded = sum(len(rows) * lengths[rows].max() for rows in steps)
    assert padded < 1.06 * 3 * lengths.sum()
    others = schedule(lengths, 32, 3, seed=6)
    assert not any(np.array_equal(rows, other) for rows, other in zip(steps, others, strict=True))
    longest = [max(abs(int(lengths[a].max()) - int(lengths[b].max())), 0) for a, b in zip(steps, others, strict=True)]
    assert max(longest) <= 2


def test_the_learning_rate_is_that_of_transformers():
    parameter = torch.nn.Parameter(torch.zeros(1))
    optimizer = torch.optim.AdamW([parameter], lr=3e-4)
    rates = transformers.get_linear_schedule_with_warmup(optimizer, 5, 47)
    for step in range(47):
        assert rate(step, 47, peak=3e-4, warmup=0.1) == pytest.approx(rates.get_last_lr()[0])
        optimizer.step()
        rates.step()


def test_dropout_depends_on_seed_step_and_place_only():
    tokens = torch.arange(6, dtype=torch.int32)[:, None] * dropout.MAX_LENGTH + torch.arange(50, dtype=torch.int32)

    def masks(seeds, step, length=50):
        drop = dropout.Dropout(0.1, torch.from_numpy(dropout.split_seeds([mix_seeds(seed, step) for seed in seeds])))
        rows = dropout.token_counters(tokens[None, :, :length].expand(len(seeds), -1, -1), 64)
        x = torch.ones(len(seeds), 6, length, 64)
        return [drop(x, rows), drop(x, rows)]

    first, second = masks([4, 9], 3)
    for values in (*first, *second):
        assert values.unique().tolist() == pytest.approx([0, 1 / 0.9])
        assert (values == 0).float().mean() == pytest.approx(0.1, abs=0.006)  # four standard errors
        rows = (values == 0).float().mean((0, 1))
        assert rows.max() < 0.25
    both = [first[0], first[1], second[0], second[1], masks([4], 4)[0][0]]
    for i, one in enumerate(both):
        for other in both[:i]:
            assert ((one == 0) & (other == 0)).float().mean() == pytest.approx(0.01, abs=0.003)
    assert torch.equal(masks([9], 3, length=20)[0][0], first[1][:, :20])


def test_models_at_once_fit_into_memory():
    cpu, cuda = torch.device("cpu"), torch.device("cuda")
    assert memory.models_at_once(10**6, 10**6, cpu, workers=2, available=10**8) == 5
    assert memory.models_at_once(10**6, 8 * 10**6, cuda, available=10**8) == 4
    assert memory.models_at_once(10**9, 10**9, cpu, available=10**8) == 1
    assert memory.free_memory(cpu) > 0


@pytest.mark.fault(
    "SIGKILL of a training of models",
    "resumes from its last checkpoint; results equal those of an uninterrupted training",
)
def test_a_killed_training_goes_on_to_the_same_result(tmp_path):
    base, data = plain.base("bert", tmp_path / "base"), [plain.sentences(40, seed) for seed in (1, 2, 3)]
    train(base, data, folder=tmp_path / "unbroken", **LONG_RUN)
    code = (
        "import torch; torch.set_num_threads(1);"
        "from biassay.language_models.stacked.training import train;"
        "from tests.language_models import plain_training as plain;"
        "from tests.language_models.test_stacked_parts import LONG_RUN;"
        "data = [plain.sentences(40, seed) for seed in (1, 2, 3)];"
        f"train({str(base)!r}, data, folder={str(tmp_path / 'killed')!r}, **LONG_RUN)"
    )
    process = subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.DEVNULL)
    checkpoint, deadline = tmp_path / "killed/checkpoint.safetensors", time.monotonic() + 120
    while process.poll() is None and time.monotonic() < deadline:
        if checkpoint.exists():
            notes = {"first": ""}
            with suppress(RuntimeError), safe_open(checkpoint, "pt") as file:  # replaced while it is opened
                notes = file.metadata()
            if notes["first"] == "2" and int(notes["step"]) > 20:  # amid the second chunk
                process.send_signal(signal.SIGKILL)
                break
        time.sleep(0.005)
    assert process.wait() == -signal.SIGKILL
    assert not (tmp_path / "killed/weights.safetensors").exists()
    train(base, data, folder=tmp_path / "killed", **LONG_RUN)
    for name in ("weights.safetensors", "losses.csv"):
        assert (tmp_path / "killed" / name).read_bytes() == (tmp_path / "unbroken" / name).read_bytes()
    assert not checkpoint.exists()


def test_weights_of_another_training_are_replaced_and_the_same_are_kept(tmp_path):
    base, data, out = (
        plain.base("bert", tmp_path / "base"),
        [plain.sentences(8, 1)],
        tmp_path / "out/weights.safetensors",
    )
    train(base, data, seeds=[1], folder=tmp_path / "out", epochs=1)
    before = out.stat().st_mtime_ns
    train(base, data, seeds=[1], folder=tmp_path / "out", epochs=1)
    assert out.stat().st_mtime_ns == before
    train(base, data, seeds=[2], folder=tmp_path / "out", epochs=1)
    assert out.stat().st_mtime_ns > before


def test_what_has_no_stacked_form(tmp_path):
    for change in ({"tie_word_embeddings": False}, {"is_decoder": True, "add_cross_attention": True}):
        config = transformers.BertConfig(**plain.SIZES, num_hidden_layers=1, **change)
        assert find_architecture(transformers.BertForMaskedLM(config)) is None
    assert find_architecture(transformers.MPNetForMaskedLM(plain.CONFIGS["mpnet"]())) is None
    config = transformers.AlbertConfig(
        **plain.SIZES, embedding_size=8, num_hidden_layers=6, num_hidden_groups=3, inner_group_num=2
    )
    known = find_architecture(transformers.AlbertForMaskedLM(config))
    names = [layer.query.split("albert_layer_groups.")[1].split(".attention")[0] for layer in known.layers]
    assert names == [f"{group}.albert_layers.{j}" for group in (0, 0, 1, 1, 2, 2) for j in (0, 1)]


def test_weights_go_only_into_a_model_like_the_base(tmp_path):
    train(plain.base("bert", tmp_path / "base"), [plain.sentences(8, 1)], seeds=[1], folder=tmp_path / "out", epochs=1)
    with pytest.raises(ValueError, match="from 0 to 0, got 1"):
        load_into(plain.load(tmp_path / "base"), tmp_path / "out", 1)
    with pytest.raises(ValueError, match="expected weights of this RobertaForMaskedLM"):
        load_into(plain.load(plain.base("roberta", tmp_path / "other")), tmp_path / "out", 0)
    with pytest.raises(ValueError, match="training has not finished"):
        load_into(plain.load(tmp_path / "base"), tmp_path, 0)
