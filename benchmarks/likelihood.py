"""Log-likelihood of sentences by a causal model: ours compared with one sentence per pass, with the same scores.

python benchmarks/likelihood.py [--model FOLDER] [--csv FILE] [--pairs 40] [--threads 1]

One sentence per pass: BOS and the sentence go through the whole model, with the head at every position. A third variant
is ours without shared prefixes: they pass the model again for each sentence. Without a folder, the model has GPT-2's
architecture and random weights, which take equally long. Pairs are generated, or come from a CSV file such as
CrowS-Pairs (sent_more, sent_less); templates are sentences of one template with many fillings.
"""

import argparse
import os
import time
from collections.abc import Callable
from unittest import mock

import numpy as np
import torch
import transformers
from pll import pairs

from biassay.language_models import causal, loading
from biassay.metrics import log_likelihood


def random_model(layers: int, width: int) -> loading.LanguageModel:
    """GPT-2's architecture with random weights, and the tokenizer of the small BERT with a BOS."""
    tokenizer = transformers.AutoTokenizer.from_pretrained("resources/models/bert-tiny-enwiki", bos_token="[CLS]")
    torch.manual_seed(1)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_layer=layers, n_embd=width, n_head=width // 64, n_positions=256,
        bos_token_id=tokenizer.cls_token_id, eos_token_id=tokenizer.sep_token_id,
    )  # fmt: skip
    device = "cuda" if torch.cuda.is_available() else "cpu"
    return loading.LanguageModel(tokenizer, transformers.GPT2LMHeadModel(config).eval().to(device), "causal")


def one_per_pass(model: loading.LanguageModel, stereotypical: list[str], antistereotypical: list[str]) -> np.ndarray:
    """Log-likelihood of both sentences of each pair, (n, 2), a sentence a pass."""
    found = np.zeros((len(stereotypical), 2))
    for row, pair in enumerate(zip(stereotypical, antistereotypical, strict=True)):
        for column, text in enumerate(pair):
            ids = [model.tokenizer.bos_token_id, *model.tokenizer(text, add_special_tokens=False)["input_ids"]]
            inputs = torch.tensor([ids], device=model.model.device)
            with torch.no_grad():
                log = model.model(inputs).logits[0, :-1].double().log_softmax(dim=-1)
            found[row, column] = log.gather(1, inputs[0, 1:, None]).sum().item()
    return found


def unshared(model: loading.LanguageModel, stereotypical: list[str], antistereotypical: list[str]) -> np.ndarray:
    """Ours without shared prefixes."""
    with mock.patch.object(causal, "MIN_PREFIX", np.inf):
        return log_likelihood.scores(model, stereotypical, antistereotypical)


def in_templates(n: int) -> tuple[list[str], list[str]]:
    """Pairs of one template with a pronoun near its end, each with a number of its own in the middle."""
    text = "In the evening, after a long day at work, my old friend from house {} told me that {} was tired."
    return [text.format(i, "she") for i in range(100, 100 + n)], [text.format(i, "he") for i in range(100, 100 + n)]


def compare(
    what: str, model: loading.LanguageModel, stereotypical: list[str], antistereotypical: list[str], runs: int
) -> None:
    """Time the three ways, print seconds and ratios."""
    ways: dict[str, Callable] = {"ours": log_likelihood.scores, "unshared": unshared, "one per pass": one_per_pass}
    seconds, values = dict.fromkeys(ways, np.inf), {}
    for run in range(runs + 1):  # the first one warms up
        for name, function in ways.items():
            begin = time.perf_counter()
            values[name] = function(model, stereotypical, antistereotypical)
            if run:
                seconds[name] = min(seconds[name], time.perf_counter() - begin)
    difference = np.abs(values["ours"] - values["one per pass"]).max()
    print(f"{what}, {len(stereotypical)} pairs")
    for name, best in seconds.items():
        print(f"{name:12} {best:8.2f} s   {1e3 * best / len(stereotypical):8.1f} ms per pair")
    ratio, gain = seconds["one per pass"] / seconds["ours"], seconds["unshared"] / seconds["ours"]
    print(f"{ratio:.1f} ×, {gain:.2f} × by sharing; scores differ by {difference:.1e} at most")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", help="a causal model's folder; without, random weights")
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--width", type=int, default=256)
    parser.add_argument("--csv", help="a file of pairs such as CrowS-Pairs, in place of generated ones")
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--threads", type=int, default=1, help="1 measures steadily on a busy machine")
    parser.add_argument("--runs", type=int, default=3)
    given = parser.parse_args()
    torch.set_num_threads(given.threads)
    model = loading.load(given.model) if given.model else random_model(given.layers, given.width)
    name = given.model or f"{given.layers} layers, {given.width} wide, random weights"
    print(f"{name}, {model.model.device}, {given.threads} of {os.cpu_count()} threads")
    compare("pairs", model, *pairs(given), given.runs)
    compare("templates", model, *in_templates(given.pairs), given.runs)


if __name__ == "__main__":
    main()
