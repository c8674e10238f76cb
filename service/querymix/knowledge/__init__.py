"""What the classifier knows, in three rooms.

- `format`: the bundle, one file that every process maps: reading and writing it.
- `build`: sources of facts, and the compiler that turns facts into a bundle's terms.
- `train`: what is learned before a bundle is built (term weights, tag log-odds, function words) or from an operator's
  click log.

Beside them lie the plain-text sources (`lists`) and what was compiled from them (`data`).
"""
