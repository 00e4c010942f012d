"""Parts of stacked training by hand: dropout, schedule, steps of models side by side."""

import numpy as np
import pytest
import torch
import transformers

from biassay.language_models.stacked import chunk as chunks
from biassay.language_models.stacked import dropout, schedule
from biassay.language_models.stacked.architectures import find_architecture
from biassay.language_models.stacked.optimizer import Stack
from tests.language_models import plain_training as plain

CPU = torch.device("cpu")


def test_dropout_is_the_same_on_every_machine():
    """The hashes of seed, step, layer and counter, of two models and layers."""
    rows, expected = torch.arange(12, dtype=torch.int32) * 64, []
    drop = dropout.Dropout(0.5, [schedule.mix_seeds(seed, 12) for seed in (3, 40)])
    for _ in range(2):
        values = drop(torch.ones(2, 12, 1), rows.expand(2, -1))[..., 0]
        assert set(values.ravel().tolist()) == {0, 2}
        expected.append(["".join(str(int(value > 0)) for value in of_model) for of_model in values])
    assert expected == [["011001111111", "010010101010"], ["001100101100", "011010000110"]]
    drop.layer -= 1
    wide = drop(torch.ones(2, 12, 3), (rows - 1).expand(2, -1))[..., 1]  # the next value has the next counter
    assert torch.equal(wide, values)


def test_batches_are_those_of_a_plain_loop():
    lengths = np.random.default_rng(0).integers(4, 30, 130)
    expected = []
    for epoch in range(2):
        order = np.random.default_rng((9, epoch)).permutation(130).tolist()
        for first in range(0, 130, 48):  # 16 batches of 3
            rows = sorted(order[first : first + 48], key=lambda row: lengths[row])
            batches = [rows[at : at + 3] for at in range(0, len(rows), 3)]
            places = np.random.default_rng((epoch, first)).permutation(len(batches))
            expected += [batches[place] for place in places]
    assert [rows.tolist() for rows in schedule.schedule(lengths, 3, 2, seed=9)] == expected


def test_models_without_a_stacked_form():
    for change in ({"tie_word_embeddings": False}, {"is_decoder": True, "add_cross_attention": True}):
        config = transformers.BertConfig(**plain.SIZES, num_hidden_layers=1, **change)
        assert find_architecture(transformers.BertForMaskedLM(config)) is None
    assert find_architecture(transformers.MPNetForMaskedLM(plain.CONFIGS["mpnet"]())) is None


class Way:
    """Stands for a way to gradients: losses as given, by seed and step, and gradients of 1."""

    def __init__(self, losses):
        self.losses, self.seen = losses, []

    def gradients(self, weights, batch, mixed):
        step_of = {schedule.mix_seeds(seed, step): (seed, step) for seed in range(20, 24) for step in range(9)}
        seeds, (at, *_) = zip(*(step_of[number] for number in mixed), strict=True)
        self.seen.append(seeds)
        return torch.tensor([self.losses.get((seed, at), 1.0) for seed in seeds]), {
            name: torch.ones_like(weight) for name, weight in weights.items()
        }


def chunk_of(way, steps=(4, 3, 3, 1)):
    settings = chunks.Settings(1, 1, learning_rate=0.5, warmup=0.0, weight_decay=0.0, dropout=0.0, max_norm=None,
                               precision="fp32")  # fmt: skip
    jobs = [
        chunks.Job(10 + i, 20 + i, plain.sentences(n, 1), [np.array([row]) for row in range(n)])
        for i, n in enumerate(steps)
    ]
    stack = Stack.of({"m": torch.zeros(2, 3), "w": torch.zeros(3), "still": torch.zeros(2)}, len(jobs), CPU)
    return chunks.Chunk(jobs, stack, way, frozenset(["m", "w"]), settings, CPU)


def test_each_model_takes_its_own_steps_at_its_own_rate(in_one_pass):
    way = Way({(21, 1): 7.0})
    chunk = chunk_of(way)
    assert chunk.advance(0, 2, None).nan_to_num(-1).tolist() == [[1, 1], [1, 7], [1, 1], [1, -1]]
    assert chunk.advance(2, 4, None).nan_to_num(-1).tolist() == [[1, 1], [1, -1], [1, -1], [-1, -1]]
    together = [(20, 21, 22, 23), (20, 21, 22), (20, 21, 22), (20,)]
    assert way.seen == (together if in_one_pass else [(seed,) for seed in (20, 20, 21, 21, 22, 22, 23, 20, 20, 21, 22)])
    for model, steps in enumerate((4, 3, 3, 1)):  # a gradient of 1 moves AdamW by its rate
        moved = sum(schedule.rate(step, steps, peak=0.5, warmup=0.0) for step in range(steps))
        assert chunk.stack.weights["w"][model].tolist() == pytest.approx([-moved] * 3, abs=1e-5)
        assert (chunk.stack.weights["still"] == 0).all()


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


def test_models_get_threads_on_a_cpu_and_torch_gets_its_own_back():
    before = torch.get_num_threads()
    torch.set_num_threads(4)
    for models, workers, each in ((3, 3, 1), (2, 2, 2), (9, 4, 1), (0, 1, 4)):
        with chunks.workers(models) as pool:
            assert pool._max_workers == workers
            assert pool.submit(torch.get_num_threads).result() == each
        assert torch.get_num_threads() == 4
    torch.set_num_threads(before)
