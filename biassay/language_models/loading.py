"""Language models of transformers: read from a folder or a hub id."""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from biassay.language_models import model_files
from biassay.support import guard

ENCODER = "encoder"  # the kind of a model without a head
KINDS = {
    "masked": ("AutoModelForMaskedLM", "masked language model"),
    "causal": ("AutoModelForCausalLM", "causal language model"),
}
# Weights that no vector and no score depends on, and buffers that older versions of transformers stored.
_UNUSED = re.compile(
    r"(^|\.)(pooler|seq_relationship|position_ids|token_type_ids|masked_bias|causal_mask|inv_freq)(\.|$)"
)


@dataclass(frozen=True)
class LanguageModel:
    """A language model of transformers, in evaluation mode, with its fast tokenizer; kind: one of KINDS, or ENCODER."""

    tokenizer: Any
    model: Any
    kind: str = "masked"


def load(source: str | Path, *, kind: str | None = None, device: str | None = None) -> LanguageModel:
    """Load a language model, in float32, from a folder or a hub id to a device (None: a GPU if there is one).

    kind: "masked", "causal" (a decoder), or None, as the architectures in config.json say. Raises ValueError, naming
    the source, for what is missing or no model of that kind, for a tokenizer that is not fast or lacks a mask that it
    needs, and for a causal model whose words see what stands behind them.
    """
    if kind not in (None, *KINDS):
        raise ValueError(f"kind: unknown value {kind!r}; expected one of: {', '.join(KINDS)}")
    folder = _folder(str(source), str(source), "language model")
    kind = kind or kind_of(model_files.read_configuration(folder))
    tokenizer, model = read_model(str(folder), str(source), *KINDS[kind])
    if not tokenizer.is_fast:
        raise ValueError(f"{source}: its tokenizer is not a fast one, which says where in the text its tokens stand")
    if kind == "masked" and (tokenizer.mask_token_id is None or tokenizer.pad_token_id is None):
        raise ValueError(f"{source}: its tokenizer has no token for a mask or for padding")
    if kind == "causal":
        _check_causal(source, model)
    import torch

    return LanguageModel(tokenizer, model.to(device or ("cuda" if torch.cuda.is_available() else "cpu")), kind)


def load_encoder(source: str | Path, *, device: str | None = None) -> LanguageModel:
    """Load a model for its vectors, as `load`; one that is no language model, such as a fine-tuned classifier, without
    its head: its kind is ENCODER. XLNet counts as such: it expects words in any order."""
    folder = _folder(str(source), str(source), "encoder")
    configuration = model_files.read_configuration(folder)
    if named_kind(configuration) is not None and configuration.get("model_type") != "xlnet":
        return load(source, device=device)
    import torch

    tokenizer, model = read_model(str(folder), str(source), "AutoModel", ENCODER)
    return LanguageModel(tokenizer, model.to(device or ("cuda" if torch.cuda.is_available() else "cpu")), ENCODER)


def kind_of(configuration: dict[str, Any]) -> str:
    """One of KINDS: what the architectures of a config.json are; without one that is known, what its type can be."""
    from transformers.models.auto import modeling_auto

    of_type, masked = str(configuration.get("model_type")), modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES
    only = of_type in modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES and of_type not in masked
    return named_kind(configuration) or ("causal" if only else "masked")


def named_kind(configuration: dict[str, Any]) -> str | None:
    """One of KINDS: what the architectures that a config.json names are; None for others."""
    from transformers.models.auto import modeling_auto

    named = configuration.get("architectures")
    for name in named if isinstance(named, list) else ():
        if name in modeling_auto.MODEL_FOR_MASKED_LM_MAPPING_NAMES.values():
            return "masked"
        if name in modeling_auto.MODEL_FOR_CAUSAL_LM_MAPPING_NAMES.values():
            return "causal"
    return None


def _check_causal(source: str | Path, model: Any) -> None:
    """Raise ValueError if a second token changes what is expected behind the first, as in an encoder."""
    import torch

    with torch.inference_mode(), guard.reading(str(source), KINDS["causal"][1]):
        first, second = model(input_ids=torch.tensor([[0, 0], [0, 1]])).logits[:, 0]
    if (first - second).abs().max() > 1e-4 * first.abs().max():
        raise ValueError(
            f"{source}: is not causal: a token changes what is expected before it; if it is a masked language model, "
            "load it with kind='masked'; a decoder of such a family has is_decoder in its config.json"
        )


def read_model(name: str, source: str, auto: str, what: str, allow_pickle: bool = False) -> tuple[Any, Any]:
    """The tokenizer and the model, in float32, of a folder or hub id; `auto` is one of transformers' Auto classes.

    Code that comes with a model is never run; weights are read from safetensors, and from a pickle only with
    `allow_pickle`. Raises ValueError that begins with `source` or a file of the folder and says what is missing of the
    `what`, broken, or too large for the weights.
    """
    folder = _folder(name, source, what, allow_pickle)
    import transformers

    model_files.check(folder, auto, allow_pickle)
    with guard.reading(source, "tokenizer"):
        # the explicit False refuses a model's own code without asking at the terminal
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    model = read_weights(folder, source, auto, what, allow_pickle)
    _check_tokenizer(
        source, what, tokenizer, model_files.declared_tokens(folder), len(model.get_input_embeddings().weight)
    )
    tokenizer.model_max_length = min(tokenizer.model_max_length, max_tokens(model) or tokenizer.model_max_length)
    return tokenizer, model.eval()


