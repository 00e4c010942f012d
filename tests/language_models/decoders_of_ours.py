"""Tiny causal models with random weights and byte-level tokenizers, with and without a token for a text's beginning."""

import torch
import transformers

from biassay.language_models import loading
from biassay.language_models.loading import LanguageModel
from tests.language_models import tokenizers_of_ours

SIZE = {"hidden_size": 16, "num_hidden_layers": 2, "num_attention_heads": 2}
COMMON = {"bos_token_id": 0, "eos_token_id": 2, "pad_token_id": 1}
CONFIGS = {
    "GPT2": {"n_embd": 16, "n_layer": 2, "n_head": 2, "n_positions": 48},
    "Llama": {**SIZE, "intermediate_size": 32, "num_key_value_heads": 1, "max_position_embeddings": 48},
    "Mistral": {**SIZE, "intermediate_size": 32, "num_key_value_heads": 1, "sliding_window": 4},
    "OPT": {**SIZE, "ffn_dim": 32, "word_embed_proj_dim": 16, "max_position_embeddings": 48},
    "Mamba": {"hidden_size": 16, "num_hidden_layers": 2, "state_size": 4},
}


def tokenizer(bos=True):
    """Byte pairs as GPT-2 has them: nothing for padding, and the token for a text's beginning is never put there."""
    found = tokenizers_of_ours.byte_pairs()
    found.pad_token = found.mask_token = None
    if not bos:
        found.bos_token = None
    return found


def model(kind="GPT2", auto="ForCausalLM", **sizes):
    """A model whose random weights are large enough to make it sure of something."""
    torch.manual_seed(1)
    sizes = sizes or {"vocab_size": 400, **COMMON, **CONFIGS[kind]}
    config = getattr(transformers, f"{kind}Config")(**sizes)
    found = getattr(transformers, f"AutoModel{auto}").from_config(config).eval()
    with torch.no_grad():
        for weight in found.parameters():
            if weight.ndim == 2:
                weight.normal_(std=0.3)
    return found


def decoder(kind="GPT2", bos=True):
    return LanguageModel(tokenizer(bos), model(kind), "causal")


def save(folder, kind="GPT2", bos=True):
    """The folder of a model, as transformers writes it."""
    model(kind).save_pretrained(folder)
    tokenizer(bos).save_pretrained(folder)
    return folder


def loaded(folder, **options):
    return loading.load(folder, device="cpu", **options)


def plainly(of, text):
    """log p of each token of a text given those before it, in one pass; of the first one only if there is a BOS."""
    ids = of.tokenizer(text, add_special_tokens=False)["input_ids"]
    ids = ids if of.tokenizer.bos_token_id is None else [of.tokenizer.bos_token_id, *ids]
    with torch.inference_mode():
        log = of.model(input_ids=torch.tensor([ids])).logits[0].double().log_softmax(dim=-1)
    return [log[place, token].item() for place, token in enumerate(ids[1:])]
