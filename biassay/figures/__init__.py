"""The look of figures, labels that do not overlap, curves."""
