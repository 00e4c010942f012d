"""Vectors and labels for the tests of heads, and heads trained one after another by torch's own parts."""

import numpy as np
import torch
from sklearn.metrics import f1_score, recall_score

from biassay.language_models import head_stack, head_training, heads
from biassay.language_models.heads import VALIDATION
from biassay.statistics.folds import assign_folds
from biassay.statistics.seeds import seed_of

N, D, CLASSES, VARIANTS, FOLDS = 240, 8, 3, 2, 3
RATES = (1e-3, 1e-4)  # of which some heads do not find a class yet: these do not count


def material(n=N, d=D, classes=CLASSES, variants=VARIANTS, seed=0, noise=2.3):
    """Classes that overlap, some texts of two classes and some of none."""
    random = np.random.default_rng(seed)
    labels = np.eye(classes)[random.integers(classes, size=n)]
    labels[::9] = 1 - labels[::9]
    labels[1::30] = 0
    vectors = labels @ random.standard_normal((classes, d)) + noise * random.standard_normal((variants, n, d))
    return vectors.astype(np.float32), labels, assign_folds(labels, np.arange(n) % 2, FOLDS, 1)


VECTORS, LABELS, OF_FOLDS = material()
OPTIONS = {"rates": RATES, "epochs": 2, "batch": 16, "seed": 15}


def parts_of(fold, seed, share=0.1):
    return heads._split(
        np.flatnonzero(fold != OF_FOLDS), LABELS.astype(np.float32), share, seed_of(seed, VALIDATION, fold)
    )


def plainly(variant, fold, rate, *, epochs, batch, seed, attempt=0):
    """Probabilities of all texts by one head, trained alone with torch's layers, loss and optimizer."""
    train, held = parts_of(fold, seed)
    model = torch.nn.Sequential(torch.nn.Linear(D, D), torch.nn.ReLU(), torch.nn.Linear(D, CLASSES))
    drawn = head_stack._drawn(D, CLASSES, seed_of(seed, head_training.START, fold, attempt))
    with torch.no_grad():
        for layer, weight, bias in ((model[0], *drawn[:2]), (model[2], *drawn[2:])):
            layer.weight.copy_(weight.T)
            layer.bias.copy_(bias[0])
    x, y = torch.from_numpy(VECTORS[variant]), torch.from_numpy(LABELS).float()
    negatives, positives = len(train) - y[train].sum(0), y[train].sum(0)
    loss = torch.nn.BCEWithLogitsLoss(pos_weight=negatives / positives)
    optimizer = torch.optim.RMSprop(model.parameters(), lr=rate)
    random, steps = np.random.default_rng(seed_of(seed, head_training.ORDER, fold, attempt)), -(-len(train) // batch)
    for _ in range(epochs):
        for rows in np.array_split(random.permutation(train), steps):
            optimizer.zero_grad()
            loss(model(x[rows]), y[rows]).backward()
            optimizer.step()
    with torch.no_grad():
        return torch.sigmoid(model(x)).numpy(), held


def alone(attempt=0):
    """What heads trained one after another say: chosen rates, scores, whether they count, and probabilities."""
    rest = {key: OPTIONS[key] for key in ("epochs", "batch", "seed")}
    for variant in range(VARIANTS):
        for fold in range(FOLDS):
            scores, valid, said = [], [], []
            for rate in RATES:
                given, held = plainly(variant, fold, rate, attempt=attempt, **rest)
                ground_truth = LABELS[held].astype(int)
                scores.append(f1_score(ground_truth, given[held] > 0.5, average="weighted", zero_division=0))
                recalls = recall_score(ground_truth, given[held] > 0.5, average=None, zero_division=0)[
                    ground_truth.any(axis=0)
                ]
                everywhere = (given[held] > 0.5).all(axis=0)[ground_truth.any(axis=0)]  # has a recall of 1
                valid.append(bool(((recalls > 0.01) & ~everywhere).all()))
                said.append(given[fold == OF_FOLDS])
            yield variant, fold, scores, valid, said
