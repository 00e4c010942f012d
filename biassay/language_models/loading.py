"""Loading of language models of the transformers library from a folder or the hub."""

from collections.abc import Iterator
from contextlib import contextmanager, redirect_stderr
from dataclasses import dataclass, replace
from functools import cached_property
from io import StringIO
from pathlib import Path
from typing import Any

from biassay.core import guard
from biassay.language_models import hub, model_files

ENCODER = "encoder"  # the kind of a model without a head
KINDS = {
    "masked": ("AutoModelForMaskedLM", "masked language model"),
    "causal": ("AutoModelForCausalLM", "causal language model"),
}
# Weights that no vector and no score depends on, and buffers that older versions of transformers stored.
UNUSED = {"pooler", "seq_relationship", "position_ids", "token_type_ids", "masked_bias", "causal_mask", "inv_freq"}


@dataclass(frozen=True)
class LanguageModel:
    """A language model of transformers in evaluation mode, with its fast tokenizer.

    kind: one of KINDS, or ENCODER. problem: why its head was not loaded, if it should have one.
    """

    tokenizer: Any
    model: Any
    kind: str = "masked"
    problem: str = ""

    @cached_property  # asked for every text
    def is_decoder(self) -> bool:
        """Whether a position's state depends only on earlier ones, as in a causal model, with its head or without."""
        config = self.model.config.to_dict()
        is_headless = self.kind == ENCODER and config.get("model_type") != "xlnet" and kind_of(config) == "causal"
        return self.kind == "causal" or is_headless


def load(source: str | Path, *, kind: str | None = None, device: str | None = None) -> LanguageModel:
    """Load a language model, in float32, from a folder or the hub.

    Parameters
    ----------
    source
        Folder of a model of the transformers library, a GGUF file or a folder with one, or a name on the hub.
    kind
        "masked", or "causal" for a decoder. None: the kind of the architecture in config.json.
    device
        Device of torch. None: a GPU if there is one.

    Returns
    -------
    The model in evaluation mode, with its tokenizer and kind.

    Raises
    ------
    ValueError
        Naming the source, if a file is missing or broken, if the model is not of that kind, or if its tokenizer is not
        a fast one or lacks the mask that the kind needs.

    Examples
    --------
    >>> from biassay import load_language_model
    >>> language_model = load_language_model("resources/models/bert-tiny-enwiki", device="cpu")
    >>> language_model.kind
    'masked'
    >>> language_model.tokenizer.mask_token
    '[MASK]'
    """
    if kind not in (None, *KINDS):
        raise ValueError(f"kind: unknown value {kind!r}; expected one of: {', '.join(KINDS)}")
    path = _find(str(source), str(source))
    found = "causal" if path.suffix == ".gguf" else kind_of(model_files.read_json(path / "config.json"))
    return _load(path, str(source), kind or found, device)


def load_encoder(name: str | Path, *, source: str | None = None, allow_pickle: bool = False) -> LanguageModel:
    """Load a model for its vectors, with its head if it is a language model.

    A model that is not a language model, such as a fine-tuned classifier, is loaded without its head and has the kind
    ENCODER. So is XLNet, which predicts words in any order, and a model whose head is broken or does not fit its
    tokenizer, with the `problem`. `source` is its name in errors.
    """
    source = source or str(name)
    path, problem = _find(str(name), source, allow_pickle), ""
    kind = "causal"
    if path.suffix != ".gguf":
        configuration = model_files.read_json(path / "config.json")
        kind = None if configuration.get("model_type") == "xlnet" else named_kind(configuration)
    if kind:
        try:
            return _load(path, source, kind, None, allow_pickle)
        except ValueError as error:
            problem = str(error)
    return replace(_load(path, source, ENCODER, None, allow_pickle), problem=problem)


def _load(path: Path, source: str, kind: str, device: str | None, allow_pickle: bool = False) -> LanguageModel:
    import torch

    tokenizer, model = _read(path, source, *(KINDS | {ENCODER: ("AutoModel", ENCODER)})[kind], allow_pickle)
    if kind != ENCODER and not tokenizer.is_fast:
        raise ValueError(f"{source}: expected a fast tokenizer, which gives the position of each token in the text")
    if kind == "masked" and (tokenizer.mask_token_id is None or tokenizer.pad_token_id is None):
        raise ValueError(f"{source}: the tokenizer has no mask token or no padding token")
    if kind == "causal":
        _check_causal(source, model)
    else:
        _check_padding(source, tokenizer, model)
    return LanguageModel(tokenizer, model.to(device or ("cuda" if torch.cuda.is_available() else "cpu")), kind)


