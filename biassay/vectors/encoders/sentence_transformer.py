"""Sentence encoders: models of the library sentence-transformers, with their pooling, layers, length and prompts."""

import json
import logging
import re
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from biassay.core import guard, registry
from biassay.language_models import hub, loading, model_files
from biassay.vectors.encoders.encoder import Encoder

MODULES, SETTINGS = "modules.json", "config_sentence_transformers.json"
OWN = "sentence_transformers."  # beginning of the types of modules whose code the library has
TRANSFORMER, WITHOUT_CONTEXT = "Transformer", ("BoW", "StaticEmbedding")  # types of modules
CONTAINERS = {"Asym", "CLIPModel", "Router"}  # types of modules
DOWNLOADED = ["*.json", "*.safetensors", "*.txt", "*.model"]
NAME = re.compile(r"[\w.-]+")  # of a prompt; its text has a space, a colon or the like
NO_PROMPT = "none"  # name of the variant without a prompt


def open_encoder(name: str, *, prompt: str | None = None, allow_pickle: bool = False) -> Encoder:
    """Open a sentence encoder, given by its folder or hub id: the vectors are those of `SentenceTransformer.encode`.

    All files are checked before any is loaded; code of a model is never run, and weights are read from safetensors.

    Parameters
    ----------
    prompt
        Name of one of the model's prompts, or a text to put before every text; None for the model's default. The other
        prompts of the model are variants.
    """
    source = f"st:{name}"
    try:
        import sentence_transformers
    except ImportError as error:
        raise ValueError(
            f"{source}: sentence encoders need sentence-transformers; pip install 'biassay[models]'"
        ) from error
    folder = Path(name)
    if not folder.is_dir():
        folder = hub.download_files(name, source, [*DOWNLOADED, *(["*.bin"] if allow_pickle else [])])
    modules = check_files(folder, allow_pickle)
    transformers = [folder / module["path"] for module in modules if _kind(module) == TRANSFORMER]
    for part in transformers:
        hub.check_folder_size(part, allow_pickle)
    with guard.reading(source, "sentence encoder"), loading.quiet():
        model = sentence_transformers.SentenceTransformer(
            str(folder),
            trust_remote_code=False,
            local_files_only=True,
            model_kwargs={"use_safetensors": None if allow_pickle else True},
        )
    for part in transformers:  # the library does not notice missing weights
        loading.read_weights(part, source, type(model.transformers_model).__name__, "sentence encoder", allow_pickle)
    return from_model(model, source, prompt=prompt)


def from_model(model: Any, source: str, *, prompt: str | None = None) -> Encoder:
    """Return the encoder that a SentenceTransformer is."""
    prompts = {name: text for name, text in model.prompts.items() if text}
    if prompt is not None and prompt not in prompts and NAME.fullmatch(prompt):
        if not prompts:
            raise ValueError(
                f"{source}: prompt: the model has no prompts, got {prompt!r}; a text needs a space or colon"
            )
        registry.check_names(f"{source}: prompt", [prompt], prompts)
    default = model.prompts.get(model.default_prompt_name) or ""
    chosen = default if prompt is None else prompts.get(prompt, prompt)
    others = {name: text for name, text in ({NO_PROMPT: ""} | prompts).items() if text != chosen}
    tokenizer = model.tokenizer
    if hasattr(tokenizer, "token_to_id"):  # of the library tokenizers, in StaticEmbedding
        unknown = tokenizer.token_to_id(getattr(tokenizer.model, "unk_token", None) or "")
    else:
        unknown = getattr(tokenizer, "unk_token_id", None)

    def is_known(text: str) -> bool:
        if unknown is None or not text:
            return bool(text)
        ids = tokenizer.encode(text, add_special_tokens=False)
        return unknown not in getattr(ids, "ids", ids)

    longest = model.max_seq_length if callable(tokenizer) else None

    def encode(prompt: str, texts: list[str]) -> Any:
        with guard.reading(source, "sentence encoder"):
            ids = tokenizer([prompt + text for text in texts], verbose=False)["input_ids"] if longest else []
            if cut := [text for text, row in zip(texts, ids, strict=False) if len(row) > longest]:
                about = "%s: %d texts are cut to %d tokens, prompt included, such as %.80r; texts may become equal"
                logging.warning(about, source, len(cut), longest, cut[0])
            return model.encode(texts, prompt=prompt, batch_size=len(texts), show_progress_bar=False)

    return Encoder(
        source,
        partial(encode, chosen),
        is_known=is_known,
        variants={f"prompt {name}": partial(encode, text) for name, text in others.items()},
        has_context=type(model[0]).__name__ not in WITHOUT_CONTEXT,
    )


