"""The kernel attack: a user's own releases in a category cluster around its queries.

For a line released in a category, P(owner = v) is in proportion to the sum of exp(-d / N) over the releases of user
v in that category, d the distance in releases, plus v's share of the category's releases; the line's own user is
left out. It works where users leave a pool as often and about when they ask: a heavy user's releases show where its
queries are.

The attacker needs the released log and the classifier only; N is about twice k.
"""

from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from querymix.core.score import nearness

from querymix_lab.attacks.logs import Floats, Ints, Log
from querymix_lab.attacks.scoring import Guesses

KNOWS: Final = "the classifier and about how large k is"
_REACH: Final = 6
"""Releases farther than this many N weigh under 0.3 % and are left out."""


class Posterior(NamedTuple):
    """What the attack says of one line: candidates and their weights, which add up to about 1; others have `base`."""

    line: int
    users: Ints
    weights: Floats


def posteriors(released: Log, n: float, share_weight: float = 1.0) -> Iterator[Posterior]:
    """Yield every line's candidates: the users released near it in its category, and the category's heaviest two."""
    reach = int(_REACH * n)
    decay = np.array(nearness(n, reach))
    for places in released.pools():
        names, users = np.unique(released.users[places], return_inverse=True)
        share = np.bincount(users) / len(users)
        heaviest = np.argsort(-share, kind="stable")[:2]
        size = len(users)
        for at in range(size):
            first, last = max(0, at - reach), min(size, at + reach + 1)
            near = users[first:last]
            weights = np.bincount(near, decay[first - at + reach : last - at + reach], 0)
            candidates = np.union1d(near, heaviest)
            candidates = candidates[candidates != users[at]]
            total: npt.NDArray[np.float64] = share_weight * share[candidates]
            inside = candidates < len(weights)
            total[inside] += weights[candidates[inside]]
            whole = float(total.sum())
            if whole > 0:
                yield Posterior(int(places[at]), names[candidates], total / whole)


def kernel(released: Log, n: float) -> Guesses:
    """Return for each line the likeliest owner, surest by its posterior."""
    rows = []
    for line, candidates, weights in posteriors(released, n):
        best = int(np.argmax(weights))
        rows.append((line, int(candidates[best]), float(weights[best])))
    return Guesses.of(rows)
