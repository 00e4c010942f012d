"""What every room needs: the registry of plug-ins, logs and progress, arrays on disk."""
