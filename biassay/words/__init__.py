"""Word lists, occupation statistics and other small input files."""
