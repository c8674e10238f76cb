"""All methods on one log, side by side: the stream, the batch methods, and nothing but cut identifiers.

grid.py       which methods at which settings
making.py     one method over one log: what leaves, and what that cost
measuring.py  one setting: privacy, information, kept, cost, utility
words.py      what the figures mean: what to choose when
comparison_report.py  tables and plots: HTML, CSV and JSON

Running, plots and pages are those of `querymix study run` (service/querymix_lab/sweep).
"""
