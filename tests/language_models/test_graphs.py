"""Steps recorded as CUDA graphs: what is kept from one to the next, when they are recorded, and the same results."""

import importlib.util
from contextlib import contextmanager

import pandas as pd
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from safetensors.torch import load_file  # noqa: E402

from biassay.language_models.stacked import chunk as chunks  # noqa: E402
from biassay.language_models.stacked import graphs, run, step_gradients  # noqa: E402
from biassay.language_models.stacked.architectures import find_architecture  # noqa: E402
from biassay.language_models.stacked.graphs import Graphs  # noqa: E402
from biassay.language_models.stacked.optimizer import Stack  # noqa: E402
from biassay.language_models.stacked.schedule import schedule  # noqa: E402
from biassay.language_models.stacked.training import train  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402
from tests.language_models import recording  # noqa: E402
from tests.language_models.test_stacked import KEY_BIASES  # noqa: E402

CPU = torch.device("cpu")
CASES = [("torch", kind, "fp32") for kind in plain.CONFIGS if kind != "mpnet"]
CASES += [
    ("torch", "bert", "bf16"),
    ("torch", "albert", "bf16"),
    ("triton", "bert", "bf16"),
    ("triton", "albert", "fp32"),
]
OPTIONS = {"seeds": [5, 0, 2], "epochs": 3, "batch": 8, "learning_rate": 2e-3, "max_norm": 0.5}


def as_on_a_gpu(kernels, monkeypatch):
    """All models in one pass with updates and dropout as on a GPU, by torch or in Triton's interpreter."""
    if kernels == "triton" and not importlib.util.find_spec("triton"):
        pytest.skip("triton is not installed: it comes with torch for GPUs")
    {"torch": recording.by_torch, "triton": recording.by_triton}[kernels](monkeypatch)
    monkeypatch.setattr(chunks, "trains_separately", lambda _: False)
    monkeypatch.setattr(run, "is_fused", lambda _: True)


def chunk_of(model, data, precision, recorded):
    """A chunk, 4 epochs long, whose steps are recorded, or taken one after the other."""
    jobs = [chunks.Job(i, i, part, schedule(part.lengths, 8, 4, i)) for i, part in enumerate(data)]
    stack = Stack.of(dict(model.named_parameters()), len(jobs), CPU)
    settings = chunks.Settings(4, 8, 1e-2, 0.1, 0.01, 0.1, 0.5, precision)
    way = step_gradients.StackedGradients(find_architecture(model), 0.1, run.PRECISIONS[precision], True)
    if precision == "bf16":
        stack.rounded = way.rounded(stack.weights)
    steps = Graphs(8, lambda: recording.capture if recorded else lambda take: take)
    return chunks.Chunk(jobs, stack, way, frozenset(stack.weights), settings, CPU, True, steps)


@pytest.mark.parametrize(("kernels", "kind", "precision"), CASES)
def test_nothing_of_a_step_is_left_in_the_next(tmp_path, monkeypatch, kernels, kind, precision):
    """Bit for bit: sentences, dropout, rates, counts; three models of which one ends before the others."""
    as_on_a_gpu(kernels, monkeypatch)
    monkeypatch.setattr(step_gradients, "row_multiple", lambda *_: 64)
    model = plain.load(plain.base(kind, tmp_path))
    data = [plain.sentences(n, n + i, longest=8) for i, n in enumerate((24, 24, 16))]
    ours, plainly = (chunk_of(model, data, precision, recorded) for recorded in (True, False))
    losses = [chunk.advance(0, 12, None) for chunk in (ours, plainly)]
    assert torch.equal(*(found.nan_to_num(-1) for found in losses))
    assert [int(row.isfinite().sum()) for row in losses[0]] == [12, 12, 8]
    (shape,) = ours.graphs.shapes.values()
    assert (shape.steps, shape.inputs.batch.ids.shape) == (4, (2, 8, 8))
    for group, tensors in vars(plainly.stack).items():
        for name, tensor in tensors.items():
            assert torch.equal(vars(ours.stack)[group][name], tensor), f"{group} {name}"


