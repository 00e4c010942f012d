"""Steps of models side by side: whose, at what rate, clipped how; a loss that is no number; threads."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay.language_models.stacked import chunk as chunks  # noqa: E402
from biassay.language_models.stacked.optimizer import Stack  # noqa: E402
from biassay.language_models.stacked.schedule import mix_seeds, rate  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402

CPU = torch.device("cpu")


class Way:
    """Stands for a way to gradients: losses as given, by seed and step, and gradients of 1."""

    parallel = True

    def __init__(self, losses):
        self.losses, self.seen = losses, []

    def gradients(self, weights, batch, mixed):
        step_of = {mix_seeds(seed, step): (seed, step) for seed in range(20, 24) for step in range(9)}
        seeds, (at, *_) = zip(*(step_of[number] for number in mixed), strict=True)
        self.seen.append((tuple(seeds), at, tuple(len(part) for part in weights.values())))
        return torch.tensor([self.losses.get((seed, at), 1.0) for seed in seeds]), {
            name: torch.ones_like(weight) for name, weight in weights.items()
        }


def chunk_of(way, trained=("m", "w"), steps=(4, 3, 3, 1), **settings):
    given = dict(epochs=1, batch=1, learning_rate=0.5, warmup=0.0, weight_decay=0.0, dropout=0.0)
    chosen = chunks.Settings(**given | {"max_norm": None, "precision": "fp32"} | settings)
    jobs = [
        chunks.Job(10 + i, 20 + i, plain.sentences(n, 1), [np.array([row]) for row in range(n)])
        for i, n in enumerate(steps)
    ]
    stack = Stack.of({"m": torch.zeros(2, 3), "w": torch.zeros(3), "still": torch.zeros(2)}, len(jobs), CPU)
    return chunks.Chunk(jobs, stack, way, frozenset(trained), chosen, CPU)


def test_each_model_takes_its_own_steps_at_its_own_rate(in_one_pass):
    way = Way({(21, 1): 7.0})
    chunk = chunk_of(way)
    losses = chunk.advance(0, 2, None)
    assert losses.nan_to_num(-1).tolist() == [[1, 1], [1, 7], [1, 1], [1, -1]]
    assert chunk.advance(2, 4, None).nan_to_num(-1).tolist() == [[1, 1], [1, -1], [1, -1], [-1, -1]]
    if in_one_pass:
        assert [seeds for seeds, _, _ in way.seen] == [(20, 21, 22, 23), (20, 21, 22), (20, 21, 22), (20,)]
    for model, steps in enumerate((4, 3, 3, 1)):  # a gradient of 1 moves AdamW by its rate
        moved = sum(rate(step, steps, peak=0.5, warmup=0.0) for step in range(steps))
        assert chunk.stack.weights["w"][model].tolist() == pytest.approx([-moved] * 3, abs=1e-5)
        assert (chunk.stack.weights["still"] == 0).all()


def test_threads_get_a_model_each_or_all_at_once(in_one_pass):
    given = []

    class Pool:
        def map(self, advance, models):
            given.extend(models)
            return map(advance, models)

    assert chunk_of(Way({})).advance(0, 1, Pool()).tolist() == [[1], [1], [1], [1]]
    assert given == ([slice(None)] if in_one_pass else [slice(i, i + 1) for i in range(4)])


def test_the_first_loss_that_is_no_number_is_named(in_one_pass):
    wrong = {(22, 2): float("inf"), (23, 5): float("nan")}
    with pytest.raises(ValueError, match=r"model 12 \(seed 22\): the loss is inf at step 2 of 7; .*0\.5"):
        chunk_of(Way(wrong), steps=(9, 8, 7, 6)).advance(1, 5, None)
    with pytest.raises(ValueError, match=r"model 13 \(seed 23\): the loss is nan at step 5 of 6"):
        chunk_of(Way(wrong), steps=(9, 8, 7, 6)).advance(4, 9, None)


@pytest.mark.parametrize(("group", "value"), [("weights", "nan"), ("weights", "-7e4"), ("first", "inf")])
def test_a_model_that_cannot_be_stored_is_named(group, value):
    chunk = chunk_of(Way({}))
    chunk.check(2, torch.float16)
    getattr(chunk.stack, group)["m"][2, 1, 1] = float(value)
    with pytest.raises(ValueError, match=r"model 12 \(seed 22\): .* of m .* after step 3 of 3, .*\(0\.5\)"):
        chunk.check(4, torch.float16)


def test_each_models_gradient_is_clipped(in_one_pass):
    chunk = chunk_of(Way({}), steps=(1, 1), max_norm=0.01, learning_rate=1e-3)
    chunk.advance(0, 1, None)
    assert (
        chunk.stack.first["w"].tolist() == [pytest.approx([0.1 * 0.01 / 9**0.5] * 3, rel=1e-3)] * 2
    )  # of 6 + 3 values


def test_models_get_threads_on_a_cpu_and_torch_gets_its_own_back():
    before = torch.get_num_threads()
    torch.set_num_threads(4)
    for models, workers, each in ((3, 3, 1), (2, 2, 2), (9, 4, 1), (0, 1, 4)):
        with chunks.workers(models) as pool:
            assert pool._max_workers == workers
            assert pool.submit(torch.get_num_threads).result() == each
        assert torch.get_num_threads() == 4
    torch.set_num_threads(before)
