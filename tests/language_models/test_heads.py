"""Classification heads compared with a plain torch loop; which heads are chosen; wrong material and files."""

import numpy as np
import pytest
import torch
from sklearn.metrics import f1_score, recall_score

from biassay.language_models import head_training, heads
from biassay.language_models.heads import VALIDATION, Heads, cross_validate
from biassay.statistics.folds import assign_folds
from biassay.statistics.seeds import seed_of

N, D, CLASSES, VARIANTS, FOLDS = 240, 8, 3, 2, 3
RATES = (1e-3, 1e-4)  # some heads never predict a class, so that they are not valid
OPTIONS = {"rates": RATES, "epochs": 2, "batch": 16, "seed": 15}


def material():
    """Vectors, labels and folds of classes that overlap, some texts of two classes and some of none."""
    random = np.random.default_rng(0)
    labels = np.eye(CLASSES)[random.integers(CLASSES, size=N)]
    labels[::9] = 1 - labels[::9]
    labels[1::30] = 0
    vectors = labels @ random.standard_normal((CLASSES, D)) + 2.3 * random.standard_normal((VARIANTS, N, D))
    return vectors.astype(np.float32), labels, assign_folds(labels, np.arange(N) % 2, FOLDS, 1)


VECTORS, LABELS, OF_FOLDS = material()


def split(fold, seed):
    rows = np.flatnonzero(fold != OF_FOLDS)
    return heads._split(rows, LABELS.astype(np.float32), seed_of(seed, VALIDATION, fold))


