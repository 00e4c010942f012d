"""The configuration as pydantic models: types of values, sections that studies share, and sections of the studies.

The context of the validation has the whole configuration and the workflow's folder. A message that begins with a dot or
a colon continues the key of its value.
"""

import os
import re
from functools import partial
from glob import glob
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal
from urllib.parse import urlsplit

from pydantic import (
    AfterValidator,
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Discriminator,
    Field,
    Tag,
    ValidationInfo,
    create_model,
    model_validator,
)

from biassay.core import guard, registry
from biassay.core.redaction import Address
from biassay.corpora import download
from biassay.counts.weights import window_weights
from biassay.language_models import templates
from biassay.language_models.pretraining import Settings
from biassay.words import files
from biassay.workflow import plugins
from biassay.workflow.problems import gather


class Section(BaseModel):
    """A mapping of the configuration. True and 2.0 are not integers, and numbers are finite.

    An optional key without a default has the default None, which is no value that a user can give.
    """

    model_config = ConfigDict(strict=True, extra="forbid", allow_inf_nan=False)


def section(base: type[Section] = Section, /, **fields: Any) -> type[Section]:
    """Return a section without checks of its own; an optional key is a pair of its type and None."""
    kinds = {name: kind if isinstance(kind, tuple) else (kind, ...) for name, kind in fields.items()}
    return create_model("Section", __base__=base, **kinds)


def name_of(section: str) -> AfterValidator:
    """Check that a name, or each of a list, is a name of a section of the configuration."""

    def check(value: str | list[str], info: ValidationInfo) -> str | list[str]:
        choices = info.context["config"][section]
        names = [value] if isinstance(value, str) else value
        unknown = [name for name in names if isinstance(choices, dict) and name not in choices]
        if unknown:
            raise ValueError(registry.describe_unknown("unknown name", unknown[0], list(choices)))
        return value

    return AfterValidator(check)


def integer(low: int, high: int) -> Any:
    """Return the type of an integer of a range."""
    return Annotated[int, Field(ge=low, le=high)]


def distinct(kind: Any, min_length: int = 1, max_length: int | None = None) -> Any:
    """Return the type of a list without duplicates."""
    lengths = Field(min_length=min_length, max_length=max_length)
    return Annotated[list[kind], lengths, AfterValidator(_check_distinct)]


def number(**bounds: float) -> Any:
    """Return the type of a number of a range, with the bounds of pydantic's Field."""
    return Annotated[float, Field(**bounds)]


def _check_distinct(values: list) -> list:
    if len(set(values)) < len(values):
        raise ValueError(f"{values} has non-unique elements")
    return values


def _find(path: str, info: ValidationInfo) -> str:
    """Return a path that does not exist in the working directory relative to the workflow's folder, if it exists there.

    So shipped word lists are found wherever the workflow runs, and a user's file has precedence. Other paths are
    unchanged, as is the name of an algorithm; later checks report them. Raises ValueError for line breaks and for
    braces, which Snakemake treats as wildcards.
    """
    if any(sign in path for sign in "{}\n\r"):
        raise ValueError(f"{path!r} has braces or a line break, which Snakemake does not allow in paths")
    if os.path.isabs(path) or _exists(path):
        return path
    shipped = os.path.relpath(os.path.join(info.context["home"], path))
    return shipped if _exists(shipped) else path


def _exists(pattern: str) -> bool:
    return os.path.exists(pattern) or bool(glob(pattern, recursive=True))


def _check_exists(path: str) -> str:
    if not Path(path).exists():
        raise ValueError(f"there is no file {path!r}")
    return path


Name = Annotated[str, AfterValidator(lambda name: files.check_name("", name) or name)]
Names = distinct(str)
PathLike = Annotated[str, AfterValidator(_find)]  # a path or a glob pattern
File = Annotated[PathLike, AfterValidator(_check_exists)]


def text_or(other: Any, kind: type, text: Any = None) -> Any:
    """Return the type of a path (or another type of texts), or of another value of a Python type."""
    return Annotated[
        Annotated[text or PathLike, Tag("text")] | Annotated[other, Tag("other")],
        Discriminator(lambda value: "other" if isinstance(value, kind) else "text"),
    ]


