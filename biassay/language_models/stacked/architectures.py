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
    mapping: str | None
    layers: tuple[Layer, ...]
    transform: str
    transform_norm: str
    bias: str
    heads: int
    eps: float
    activation: str
    head_activation: str
    offset: int = 0
    attention_dropout_out: bool = True
    feed_forward_dropout: bool = True

    def names(self) -> set[str]:
        """Names of all weights in the forward pass."""
        norms = {self.embedding_norm, self.transform_norm}
        norms |= {name for layer in self.layers for name in (layer.attention_norm, layer.norm)}
        return {*self.embeddings} | self.products() | _parts(norms)

    def products(self) -> set[str]:
        """Names of the weights and biases of linear maps, including the head's."""
        maps = {self.mapping, self.transform} - {None}
        maps |= {name for layer in self.layers for name in layer if name not in (layer.attention_norm, layer.norm)}
        return {self.embeddings[0], self.bias} | _parts(maps)


def _parts(modules: set[str]) -> set[str]:
    return {f"{name}.{part}" for name in modules for part in ("weight", "bias")}


def _embeddings(base: str, *kinds: str) -> tuple[str, ...]:
    return tuple(f"{base}.embeddings.{kind}_embeddings.weight" for kind in kinds)


def _layer(prefix: str, *names: str) -> Layer:
    return Layer(*(f"{prefix}.{name}" for name in names))


BERT_LAYER = (
    "attention.self.query", "attention.self.key", "attention.self.value", "attention.output.dense",
    "attention.output.LayerNorm", "intermediate.dense", "output.dense", "output.LayerNorm",
)  # fmt: skip
DISTILBERT_LAYER = (
    "attention.q_lin", "attention.k_lin", "attention.v_lin", "attention.out_lin", "sa_layer_norm", "ffn.lin1",
    "ffn.lin2", "output_layer_norm",
)  # fmt: skip
ALBERT_LAYER = (
    "attention.query", "attention.key", "attention.value", "attention.dense", "attention.LayerNorm", "ffn",
    "ffn_output", "full_layer_layer_norm",
)  # fmt: skip


def _bert(config, base: str) -> Architecture:
    return Architecture(
        embeddings=_embeddings(base, "word", "position", "token_type"),
        embedding_norm=f"{base}.embeddings.LayerNorm",
        mapping=None,
        layers=tuple(_layer(f"{base}.encoder.layer.{i}", *BERT_LAYER) for i in range(config.num_hidden_layers)),
        transform="cls.predictions.transform.dense",
        transform_norm="cls.predictions.transform.LayerNorm",
        bias="cls.predictions.bias",
        heads=config.num_attention_heads,
        eps=config.layer_norm_eps,
        activation=config.hidden_act,
        head_activation=config.hidden_act,
    )


def position_offset(config) -> int:
    """Compute the number of the first position: RoBERTa and its successors count from after the padding token's id."""
    return config.pad_token_id + 1 if ARCHITECTURES.get(config.model_type) is _roberta else 0


def _roberta(config, base: str) -> Architecture:
    return Architecture(
        **vars(_bert(config, base))
        | {"transform": "lm_head.dense", "transform_norm": "lm_head.layer_norm", "bias": "lm_head.bias"}
        | {"head_activation": "gelu", "offset": position_offset(config)}
    )


def _distilbert(config, base: str) -> Architecture:
    return Architecture(
        embeddings=_embeddings(base, "word", "position"),
        embedding_norm=f"{base}.embeddings.LayerNorm",
        mapping=None,
        layers=tuple(_layer(f"{base}.transformer.layer.{i}", *DISTILBERT_LAYER) for i in range(config.n_layers)),
        transform="vocab_transform",
        transform_norm="vocab_layer_norm",
        bias="vocab_projector.bias",
        heads=config.n_heads,
        eps=1e-12,
        activation=config.activation,
        head_activation=config.activation,
        attention_dropout_out=False,
    )


def _albert(config, base: str) -> Architecture:
    layers = []
    for i in range(config.num_hidden_layers):
        group = int(i / (config.num_hidden_layers / config.num_hidden_groups))
        prefix = f"{base}.encoder.albert_layer_groups.{group}.albert_layers"
        layers += [_layer(f"{prefix}.{j}", *ALBERT_LAYER) for j in range(config.inner_group_num)]
    return Architecture(
        **vars(_bert(config, base))
        | {"mapping": f"{base}.encoder.embedding_hidden_mapping_in", "layers": tuple(layers)}
        | {"transform": "predictions.dense", "transform_norm": "predictions.LayerNorm", "bias": "predictions.bias"}
        | {"feed_forward_dropout": False}
    )


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
