"""Language models with constructed logits: frequencies of words, and words that make others more or less likely."""

from types import SimpleNamespace

import torch
from tokenizers import Tokenizer, models, normalizers, pre_tokenizers, processors
from transformers import PreTrainedTokenizerFast

from biassay.language_models.loading import LanguageModel

SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]


def constructed(kind, texts, frequency=None, effects=None):
    """A model in which log p(word | context) is, up to a constant, a log frequency and the effects of context words.

    The context of a masked model is all other words, that of a causal one the words before. Words of `texts` are the
    vocabulary. effects: by (context word, word).
    """
    splitter = pre_tokenizers.BertPreTokenizer()
    words = sorted({word for text in texts for word, _ in splitter.pre_tokenize_str(text.lower())})
    vocabulary = {word: number for number, word in enumerate([*SPECIAL, *words])}
    tokenizer = Tokenizer(models.WordLevel(vocabulary, unk_token="[UNK]"))
    tokenizer.normalizer, tokenizer.pre_tokenizer = normalizers.Lowercase(), splitter
    if kind == "masked":
        tokenizer.post_processor = processors.BertProcessing(("[SEP]", 3), ("[CLS]", 2))
    fast = PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, pad_token="[PAD]", unk_token="[UNK]", mask_token="[MASK]", cls_token="[CLS]",
        sep_token="[SEP]", bos_token="[CLS]" if kind == "causal" else None, model_max_length=64,
    )  # fmt: skip
    size = len(vocabulary)
    logits, influence = torch.zeros(size), torch.zeros(size, size)
    for word in set(frequency or {}) & set(words):
        logits[vocabulary[word]] = frequency[word]
    for (context, word), value in (effects or {}).items():
        if {context, word} <= set(words):
            influence[vocabulary[context], vocabulary[word]] = value
    return LanguageModel(fast, _Model(kind, logits, influence), kind)


class _Body(torch.nn.Module):
    def __init__(self, kind):
        super().__init__()
        self.kind = kind

    def forward(self, input_ids, size):
        """The counts of words in the context of each position; those up to it, for the word after it, if causal."""
        counts = torch.nn.functional.one_hot(input_ids, size).float()
        causal = counts.cumsum(dim=1)
        return SimpleNamespace(last_hidden_state=causal if self.kind == "causal" else counts.sum(1, True) - counts)


class _Model(torch.nn.Module):
    device = torch.device("cpu")

    def __init__(self, kind, logits, influence):
        super().__init__()
        self.base_model, self.bias, self.influence = _Body(kind), logits, influence
        self.config = SimpleNamespace(get_text_config=lambda: SimpleNamespace(vocab_size=len(logits)))

    def forward(self, input_ids, attention_mask):
        hidden = self.base_model(input_ids, len(self.bias)).last_hidden_state
        return SimpleNamespace(logits=hidden @ self.influence + self.bias)
