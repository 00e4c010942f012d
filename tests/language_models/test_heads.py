"""Heads against a plain torch loop that takes the same steps, however they are stacked and on any threads."""

import threading

import numpy as np
import pytest
import torch

from biassay.language_models import head_stack, head_training, heads
from biassay.language_models.head_stack import batches
from biassay.language_models.heads import cross_validate
from biassay.language_models.stacked import chunk
from tests.language_models.head_material import LABELS, OF_FOLDS, OPTIONS, RATES, VECTORS, D, alone, material
from tests.progress import kept


@pytest.fixture(scope="module")
def found():
    return cross_validate(VECTORS, LABELS, OF_FOLDS, attempts=1, **OPTIONS)


def test_heads_are_those_of_a_plain_loop(found):
    for variant, fold, scores, valid, said in alone():
        np.testing.assert_allclose(found.scores[variant, fold], scores, atol=1e-6)
        assert found.valid[variant, fold] == any(valid)
        allowed = [i for i in range(2) if valid[i]] or [0, 1]
        best = max(allowed, key=lambda i: scores[i])
        assert found.rates[variant, fold] == RATES[best]
        np.testing.assert_allclose(found.probabilities[variant, fold == OF_FOLDS], said[best], atol=2e-5)
    assert (found.attempts == 1).all()
    assert found.probabilities.dtype == np.float32
    assert found.folds is OF_FOLDS


def test_some_rates_count_and_some_do_not():
    """So that the plain loop has all to compare: where all rates count, some and none."""
    assert {sum(valid) for *_, valid, _ in alone()} == {0, 1, 2}


def same(one, other, atol=2e-5):
    for name in ("rates", "valid", "attempts"):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name))
    np.testing.assert_allclose(one.scores, other.scores, atol=1e-6)
    np.testing.assert_allclose(one.probabilities, other.probabilities, atol=atol)


def test_all_heads_in_one_stack_as_on_a_gpu_give_the_same(found, monkeypatch):
    monkeypatch.setattr(head_training, "trains_separately", lambda device: False)
    same(found, cross_validate(VECTORS, LABELS, OF_FOLDS, attempts=1, **OPTIONS))
    monkeypatch.setattr(head_training, "MEMORY", 12 * D**2 * 4)  # two variants and folds a stack
    begun = kept(monkeypatch, head_training)
    same(found, cross_validate(VECTORS, LABELS, OF_FOLDS, attempts=1, **OPTIONS))
    assert len(begun[0].notes) == 3


def test_a_stack_is_of_a_fold_or_where_that_is_too_large_of_some_rates(found, monkeypatch):
    begun = kept(monkeypatch, head_training)
    monkeypatch.setattr(head_training, "CACHE", 12 * D**2 * 2 - 1)  # a head only
    same(found, cross_validate(VECTORS, LABELS, OF_FOLDS, attempts=1, **OPTIONS))
    assert [len(begun[0].notes), begun[0].total, begun[0].done] == [12, 12, 12]
    for room in (2, 100):
        monkeypatch.setattr(head_training, "CACHE", 12 * D**2 * room)
        same(found, cross_validate(VECTORS, LABELS, OF_FOLDS, attempts=1, **OPTIONS))
        assert [len(begun[-1].notes), begun[-1].done] == [6, 12]


@pytest.mark.parametrize("threads", [1, 2])
def test_threads_change_nothing(threads):
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(threads)
        one, other = (cross_validate(VECTORS, LABELS, OF_FOLDS, attempts=2, **OPTIONS) for _ in range(2))
        torch.set_num_threads(3 - threads)
        third = cross_validate(VECTORS, LABELS, OF_FOLDS, attempts=2, **OPTIONS)
    finally:
        torch.set_num_threads(before)
    for again in (other, third):
        assert (one.probabilities == again.probabilities).all()
        assert (one.scores == again.scores).all()


def trained_by(monkeypatch, before=lambda: None):
    """The threads that stacks are trained in from here on, as a list that grows."""
    threads, train = [], head_training._train

    def noted(*given):
        before()
        threads.append((threading.get_ident(), torch.get_num_threads()))
        return train(*given)

    monkeypatch.setattr(head_training, "_train", noted)
    return threads


