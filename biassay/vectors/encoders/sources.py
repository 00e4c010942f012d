"""What an address or an object encodes texts with: a language model, a sentence encoder, a function."""

import logging
from collections.abc import Callable
from pathlib import Path

from biassay.language_models import model_files
from biassay.vectors.encoders import sentence_transformer, static_tokens, transformer
from biassay.vectors.encoders.encoder import Encoder
from biassay.vectors.formats import spacy_vectors

LOG = logging.getLogger(__name__)
SENTENCES = "st:"  # a model of sentence-transformers, by folder or hub id
MODEL = "hf:"  # a model of transformers, by folder or hub id
INPUTS = "hf-inputs:"  # its input embeddings
TOKENS = "static:"  # a folder of static token embeddings
ENCODERS = {
    "": "word vectors",
    SENTENCES: "sentence encoder",
    MODEL: "hidden states of a language model",
    INPUTS: "input embeddings of a language model",
    TOKENS: "static embeddings of tokens",
    spacy_vectors.PREFIX: "vectors of a spaCy pipeline",
}  # in results, by prefix
OWN_MODEL = "YOUR_MODEL"  # in addresses for others, before the name of a local model


def find(
    source: object, *, prompt: str | None = None, pooling: str | None = None, allow_pickle: bool = False
) -> Encoder | None:
    """Open the encoder that a source is; return None for a source of another kind, such as a file of vectors.

    source: an address, such as the folder of a model, st:NAME or hf:NAME; a function of a list of texts that returns an
    array (n, d), or an object with such a method `encode`; an Encoder. Raises ValueError if it cannot be opened, or
    takes no such prompt or pooling.
    """
    options = {"prompt": prompt, "pooling": pooling}
    encoder = None
    if isinstance(source, str | Path):
        kind, name = split(add_prefix(source))
        if kind in OPEN:
            opener, allowed = OPEN[kind]
            used = {key: options.pop(key) for key in allowed}
            encoder = opener(name, allow_pickle=allow_pickle, **used)
            if kind in (MODEL, INPUTS) and (ignored := sentence_transformer.name_ignored_modules(Path(name))):
                LOG.warning("%s: its modules %s are ignored; %s%s uses them", source, ignored, SENTENCES, name)
    elif isinstance(source, Encoder):
        encoder = source
    elif type(source).__module__.startswith(sentence_transformer.OWN) and hasattr(source, "prompts"):
        encoder = sentence_transformer.from_model(source, name_of(source), prompt=options.pop("prompt"))
    elif is_callable(source):
        encoder = Encoder(f"vectors ({name_of(source)})", getattr(source, "encode", source))
    for key, value in options.items():
        if value is not None:
            raise ValueError(f"{name_of(source)}: {key}: expected none for such a source, got {value!r:.80}")
    return encoder


def is_callable(source: object) -> bool:
    """Whether a source is a function of texts, or has a method `encode`."""
    return not isinstance(source, str) and (hasattr(source, "encode") or callable(source))


def address_of(source: object) -> str:
    """Return the address of a source, for messages and results; its name if it has none."""
    return source.address or source.name if isinstance(source, Encoder) else name_of(source)


def name_of(source: object) -> str:
    """Name a source in messages and results: its address, or the name of the function or of its class."""
    if isinstance(source, str | Path):
        return str(source)
    name = getattr(source, "name", None) if isinstance(source, Encoder) else getattr(source, "__name__", None)
    return str(name or type(source).__name__).strip("<>")


def describe(source: object, name: str) -> dict:
    """Describe a source with that name in results.

    `encoder` says what gives the vectors. A path or address has an `address` for others: that of a model of the hub, or
    for a model of this machine a placeholder with its name. A service has its options under `service`.
    """
    if isinstance(source, str | Path):
        prefix, end = split(add_prefix(source))
        if not prefix or Path(end).exists():
            end = f"{OWN_MODEL}/{name.removeprefix(prefix)}" if prefix else name
        return {"encoder": ENCODERS[prefix], "address": prefix + end}
    if isinstance(source, Encoder) and source.service:
        return {"encoder": "embedding service", "service": dict(source.service)}
    return {"encoder": "function or object of Python"}


def locate(source: str | Path) -> str:
    """Return an address with its prefix, which a folder may lack; raise ValueError for a path that does not exist."""
    address = add_prefix(source)
    if not split(address)[0] and not Path(source).exists():
        raise ValueError(f"{source}: no such file or folder; for a model of the hub give {MODEL}{source}")
    return address


def add_prefix(source: str | Path) -> str:
    """Return an address, with a prefix if it is the folder of a model or a GGUF file."""
    text, path = str(source), Path(source)
    if split(text)[0] or (path / "embedding.json").is_file():
        return text
    if static_tokens.is_tokens(path):
        return TOKENS + text
    if spacy_vectors.is_pipeline(path):
        return spacy_vectors.PREFIX + text
    if model_files.find_gguf(path):
        return MODEL + text
    kinds = {sentence_transformer.MODULES: SENTENCES, "config.json": MODEL}
    return next((prefix for file, prefix in kinds.items() if (path / file).is_file()), "") + text


def split(address: str) -> tuple[str, str]:
    """Split an address into the prefix, or "", and the rest."""
    prefix = next((prefix for prefix in OPEN if address.startswith(prefix)), "")
    return prefix, address.removeprefix(prefix)


# functions that open encoders, by the prefix of their address, and the options that they take
OPEN: dict[str, tuple[Callable[..., Encoder | None], tuple[str, ...]]] = {
    SENTENCES: (sentence_transformer.open_encoder, ("prompt",)),
    MODEL: (transformer.open_model, ("pooling",)),
    INPUTS: (transformer.open_inputs, ()),
    TOKENS: (static_tokens.open_tokens, ()),
    spacy_vectors.PREFIX: (static_tokens.open_spacy, ()),
}
