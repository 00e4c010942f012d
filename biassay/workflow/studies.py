"""The whole configuration, and its sections of the studies."""

import re
from typing import Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from biassay.core import registry
from biassay.language_models import templates
from biassay.words import files
from biassay.workflow import sections
from biassay.workflow.fields import (
    File,
    Files,
    Folds,
    MinCount,
    Name,
    Names,
    PathLike,
    Paths,
    Rate,
    Repeats,
    Resamples,
    Section,
    Seed,
    Share,
    ShareBelow1,
    Shares,
    Size,
    Strengths,
    Threads,
    Unique,
    UniqueNames,
    check_bounds,
    integer,
    name_of,
    number,
    text_or,
)  # fmt: skip

LanguageModelName = Annotated[str, name_of("language_models")]
MetricsOrAll = text_or(Names, list, text=Literal["all"])
Pooling = Literal["mean", "cls", "word"]


class Diagnosis(Section):
    occupations: Names
    n_contexts: integer(1, 1000)
    n_named: integer(0, 1000)
    c: number(gt=0, le=1e12)
    standardise: bool
    min_count: MinCount
    folds: Folds
    repeats: Repeats
    n_top_features: integer(1, 1000)


class FirstOrder(Section):
    corpora: Annotated[Names, name_of("corpora")]
    embeddings: Annotated[Names, name_of("embeddings")]
    metrics: Names
    word_lists: Files
    main_list: str
    occupation_statistics: Files
    occupations: File
    resamples: Resamples
    neighbour_words: list[str]
    diagnosed_embedding: Annotated[str, name_of("embeddings")]
    diagnosis: Diagnosis

    @model_validator(mode="after")
    def _check_names(self):
        registry.check_names(".main_list", [self.main_list], self.word_lists)
        if "planted" in self.occupation_statistics:
            raise ValueError(".occupation_statistics.planted: this name is reserved for generated corpora")
        return self


class Variant(Section):
    metric: str = None
    options: dict[str, Any] = None


class RangedVariant(Variant):
    range: Annotated[list[number(ge=-1e12, le=1e12) | None], Field(min_length=3, max_length=3)] = (
        None  # b_min, b_max, b_0
    )


def _check_even(step: int) -> int:
    if step % 2:
        raise ValueError(f"expected an even number, for two lists, got {step}")
    return step


class Steps(Section):
    groups: Annotated[integer(1, 1000), AfterValidator(_check_even)]
    targets: Annotated[integer(1, 1000), AfterValidator(_check_even)]


class SilhouetteTests(Section):
    share: number(gt=0, lt=1)
    permutations: integer(19, 10**6)  # fewer cannot give p ≤ 0.05


class Silhouette(Section):
    pairs: Annotated[Names, name_of("reference_pairs")]
    metrics: Names
    variants: dict[Name, RangedVariant]
    shuffles: integer(1, 100_000)
    steps: Steps
    tests: SilhouetteTests


class Properties(Section):
    metrics: MetricsOrAll
    n_starts: integer(1, 10_000)


class Published(Section):
    vectors: dict[Name, sections.Vectors]
    numbers: File
    word_lists: File
    permutations: integer(1, 10**7)


class Audit(Section):
    models: dict[Name, sections.AuditedModel]
    tests: Annotated[list[PathLike], Unique]
    metrics: MetricsOrAll
    permutations: integer(19, 10**7)
    resamples: integer(20, 10**6)
    random_words: integer(0, 100_000)


class Training(Section):
    """Optional keys have the defaults of `language_models.stacked.training.train`."""

    epochs: integer(1, 10_000)
    batch: Size
    learning_rate: Rate
    warmup: Share
    weight_decay: number(ge=0, le=1000)
    dropout: ShareBelow1
    precision: Literal["fp32", "tf32", "bf16"]
    max_norm: number(gt=0, le=1e9) = None
    storage: Literal["float32", "float16", "bfloat16"] = None
    checkpoint_every: integer(0, 10**7) = None
    checkpoint_minutes: number(ge=0, le=100_000) = None
    at_once: integer(1, 10_000) = None


