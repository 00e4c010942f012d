"""Language models with planted bias: distributions of it, sentences that plant and measure it, and their training."""
