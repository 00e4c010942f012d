"""Parts of stacked training by hand: dropout, schedule, steps of models side by side."""

from types import SimpleNamespace

import numpy as np
import pytest
import torch
import transformers

from biassay.language_models.stacked import dropout, schedule
from biassay.language_models.stacked import run as runs
from biassay.language_models.stacked.architectures import find_architecture
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


def group_of(way, steps=4, models=slice(None)):
    """A group of four models, numbered 0 to 3, with the seeds 20 to 23 and a weight that is not trained."""
    settings = runs.Settings(1, 1, learning_rate=0.5, warmup=0.0, weight_decay=0.0, dropout=0.0, max_norm=None,
                             precision="fp32")  # fmt: skip
    values = {"m": torch.zeros(2, 3), "w": torch.zeros(3), "still": torch.zeros(2)}
    weights = {name: torch.nn.Parameter(value, requires_grad=name != "still") for name, value in values.items()}
    run = SimpleNamespace(data=[plain.sentences(steps, 1)] * 4, seeds=[20, 21, 22, 23], settings=settings, steps=steps,
                          weights=weights, engine=way, device=CPU)  # fmt: skip
    return runs.Group(run, models, {name: value.repeat(4, *[1] * value.ndim) for name, value in values.items()})


def test_models_take_steps_at_the_rates_of_the_schedule():
    way = Way({(21, 1): 7.0})
    group = group_of(way, models=slice(1, 3))
    assert (group.advance(0, 2), group.advance(2, 4)) == (2.5, 1.0)
    assert way.seen == [(21, 22)] * 4
    moved = sum(schedule.rate(step, 4, peak=0.5, warmup=0.0) for step in range(4))  # as a gradient of 1 moves AdamW
    torch.testing.assert_close(group.weights["w"], torch.full((2, 3), -moved), atol=1e-5, rtol=0)
    assert (group.weights["still"] == 0).all()


def test_the_first_loss_that_is_no_number_is_named():
    wrong = {(22, 2): float("inf"), (23, 5): float("nan")}
    with pytest.raises(ValueError, match=r"model 2 \(seed 22\): the loss is inf at step 2 of 7; .*0\.5"):
        group_of(Way(wrong), steps=7).advance(1, 5)
    with pytest.raises(ValueError, match=r"model 3 \(seed 23\): the loss is nan at step 5 of 7"):
        group_of(Way(wrong), steps=7, models=slice(3, 4)).advance(4, 7)


@pytest.mark.parametrize(("part", "value"), [("weight", "nan"), ("weight", "-7e4"), ("exp_avg", "inf")])
def test_a_model_that_cannot_be_stored_is_named(part, value):
    group = group_of(Way({}))
    group.advance(0, 3)
    group.check(3, torch.float16)
    weight = group.weights["m"]
    values = weight if part == "weight" else group.optimizer.state[weight][part]
    values[2, 1, 1] = float(value)
    with pytest.raises(ValueError, match=r"model 2 \(seed 22\): .* of m .* after step 3 of 4, .*\(0\.5\)"):
        group.check(3, torch.float16)


def test_models_get_threads_on_a_cpu_and_torch_gets_its_own_back():
    before = torch.get_num_threads()
    torch.set_num_threads(4)
    for models, workers, each in ((3, 3, 1), (2, 2, 2), (9, 4, 1), (0, 1, 4)):
        with runs.workers(models) as pool:
            assert pool._max_workers == workers
            assert pool.submit(torch.get_num_threads).result() == each
        assert torch.get_num_threads() == 4
    torch.set_num_threads(before)
