"""torch.compile takes the stacked pass whole, as `benchmarks/gpu.py compiled` has it, and changes no result."""

import pytest

torch = pytest.importorskip("torch")
pytest.importorskip("transformers")

from biassay.language_models.stacked.architectures import find_architecture  # noqa: E402
from biassay.language_models.stacked.batches import prepare_step  # noqa: E402
from biassay.language_models.stacked.encoder import Encoder  # noqa: E402
from biassay.language_models.stacked.optimizer import Stack  # noqa: E402
from biassay.language_models.stacked.step_gradients import StackedGradients  # noqa: E402
from tests.language_models import plain_training as plain  # noqa: E402

CPU = torch.device("cpu")


@pytest.mark.slow
@pytest.mark.parametrize("kind", [kind for kind in plain.CONFIGS if kind != "mpnet"])
def test_the_pass_is_traced_whole_and_once_for_all_lengths_but_the_first(tmp_path, monkeypatch, kind):
    """Traced, and not made into kernels, which takes minutes."""
    model = plain.load(plain.base(kind, tmp_path))
    stack = Stack.of(dict(model.named_parameters()), 2, CPU)
    way = StackedGradients(find_architecture(model), 0.1, torch.float32)
    parts = [[plain.sentences(n, 2 * i + n, longest=12 - i) for n in (5, 4)] for i in range(4)]
    steps = [prepare_step(part, [1, 2], [0.1, 0.1], i, CPU) for i, part in enumerate(parts)]
    assert len({step.batch.ids.shape for step in steps}) > 2
    plainly = [way.gradients(stack, step) for step in steps]
    traced, usual = [], torch._dynamo.lookup_backend("aot_eager")

    def backend(graph, examples):
        traced.append(graph)
        return usual(graph, examples)

    torch._dynamo.reset()
    monkeypatch.setattr(Encoder, "losses", torch.compile(Encoder.losses, fullgraph=True, backend=backend))
    for step, (losses, gradients) in zip(steps, plainly, strict=True):
        found, of_weights = way.gradients(stack, step)
        torch.testing.assert_close(found, losses, atol=1e-6, rtol=0)
        for name, gradient in gradients.items():
            torch.testing.assert_close(of_weights[name], gradient, atol=1e-6, rtol=0)
    assert len(traced) == 2
