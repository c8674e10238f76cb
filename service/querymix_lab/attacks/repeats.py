"""The repeats attack: who asks the same text often is named by adding up what each of its releases tells.

All releases of a text that left at least `LEAST` times in a category are taken to be the same user's
(querymix_lab.attacks.together). The attacker needs the released log and the classifier only.
"""

from typing import Final

import numpy as np
from querymix.core.rules import Rules
from querymix.core.score import width

from querymix_lab.attacks.attacked import Attacked, named
from querymix_lab.attacks.logs import Log
from querymix_lab.attacks.scoring import Guesses, Row
from querymix_lab.attacks.together import name_groups

KNOWS: Final = "the classifier and about how large k is"
LEAST: Final = 5


def repeats(attacked: Attacked, rules: Rules, _seed: int = 1) -> list[Row]:
    """Return the attack's figures over the lines of texts that left often. Raises TooShortError where none did."""
    return [named(attacked, "repeats", KNOWS, guess(attacked.seen, width(rules.k)))]


def guess(released: Log, n: float, least: int = LEAST) -> Guesses:
    """Return the likeliest owner of every line whose text is released at least `least` times in its category."""
    keys = np.stack([released.texts, released.categories])
    _, number, counts = np.unique(keys, axis=1, return_inverse=True, return_counts=True)
    lines = np.flatnonzero(counts[number.reshape(-1)] >= least)
    _, groups = np.unique(number.reshape(-1)[lines], return_inverse=True)
    return name_groups(released, n, lines, groups)
