"""The pure core: the method itself, with time and randomness as arguments and nothing but the standard library."""
