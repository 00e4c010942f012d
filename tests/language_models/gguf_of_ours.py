"""A GGUF file of the tiny Llama of `decoders_of_ours`, as llama.cpp writes one."""

import json

import gguf

from tests.language_models import decoders_of_ours

NAMES = {
    "model.embed_tokens": "token_embd", "model.norm": "output_norm", "lm_head": "output",
    "input_layernorm": "attn_norm", "post_attention_layernorm": "ffn_norm", "self_attn.q_proj": "attn_q",
    "self_attn.k_proj": "attn_k", "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output",
    "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down", "model.layers": "blk",
}  # fmt: skip


def save(path, architecture="llama", without=(), **changes):
    """Write the file; `changes` are other values of its metadata."""
    model, config = decoders_of_ours.model("Llama"), decoders_of_ours.model("Llama").config
    writer = gguf.GGUFWriter(path, architecture)
    numbers = {
        "context_length": config.max_position_embeddings, "embedding_length": config.hidden_size,
        "block_count": config.num_hidden_layers, "feed_forward_length": config.intermediate_size,
        "attention.head_count": config.num_attention_heads, "attention.head_count_kv": config.num_key_value_heads,
        "rope.dimension_count": config.hidden_size // config.num_attention_heads, "vocab_size": config.vocab_size,
    }  # fmt: skip
    for key, value in (numbers | changes).items():
        writer.add_uint32(f"{architecture}.{key}", value)
    writer.add_float32(f"{architecture}.attention.layer_norm_rms_epsilon", config.rms_norm_eps)
    writer.add_float32(f"{architecture}.rope.freq_base", 10000.0)
    _add_tokenizer(writer, decoders_of_ours.tokenizer(), config.vocab_size)
    for key, weight in model.state_dict().items():
        name, weight = key, weight.numpy()
        for old, new in NAMES.items():
            name = name.replace(old, new)
        heads = {"attn_q": config.num_attention_heads, "attn_k": config.num_key_value_heads}
        if n := next((n for part, n in heads.items() if part in name), 0):  # llama.cpp's order of rotated dimensions
            weight = weight.reshape(n, 2, len(weight) // n // 2, -1).swapaxes(1, 2).reshape(weight.shape)
        if name not in without:
            writer.add_tensor(name, weight.copy())
    writer.write_header_to_file()
    writer.write_kv_data_to_file()
    writer.write_tensors_to_file()
    writer.close()
    return path


def _add_tokenizer(writer, tokenizer, size):
    model = json.loads(tokenizer.backend_tokenizer.to_str())["model"]
    tokens = sorted(model["vocab"], key=model["vocab"].get)
    tokens += [f"<unused {number}>" for number in range(len(tokens), size)]
    writer.add_tokenizer_model("gpt2")
    writer.add_tokenizer_pre("default")
    writer.add_token_list(tokens)
    writer.add_token_types([3 if token in tokenizer.all_special_tokens else 1 for token in tokens])
    writer.add_token_merges([" ".join(pair) for pair in model["merges"]])
    writer.add_bos_token_id(0)
    writer.add_eos_token_id(2)
    writer.add_unk_token_id(3)
