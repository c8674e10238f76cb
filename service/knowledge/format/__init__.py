"""The knowledge bundle: reading and writing it."""
