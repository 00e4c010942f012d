"""Used by every package: the registry of plug-ins, logs and progress, arrays and tables on disk."""
