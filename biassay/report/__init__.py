"""Style of figures, formatting of numbers, labels that do not overlap, and sentences about results."""
