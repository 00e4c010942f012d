"""PLL of pairs of sentences: our batches compared with a loop of one masked variant per pass, with the same scores.

python benchmarks/pll.py [--model FOLDER | --random] [--csv FILE] [--pairs 40] [--threads 1]

The loop works like the published code of CrowS-Pairs: it masks a token, runs the whole model on that sentence, with the
head at every position, and uses one value (here with the softmax in double precision, because single precision alone
changes the sums by 1e-4). The sentences are generated, with 10 to 20 words, or the first ones of a CSV file such as
CrowS-Pairs (sent_more, sent_less).
"""

import argparse
import difflib
import os
import random
import time
from dataclasses import replace

import numpy as np
import pandas as pd
import torch
import transformers

from biassay.language_models import loading
from biassay.metrics import pll

SUBJECTS = [("She", "He"), ("My aunt", "My uncle"), ("The old woman", "The old man"), ("Her sister", "His brother")]
PHRASES = [
    "in the small town", "after a long day", "with great care", "for the first time", "near the river", "on most days",
    "without any help", "because it was late", "at the end of the week", "when nobody was there",
]  # fmt: skip
VERBS = ["repaired the engine", "wrote a letter", "cooked a meal", "sold the house", "taught the children", "sang"]
GOALS = {"cpu": 4.5, "cuda": 20.0}


def sentences(n: int, seed: int = 1) -> tuple[list[str], list[str]]:
    """Pairs that differ in their subject, of 10 to 20 words."""
    draw, pairs = random.Random(seed), []
    while len(pairs) < n:
        tail = f"{draw.choice(VERBS)} {' '.join(draw.sample(PHRASES, draw.randint(2, 4)))}."
        pair = tuple(f"{subject} {tail}" for subject in draw.choice(SUBJECTS))
        if all(10 <= len(text.split()) <= 20 for text in pair):
            pairs.append(pair)
    return tuple(map(list, zip(*pairs, strict=True)))


def pairs(options: argparse.Namespace) -> tuple[list[str], list[str]]:
    """The pairs asked for: the first of a file, or generated ones."""
    if not options.csv:
        return sentences(options.pairs)
    table = pd.read_csv(options.csv).head(options.pairs)
    return table["sent_more"].tolist(), table["sent_less"].tolist()


def one_per_pass(model: loading.LanguageModel, stereotypical: list[str], antistereotypical: list[str]) -> np.ndarray:
    """Compute the PLL of both sentences of each pair, (n, 2), one masked variant per pass."""
    scores = np.zeros((len(stereotypical), 2))
    for row, pair in enumerate(zip(stereotypical, antistereotypical, strict=True)):
        ids = [model.tokenizer(text)["input_ids"] for text in pair]
        shared = difflib.SequenceMatcher(None, *ids).get_matching_blocks()
        for column in (0, 1):
            places = [block[column] + step for block in shared for step in range(block.size)]
            for place in places[1:-1]:  # the first and last are special tokens
                variant = torch.tensor([ids[column]], device=model.model.device)
                variant[0, place] = model.tokenizer.mask_token_id
                with torch.no_grad():
                    values = model.model(variant).logits[0, place].double().log_softmax(dim=-1)
                scores[row, column] += values[ids[column][place]].item()
    return scores


def main(arguments: list[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--model", default="resources/models/bert-tiny-enwiki")
    parser.add_argument("--csv", help="file of pairs such as CrowS-Pairs, instead of generated ones")
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--threads", type=int, default=1, help="1 gives stable times on a busy machine")
    parser.add_argument("--runs", type=int, default=3)
    parser.add_argument("--random", action="store_true", help="BERT-base with random weights instead of a model")
    options = parser.parse_args(arguments)
    torch.set_num_threads(options.threads)
    model = loading.load(options.model)
    if options.random:
        model = replace(
            model, model=transformers.BertForMaskedLM(transformers.BertConfig()).eval().to(model.model.device)
        )
        options.model = "BERT-base, random weights"
    stereotypical, antistereotypical = pairs(options)
    seconds, values = {}, {}
    for run in range(options.runs + 1):  # the first one warms up
        for name, function in (("ours", pll.scores), ("one per pass", one_per_pass)):
            begin = time.perf_counter()
            values[name] = function(model, stereotypical, antistereotypical)
            if run:
                seconds[name] = min(seconds.get(name, np.inf), time.perf_counter() - begin)
    difference = np.abs(values["ours"] - values["one per pass"]).max()
    ratio = seconds["one per pass"] / seconds["ours"]
    threads = f"{options.threads} of {os.cpu_count()} threads"
    print(f"{options.model}, {model.model.device}, {threads}, {len(stereotypical)} pairs")
    for name, best in seconds.items():
        print(f"{name:12} {best:8.2f} s   {1e3 * best / len(stereotypical):8.1f} ms per pair")
    goal = GOALS[model.model.device.type]
    met = "met" if ratio >= goal else "MISSED"
    print(f"{ratio:.1f} × (goal {goal}: {met}); scores differ by at most {difference:.1e}")


if __name__ == "__main__":
    main()