def kind_of(configuration: dict[str, Any]) -> str:
    """Find the kind, one of KINDS, of the architectures in a config.json, or else of its model type."""
    model_type, names = str(configuration.get("model_type")), _architectures()
    causal_only = model_type in names["causal"] and model_type not in names["masked"]
    return named_kind(configuration) or ("causal" if causal_only else "masked")


def named_kind(configuration: dict[str, Any]) -> str | None:
    """Find the kind, one of KINDS, of the architectures in a config.json; None for other architectures."""
    architectures, names = configuration.get("architectures"), _architectures()
    listed = architectures if isinstance(architectures, list) else []
    return next((kind for name in listed for kind in KINDS if name in names[kind].values()), None)


def _architectures() -> dict[str, dict[str, str]]:
    """Return the architectures of both kinds by model type, as transformers knows them."""
    from transformers.models.auto import modeling_auto as auto

    return {"masked": auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES, "causal": auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES}


def _check_causal(source: str | Path, model: Any) -> None:
    """Raise ValueError if a second token changes the prediction after the first, as in an encoder."""
    import torch

    with torch.inference_mode(), guard.reading(str(source), KINDS["causal"][1]):
        first, second = model(input_ids=torch.tensor([[0, 0], [0, 1]])).logits[:, 0]
    if (first - second).abs().max() > 1e-4 * first.abs().max():
        raise ValueError(
            f"{source}: is not causal: a token changes the prediction before it; load a masked language model with "
            "kind='masked'; a decoder of such an architecture needs is_decoder in its config.json"
        )


def _check_padding(source: str, tokenizer: Any, model: Any) -> None:
    """Raise ValueError if padding after a text changes the states of its tokens, which a batch would then change."""
    import torch

    body = model.get_encoder() if model.config.is_encoder_decoder else model.base_model
    ids, n_padding = tokenizer("a")["input_ids"] or [0], 8
    padded = torch.tensor([ids + [tokenizer.pad_token_id or 0] * n_padding])
    attention = torch.tensor([[1] * len(ids) + [0] * n_padding])
    with torch.inference_mode(), guard.reading(source, "model"):
        alone = body(input_ids=torch.tensor([ids])).last_hidden_state
        beside = body(input_ids=padded, attention_mask=attention).last_hidden_state[:, : len(ids)]
    if (alone - beside).abs().max() > 1e-4 * alone.abs().max():
        architecture = type(model).__name__
        raise ValueError(f"{source}: {architecture} is not supported: padding after a text changes the text's states")


def read_model(name: str, source: str, auto: str, what: str, allow_pickle: bool = False) -> tuple[Any, Any]:
    """Read the tokenizer and the model, in float32, of a folder or hub name; code that comes with it is never run.

    source, what: name and kind of the model in errors. auto: name of one of transformers' Auto classes. allow_pickle:
    read weights from a pickle if there is no safetensors file. Raises ValueError that begins with `source` or a file of
    the folder if a part is missing or broken, or the parts do not fit together.
    """
    return _read(_find(name, source, allow_pickle), source, auto, what, allow_pickle)


def _read(path: Path, source: str, auto: str, what: str, allow_pickle: bool = False) -> tuple[Any, Any]:
    import transformers

    folder, options = model_files.locate(path)
    # the explicit False refuses a model's own code without a question at the terminal
    if options:
        config = hub.check_size(path, list(model_files.read_gguf(path).items()), path.stat().st_size)
    else:
        config = hub.check_folder_size(folder, allow_pickle)
        config.return_dict, config.chunk_size_feed_forward = True, 0  # as inference expects; values do not change
    with guard.reading(source, "tokenizer"):
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **options, trust_remote_code=False)
    _check_special_tokens(folder, source, tokenizer)
    model = read_weights(folder, source, auto, what, allow_pickle, config=config, **options)
    ids = [*tokenizer.get_vocab().values(), *tokenizer.all_special_ids]
    if options:  # transformers adds <|endoftext|>, as a special token, which no text may have
        ids = tokenizer.backend_tokenizer.get_vocab(with_added_tokens=False).values()
    largest = max(ids, default=-1)
    if largest >= (n := len(model.get_input_embeddings().weight)):
        raise ValueError(f"{source}: the tokenizer has token ids up to {largest}; the {what} has {n} embeddings")
    tokenizer.model_max_length = min(tokenizer.model_max_length, max_tokens(model) or tokenizer.model_max_length)
    return tokenizer, model.eval()


