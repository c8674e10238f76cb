"""The secret reserve: how many users beyond k a release waits for, drawn anew at each arrival.

Rules:
- Something leaves where D > k + X. D is how many users count, and X is uniform over 0 to `reserve`: so with
  probability (D - k) / (reserve + 1), from 0 at k to 1 above k + `reserve`.
- X is drawn where it can decide, so from k + 1 to k + `reserve`, and nowhere else. Whether it is drawn depends on the
  pool alone, so that recorded draws fit when a step is decided again.
- X does not depend on who is in the pool, so who leaves is as likely as without it: the bound of the draw stays.

What whoever knows `reserve` learns: docs/guarantees.md.
"""

from querymix.core.draw import Draw


def kept_back(above: int, reserve: int, draw: Draw) -> bool:
    """Say whether a pool lacks users to k + X, in which so many above k count."""
    return above <= 0 or (above <= reserve and draw.below(reserve + 1) >= above)
