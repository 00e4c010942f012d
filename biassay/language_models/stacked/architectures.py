"""Architectures of encoders for the stacked forward pass: names of their weights, and their differences."""

from dataclasses import dataclass
from typing import NamedTuple


class Layer(NamedTuple):
    """Names of a layer's weights, without `.weight` and `.bias`."""

    query: str
    key: str
    value: str
    out: str
    attention_norm: str
    up: str
    down: str
    norm: str


@dataclass(frozen=True)
class Architecture:
    """An encoder with a tied vocabulary head; names as in the state dict of transformers.

    mapping: from factorised embeddings to the hidden size (ALBERT). offset: number of the first position (RoBERTa).
    attention_dropout_out, feed_forward_dropout: whether there is dropout after the two halves of a layer.
    """

    embeddings: tuple[str, ...]  # word, position, token type if there is one
    embedding_norm: str
    layers: tuple[Layer, ...]
    transform: str
    transform_norm: str
    bias: str
    heads: int
    eps: float
    activation: str
    head_activation: str
    mapping: str | None = None
    offset: int = 0
    attention_dropout_out: bool = True
    feed_forward_dropout: bool = True

    def names(self) -> set[str]:
        """Names of all weights in the forward pass."""
        modules = {self.embedding_norm, self.mapping, self.transform, self.transform_norm} - {None}
        modules |= {name for layer in self.layers for name in layer}
        return {*self.embeddings, self.bias} | {f"{name}.{part}" for name in modules for part in ("weight", "bias")}


BERT_LAYER = (
    "attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
    "attention.output.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm",
)  # fmt: skip
BERT_HEAD = ("cls.predictions.transform.dense", "cls.predictions.transform.LayerNorm", "cls.predictions.bias")
DISTILBERT_LAYER = (
    "attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin", "sa_layer_norm", "ffn.lin1",
    "ffn.lin2", "output_layer_norm",
)  # fmt: skip
ALBERT_LAYER = (
    "attention.query", "attention.key", "attention.value", "attention.dense", "attention.LayerNorm", "ffn",
    "ffn_output", "full_layer_layer_norm",
)  # fmt: skip


def _architecture(
    config, base: str, layers: list[str], names: tuple[str, ...], head: tuple[str, str, str], *, activation: str,
    eps: float, embeddings: tuple[str, ...] = ("word", "position", "token_type"), **options,
) -> Architecture:  # fmt: skip
    """Describe an encoder with these embeddings and layers under `base`; head: transform, its norm, and bias."""
    transform, transform_norm, bias = head
    return Architecture(
        embeddings=tuple(f"{base}.embeddings.{kind}_embeddings.weight" for kind in embeddings),
        embedding_norm=f"{base}.embeddings.LayerNorm",
        layers=tuple(Layer(*(f"{base}.{layer}.{name}" for name in names)) for layer in layers),
        transform=transform,
        transform_norm=transform_norm,
        bias=bias,
        heads=config.num_attention_heads,
        eps=eps,
        activation=activation,
        **{"head_activation": activation} | options,
    )


def _bert(config, base: str, head: tuple[str, str, str] = BERT_HEAD, **options) -> Architecture:
    layers = [f"encoder.layer.{i}" for i in range(config.num_hidden_layers)]
    return _architecture(
        config, base, layers, BERT_LAYER, head, activation=config.hidden_act, eps=config.layer_norm_eps, **options
    )


def _roberta(config, base: str) -> Architecture:
    head = ("lm_head.dense", "lm_head.layer_norm", "lm_head.bias")
    return _bert(config, base, head, head_activation="gelu", offset=position_offset(config))


def _distilbert(config, base: str) -> Architecture:
    layers = [f"transformer.layer.{i}" for i in range(config.n_layers)]
    head = ("vocab_transform", "vocab_layer_norm", "vocab_projector.bias")
    return _architecture(
        config, base, layers, DISTILBERT_LAYER, head, activation=config.activation, eps=1e-12,
        embeddings=("word", "position"), attention_dropout_out=False,
    )  # fmt: skip


def _albert(config, base: str) -> Architecture:
    per_group = config.num_hidden_layers / config.num_hidden_groups
    layers = [
        f"encoder.albert_layer_groups.{int(i / per_group)}.albert_layers.{j}"
        for i in range(config.num_hidden_layers)
        for j in range(config.inner_group_num)
    ]
    head = ("predictions.dense", "predictions.LayerNorm", "predictions.bias")
    return _architecture(
        config, base, layers, ALBERT_LAYER, head, activation=config.hidden_act, eps=config.layer_norm_eps,
        mapping=f"{base}.encoder.embedding_hidden_mapping_in", feed_forward_dropout=False,
    )  # fmt: skip


def position_offset(config) -> int:
    """Compute the number of the first position: RoBERTa and its successors count from after the padding token's id."""
    return config.pad_token_id + 1 if ARCHITECTURES.get(config.model_type) is _roberta else 0


ARCHITECTURES = {
    "bert": _bert, "roberta": _roberta, "xlm-roberta": _roberta, "camembert": _roberta, "distilbert": _distilbert,
    "albert": _albert,
}  # fmt: skip


def find_architecture(model) -> Architecture | None:
    """Find the architecture of a masked language model of the transformers library; None if it cannot be stacked.

    Its weights must be exactly those of the architecture: no untied decoder, no adapters, no cross-attention.
    """
    config = model.config
    if config.model_type not in ARCHITECTURES or getattr(config, "is_decoder", False):
        return None
    architecture = ARCHITECTURES[config.model_type](config, model.base_model_prefix)
    return architecture if architecture.names() == {name for name, _ in model.named_parameters()} else None
