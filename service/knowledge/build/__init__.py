"""Building a knowledge bundle: word lists out of their plain-text sources."""
