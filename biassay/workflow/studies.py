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
    Name,
    Names,
    PathLike,
    Paths,
    Section,
    Share,
    Shares,
    distinct,
    integer,
    name_of,
    number,
    section,
    text_or,
)

LanguageModelName = Annotated[str, name_of("language_models")]
MetricsOrAll = text_or(Names, list, text=Literal["all"])
Pooling = Literal["mean", "cls", "word"]
NTemplates = section(training=integer(1, 10**6) | None, test=integer(1, 10**6) | None)
Variant = section(metric=(str, None), options=(dict[str, Any], None))
Bounds = Annotated[list[number(ge=-1e12, le=1e12) | None], Field(min_length=3, max_length=3)]  # b_min, b_max, b_0


class FirstOrder(Section):
    corpora: Annotated[Names, name_of("corpora")]
    embeddings: Annotated[Names, name_of("embeddings")]
    metrics: Names
    word_lists: Annotated[dict[Name, File], Field(min_length=1)]
    main_list: str
    occupation_statistics: Annotated[dict[Name, File], Field(min_length=1)]
    occupations: File
    resamples: integer(10, 10**6)
    neighbour_words: list[str]
    diagnosed_embedding: Annotated[str, name_of("embeddings")]
    diagnosis: section(
        occupations=Names,
        n_contexts=integer(1, 1000),
        n_named=integer(0, 1000),
        c=number(gt=0, le=1e12),
        standardise=bool,
        min_count=integer(1, 10**7),
        folds=integer(2, 1000),
        repeats=integer(1, 1000),
        n_top_features=integer(1, 1000),
    )

    @model_validator(mode="after")
    def _check_names(self):
        registry.check_names(".main_list", [self.main_list], self.word_lists)
        if "planted" in self.occupation_statistics:
            raise ValueError(".occupation_statistics.planted: this name is reserved for generated corpora")
        return self


class Silhouette(Section):
    pairs: Annotated[Names, name_of("reference_pairs")]
    metrics: Names
    variants: dict[Name, section(metric=(str, None), options=(dict[str, Any], None), range=(Bounds, None))]
    shuffles: integer(1, 100_000)
    steps: section(groups=integer(1, 1000), targets=integer(1, 1000))
    tests: section(share=number(gt=0, lt=1), permutations=integer(19, 10**6))  # fewer cannot give p ≤ 0.05

    @model_validator(mode="after")
    def _check_steps(self):
        for side, step in self.steps:
            if step % 2:
                raise ValueError(f".steps.{side}: expected an even number, for two lists, got {step}")
        return self


class Audit(Section):
    models: dict[Name, sections.AuditedModel]
    tests: distinct(PathLike, 0)
    metrics: MetricsOrAll
    permutations: integer(19, 10**7)
    resamples: integer(20, 10**6)
    random_words: integer(0, 100_000)


class Training(Section):
    """Optional keys have the defaults of `language_models.stacked.training.train`."""

    epochs: integer(1, 10_000)
    batch: integer(1, 65_536)
    learning_rate: number(gt=0, le=10)
    warmup: Share
    weight_decay: number(ge=0, le=1000)
    dropout: number(ge=0, lt=1)
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
    spreads: distinct(number(ge=0, le=10))
    repeats: integer(1, 1000)
    held_out: number(ge=0, lt=1)
    training: Training
    chunk: integer(1, 100_000)
    min_r2: Share
    pooling: Pooling
    metrics: Names
    subsets: integer(1, 100_000)
    resamples: integer(10, 10**6)


def _check_bounds(min_p: float, max_p: float) -> None:
    if min_p >= max_p:
        raise ValueError(f"expected min_p < max_p, got {min_p} and {max_p}")


class Detection(Section):
    min_p: Share
    max_p: Share
    strengths: distinct(Share, 0)
    repeats: integer(1, 1000)

    @model_validator(mode="after")
    def _check_strengths(self):
        _check_bounds(self.min_p, self.max_p)
        strengths = self.strengths
        if strengths and (strengths[0] != 0 or len(strengths) < 2 or sorted(strengths) != strengths):
            raise ValueError(f".strengths: expected [] or increasing numbers from 0, got {strengths}")
        return self


class Intrinsic(Section):
    language_model: LanguageModelName
    templates: File
    n_occupations: integer(4, 100_000) | None
    n_templates: NTemplates
    min_p: Shares
    max_p: Shares
    repeats: integer(1, 1000)
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
    intersections: list[distinct(str, 2, 2)]
    reliability: section(samples=integer(1, 10**6), share=number(gt=0, le=1))
    subsets: integer(1, 100_000)
    resamples: integer(10, 10**6)

    @model_validator(mode="after")
    def _check_grid(self):
        _check_bounds(max(self.min_p), min(self.max_p))
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


class CrowsPairs(sections.Download):
    source: Literal["crows"]
    path: PathLike = None


TextSet = Annotated[
    section(source=Literal["generated"], templates=PathLike, n=integer(100, 10**7), proxy=Share)
    | section(source=Literal["wikipedia"], corpus=str, n_words=integer(10, 100_000), min_texts=integer(10, 10**6))
    | section(source=Literal["bios"], path=PathLike)
    | section(source=Literal["jigsaw", "comments"], path=Paths, attribute=str),
    Field(discriminator="source"),
]
PairSet = Annotated[
    section(source=Literal["generated"], n=integer(10, 10**7)) | CrowsPairs, Field(discriminator="source")
]
Quality = (number(ge=0, lt=1), None)
CrossValidation = section(
    folds=integer(2, 1000),
    min_quality=section(recall=Quality, precision=Quality, class_recall=Quality, class_precision=Quality),
)
Heads = section(
    n_directions=distinct(integer(1, 10_000), 0),
    epochs=integer(1, 10_000),
    batch=integer(1, 65_536),
    learning_rates=distinct(number(gt=0, le=10)),
    attempts=integer(1, 100),
    biographies=CrossValidation,
    comments=CrossValidation,
)


class Downstream(Section):
    models: Annotated[distinct(str, 0), name_of("language_models")]
    planted: PlantedModels
    defining: File
    texts: distinct(str, 0)
    text_sets: dict[Name, TextSet]
    pairs: distinct(str, 0)
    pair_sets: dict[Name, PairSet]
    heads: Heads
    metrics: Names
    variants: dict[Name, Variant]
    robustness: section(shares=distinct(number(gt=0, lt=0.5)), permutations=integer(2, 10**7))
    resamples: integer(10, 10**6)

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


class Configuration(Section):
    seed: integer(0, 2**32 - 1)
    seeds: Annotated[distinct(integer(0, 2**32 - 1), 0, 1000), BeforeValidator(_parse_seeds)]
    gpus: integer(0, 1024)
    threads: integer(1, 1024)
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
    properties: section(metrics=MetricsOrAll, n_starts=integer(1, 10_000))
    published: section(
        vectors=dict[Name, section(file=File)], numbers=File, word_lists=File, permutations=integer(1, 10**7)
    )
    audit: Audit
    same: Same
    intrinsic: Intrinsic
    downstream: Downstream
    board: section(repeats=integer(1, 1000))