def max_tokens(model: Any) -> int | None:
    """Tokens of the longest text that a model of transformers has positions for, special ones counted; None: any."""
    most = getattr(model.config.get_text_config(), "max_position_embeddings", None) or 0
    places = getattr(getattr(model.base_model, "embeddings", None), "position_embeddings", None)
    if getattr(places, "padding_idx", None) is not None:
        most -= places.padding_idx + 1  # as RoBERTa counts its positions
    return most if most > 0 else None  # XLNet has −1


def read_weights(folder: Path, source: str, auto: str, what: str, allow_pickle: bool = False, **options: Any) -> Any:
    """The model, in float32, of a folder whose files were checked; `auto` is one of transformers' Auto classes.

    Raises ValueError that begins with `source` unless configuration and weights agree: a weight that one of the two
    lacks, or has in another shape, or that is not finite is named.
    """
    import torch
    import transformers

    options |= {"use_safetensors": None if allow_pickle else True, "dtype": torch.float32, "trust_remote_code": False}
    options |= {"output_loading_info": True, "ignore_mismatched_sizes": True}  # they are reported below
    with guard.reading(source, what), _quiet(), torch.random.fork_rng(devices=[]):
        # a pooler that the weights lack is drawn at random and never used
        model, report = getattr(transformers, auto).from_pretrained(folder, **options)
    _check_weights(source, what, model, report)
    return model


def _check_weights(source: str, what: str, model: Any, report: dict) -> None:
    """Raise ValueError unless configuration and weights are of the same model, and all weights finite."""
    for key, has, needs in sorted(report["mismatched_keys"]):
        raise ValueError(f"{source}: {key} is {tuple(has)} in the weights; config.json asks for {tuple(needs)}")
    lacking = [key for key in report["missing_keys"] if not key.startswith("pooler.")]
    if lacking:
        raise ValueError(f"{source}: the weights lack {len(lacking)} parts of the {what}, such as {_first(lacking)}")
    surplus = [key for key in report["unexpected_keys"] if _is_part(model, key)]
    if surplus:
        raise ValueError(
            f"{source}: the weights have {len(surplus)} parts that the {what} of config.json has not, such as "
            f"{_first(surplus)}; expected the configuration that the weights were saved with"
        )
    for key, weight in model.named_parameters():
        if not weight.isfinite().all():
            raise ValueError(f"{source}: the weights have values that are not finite (NaN or infinite) in {key}")


def _is_part(model: Any, key: str) -> bool:
    """Whether a weight is named like one of the model's body or head: other heads of a pretraining or task are not."""
    body, prefix = model.base_model, f"{model.base_model_prefix}."
    buffers = {name.removeprefix(prefix) for name, _ in model.named_buffers()}  # some were stored once
    parts = {prefix[:-1], *(name for module in (model, body) for name, _ in module.named_children())}
    return key.split(".")[0] in parts and key.removeprefix(prefix) not in buffers and not _UNUSED.search(key)


def _first(keys: list[str]) -> str:
    return ", ".join(sorted(keys)[:3])


def _check_tokenizer(source: str, what: str, tokenizer: Any, declared: set[str] | None, rows: int) -> None:
    """Raise ValueError unless the special tokens are declared in the folder's files, and every token has one of the
    model's embeddings."""
    if declared is not None:
        for token in tokenizer.all_special_tokens:
            if token not in declared:
                raise ValueError(
                    f"{source}: the tokenizer's files lack its special token {token!r}, which has no embedding then"
                )
    most = max([*tokenizer.get_vocab().values(), *tokenizer.all_special_ids], default=-1)
    if most >= rows:
        raise ValueError(f"{source}: the tokenizer has pieces of number {most}, the {what} has {rows} embeddings")


def _folder(name: str, source: str, what: str, allow_pickle: bool = False) -> Path:
    """The folder of a model; ValueError for one that lacks a file, and where transformers is not installed."""
    try:
        import torch  # noqa: F401
        import transformers  # noqa: F401
    except ImportError as error:
        raise ValueError(f"{source}: {what}s need torch and transformers; pip install 'biassay[models]'") from error
    folder = Path(name) if Path(name).is_dir() else _from_hub(name, source, allow_pickle)
    if lacking := model_files.missing_files(folder, allow_pickle):
        raise ValueError(f"{source}: the folder lacks {lacking}")
    return folder


def _from_hub(name: str, source: str, allow_pickle: bool) -> Path:
    """The folder of a hub's model in the local cache, downloaded if it is not there."""
    from huggingface_hub import snapshot_download
    from huggingface_hub.errors import HfHubHTTPError

    pickles = ["pytorch_model*.bin", model_files.PICKLES[1]] if allow_pickle else []
    try:
        return Path(snapshot_download(name, allow_patterns=[*model_files.DOWNLOADED, *pickles]))
    except (HfHubHTTPError, OSError, ValueError) as error:
        reason = str(error).strip().split("\n")[0]
        raise ValueError(
            f"{source}: no folder of that name holds a model, nor could it be had from the hub ({reason}); offline, "
            "give a folder with config.json, safetensors weights and tokenizer files"
        ) from error


@contextmanager
def _quiet() -> Iterator[None]:
    """Keep transformers from reporting, at the terminal, that the head of a language model is not loaded."""
    from transformers.utils import logging as of_transformers

    level, bars = of_transformers.get_verbosity(), of_transformers.is_progress_bar_enabled()
    of_transformers.set_verbosity_error()
    of_transformers.disable_progress_bar()
    try:
        yield
    finally:
        of_transformers.set_verbosity(level)
        if bars:
            of_transformers.enable_progress_bar()
