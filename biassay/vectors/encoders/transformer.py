"""Encoders and decoders of the transformers library as encoders of texts: hidden states, or input embeddings."""

import logging
from collections.abc import Sequence
from functools import partial
from itertools import compress

import numpy as np

from biassay.core import registry
from biassay.language_models import inference, loading, tokens
from biassay.language_models.loading import LanguageModel
from biassay.vectors.encoders.encoder import Encoder

LOG = logging.getLogger(__name__)
CONTEXT = "a "  # text before a word, as inside a sentence
MAX_REMEMBERED = 8192  # vectors
MEAN, CLS, LAST = "mean", "cls", "last"  # poolings: of the text's own tokens, the first special token, the last own one


def open_model(name: str, *, pooling: str | None = None, allow_pickle: bool = False) -> Encoder:
    """Open a model, given by its folder, GGUF file or hub id, as an encoder by its last hidden states.

    A word is encoded alone, as at the start of a text. Its vector is the mean of the last hidden states of its subword
    tokens, without special tokens; the same holds for a sentence. A causal model gets its BOS token before the text, if
    it has one, since the state of the first position does not depend on the text; the mean leaves it out. In a causal
    model, the state of a token depends only on earlier tokens, which thus weigh more.

    Texts with a token unknown to the tokenizer are not known. A special token, such as [MASK], in a text raises
    ValueError. The tokenizer may lower-case. Code of a model is never run; weights are read from safetensors or GGUF,
    and from a pickle only with `allow_pickle`.

    Parameters
    ----------
    pooling
        "mean" (default), "cls" (the first token's state, in encoders that begin a text with CLS) or "last" (that of the
        last own token, in decoders). The others are variants.
    """
    source = f"hf:{name}"
    model = loading.load_encoder(name, source=source, allow_pickle=allow_pickle)
    if model.problem:
        LOG.warning("%s; its vectors are read without its head", model.problem)
    poolings = [MEAN, *([LAST] if model.is_decoder else [CLS] if _has_cls(model.tokenizer) else [])]
    pooling = MEAN if pooling is None else pooling
    registry.check_names(f"{source}: pooling", [pooling], poolings)
    memory: dict[tuple[str, str], np.ndarray] = {}  # vectors by other poolings, of the same pass
    encode = {name: partial(_encode, model, poolings, memory, name) for name in poolings}
    default = encode.pop(pooling)
    special, longest = tokens.special_ids(model.tokenizer), loading.max_tokens(model.model)

    def is_known(text: str) -> bool:
        ids, own = tokens.tokenise_texts(model.tokenizer, [text], model.is_decoder)
        is_known = _has_known_tokens(source, model.tokenizer, text, list(compress(ids[0], own[0])), special)
        if longest and len(ids[0]) > longest:
            raise ValueError(
                f"{source}: {text!r:.80}: expected at most {longest} tokens for this model, got {len(ids[0])}"
            )
        return is_known

    variants = {f"pooling {name}": function for name, function in encode.items()}
    return Encoder(source, default, is_known=is_known, variants=variants, model=model)


def open_inputs(name: str, *, allow_pickle: bool = False) -> Encoder:
    """Open the input embeddings of a model as an encoder, which needs no forward pass.

    The vector is the mean of the rows of the text's subword tokens, as inside a sentence, without a token that is only
    the space before the text. Otherwise as `open_model`.
    """
    source = f"hf-inputs:{name}"
    tokenizer, model = loading.read_model(name, source, "AutoModel", loading.ENCODER, allow_pickle)
    if not tokenizer.is_fast:
        raise ValueError(f"{source}: expected a fast tokenizer, which returns the positions of tokens in a text")
    matrix, special = model.get_input_embeddings().weight.detach().float().numpy(), tokens.special_ids(tokenizer)

    def split(text: str) -> list[int]:
        encoding = tokenizer(CONTEXT + text, return_offsets_mapping=True, add_special_tokens=False)
        return list(compress(encoding["input_ids"], [end > len(CONTEXT) for _, end in encoding["offset_mapping"]]))

    def encode(texts: Sequence[str]) -> np.ndarray:
        return np.stack([matrix[split(text)].mean(axis=0) for text in texts])

    def is_known(text: str) -> bool:
        return _has_known_tokens(source, tokenizer, text, split(text), special)

    return Encoder(source, encode, is_known=is_known, has_context=False)


def _has_cls(tokenizer: object) -> bool:
    """Whether a tokenizer begins a text with CLS."""
    return tokenizer.cls_token_id is not None and tokenizer("a")["input_ids"][0] == tokenizer.cls_token_id


def _has_known_tokens(source: str, tokenizer: object, text: str, ids: list[int], special: set[int]) -> bool:
    """Whether a text has tokens, all known to the tokenizer; raise ValueError, naming the text, for a special token."""
    try:
        tokens.check_no_special_tokens(tokenizer, text, ids, special)
    except ValueError as error:
        raise ValueError(f"{source}: {error}") from error
    return bool(ids) and tokenizer.unk_token_id not in ids


def _encode(
    model: LanguageModel, poolings: Sequence[str], memory: dict[tuple[str, str], np.ndarray], pooling: str,
    texts: Sequence[str],
) -> np.ndarray:  # fmt: skip
    """Encode n texts by one of the poolings, (n, d), and remember their vectors by the others."""
    if not all((pooling, text) in memory for text in texts):
        if len(memory) > MAX_REMEMBERED:
            memory.clear()
        vectors = _pool(model, poolings, texts)
        memory.update(
            ((name, text), vector) for text, of_text in zip(texts, vectors, strict=True)
            for name, vector in zip(poolings, of_text, strict=True)
        )  # fmt: skip
    return np.stack([memory.pop((pooling, text)) for text in texts])


def _pool(model: LanguageModel, poolings: Sequence[str], texts: Sequence[str]) -> np.ndarray:
    """Encode n texts by m poolings in one pass: (n, m, d)."""
    ids, own = tokens.tokenise_texts(model.tokenizer, texts, model.is_decoder)
    own, lengths = tokens.pad(own, 0), np.array(list(map(len, ids)))
    weights = {MEAN: own, CLS: np.eye(1, own.shape[1]).repeat(len(own), axis=0)}
    weights[LAST] = np.cumsum(own[:, ::-1], axis=1)[:, ::-1] * own == 1
    padded = tokens.pad(ids, model.tokenizer.pad_token_id or 0)
    return inference.mean_states(model.model, padded, lengths, np.stack([weights[name] for name in poolings], axis=1))
