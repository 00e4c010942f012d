"""Small inputs of the study: templates, occupations, and embeddings of the models of two training jobs."""

import json
from pathlib import Path

import numpy as np
import pandas as pd

from biassay.language_models.encoding import POOLINGS, save
from tests.running import ROOT

BERT = ROOT / "resources/models/bert-tiny-enwiki"
TRAINING = ["{Pronoun} is {a_occ}.", "The {occ} lost {possessive} key.", "Last year {pronoun} became {a_occ}."]
TEST = ["The {occ} said that {pronoun} would come.", "{Possessive} job as {a_occ} is hard.", "{Pronoun} was {a_occ}."]
OCCUPATIONS = {"nurse": "female", "editor": "", "engineer": "male", "chef": "male", "actor": "", "maid": "female"}
WORDS = {"pronoun": ("she", "he"), "possessive": ("her", "his")}
GROUPS = {"female": {"pronoun": ["she"], "possessive": ["her"]}, "male": {"pronoun": ["he"], "possessive": ["his"]}}


def templates(folder):
    path = folder / "templates.yaml"
    path.write_text(json.dumps({"training": TRAINING, "test": TEST}))  # JSON is YAML
    return path


def occupations(folder, chosen=None):
    path = folder / "given.csv"
    rated = {word: OCCUPATIONS[word] for word in chosen or OCCUPATIONS}
    pd.DataFrame({"word": list(rated), "stereotype": list(rated.values())}).to_csv(path, index=False)
    return path


def text(template, occupation, male, pronoun=None):
    """A template in words, by Python's own format; `pronoun` replaces the pronoun if given."""
    words = {slot: pronoun or forms[int(male)] for slot, forms in WORDS.items()}
    words |= {slot.capitalize(): word.capitalize() if pronoun is None else word for slot, word in words.items()}
    article = "an" if occupation[0] in "aeiou" else "a"
    return template.format(occ=occupation, a_occ=f"{article} {occupation}", **words)


def encoded(folder, models, n, forms):
    """Save random embeddings of models by job, n occupations in `forms` templates; return the jobs' folders."""
    random = np.random.default_rng(2)
    for model, chunk in models.items():
        for part, rows in (("targets", n * forms), ("groups", 2 * forms)):
            for name in POOLINGS:
                vectors = random.normal(size=(rows, 5)).astype(np.float16)
                save(folder / f"job {chunk}/{9 - model}/{part}/{name}.npy", vectors)
    return [folder / f"job {chunk}" for chunk in sorted(set(models.values()))]


def plan(folder, models):
    """plan.csv of models by job, in which they are in the reverse order."""
    path = folder / "plan.csv"
    numbers = pd.DataFrame({"model": list(models), "chunk": [f"job {chunk}" for chunk in models.values()]})
    numbers.assign(distribution=numbers["model"] // 2, mean=0.3, spread=0.1, repeat=numbers["model"] % 2,
                   seed=100 + numbers["model"], place=9 - numbers["model"]).to_csv(path, index=False)  # fmt: skip
    return path


def made(folder):
    """Create a folder if necessary."""
    Path(folder).mkdir(parents=True, exist_ok=True)
    return Path(folder)