def test_two_threads_train_a_stack_each_at_a_time(found, monkeypatch):
    threads = trained_by(monkeypatch, threading.Barrier(2, timeout=20).wait)  # each waits for another one
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        again = cross_validate(VECTORS, LABELS, OF_FOLDS, attempts=1, **OPTIONS)
        assert torch.get_num_threads() == 2
    finally:
        torch.set_num_threads(before)
    assert len(threads) == 6
    assert len({thread for thread, _ in threads}) == 2
    assert {of_torch for _, of_torch in threads} == {1}
    assert (again.probabilities == found.probabilities).all()
    assert (again.scores == found.scores).all()


def test_where_models_are_not_trained_apart_no_other_thread_trains(found, monkeypatch):
    threads = trained_by(monkeypatch)
    monkeypatch.setattr(chunk, "trains_separately", lambda device: False)
    same(found, cross_validate(VECTORS, LABELS, OF_FOLDS, attempts=1, **OPTIONS))
    assert {thread for thread, _ in threads} == {threading.get_ident()}


def test_rmsprop_in_one_pass_is_torchs():
    random = np.random.default_rng(1)
    start, slopes = random.standard_normal((2, 3, 4)), random.standard_normal((5, 2, 3, 4))
    rates, ours = torch.tensor([0.1, 0.003]), []
    for update in (head_stack.update_in_one_pass, head_stack.update_by_torch):
        weights, squares = torch.tensor(start, dtype=torch.float32), torch.zeros(2, 3, 4)
        for slope in slopes:
            parts = weights, squares, torch.tensor(slope, dtype=torch.float32), rates
            update(*(part.numpy() for part in parts) if update is head_stack.update_in_one_pass else parts)
        ours.append(weights.numpy())
    for head in range(2):
        weight = torch.nn.Parameter(torch.tensor(start[head], dtype=torch.float32))
        optimizer = torch.optim.RMSprop([weight], lr=float(rates[head]))
        for slope in slopes:
            weight.grad = torch.tensor(slope[head], dtype=torch.float32)
            optimizer.step()
        for found in ours:
            np.testing.assert_allclose(found[head], weight.detach().numpy(), atol=1e-6)


def test_on_a_cpu_the_one_pass_is_taken_and_rates_are_the_papers():
    stack = head_stack.Stack(2, 1, [1], [0.1], torch.device("cpu"))
    assert stack.update is head_stack.update_in_one_pass
    assert heads.RATES == (0.005, 0.001, 0.0005, 0.0001, 0.00005, 0.00001, 0.000005)


def test_batches_go_through_each_part_once_an_epoch_in_new_orders():
    parts = [np.arange(10, 31), np.arange(40, 60)]
    epochs = list(batches(parts, 3, 8, [1, 2]))
    assert len(epochs) == 3
    for rows, shares in epochs:
        assert rows.shape == (3, 2, 7)
        assert shares.shape == (3, 2, 7, 1)
        for number, part in enumerate(parts):
            there = shares[:, number, :, 0] > 0
            assert sorted(rows[:, number][there].tolist()) == part.tolist()
            assert there.sum(dim=1).tolist() == ([7, 7, 7] if number == 0 else [7, 7, 6])
            np.testing.assert_allclose(shares[:, number].sum(dim=(1, 2)), 1, atol=1e-6)
    assert epochs[0][0].tolist() != epochs[1][0].tolist()


def test_they_learn():
    vectors, labels, of_folds = material(n=600, seed=5, noise=1)
    found = cross_validate(vectors, labels, of_folds, rates=(1e-2, 1e-3, 1e-6), recalls=(0, 2), seed=2)
    accuracy = ((found.probabilities > 0.5) == labels).mean()
    assert accuracy > 0.85
    assert found.valid.all()
    assert set(found.rates.ravel()) <= {1e-2, 1e-3}
    assert ((found.probabilities >= 0) & (found.probabilities <= 1)).all()