def check_files(folder: Path, allow_pickle: bool = False) -> list[dict[str, str]]:
    """Return the modules of a folder's modules.json.

    Raises ValueError, naming the file and the key, if one is broken, needs code of its own, or has its weights in a
    pickle.
    """
    path = folder / MODULES
    modules = read_modules(folder)
    settings = model_files.read_json(folder / SETTINGS) if (folder / SETTINGS).is_file() else {}
    if (kind := settings.get("model_type", "SentenceTransformer")) != "SentenceTransformer":
        raise ValueError(f"{folder / SETTINGS}: model_type: expected SentenceTransformer, got {kind!r:.80}")
    prompts = settings.get("prompts", {})
    is_text = isinstance(prompts, dict) and all(isinstance(text, str | None) for text in prompts.values())
    if not is_text:
        raise ValueError(f"{folder / SETTINGS}: prompts: expected texts by name, got {prompts!r:.80}")
    for module in modules:
        part = folder / module["path"]
        if not module["type"].startswith(OWN) or _kind(module) not in _own_modules():
            expected = "a module of sentence_transformers, since code that comes with a model is never run"
            raise ValueError(f"{path}: type: expected {expected}, got {module['type']!r:.80}")
        if _kind(module) == TRANSFORMER:
            model_files.check_files(part, allow_pickle)
        elif list(part.glob("*.bin")) and not list(part.glob("*.safetensors")) and not allow_pickle:
            raise ValueError(f"{part}: has its weights in a pickle, which can run any code; expected model.safetensors")
        if (part / "config.json").is_file():
            activation = model_files.read_json(part / "config.json").get("activation_function", "torch.")
            if not str(activation).startswith("torch."):
                raise ValueError(
                    f"{part / 'config.json'}: activation_function: expected one of torch, got {activation!r:.80}"
                )
    return modules


def read_modules(folder: Path) -> list[dict[str, str]]:
    """Read the modules of a folder's modules.json: type and path of each; raise ValueError if they are not valid."""
    path = folder / MODULES
    with guard.reading(path, "list of modules"):
        modules = json.loads(path.read_text("utf-8"))
    if not isinstance(modules, list) or not modules:
        raise ValueError(f"{path}: expected a list of modules, got {modules!r:.80}")
    for module in modules:
        for key in ("type", "path"):
            if not isinstance(module, Mapping) or not isinstance(module.get(key), str):
                raise ValueError(f"{path}: expected modules with texts type and path, got {module!r:.80}")
        if not (folder / module["path"]).resolve().is_relative_to(folder.resolve()):
            raise ValueError(f"{path}: path: expected a folder within {folder}, got {module['path']!r:.80}")
    return modules


def name_ignored_modules(folder: Path) -> str:
    """Name the modules of a sentence encoder that its transformers model alone lacks; "" for another folder."""
    if not (folder / MODULES).is_file():
        return ""
    return ", ".join(_kind(module) for module in read_modules(folder) if _kind(module) != TRANSFORMER)


def _kind(module: Mapping[str, str]) -> str:
    """Return the name of the class of a module."""
    return module["type"].rpartition(".")[2]


def _own_modules() -> set[str]:
    """Return the library's modules, without those that contain others, whose files would have to be checked, too."""
    from sentence_transformers.sentence_transformer import modules

    return set(modules.__all__) - CONTAINERS
