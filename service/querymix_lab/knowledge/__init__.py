"""Building a knowledge bundle: sources of facts, word lists, and the compiler."""
