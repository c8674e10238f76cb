"""The three steps of the method, over batches: each drives the core and keeps its own counts."""
