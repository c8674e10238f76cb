"""Personal identifiers in a query: found, cut from the text, and told by kind only.

Where things stand:
- seen.py: the one normalization at the entrance, with the way back to the original's characters.
- tokens.py: the normalized text as the recognizers see it. spans.py: kinds, spans, merging, cutting.
- recognizers/: one file for each kind; its docstring tells in ten lines how to add one. numbers.py: shared checks.
- names/: names of persons, as a table of shapes.
- detector.py: all of them over one query. gate.py: the first look, which spares most queries the search.
- clicked.py: whether what stands beside a query, such as a URL, tells what was cut.
"""

from querymix.core.identifiers.detector import Detector
from querymix.core.identifiers.spans import KINDS, Identifier, cut, kinds_but

__all__ = ["KINDS", "Detector", "Identifier", "cut", "kinds_but"]
