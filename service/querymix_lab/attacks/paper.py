"""The paper's de-anonymizers d1 to d4: they rebuild the pools from the released log and undo the pairing.

They know k, delta and the classifier. At size k one user and one query of the rebuilt pool are taken for a pair;
they differ in how the user is chosen:

1. at random;
2. the one most frequent in the pool;
3. the one of the pool with most queries in this category so far;
4. as 3, times its count in the pool.

Source: Pàmies-Estrems et al. 2016, Algorithm 3 and section 4.2.2.
"""

from collections import Counter
from collections.abc import Callable
from fractions import Fraction
from math import ceil
from random import Random
from typing import Final

import numpy as np

from querymix_lab.attacks.logs import Ints, Log
from querymix_lab.attacks.scoring import Guesses

METHODS: Final = ("d1", "d2", "d3", "d4")
KNOWS: Final = "k, delta and the classifier"

Choose = Callable[[list[int], Counter[int], Counter[int], Random], int]
"""(users of the pool, their counts in it, each user's releases in the category so far, chance) -> the chosen user."""


def _random(users: list[int], there: Counter[int], past: Counter[int], chance: Random) -> int:
    return chance.choice(users)


def _frequent(users: list[int], there: Counter[int], past: Counter[int], chance: Random) -> int:
    return max(there, key=there.__getitem__)


def _busiest(users: list[int], there: Counter[int], past: Counter[int], chance: Random) -> int:
    return max(there, key=past.__getitem__)


def _both(users: list[int], there: Counter[int], past: Counter[int], chance: Random) -> int:
    return max(there, key=lambda user: past[user] * there[user])


_CHOICES: Final[dict[str, Choose]] = {"d1": _random, "d2": _frequent, "d3": _busiest, "d4": _both}


def deanonymize(released: Log, method: str, k: int, delta: str = "1.2", seed: int = 1) -> Guesses:
    """Return the pairs that Algorithm 3 emits, with the choice of `method`; a pool's last k - 1 lines stay in it."""
    chance, choose = Random(seed), _CHOICES[method]
    lines: list[int] = []
    guesses: list[int] = []
    for places in released.pools():
        _one_pool(places.tolist(), released.users, k, Fraction(delta), choose, chance, lines, guesses)
    return Guesses(np.array(lines, dtype=np.int64), np.array(guesses, dtype=np.int64), np.zeros(len(lines)))


def _one_pool(
    places: list[int], users: Ints, k: int, delta: Fraction, choose: Choose, chance: Random, lines: list[int],
    guesses: list[int],
) -> None:  # fmt: skip
    pooled: list[int] = []
    queries: list[int] = []
    there: Counter[int] = Counter()
    past: Counter[int] = Counter()
    for place in places:
        user = int(users[place])
        pooled.append(user)
        queries.append(place)
        there[user] += 1
        past[user] += 1
        if len(pooled) < k:
            continue
        if len(there) == 1:
            k = ceil(k * delta)
            continue
        guess = choose(pooled, there, past, chance)
        number = chance.randrange(len(queries))
        lines.append(queries[number])
        guesses.append(guess)
        queries[number] = queries[-1]
        queries.pop()
        pooled.remove(guess)
        there[guess] -= 1
        if not there[guess]:
            del there[guess]