Paths = text_or(list[PathLike], list)
Url = Annotated[str, Field(pattern=r"^https?://[^?#]+/[^/?#]+$"), AfterValidator(Address)]
Share = number(ge=0, le=1)
Shares = distinct(Share)


FILE_NAME = re.compile(r"[A-Za-z0-9_%][A-Za-z0-9_%.,+~()=-]*")  # of a download: a wildcard, and part of paths


class Encoded(Section):
    """A corpus that is encoded from text."""

    min_count: integer(1, 10**7)
    boundaries: Literal["sentence", "line"]


class Download(Section):
    """A file on this machine, or an address with a checksum."""

    path: Paths = None
    url: Url = None
    checksum: str = None

    @model_validator(mode="after")
    def _check_source(self):
        if (self.path is None) == (self.url is None):
            raise ValueError("expected either path (a file on this machine) or url")
        if (self.url is None) != (self.checksum is None):
            raise ValueError("url and checksum are needed together; the checksum may be unknown")
        if self.url is not None:
            try:
                download.split_checksum(self.checksum)
            except ValueError as error:
                raise ValueError(f".{error}") from error
            if not FILE_NAME.fullmatch(name := file_name(self.url)):
                raise ValueError(f".url: ends in {name!r}, which is not allowed as a file name")
        return self


class Wikipedia(Encoded, Download):
    source: Literal["wikipedia"]
    articles: integer(1, 10**8) = None
    min_words: integer(1, 10**6) = None


class CounterfactualCorpus(Section):
    source: Literal["counterfactual"]
    corpus: str
    swap: distinct(File)

    @model_validator(mode="after")
    def _check_swap(self):
        guard.check_different(".swap", self.swap)
        return self


class ShuffledCorpus(Section):
    source: Literal["shuffled"]
    corpus: str


Corpus = Annotated[
    section(Encoded, source=Literal["generator"], tokens=integer(1000, 10**10), control=bool, confounded=Share,
            confounding=Share)
    | section(Encoded, source=Literal["wikiextractor", "text"], path=Paths)
    | Wikipedia
    | CounterfactualCorpus
    | ShuffledCorpus,
    Field(discriminator="source"),
]  # fmt: skip


def check_derived(corpora: dict[str, Section]) -> dict[str, Section]:
    """Raise ValueError unless counterfactual and shuffled corpora are made from corpora that are encoded from text."""
    derived = (CounterfactualCorpus, ShuffledCorpus)
    others = [name for name, corpus in corpora.items() if not isinstance(corpus, derived)]
    for name, corpus in corpora.items():
        if isinstance(corpus, derived) and corpus.corpus not in others:
            if corpus.corpus in corpora:
                problem = f"{corpus.corpus!r} is {corpora[corpus.corpus].source} itself"
                raise ValueError(f".{name}.corpus: {problem}; expected one of: {', '.join(others)}")
            registry.check_names(f".{name}.corpus", [corpus.corpus], others)
    return corpora


class Counts(Section):
    window: integer(1, 1000)
    weighting: Literal["linear", "harmonic", "flat"]
    sample: number(ge=0, lt=1)

    @model_validator(mode="after")
    def _check_window(self):
        """Raise ValueError for a window too large to count any corpus exactly; counting checks the corpus itself."""
        try:
            window_weights(self.window, self.weighting)
        except ValueError as error:
            raise ValueError(f".window: {error}") from error
        return self


class Embedding(Section):
    """Keys besides these are options of the algorithm's `train` function."""

    model_config = ConfigDict(extra="allow")

    algorithm: PathLike
    counts: str = None
    threads: integer(1, 1024) = None
    dimensions: integer(1, 10_000) = None

    @model_validator(mode="after")
    def _check_options(self, info: ValidationInfo):
        counts = info.context["config"]["counts"]
        plugins.check_embedding(self.model_dump(exclude_unset=True), counts if isinstance(counts, dict) else {})
        return self


class Pretraining(Section):
    corpus: Annotated[str, name_of("corpora")]
    vocabulary: text_or(integer(100, 10**6), int, File) = None
    layers: integer(1, 1000) = None
    width: integer(1, 65_536) = None
    heads: integer(1, 1024) = None
    length: integer(8, 65_536) = None
    batch: integer(1, 65_536) = None
    steps: integer(1, 10**7) = None
    learning_rate: number(gt=0, le=10) = None
    save_every: integer(1, 10**7) = None
    checkpoint_steps: distinct(integer(1, 10**7), 0) = None
    seed: integer(0, 2**32 - 1) = None

    @model_validator(mode="after")
    def _check_settings(self):
        settings = self.model_dump(exclude_unset=True, exclude={"corpus", "seed"})
        try:
            Settings(**settings)
        except ValueError as error:
            raise ValueError(f".{error}") from error
        return self


