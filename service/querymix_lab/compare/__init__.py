"""All methods on one log, side by side: the stream, the batch methods, and nothing but cut identifiers.

`grid` says which methods at which settings, `making` runs one, `measuring` measures it, `words` says what the figures
mean, `comparison_report` writes it all down. Running, plots and pages are those of querymix_lab.sweep.
"""
