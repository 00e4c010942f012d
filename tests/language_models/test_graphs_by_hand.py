"""Which steps are recorded, which replayed, and where they find what they are given."""

import numpy as np
import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay.language_models.stacked import graphs  # noqa: E402
from biassay.language_models.stacked.batches import prepare_step, stack_batches  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402

CPU = torch.device("cpu")


class Steps:
    """Graphs whose steps are told: (what is done, models, sentences, tokens, number of the step)."""

    def __init__(self):
        self.told, self.places, self.begun, self.number = [], [], 0, 0
        self.graphs = graphs.Graphs(40, self.begin)

    def begin(self):
        self.begun += 1
        return self.capture

    def capture(self, take):
        told, number = len(self.told), self.number
        take()
        self.told[told:] = ["recorded"]

        def replay():
            take()
            return torch.tensor(100.0 * number)

        return replay

    def step(self, given):
        self.told.append((*given.batch.ids.shape, int(given.count) - 1))
        self.places.append([part.data_ptr() for part in graphs._tensors(given)])
        self.given = given
        return given.rates + 1

    def take(self, models=2, sentences=3, width=8):
        parts = [plain.sentences(sentences, self.number + i) for i in range(models)]
        for part in parts:
            part.lengths[:] = width
        self.number += 1
        self.expected = prepare_step(parts, [self.number] * models, [0.5 * self.number] * models, self.number - 1, CPU)
        return self.graphs.run_step(self.step, self.expected)


def test_the_third_step_of_a_shape_is_recorded_and_all_later_ones_replayed():
    steps = Steps()
    assert [steps.take().tolist() for _ in range(2)] == [[1.5, 1.5], [2, 2]]
    assert [steps.take().item() for _ in range(3)] == [300.0] * 3
    assert steps.told == [(2, 3, 8, 0), (2, 3, 8, 1), "recorded", *((2, 3, 8, i) for i in (2, 3, 4))]
    assert steps.begun == 1


def test_all_steps_of_a_shape_find_what_they_are_given_in_one_place():
    steps = Steps()
    for _ in range(5):
        steps.take()
        found, expected = steps.given, steps.expected
        assert (found.seeds, found.host_rates, found.batch.sizes, found.batch.full) == (None, None, None, False)
        assert (expected.seeds, expected.batch.full) == ([steps.number] * 2, True)
        pairs = list(zip(graphs._tensors(found), graphs._tensors(expected), strict=True))
        assert len(pairs) == 9
        assert all(torch.equal(*pair) for pair in pairs)
    assert steps.places == steps.places[:1] * 6


def test_shapes_are_counted_apart_and_only_eight():
    steps, shapes = Steps(), [(2, 3, width) for width in (4, 5, 6, 7)] + [(2, 4, width) for width in (4, 5, 6, 7)]
    for _ in range(3):
        for models, sentences, width in (*shapes, (2, 3, 8)):
            steps.take(models, sentences, width)
    assert sorted(steps.graphs.shapes) == shapes
    assert steps.told.count("recorded") == 8
    assert [told for told in steps.told[18:] if told != "recorded"][:-1] == [(*shapes[i], 18 + i) for i in range(8)]
    assert steps.told[-1] == (2, 3, 8, 26)
    assert steps.given is steps.expected  # of a shape too many


def test_when_a_model_ends_graphs_are_dropped():
    steps = Steps()
    for models in (3, 3, 3, 3, 1, 1, 1):
        steps.take(models=models)
    assert steps.told.count("recorded") == steps.begun == 2
    assert steps.told[-1] == (1, 3, 8, 6)
    assert list(steps.graphs.shapes) == [(1, 3, 8)]


def test_one_model_has_graphs_too():
    steps = Steps()
    assert [steps.take(models=1).item() for _ in range(4)] == [1.5, 2, 300, 300]


def test_lengths_are_rounded_up_but_not_beyond_the_longest():
    made = graphs.Graphs(21)
    found = {}
    for longest in (1, 7, 8, 9, 16, 17, 21):
        part = plain.sentences(3, 1, longest=21)
        part.lengths[:] = 1, longest, 1
        found[longest] = made.width([plain.sentences(2, 1, longest=4).take(np.array([0])), part])
    assert found == {1: 8, 7: 8, 8: 8, 9: 16, 16: 16, 17: 21, 21: 21}


def test_a_batch_that_is_wider_holds_the_same():
    parts = [plain.sentences(3, 1, longest=7), plain.sentences(2, 2, longest=9)]
    plainly = stack_batches(parts, CPU)
    assert prepare_step(parts, [1, 2], [0.1, 0.1], 0, CPU).batch.ids.shape == plainly.ids.shape == (2, 3, 9)
    wide = prepare_step(parts, [1, 2], [0.1, 0.1], 0, CPU, 16).batch
    assert wide.ids.shape == (2, 3, 16)
    assert torch.equal(wide.ids[..., :9], plainly.ids)
    assert (wide.ids[..., 9:] == 0).all()
    assert wide.sizes == plainly.sizes
    for name in ("lengths", "positions", "labels", "shares"):
        assert torch.equal(getattr(wide, name), getattr(plainly, name))
    parts[0].lengths[:], parts[1].lengths[:] = 9, 9
    assert [prepare_step(parts[1:], [1], [0.1], 0, CPU, width).batch.full for width in (0, 9, 10)] == [
        True,
        True,
        False,
    ]