class LanguageModel(Section):
    path: PathLike = None
    hub: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)?$")] = None
    revision: Annotated[str, Field(pattern="^([0-9a-f]{40}|unknown)$")] = None
    pretrain: Pretraining = None
    checkpoint: section(model=str, step=integer(1, 10**7)) = None

    @model_validator(mode="after")
    def _check_kind(self):
        given = self.model_fields_set
        if len(given - {"revision"}) != 1 or ("revision" in given) != ("hub" in given):
            keys = ", ".join(key for key in type(self).model_fields if key in given) or "none"
            raise ValueError(f"expected one of: path, hub with revision, pretrain, checkpoint; got {keys}")
        if self.path and not (Path(self.path) / "config.json").is_file():
            raise ValueError(f".path: expected a folder with a config.json, got {self.path!r}")
        return self


def check_checkpoints(models: dict[str, LanguageModel]) -> dict[str, LanguageModel]:
    """Raise ValueError unless each checkpoint is of a model that is pretrained here, and is stored."""
    pretrained = {name: model.pretrain for name, model in models.items() if model.pretrain}
    for name, model in models.items():
        if model.checkpoint:
            of, step = model.checkpoint.model, model.checkpoint.step
            registry.check_names(f".{name}.checkpoint.model", [of], pretrained)
            steps = pretrained[of].checkpoint_steps or []
            if step not in steps:
                key = f"language_models.{of}.pretrain.checkpoint_steps"
                raise ValueError(f".{name}.checkpoint.step: expected one of {key}, {steps}, got {step}")
    return models


class Model(Section):
    """A file of vectors, or an embedding of a corpus."""

    KINDS: ClassVar = [["file"], ["corpus", "embedding"]]

    file: PathLike = None
    corpus: Annotated[str, name_of("corpora")] = None
    embedding: Annotated[str, name_of("embeddings")] = None

    @model_validator(mode="after")
    def _check_kind(self):
        given = sorted(self.model_fields_set)
        if given not in self.KINDS:
            expected = ", or ".join(map(" and ".join, self.KINDS))
            raise ValueError(f"expected {expected}; got {', '.join(given) or 'none'}")
        return self


class AuditedModel(Model):
    """Also a language model."""

    KINDS: ClassVar = [*Model.KINDS, ["language_model"]]

    file: File = None
    language_model: Annotated[str, name_of("language_models")] = None


class ReferencePair(Section):
    biased: Model
    unbiased: Model
    lists: Annotated[dict[Name, PathLike], Field(min_length=1)]

    @model_validator(mode="after")
    def _check_models(self):
        if self.biased == self.unbiased:
            raise ValueError("the biased and the unbiased model are the same")
        guard.check_different("", [model.file for model in (self.biased, self.unbiased) if model.file])
        return self


def file_name(url: str) -> str:
    """Return the file name at the end of a URL."""
    return Path(urlsplit(url).path).name


PythonFile = Annotated[File, Field(pattern=r"\.py$")]


def check_own_metrics(metrics: dict[str, str]) -> dict[str, str]:
    """Check the files of the user's metrics."""
    gather(partial(plugins.check_own_metric, name, path) for name, path in metrics.items())
    return metrics


LanguageModelName = Annotated[str, name_of("language_models")]
MetricsOrAll = text_or(Names, list, text=Literal["all"])
Pooling = Literal["mean", "cls", "word"]
NTemplates = section(training=integer(1, 10**6) | None, test=integer(1, 10**6) | None)
Variant = section(metric=(str, None), options=(dict[str, Any], None))
Bounds = Annotated[list[number(ge=-1e12, le=1e12) | None], Field(min_length=3, max_length=3)]  # b_min, b_max, b_0


def _remove_null(entries: Any) -> Any:
    """Leave out the entries that an overlay sets to null."""
    return {key: one for key, one in entries.items() if one is not None} if isinstance(entries, dict) else entries


Files = Annotated[dict[Name, File], BeforeValidator(_remove_null), Field(min_length=1)]