Forms = Annotated[dict[Annotated[str, Field(pattern="^[a-z_]+$")], Names], Field(min_length=1)]


class Groups(Section):
    """Forms of the two groups by slot of the templates."""

    female: Forms
    male: Forms

    @model_validator(mode="after")
    def _check_forms(self):
        """Raise ValueError unless both groups have the same slots with equally many forms, and share no word."""
        if set(self.female) != set(self.male):
            raise ValueError(f".male: has the slots {', '.join(self.male)}; female has {', '.join(self.female)}")
        for slot, female in self.female.items():
            male = self.male[slot]
            if slot in templates.OCCUPATIONS:
                raise ValueError(f".male: the slot {slot} is reserved for the occupation; choose another name")
            for group, words in (("female", female), ("male", male)):
                for word in words:
                    files.check_word(f".{group}.{slot}", word)
            if len(female) != len(male):
                raise ValueError(f".male.{slot}: has {len(male)} forms; female has {len(female)}")
            if shared := [word for word in male if word in female]:
                raise ValueError(f".male.{slot}: {shared[0]!r} is also a form of female")
        return self


class Same(Section):
    language_model: LanguageModelName
    templates: File
    groups: Groups
    occupations: File
    n_occupations: integer(4, 100_000) | None
    means: Shares
    spreads: Annotated[list[number(ge=0, le=10)], Field(min_length=1), Unique]
    repeats: Repeats
    held_out: ShareBelow1
    training: Training
    chunk: integer(1, 100_000)
    min_r2: Share
    pooling: Pooling
    metrics: Names
    subsets: integer(1, 100_000)
    resamples: Resamples


class NTemplates(Section):
    training: integer(1, 10**6) | None
    test: integer(1, 10**6) | None


class Detection(Section):
    min_p: Share
    max_p: Share
    strengths: Strengths
    repeats: Repeats

    @model_validator(mode="after")
    def _check_bounds(self):
        check_bounds(self.min_p, self.max_p)
        return self


class Reliability(Section):
    samples: integer(1, 10**6)
    share: number(gt=0, le=1)


class Intrinsic(Section):
    language_model: LanguageModelName
    templates: File
    n_occupations: integer(4, 100_000) | None
    n_templates: NTemplates
    min_p: Shares
    max_p: Shares
    repeats: Repeats
    detection: Detection
    training: Training
    min_r: number(ge=-1, le=1)
    attempts: integer(1, 100)
    chunk: integer(1, 100_000)
    pooling: Pooling
    metrics: Names
    variants: dict[Name, Variant]
    label_noise: number(ge=0, le=10)
    label_sentences: integer(1, 10**6) | None
    intersections: list[Annotated[list[str], Field(min_length=2, max_length=2), Unique]]
    reliability: Reliability
    subsets: integer(1, 100_000)
    resamples: Resamples

    @model_validator(mode="after")
    def _check_grid(self):
        check_bounds(max(self.min_p), min(self.max_p))
        for name in ("data", "unmasking"):
            if name in self.metrics:
                raise ValueError(f".metrics: {name!r} is reserved for a bias that metrics are compared with")
        return self


class PlantedModels(Detection):
    language_model: LanguageModelName
    templates: File
    occupations: Names
    n_templates: NTemplates
    training: Training


class GeneratedTexts(Section):
    source: Literal["generated"]
    templates: PathLike
    n: integer(100, 10**7)
    proxy: Share


class WikipediaTexts(Section):
    source: Literal["wikipedia"]
    corpus: str
    n_words: integer(10, 100_000)
    min_texts: integer(10, 10**6)


class Bios(Section):
    source: Literal["bios"]
    path: PathLike


class Comments(Section):
    source: Literal["jigsaw", "comments"]
    path: Paths
    attribute: str


class GeneratedPairs(Section):
    source: Literal["generated"]
    n: integer(10, 10**7)


class CrowsPairs(sections.Download):
    source: Literal["crows"]
    path: PathLike = None