def check_training(tmp_path, monkeypatch, device, precision, near):
    """With graphs, without, and with graphs after a break amid a chunk, which begins with new ones."""
    base, data = plain.base("bert", tmp_path / "base"), [plain.sentences(n, n) for n in (21, 40, 40)]
    options = OPTIONS | {"dropout": 0.1, "precision": precision, "device": device.type, "checkpoint_every": 8}
    recorded, usual, take = [], graphs.Graphs.run_step, chunks.Chunk._step
    monkeypatch.setattr(graphs.Graphs, "run_step", lambda *given: recorded.append(given) or usual(*given))
    train(base, data, folder=tmp_path / "plainly", **options)
    assert not recorded
    train(base, data, folder=tmp_path / "graphs", graphs=True, **options)
    assert len(recorded) == 15

    def breaks(self, jobs, stack, step):
        if step == 11:
            raise KeyboardInterrupt
        return take(self, jobs, stack, step)

    monkeypatch.setattr(chunks.Chunk, "_step", breaks)
    with pytest.raises(KeyboardInterrupt):
        train(base, data, folder=tmp_path / "broken", graphs=True, **options)
    monkeypatch.setattr(chunks.Chunk, "_step", take)
    train(base, data, folder=tmp_path / "broken", graphs=True, **options)
    expected, *found = (pd.read_csv(tmp_path / name / "losses.csv") for name in ("plainly", "graphs", "broken"))
    for table in found:
        pd.testing.assert_frame_equal(table, expected, rtol=0, atol=near)
    weights, ours = (load_file(tmp_path / name / "weights.safetensors") for name in ("plainly", "graphs"))
    for name, weight in weights.items():
        if not name.endswith(KEY_BIASES):
            torch.testing.assert_close(ours[name], weight, atol=near, rtol=0)


def test_a_training_with_graphs_is_that_without(tmp_path, monkeypatch):
    as_on_a_gpu("torch", monkeypatch)
    begun, recorded = [], []
    monkeypatch.setattr(run, "Graphs", lambda longest: begun.append(longest) or Graphs(longest, lambda: record))

    def record(take):
        recorded.append(take)
        return recording.capture(take)

    check_training(tmp_path, monkeypatch, CPU, "fp32", 1e-4)
    assert begun == [12, 12, 12]
    assert len(recorded) >= 4


@pytest.mark.gpu
@pytest.mark.parametrize("precision", ["fp32", "bf16"])
def test_a_training_on_a_gpu_with_graphs_is_that_without(gpu, tmp_path, monkeypatch, precision):
    check_training(tmp_path, monkeypatch, gpu, precision, 1e-3 if precision == "fp32" else 0.05)


def test_there_are_none_without_a_gpu(tmp_path, caplog):
    base, data = plain.base("bert", tmp_path / "base"), [plain.sentences(8, 1)]
    for name, told in (("graphs", True), ("plainly", False)):
        train(base, data, seeds=[1], folder=tmp_path / name, epochs=1, device="cpu", graphs=told)
        assert ("training without CUDA graphs, which need encoders on a GPU with Triton" in caplog.messages) == told
        caplog.clear()
    files = [(tmp_path / name / "weights.safetensors").read_bytes() for name in ("graphs", "plainly")]
    assert files[0] == files[1]


def test_a_graph_is_recorded_once_and_replayed_from_a_pool(monkeypatch):
    told = []

    class Graph:
        def replay(self):
            told.append("replayed")

    @contextmanager
    def recording_to(graph, pool):
        told.append(("begins", type(graph), pool))
        yield
        told.append("ends")

    monkeypatch.setattr(torch.cuda, "graph_pool_handle", lambda: "pool")
    monkeypatch.setattr(torch.cuda, "CUDAGraph", Graph)
    monkeypatch.setattr(torch.cuda, "graph", recording_to)
    losses, capture = torch.ones(2), graphs.on_gpu()
    for _ in range(2):
        replay = capture(lambda: told.append("taken") or losses)
        assert told == [("begins", Graph, "pool"), "taken", "ends"]
        assert replay() is losses
        assert replay() is losses
        assert told[3:] == ["replayed"] * 2
        told.clear()


def test_what_is_recorded_is_done_at_each_replay_only_with_what_the_host_had():
    """What the other tests rest on."""
    kept, host = torch.tensor([2.0, 3.0]), [1.0]
    replay = recording.capture(lambda: kept.mul_(2) + host[0])
    assert kept.tolist() == [2, 3]
    host[0] = 5.0
    assert replay().tolist() == [5, 7]
    kept += 1
    assert replay().tolist() == [11, 15]
