"""Small tokenizers of the usual kinds, trained on the spot, for the tests."""

from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, processors, trainers
from transformers import AutoTokenizer, PreTrainedTokenizerFast

TINY = "resources/models/bert-tiny-enwiki"
SPECIAL = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
TEXT = [
    f"{word} job as a {occupation} said that {other} worked as an {occupation}."
    for word in ("She", "He", "Her", "His")
    for other in ("she", "he", "her", "his")
    for occupation in ("nurse", "hairdresser", "economist", "chef", "historian")
] * 3


def byte_pairs():
    """As RoBERTa's: cased, a leading space belongs to the piece."""
    tokenizer = Tokenizer(models.BPE())
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    trainer = trainers.BpeTrainer(
        vocab_size=400,
        special_tokens=SPECIAL,
        initial_alphabet=pre_tokenizers.ByteLevel.alphabet(),
        show_progress=False,
    )
    tokenizer.train_from_iterator(TEXT, trainer)
    tokenizer.post_processor = processors.RobertaProcessing(("</s>", 2), ("<s>", 0), add_prefix_space=False)
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, bos_token="<s>", cls_token="<s>", sep_token="</s>", eos_token="</s>",
        pad_token="<pad>", unk_token="<unk>", mask_token="<mask>", model_max_length=64,
    )  # fmt: skip


def unigrams():
    """As ALBERT's: SentencePiece, lower-case, ▁ for a space."""
    tokenizer = Tokenizer(models.Unigram())
    tokenizer.normalizer = normalizers.Lowercase()
    tokenizer.pre_tokenizer = pre_tokenizers.Metaspace()
    tokenizer.decoder = decoders.Metaspace()
    trainer = trainers.UnigramTrainer(vocab_size=120, special_tokens=SPECIAL, unk_token="<unk>", show_progress=False)
    tokenizer.train_from_iterator(TEXT, trainer)
    tokenizer.post_processor = processors.TemplateProcessing(
        single="<s> $A </s>", special_tokens=[("<s>", 0), ("</s>", 2)]
    )
    return PreTrainedTokenizerFast(
        tokenizer_object=tokenizer, cls_token="<s>", sep_token="</s>", pad_token="<pad>", unk_token="<unk>",
        mask_token="<mask>", model_max_length=64,
    )  # fmt: skip


def subword_tokens():
    """BERT's, lower-case."""
    return AutoTokenizer.from_pretrained(TINY)


KINDS = {"word pieces": subword_tokens, "byte pairs": byte_pairs, "unigrams": unigrams}
