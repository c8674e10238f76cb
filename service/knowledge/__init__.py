"""Knowledge bases: sources of facts, the compiler, and the bundle that a classifier reads."""
