"""Record linkage (RL): how often the released log of a user is most like the original log of that same user.

Source: thesis (Erola 2013), section 5.5.2.1.
"""

from collections.abc import Hashable, Mapping, Sequence

import numpy as np

from querymix_lab.batch.base import Log
from querymix_lab.batch.measures.views import View, by_user, queries


def record_linkage(original: Log, released: Log, view: View = queries) -> float:
    """Return the per cent of the original's users that are linked by who knows the original log.

    A released user is matched with the original users that have most in common with it (copies count); where there are
    g of these and the right one is among them, it is linked with probability 1/g. One that has nothing in common with
    anybody, or of whom nothing leaves, is not linked.
    """
    asked, shown = by_user(original, view), by_user(released, view)
    numbers = {user: number for number, user in enumerate(asked)}
    common = _Common(list(asked.values()))
    known: dict[frozenset[tuple[Hashable, int]], tuple[set[int], float]] = {}
    linked = 0.0
    for user, counts in shown.items():
        if user not in numbers:
            continue
        mark = frozenset(counts.items())  # users of a cluster leave with the same counts
        if mark not in known:
            known[mark] = common.most(counts)
        best, chance = known[mark]
        linked += chance * (numbers[user] in best)
    return 100 * linked / len(asked) if asked else 0.0


class _Common:
    """Finds who has most in common, by the users that have each thing."""

    def __init__(self, users: Sequence[Mapping[Hashable, int]]) -> None:
        self._size = len(users)
        lists: dict[Hashable, tuple[list[int], list[int]]] = {}
        for number, counts in enumerate(users):
            for thing, count in counts.items():
                having, often = lists.setdefault(thing, ([], []))
                having.append(number)
                often.append(count)
        self._having = {thing: (np.array(having), np.array(often)) for thing, (having, often) in lists.items()}

    def most(self, counts: Mapping[Hashable, int]) -> tuple[set[int], float]:
        """Return who has most in common with `counts`, and the chance of each of them."""
        common = np.zeros(self._size, dtype=np.int64)
        for thing, count in counts.items():
            if thing in self._having:
                having, often = self._having[thing]
                common[having] += np.minimum(often, count)
        highest = int(common.max(initial=0))
        best = set(np.flatnonzero(common == highest).tolist()) if highest else set()
        return best, 1 / len(best) if best else 0.0