def _check_special_tokens(folder: Path, source: str, tokenizer: Any) -> None:
    """Raise ValueError for a vocab.txt without a special token, to which transformers would give a new id."""
    vocabulary = folder / "vocab.txt"
    if vocabulary.is_file() and not any((folder / name).is_file() for name in ("tokenizer.json", "added_tokens.json")):
        tokens = model_files.read_vocabulary(vocabulary)
        if missing := [token for token in tokenizer.all_special_tokens if token not in tokens]:
            raise ValueError(f"{source}: vocab.txt lacks the special token {missing[0]!r}")


def max_tokens(model: Any) -> int | None:
    """Find the length of the longest text that a model has positions for, with special tokens; None if unlimited."""
    n_positions = getattr(model.config.get_text_config(), "max_position_embeddings", None) or 0
    positions = getattr(getattr(model.base_model, "embeddings", None), "position_embeddings", None)
    if getattr(positions, "padding_idx", None) is not None:
        n_positions -= positions.padding_idx + 1  # as RoBERTa counts its positions
    return n_positions if n_positions > 0 else None  # XLNet has −1


def read_weights(folder: Path, source: str, auto: str, what: str, allow_pickle: bool = False, **options: Any) -> Any:
    """Read the model, in float32, of a checked folder; `auto` is the name of one of transformers' Auto classes.

    Raises ValueError that begins with `source` and names weights that are missing in the configuration or in the
    weights, have another shape, or are not finite.
    """
    import torch
    import transformers

    options |= {"use_safetensors": None if allow_pickle else True, "dtype": torch.float32, "trust_remote_code": False}
    options |= {"output_loading_info": True, "ignore_mismatched_sizes": True}  # all that does not fit is in the report
    with guard.reading(source, what), quiet(), torch.random.fork_rng(devices=[]):
        # a missing pooler gets random weights, and is never used
        model, report = getattr(transformers, auto).from_pretrained(folder, **options)
    problems = [f"{key} is {tuple(stored)}, not {tuple(size)}" for key, stored, size in report["mismatched_keys"]]
    problems += [f"{key} is missing" for key in report["missing_keys"] if not key.startswith("pooler.")]
    problems += [f"{key} is not part of the {what}" for key in report["unexpected_keys"] if _is_part(model, key)]
    problems = problems or [
        f"{key} has values that are not finite"
        for key, weight in model.named_parameters()
        if not weight.isfinite().all()
    ]
    if problems:
        listed = f"{'; '.join(sorted(problems)[:3])}{'; …' if len(problems) > 3 else ''}"
        raise ValueError(
            f"{source}: expected finite weights of the {what} of config.json, got {len(problems)}: {listed}"
        )
    return model


def _is_part(model: Any, key: str) -> bool:
    """Whether the name of a weight is in the model's body or head, not in the head of another task."""
    body, prefix = model.base_model, f"{model.base_model_prefix}."
    buffers = {name.removeprefix(prefix) for name, _ in model.named_buffers()}  # older versions stored some
    parts = {prefix[:-1], *(name for module in (model, body) for name, _ in module.named_children())}
    return key.split(".")[0] in parts and key.removeprefix(prefix) not in buffers and not UNUSED & set(key.split("."))


def _find(name: str, source: str, allow_pickle: bool = False) -> Path:
    """Find and check the folder of a model, or its GGUF file; raise ValueError if a file is missing or broken."""
    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError as error:
        raise ValueError(f"{source}: models need torch and transformers; pip install 'biassay[models]'") from error
    if gguf := model_files.find_gguf(Path(name)):
        model_files.read_gguf(gguf)
        return gguf
    folder = Path(name) if Path(name).is_dir() else hub.fetch(name, source, allow_pickle=allow_pickle)
    model_files.check_files(folder, allow_pickle)
    return folder


@contextmanager
def quiet() -> Iterator[None]:
    """Silence transformers' report of unused heads and its progress bars, that of GGUF files too."""
    from transformers.utils import logging as transformers_logging

    level, bars = transformers_logging.get_verbosity(), transformers_logging.is_progress_bar_enabled()
    transformers_logging.set_verbosity_error()
    transformers_logging.disable_progress_bar()
    try:
        with redirect_stderr(StringIO()):
            yield
    finally:
        transformers_logging.set_verbosity(level)
        if bars:
            transformers_logging.enable_progress_bar()