def train_alone(variant, fold, rate):
    """Probabilities of all texts by one head, trained with torch's layers, loss and optimizer; validation rows."""
    epochs, batch, seed = (OPTIONS[key] for key in ("epochs", "batch", "seed"))
    train, validation = split(fold, seed)
    start, order = (seed_of(seed, kind, fold, 0) for kind in (head_training.START, head_training.ORDER))
    model = torch.nn.Sequential(torch.nn.Linear(D, D), torch.nn.ReLU(), torch.nn.Linear(D, CLASSES))
    drawn = [part[0] for part in head_training.Stack(D, CLASSES, start, [rate], torch.device("cpu")).weights]
    with torch.no_grad():
        for layer, weight, bias in ((model[0], *drawn[:2]), (model[2], *drawn[2:])):
            layer.weight.copy_(weight.T)
            layer.bias.copy_(bias[0])
    x, y = torch.from_numpy(VECTORS[variant]), torch.from_numpy(LABELS).float()
    loss = torch.nn.BCEWithLogitsLoss(pos_weight=(len(train) - y[train].sum(0)) / y[train].sum(0))
    optimizer = torch.optim.RMSprop(model.parameters(), lr=rate)
    random, steps = np.random.default_rng(order), -(-len(train) // batch)
    for _ in range(epochs):
        for rows in np.array_split(random.permutation(train), steps):
            optimizer.zero_grad()
            loss(model(x[rows]), y[rows]).backward()
            optimizer.step()
    with torch.no_grad():
        return torch.sigmoid(model(x)).numpy(), validation


def train_all_alone():
    """Yield variant, fold, and for each rate F1, validity and probabilities of the fold's texts."""
    for variant, fold in np.ndindex(VARIANTS, FOLDS):
        results = []
        for rate in RATES:
            p, validation = train_alone(variant, fold, rate)
            truth, predicted = LABELS[validation].astype(int), p[validation] > 0.5
            f1 = f1_score(truth, predicted, average="weighted", zero_division=0)
            recalls = recall_score(truth, predicted, average=None, zero_division=0)[truth.any(axis=0)]
            everywhere = predicted.all(axis=0)[truth.any(axis=0)]  # has a recall of 1
            results.append((f1, bool(((recalls > 0.01) & ~everywhere).all()), p[fold == OF_FOLDS]))
        yield variant, fold, *zip(*results, strict=True)


@pytest.fixture(scope="module")
def trained():
    return cross_validate(VECTORS, LABELS, OF_FOLDS, attempts=1, **OPTIONS)


def assert_same(one, other):
    for name, value in vars(one).items():
        np.testing.assert_allclose(getattr(other, name), value, atol=2e-5, err_msg=name)


def test_heads_equal_those_of_a_plain_loop(trained):
    n_valid = set()
    for variant, fold, scores, valid, probabilities in train_all_alone():
        n_valid.add(sum(valid))
        np.testing.assert_allclose(trained.scores[variant, fold], scores, atol=1e-6)
        assert trained.valid[variant, fold] == any(valid)
        best = max([i for i in range(2) if valid[i]] or [0, 1], key=lambda i: scores[i])
        assert trained.rates[variant, fold] == RATES[best]
        np.testing.assert_allclose(trained.probabilities[variant, fold == OF_FOLDS], probabilities[best], atol=2e-5)
    assert n_valid == {0, 1, 2}  # so that every case is compared
    assert (trained.attempts == 1).all()


@pytest.mark.parametrize("heads_per_stack", [1, 100])
def test_the_size_of_a_stack_changes_nothing(trained, monkeypatch, heads_per_stack):
    monkeypatch.setattr(head_training, "CACHE", 12 * D**2 * heads_per_stack)
    assert_same(trained, cross_validate(VECTORS, LABELS, OF_FOLDS, attempts=1, **OPTIONS))


def test_rmsprop_of_a_gpu_equals_that_of_a_cpu():
    random, rates = torch.Generator().manual_seed(1), torch.tensor([0.1, 0.003])
    weights, squares = torch.randn(2, 3, 4, generator=random), torch.zeros(2, 3, 4)
    others = weights.clone(), squares.clone()
    for slopes in torch.randn(5, 2, 3, 4, generator=random):
        head_training.update_in_one_pass(*(part.numpy() for part in (*others, slopes, rates)))
        head_training.update_by_torch(weights, squares, slopes, rates)
    torch.testing.assert_close(weights, others[0], atol=1e-6, rtol=0)


def test_the_validation_part_has_its_share_of_the_classes():
    train, validation = split(1, 3)
    assert sorted([*train, *validation]) == np.flatnonzero(OF_FOLDS != 1).tolist()
    assert len(validation) == 16
    labels = np.eye(2)[np.repeat([0, 1], [60, 40])]
    for seed in range(5):
        assert labels[heads._split(np.arange(100), labels, seed)[1]].sum(axis=0).tolist() == [6, 4]
    assert set(split(0, 3)[1]) != set(split(0, 4)[1])


def test_scores_and_validity_by_hand():
    """Four texts of class 0, two of class 1, none of class 2: F1 weighs classes by their texts."""
    truth = np.array([[1, 0, 0]] * 4 + [[0, 1, 0]] * 2, bool)
    predicted = np.array([[1, 0, 1], [1, 0, 0], [0, 1, 0], [0, 1, 0], [0, 1, 0], [0, 0, 0]], bool)
    scores, valid = head_training.score_heads(predicted[None], truth)
    assert scores.tolist() == [pytest.approx((4 * (2 * 2 / (2 + 4)) + 2 * (2 * 1 / (3 + 2))) / 6)]
    assert valid.tolist() == [True]
    many = np.ones((200, 1), bool)
    for hits, is_valid in ((1, False), (2, False), (3, True), (199, True), (200, False)):
        assert head_training.score_heads(np.arange(200)[None, :, None] < hits, many)[1].tolist() == [is_valid]
    some = np.arange(200)[:, None] < 5
    assert head_training.score_heads((some | some[::-1])[None], some)[1].tolist() == [True]  # all 5, and others


def test_folds_without_a_valid_head_are_trained_again_from_another_seed(trained):
    again, failed = cross_validate(VECTORS, LABELS, OF_FOLDS, attempts=2, **OPTIONS), ~trained.valid
    assert failed.any()
    assert (again.attempts == 1 + failed).all()
    assert (again.scores[~failed] == trained.scores[~failed]).all()
    assert (again.scores[failed] != trained.scores[failed]).any()


def test_the_attempt_that_is_kept_by_hand():
    """A valid one, even with a lower F1, or else the highest F1; of rates likewise."""
    made = Heads(np.zeros((1, 2, 1), np.float32), np.array([0, 1]), np.full((1, 2), np.nan), np.full((1, 2, 2), -1.0),
                 np.zeros((1, 2), bool), np.zeros((1, 2), int))  # fmt: skip
    probabilities = np.arange(2, dtype=np.float32).reshape(2, 1, 1)
    steps = [
        ([0.3, 0.5], [False, False], 0.02, False, 1),
        ([0.5, 0.4], [False, False], 0.02, False, 1),
        ([0.2, 0.6], [False, False], 0.02, False, 1),
        ([0.1, 0.6], [True, False], 0.01, True, 0),
    ]
    for number, (scores, is_valid, rate, valid, best) in enumerate(steps):
        heads._update(made, (0.01, 0.02), (0, 1), probabilities, np.array(scores), np.array(is_valid))
        assert (made.rates[0, 1], made.valid[0, 1]) == (rate, valid)
        assert made.probabilities[0, :, 0].tolist() == [0, best]
        assert made.attempts.tolist() == [[0, number + 1]]
    assert made.scores[0].tolist() == [[-1, -1], [0.1, 0.6]]


def changed(array, place, value):
    array = np.array(array, np.float64)
    array[place] = value
    return array


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"labels": changed(LABELS, (slice(None), 1), OF_FOLDS == 2)}, "fold 2: class 1 has no positives"),
        ({"labels": changed(LABELS, (slice(None), 2), 1)}, "fold 0: class 2 has no negatives among the 144"),
        ({"vectors": changed(np.sign(VECTORS) * 3.4e38, (0, 0, 0), 1)}, r"diverged; .* is 3\.4e\+38"),
    ],
)  # fmt: skip
def test_wrong_material_is_named(given, message):
    arguments = {"vectors": VECTORS, "labels": LABELS, "folds": OF_FOLDS, **OPTIONS} | given
    with pytest.raises(ValueError, match=message):
        cross_validate(**arguments)
