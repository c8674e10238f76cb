"""The repeats attack: who asks the same text often is named by adding up what each of its releases tells.

For every text released at least `least` times in a category, the logarithms of the kernel's posteriors are added
over its releases, and all of them are taken to be the same user's. Within these texts it is far surer than one line
alone.

The attacker needs the released log and the classifier only.
"""

from collections import defaultdict
from typing import Final

import numpy as np

from querymix_lab.attacks.kernel import Posterior, posteriors
from querymix_lab.attacks.logs import Ints, Log
from querymix_lab.attacks.scoring import Guesses

KNOWS: Final = "the classifier and about how large k is"
_FLOOR: Final = 1e-4
"""Weight of a user that a line's posterior does not name, or excludes: it may own the text's other releases."""


def repeats(released: Log, n: float, least: int = 5) -> Guesses:
    """Return the likeliest owner of every line whose text is released at least `least` times in its category."""
    often = _often(released, least)
    groups: defaultdict[tuple[int, int], list[Posterior]] = defaultdict(list)
    for posterior in posteriors(released, n):
        if often[posterior.line]:
            line = posterior.line
            groups[int(released.categories[line]), int(released.texts[line])].append(posterior)
    rows: list[tuple[int, int, float]] = []
    for group in groups.values():
        owner, sure = _joint(group)
        rows += [(posterior.line, owner, sure) for posterior in group]
    return Guesses.of(rows)


def _often(released: Log, least: int) -> Ints:
    """Say for each line whether its text is released often enough in its category."""
    keys = released.texts * (released.categories.max(initial=0) + 3) + released.categories + 2
    _, number, counts = np.unique(keys, return_inverse=True, return_counts=True)
    return np.asarray(counts[number] >= least, dtype=np.int64)


def _joint(group: list[Posterior]) -> tuple[int, float]:
    """Return the user with the largest product of posteriors, and its share of all products."""
    candidates = np.unique(np.concatenate([posterior.users for posterior in group]))
    logs = np.zeros(len(candidates))
    for posterior in group:
        weights = np.full(len(candidates), _FLOOR)
        weights[np.searchsorted(candidates, posterior.users)] = np.maximum(posterior.weights, _FLOOR)
        logs += np.log(weights)
    best = int(np.argmax(logs))
    return int(candidates[best]), float(1 / np.exp(logs - logs[best]).sum())