class FirstOrder(Section):
    corpora: Annotated[Names, name_of("corpora")]
    embeddings: Annotated[Names, name_of("embeddings")]
    metrics: Names
    word_lists: Files
    main_list: str
    occupation_statistics: Files
    occupations: File
    resamples: integer(10, 10**6)
    neighbour_words: list[str]
    diagnosed_embedding: Annotated[str, name_of("embeddings")]
    diagnosis: section(
        occupations=Names,
        n_contexts=integer(1, 1000),
        n_named=integer(0, 1000),
        c=number(gt=0, le=1e12),
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
    variants: dict[Name, section(Variant, range=(Bounds, None))]
    shuffles: integer(1, 100_000)
    steps: section(groups=integer(1, 1000), targets=integer(1, 1000))
    tests: section(share=number(gt=0, lt=1), permutations=integer(19, 10**6))  # fewer cannot give p ≤ 0.05

    @model_validator(mode="after")
    def _check_steps(self):
        for side, step in self.steps:
            if step % 2:
                raise ValueError(f".steps.{side}: expected an even number, for two lists, got {step}")
        return self


class Reliability(Section):
    corpora: Annotated[Names, name_of("corpora")]
    embeddings: Annotated[Names, name_of("embeddings")]
    retrained: Annotated[distinct(str, 0), name_of("embeddings")]
    trainings: integer(1, 1000)
    metrics: Names
    pairs: File
    occupations: File
    n_words: integer(10, 10**6)
    set_size: integer(4, 10_000)
    resamples: integer(10, 10**6)


class Audit(Section):
    models: dict[Name, AuditedModel]
    tests: distinct(PathLike, 0)
    metrics: MetricsOrAll
    permutations: integer(19, 10**7)
    resamples: integer(20, 10**6)
    random_words: integer(0, 100_000)
    calibrate: bool


class Calibration(Section):
    samples: integer(20, 100_000)
    null_samples: integer(20, 100_000)
    permutations: integer(19, 100_000)


class Training(Section):
    """Optional keys have the defaults of `language_models.stacked.training.train`."""

    epochs: integer(1, 10_000)
    batch: integer(1, 65_536)
    learning_rate: number(gt=0, le=10)
    warmup: Share
    weight_decay: number(ge=0, le=1000)
    dropout: number(ge=0, lt=1)
    precision: Literal["fp32", "tf32", "bf16"]
    vocabulary: Literal["texts", "all"]
    max_norm: number(gt=0, le=1e9) = None
    storage: Literal["float32", "float16", "bfloat16"] = None
    checkpoint_minutes: number(ge=0, le=100_000) = None


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
    variants: dict[Name, section(Variant, leaking=(bool, None))]
    label_noise: number(ge=0, le=10)
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


class CrowsPairs(Download):
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
    directions_from=Literal["words", "texts"],
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


class Configuration(Section):
    seed: integer(0, 2**32 - 1)
    seeds: distinct(integer(0, 2**32 - 1), 0, 1000)
    gpus: integer(0, 1024)
    threads: integer(1, 1024)
    container: Annotated[str, Field(min_length=1)] | None
    studies: Annotated[
        list[
            Literal["first_order", "silhouette", "properties", "same", "intrinsic", "downstream", "published",
                    "reliability", "calibration"]
        ],
        Field(min_length=1),
    ]  # fmt: skip
    corpora: Annotated[dict[Name, Corpus], Field(min_length=1), AfterValidator(check_derived)]
    counts: dict[Name, Counts]
    embeddings: Annotated[dict[Name, Embedding], Field(min_length=1)]
    language_models: Annotated[dict[Name, LanguageModel], AfterValidator(check_checkpoints)]
    own_metrics: Annotated[dict[Name, PythonFile], AfterValidator(check_own_metrics)]
    reference_pairs: dict[Name, ReferencePair]
    first_order: FirstOrder
    silhouette: Silhouette
    properties: section(metrics=MetricsOrAll, n_starts=integer(1, 10_000))
    published: section(
        vectors=dict[Name, section(file=File)], numbers=File, word_lists=File, permutations=integer(1, 10**7)
    )
    audit: Audit
    calibration: Calibration
    reliability: Reliability
    same: Same
    intrinsic: Intrinsic
    downstream: Downstream
