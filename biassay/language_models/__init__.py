"""Language models: loading, scoring, embedding, pretraining and fine-tuning."""
