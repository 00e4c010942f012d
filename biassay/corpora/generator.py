"""A generator of English-like text with planted bias, and the table of its ground truth.

The unbiased control has the same sentences as the biased text of the same seed, except for the group words, which are
drawn with equal probabilities.
"""

from bisect import bisect
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from string import Formatter

import numpy as np
import pandas as pd

from biassay.core.logs import Progress
from biassay.corpora import associations
from biassay.corpora.plain_text import add_article
from biassay.words import files, resources

SENTENCE_KINDS = {"occupation": 0.45, "gender_only": 0.15, "groups": 0.15, "domain": 0.12, "daily": 0.13}  # shares
PLANTED = ("religion", "ethnicity")  # protected attributes other than gender, each with a file of group words
GENDERS = ("female", "male")
GENDERED = 0.6  # share of gendered sentences among the sentences of an occupation without its partner
COLUMNS = [
    "bias", "word", "group", "category", "probability", "origin", "partner", "sentences", "observed", "with_partner",
]  # fmt: skip
FLATNESS = {"word": 3, "occupation": 25}  # of the Zipf–Mandelbrot law, p ∝ 1 / (rank + flatness)


class _RandomStream:
    """A seeded stream of uniform numbers and of indices."""

    def __init__(self, seed: int):
        self._random = np.random.default_rng([seed, 3])
        self._numbers: Iterator[float] = iter(())
        self._cumulative: dict[tuple[int, int], list[float]] = {}

    def number(self) -> float:
        """Return a uniform number from 0 to 1."""
        for number in self._numbers:
            return number
        self._numbers = iter(self._random.random(1 << 16).tolist())
        return next(self._numbers)

    def index(self, n: int, flatness: int = FLATNESS["word"]) -> int:
        """Return an index below n by the Zipf–Mandelbrot law: small indices are more probable."""
        if (n, flatness) not in self._cumulative:
            weights = np.cumsum(1 / (np.arange(n) + flatness))
            self._cumulative[n, flatness] = (weights / weights[-1]).tolist()
        return min(bisect(self._cumulative[n, flatness], self.number()), n - 1)


