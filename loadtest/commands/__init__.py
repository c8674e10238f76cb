"""The commands of `python -m loadtest`, one file each."""
