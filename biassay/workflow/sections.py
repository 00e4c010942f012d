"""The sections of the configuration that studies share: corpora, counts, embeddings, models and reference pairs."""

import re
from functools import partial
from pathlib import Path
from typing import Annotated, ClassVar, Literal
from urllib.parse import urlsplit

from pydantic import ConfigDict, Field, ValidationInfo, model_validator

from biassay.core import guard, registry
from biassay.corpora import download
from biassay.counts.weights import window_weights
from biassay.language_models.pretraining import Settings
from biassay.workflow import plugins
from biassay.workflow.fields import (
    File,
    Name,
    PathLike,
    Paths,
    Section,
    Share,
    Url,
    distinct,
    integer,
    name_of,
    number,
    section,
    text_or,
)
from biassay.workflow.problems import gather

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


Corpus = Annotated[
    section(Encoded, source=Literal["generator"], tokens=integer(1000, 10**10), control=bool, confounded=Share,
            confounding=Share)
    | section(Encoded, source=Literal["wikiextractor", "text"], path=Paths)
    | Wikipedia
    | CounterfactualCorpus,
    Field(discriminator="source"),
]  # fmt: skip


def check_counterfactuals(corpora: dict[str, Section], info: ValidationInfo) -> dict[str, Section]:
    """Raise ValueError unless counterfactual corpora are made from other corpora, which are not counterfactual."""
    others = [name for name, corpus in corpora.items() if not isinstance(corpus, CounterfactualCorpus)]
    for name, corpus in corpora.items() if info.context else ():
        if isinstance(corpus, CounterfactualCorpus) and corpus.corpus not in others:
            if corpus.corpus in corpora:
                problem = f"{corpus.corpus!r} is counterfactual itself"
                raise ValueError(f".{name}.corpus: {problem}; expected one of: {', '.join(others)}")
            registry.check_names(f".{name}.corpus", [corpus.corpus], others)
    return corpora


class Counts(Section):
    window: integer(1, 1000)
    weighting: Literal["linear", "harmonic", "flat"]
    sample: number(ge=0, lt=1)
    shards: integer(1, 10_000)

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
        if info.context:
            counts = info.context["config"]["counts"]
            plugins.check_embedding(self.model_dump(exclude_unset=True), counts if isinstance(counts, dict) else {})
        return self


class Pretraining(Section):
    corpus: Annotated[str, name_of("corpora")]
    vocabulary: text_or(integer(100, 10**6), int) = None
    layers: integer(1, 1000) = None
    width: integer(1, 65_536) = None
    heads: integer(1, 1024) = None
    length: integer(8, 65_536) = None
    batch: integer(1, 65_536) = None
    steps: integer(1, 10**7) = None
    learning_rate: number(gt=0, le=10) = None
    save_every: integer(1, 10**7) = None
    checkpoint_steps: distinct(integer(1, 10**7), 0) = None

    @model_validator(mode="after")
    def _check_settings(self, info: ValidationInfo):
        settings = self.model_dump(exclude_unset=True, exclude={"corpus"})
        try:
            Settings(**settings)
        except ValueError as error:
            raise ValueError(f".{error}") from error
        if info.context and isinstance(self.vocabulary, str) and not Path(self.vocabulary).is_file():
            raise ValueError(f".vocabulary: there is no file {self.vocabulary!r}")
        return self


class LanguageModel(Section):
    path: PathLike = None
    hub: Annotated[str, Field(pattern=r"^[A-Za-z0-9._-]+(/[A-Za-z0-9._-]+)?$")] = None
    revision: Annotated[str, Field(pattern="^([0-9a-f]{40}|unknown)$")] = None
    pretrain: Pretraining = None
    checkpoint: section(model=str, step=integer(1, 10**7)) = None

    @model_validator(mode="after")
    def _check_kind(self, info: ValidationInfo):
        given = self.model_fields_set
        if len(given - {"revision"}) != 1 or ("revision" in given) != ("hub" in given):
            keys = ", ".join(key for key in type(self).model_fields if key in given) or "none"
            raise ValueError(f"expected one of: path, hub with revision, pretrain, checkpoint; got {keys}")
        if info.context and self.path and not (Path(self.path) / "config.json").is_file():
            raise ValueError(f".path: expected a folder with a config.json, got {self.path!r}")
        return self


def check_checkpoints(models: dict[str, LanguageModel], info: ValidationInfo) -> dict[str, LanguageModel]:
    """Raise ValueError unless each checkpoint is of a model that is pretrained here, and is stored."""
    pretrained = {name: model.pretrain for name, model in models.items() if model.pretrain}
    for name, model in models.items() if info.context else ():
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


PythonFile = Annotated[PathLike, Field(pattern=r"\.py$")]


def check_own_metrics(metrics: dict[str, str], info: ValidationInfo) -> dict[str, str]:
    """Check the files of the user's metrics."""
    if info.context:
        gather(partial(plugins.check_own_metric, name, path) for name, path in metrics.items())
    return metrics