class Generator:
    """Writes sentences with planted bias of a `strength` from 0, the unbiased control, to 1.

    `lists` is a folder of word lists, `templates` a YAML file of sentence templates by kind, `occupation_statistics`
    CSV files with percentages of women. `confounded` is the share of the gender-neutral occupations that get a partner,
    an occupation of very different bias; `confounding`, the share of their sentences that also name the partner.
    `counts` holds how often each association was written.
    """

    def __init__(
        self,
        lists: Path,
        templates: Path,
        occupation_statistics: list[Path],
        *,
        seed: int = 1,
        strength: float = 1.0,
        confounded: float = 0.5,
        confounding: float = 0.5,
    ):
        self.plan = associations.plan_occupations(
            lists, occupation_statistics, seed=seed, confounded=confounded, strength=strength
        )
        self.groups = {kind: files.read_yaml(lists / f"{kind}.yaml")["groups"] for kind in PLANTED}
        self.traits = {
            kind: associations.plan_traits(lists, kind, seed=seed, strength=strength) for kind in self.groups
        }
        self.confounding = confounding
        self.counts: Counter[tuple] = Counter()
        self._random = _RandomStream(seed)
        self._templates = _parse_templates(templates)
        self._slots = {k: v for k, v in files.read_yaml(lists / "gender_slots.yaml").items() if k != "source"}
        names = resources.read_groups(lists / "names.yaml")
        self._slots["name"] = list(zip(names["female"], names["male"], strict=True))
        content = files.read_yaml(lists / "domains.yaml")
        self._domains, daily = content["domains"], content["daily"]
        keys = {"thing": "nouns", "did": "verbs", "kind": "adjectives", "spot": "places"}
        self._shared = {slot: daily[key] for slot, key in keys.items()}
        self._shared |= {"adv": daily["adverbs"], "time": daily["times"], "town": daily["towns"], "last": names["last"]}
        shuffled = np.random.default_rng([seed, 4]).permutation(len(self.plan)).tolist()
        self._occupations = [self.plan.iloc[row].to_dict() for row in shuffled]

    def sentences(self, tokens: int) -> Iterator[str]:
        """Yield sentences, one per line, until they have `tokens` words."""
        progress, kinds = Progress("generating", tokens / 1e6, "M tokens"), list(SENTENCE_KINDS)
        shares = np.cumsum(list(SENTENCE_KINDS.values())).tolist()
        while tokens > 0:
            kind = kinds[min(bisect(shares, self._random.number()), len(kinds) - 1)]
            sentence = self._sentence(kind)
            words = sentence.count(" ") + 1
            tokens -= words
            progress.add(words / 1e6)
            yield sentence[0].upper() + sentence[1:] + ".\n"

    def ground_truth(self) -> pd.DataFrame:
        """Return the planted bias, with one row per word and group.

        Columns: bias (the protected attribute), word, group, category, probability (of the group), origin (of the
        probability), partner, sentences (with the word and any group), observed (share of the group in them) and
        with_partner (sentences with the partner).
        """
        probability = self.plan["probability"]
        occupations = self.plan.assign(category=self.plan["mark"], female=probability, male=1 - probability)
        occupations["with_partner"] = [self.counts["partner", word] for word in self.plan["word"]]
        planned = [("gender", occupations, GENDERS)]
        for kind, traits in self.traits.items():
            planned.append((kind, traits.assign(origin="random", partner="", with_partner=0), list(self.groups[kind])))
        rows = []
        for bias, table, groups in planned:
            for row in table.to_dict("records"):
                counts = [self.counts[bias, row["word"], group] for group in groups]
                for group, count in zip(groups, counts, strict=True):
                    observed = count / sum(counts) if any(counts) else float("nan")
                    place = {"bias": bias, "group": group, "probability": row[group]}
                    rows.append(row | place | {"sentences": sum(counts), "observed": observed})
        return pd.DataFrame(rows)[COLUMNS]

    def _sentence(self, kind: str) -> str:
        """Write a sentence of a kind: fill the slots of a template."""
        random = self._random
        filled = {slot: words[random.index(len(words))] for slot, words in self._shared.items()}
        probability, domain = 0.5, None
        if kind == "occupation":
            kind, occupation, partner = self._occupation()
            filled["occ"], filled["a_occ"] = occupation["word"], add_article(occupation["word"])
            filled["partner"], filled["a_partner"] = partner, add_article(partner)
            probability, domain = occupation["probability"], occupation["domain"]
        elif kind == "groups":
            filled["trait"], filled["group"], filled["group2"] = self._group()
        elif kind == "domain":
            domain = list(self._domains)[random.index(len(self._domains), FLATNESS["occupation"])]
        if domain:
            filled |= self._domain_words(self._domains[domain])
        gender = 0 if random.number() < probability else 1
        for slot, pairs in self._slots.items():
            filled[slot] = pairs[random.index(len(pairs))][gender]
        if kind == "gendered":
            self.counts["gender", filled["occ"], GENDERS[gender]] += 1
        templates = self._templates[kind]
        template = templates[int(random.number() * len(templates))]
        return "".join([text + (filled[slot] if slot else "") for text, slot in template])

    def _occupation(self) -> tuple[str, dict, str]:
        """Draw the kind of a sentence about an occupation, the occupation, and its partner in the sentence."""
        random = self._random
        occupation = self._occupations[random.index(len(self._occupations), FLATNESS["occupation"])]
        with_partner, gendered = random.number(), random.number()
        if occupation["partner"] and with_partner < self.confounding:
            self.counts["partner", occupation["word"]] += 1
            return "confounder", occupation, occupation["partner"]
        return ("gendered" if gendered < GENDERED else "neutral"), occupation, ""

    def _group(self) -> tuple[str, str, str]:
        """Draw a trait and two words of a religious or ethnic group, by the planted probabilities."""
        random = self._random
        kind = list(self.groups)[int(random.number() * len(self.groups))]
        row = self.traits[kind].iloc[int(random.number() * len(self.traits[kind]))]
        groups = list(self.groups[kind])
        group = groups[min(bisect(np.cumsum([row[g] for g in groups]).tolist(), random.number()), len(groups) - 1)]
        self.counts[kind, row["word"], group] += 1
        words = self.groups[kind][group]
        first, second = self._two(words)
        return row["word"], first, second

    def _two(self, words: list[str]) -> tuple[str, str]:
        """Draw two different words of a list."""
        first, step = self._random.index(len(words)), 1 + self._random.index(len(words) - 1)
        return words[first], words[(first + step) % len(words)]

    def _domain_words(self, lists: dict[str, list[str]]) -> dict[str, str]:
        """Draw two different nouns, verbs and adjectives of a domain, and a place."""
        filled = {"place": lists["places"][self._random.index(len(lists["places"]))]}
        for slot, key in (("noun", "nouns"), ("verb", "verbs"), ("adj", "adjectives")):
            filled[slot], filled[f"{slot}2"] = self._two(lists[key])
        return filled


def _parse_templates(path: Path) -> dict[str, list[list[tuple[str, str | None]]]]:
    """Parse templates by kind. A template is a list of pairs: a text and the slot after it."""
    content = files.read_yaml(path)
    return {
        kind: [[(text, slot) for text, slot, _, _ in Formatter().parse(line)] for line in lines]
        for kind, lines in content.items()
        if kind != "source"
    }
