"""biassay: assay the metrics of social bias in word embeddings and language models."""
