"""The paper's de-anonymizers d1 to d4: they rebuild the pools from the released log and undo the pairing.

They know k, delta and the classifier. At size k one user and one query of the rebuilt pool are taken for a pair. The
user is chosen (d1) at random; (d2) as the one most frequent in the pool; (d3) as the one of the pool with most queries
in this category so far; (d4) as in d3, times its count in the pool.

Source: Pàmies-Estrems et al. 2016, Algorithm 3 and section 4.2.2.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from fractions import Fraction
from math import ceil
from random import Random
from typing import Final

from querymix_lab.attacks.logs import Ints, Log
from querymix_lab.attacks.scoring import Guesses

METHODS: Final = ("d1", "d2", "d3", "d4")
KNOWS: Final = "k, delta and the classifier"

Choose = Callable[[list[int], Counter[int], Counter[int], Random], int]
"""(users of the pool, their counts in it, each user's releases in the category so far, chance) -> the chosen user."""

_CHOICES: Final[dict[str, Choose]] = {
    "d1": lambda users, there, past, chance: chance.choice(users),
    "d2": lambda users, there, past, chance: max(there, key=there.__getitem__),
    "d3": lambda users, there, past, chance: max(there, key=past.__getitem__),
    "d4": lambda users, there, past, chance: max(there, key=lambda user: past[user] * there[user]),
}


def deanonymize(method: str, released: Log, k: int, delta: str = "1.2", seed: int = 1) -> Guesses:
    """Return the pairs that Algorithm 3 emits, with the choice of `method`; a pool's last k - 1 lines stay in it."""
    chance, choose = Random(seed), _CHOICES[method]
    pools = (
        _one_pool(places.tolist(), released.users, k, Fraction(delta), choose, chance) for places in released.pools()
    )
    return Guesses.of([(line, user, 0.0) for pairs in pools for line, user in pairs])


def _one_pool(
    places: list[int], users: Ints, k: int, delta: Fraction, choose: Choose, chance: Random
) -> Iterator[tuple[int, int]]:
    """Yield (line, user) of the pairs of one category."""
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
        yield queries[number], guess
        queries[number] = queries[-1]
        queries.pop()
        pooled.remove(guess)
        there[guess] -= 1
        if not there[guess]:
            del there[guess]
