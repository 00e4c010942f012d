"""Scores of pairs of sentences in batches, compared with one sentence or masked variant per pass.

python benchmarks/pll.py [--csv FILE] [--pairs 40] [--threads 1]

PLL of a masked model works like the published code of CrowS-Pairs: the loop masks a token, runs the whole model, and
uses one value. The log-likelihood of a causal model (GPT-2's architecture with random weights) passes one sentence at a
time. Sentences are generated, or the first ones of a CSV file such as CrowS-Pairs (sent_more, sent_less).
"""

import argparse
import difflib
import time

import numpy as np
import pandas as pd
import torch
import transformers

from biassay.language_models import loading
from biassay.metrics import log_likelihood, pll

MODEL = "resources/models/bert-tiny-enwiki"
PHRASES = ["in the small town", "after a long day", "with great care", "for the first time", "near the river"]
VERBS = ["repaired the engine", "wrote a letter", "cooked a meal", "sold the house", "taught the children"]
GOAL = 4.5  # of PLL


def generate_pairs(n: int) -> tuple[list[str], list[str]]:
    """Generate pairs that differ in their subject."""
    random = np.random.default_rng(1)
    tails = [f"{random.choice(VERBS)} {' '.join(random.permutation(PHRASES)[:3])}." for _ in range(n)]
    return [f"My aunt {tail}" for tail in tails], [f"My uncle {tail}" for tail in tails]


def masked_scores(model: loading.LanguageModel, *sides: list[str]) -> np.ndarray:
    """Compute the PLL of both sentences of each pair, (n, 2), one masked variant per pass."""
    scores = np.zeros((len(sides[0]), 2))
    for row, pair in enumerate(zip(*sides, strict=True)):
        ids = [model.tokenizer(text)["input_ids"] for text in pair]
        shared = difflib.SequenceMatcher(None, *ids).get_matching_blocks()
        for column in (0, 1):
            places = [block[column] + step for block in shared for step in range(block.size)]
            for place in places[1:-1]:  # the first and last are special tokens
                variant = torch.tensor([ids[column]], device=model.model.device)
                variant[0, place] = model.tokenizer.mask_token_id
                values = model.model(variant).logits[0, place].double().log_softmax(dim=-1)
                scores[row, column] += values[ids[column][place]].item()
    return scores


def causal_scores(model: loading.LanguageModel, *sides: list[str]) -> np.ndarray:
    """Compute the log-likelihood of both sentences of each pair, (n, 2), one sentence per pass."""
    scores = np.zeros((len(sides[0]), 2))
    for column, texts in enumerate(sides):
        for row, text in enumerate(texts):
            ids = [model.tokenizer.bos_token_id, *model.tokenizer(text, add_special_tokens=False)["input_ids"]]
            inputs = torch.tensor([ids], device=model.model.device)
            log = model.model(inputs).logits[0, :-1].double().log_softmax(dim=-1)
            scores[row, column] = log.gather(1, inputs[0, 1:, None]).sum().item()
    return scores


def causal_model() -> loading.LanguageModel:
    """Create GPT-2's architecture with random weights, and the tokenizer of the small BERT with a BOS."""
    tokenizer = transformers.AutoTokenizer.from_pretrained(MODEL, bos_token="[CLS]")
    torch.manual_seed(1)
    config = transformers.GPT2Config(
        vocab_size=len(tokenizer), n_layer=4, n_embd=256, n_head=4, n_positions=256,
        bos_token_id=tokenizer.cls_token_id, eos_token_id=tokenizer.sep_token_id,
    )  # fmt: skip
    return loading.LanguageModel(tokenizer, transformers.GPT2LMHeadModel(config).eval(), "causal")


@torch.no_grad()
def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--csv", help="file of pairs such as CrowS-Pairs, instead of generated ones")
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--threads", type=int, default=1, help="1 gives stable times on a busy machine")
    parser.add_argument("--runs", type=int, default=3)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    pairs = generate_pairs(options.pairs)
    if options.csv:
        table = pd.read_csv(options.csv).head(options.pairs)
        pairs = table["sent_more"].tolist(), table["sent_less"].tolist()
    for name, model, ours, loop in (
        (f"PLL (goal {GOAL:g} ×)", loading.load(MODEL, device="cpu"), pll.scores, masked_scores),
        ("log-likelihood", causal_model(), log_likelihood.scores, causal_scores),
    ):
        seconds, values = {}, {}
        for _ in range(options.runs + 1):  # the first one warms up
            for function in (ours, loop):
                begin = time.perf_counter()
                values[function] = function(model, *pairs)
                seconds.setdefault(function, []).append(time.perf_counter() - begin)
        batched, single = (min(seconds[function][1:]) for function in (ours, loop))
        difference = np.abs(values[ours] - values[loop]).max()
        print(f"{name}, {len(pairs[0])} pairs: {batched:.2f} s, loop {single:.2f} s, {single / batched:.1f} ×; "
              f"scores differ by at most {difference:.1e}")  # fmt: skip


if __name__ == "__main__":
    main()