class MinQuality(Section):
    recall: ShareBelow1 = None
    precision: ShareBelow1 = None
    class_recall: ShareBelow1 = None
    class_precision: ShareBelow1 = None


class CrossValidation(Section):
    folds: Folds
    min_quality: MinQuality


class Heads(Section):
    n_directions: Annotated[list[integer(1, 10_000)], Unique]
    epochs: integer(1, 10_000)
    batch: Size
    learning_rates: Annotated[list[Rate], Field(min_length=1), Unique]
    attempts: integer(1, 100)
    biographies: CrossValidation
    comments: CrossValidation


class Robustness(Section):
    shares: Annotated[list[number(gt=0, lt=0.5)], Field(min_length=1), Unique]
    permutations: integer(2, 10**7)


TextSet = Annotated[GeneratedTexts | WikipediaTexts | Bios | Comments, Field(discriminator="source")]
PairSet = Annotated[GeneratedPairs | CrowsPairs, Field(discriminator="source")]


class Downstream(Section):
    models: Annotated[UniqueNames, name_of("language_models")]
    planted: PlantedModels
    defining: File
    texts: UniqueNames
    text_sets: dict[Name, TextSet]
    pairs: UniqueNames
    pair_sets: dict[Name, PairSet]
    heads: Heads
    metrics: Names
    variants: dict[Name, Variant]
    robustness: Robustness
    resamples: Resamples

    @model_validator(mode="after")
    def _check_names(self):
        """Raise ValueError if there is nothing to measure, or if a name has two meanings."""
        registry.check_names(".texts", self.texts, self.text_sets)
        registry.check_names(".pairs", self.pairs, self.pair_sets)
        if not self.texts and not self.pairs:
            raise ValueError("texts and pairs are both empty; expected at least one set")
        if not self.models and not self.planted.strengths:
            raise ValueError("models and planted.strengths are both empty; expected at least one model")
        if shared := [name for name in self.texts if name in self.pairs]:
            raise ValueError(f"{shared[0]!r} is in both texts and pairs; choose another name")
        for key, names, reserved in (
            ("models", self.models, r"planted(_\d+)?"),
            ("metrics", self.metrics, "downstream"),
        ):
            if clashes := [name for name in names if re.fullmatch(reserved, name)]:
                raise ValueError(f".{key}: {clashes[0]!r} is reserved for the study's own results; choose another name")
        return self


def _parse_seeds(seeds: object) -> object:
    """Convert texts of digits in a list, as in `--config 'seeds=[1, 2]'`, into numbers; keep other values."""
    if not isinstance(seeds, list):
        return seeds
    return [int(seed) if isinstance(seed, str) and seed.isdecimal() and len(seed) < 20 else seed for seed in seeds]


class Board(Section):
    repeats: Repeats


class Configuration(Section):
    seed: Seed
    seeds: Annotated[list[Seed], BeforeValidator(_parse_seeds), Field(max_length=1000), Unique]
    gpus: integer(0, 1024)
    threads: Threads
    container: Annotated[str, Field(min_length=1)] | None
    studies: Annotated[
        list[Literal["first_order", "silhouette", "properties", "same", "intrinsic", "downstream", "published"]],
        Field(min_length=1),
    ]
    corpora: Annotated[dict[Name, sections.Corpus], Field(min_length=1), AfterValidator(sections.check_counterfactuals)]
    counts: dict[Name, sections.Counts]
    embeddings: Annotated[dict[Name, sections.Embedding], Field(min_length=1)]
    language_models: Annotated[dict[Name, sections.LanguageModel], AfterValidator(sections.check_checkpoints)]
    own_metrics: Annotated[dict[Name, sections.PythonFile], AfterValidator(sections.check_own_metrics)]
    reference_pairs: dict[Name, sections.ReferencePair]
    first_order: FirstOrder
    silhouette: Silhouette
    properties: Properties
    published: Published
    audit: Audit
    same: Same
    intrinsic: Intrinsic
    downstream: Downstream
    board: Board
