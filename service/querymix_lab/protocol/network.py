"""A social network whose degrees follow a power law, as arrays.

Rules:
- A user has 1 to 10 neighbours; P(degree = d) is proportional to d ** -exponent. The thesis does not give the exponent.
- Friendships are drawn by pairing the ends of links at random (the configuration model). No user is its own neighbour
  and no two users are linked twice: such pairs exchange an end with another pair, and what is left is dropped.
- Several networks stand in one object, none linked with another: one run then simulates many networks at once.

Source: Erola 2013 (thesis), section 4.7.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy import sparse

Ints = npt.NDArray[np.int32]

MAX_NEIGHBOURS: Final = 10
_EXCHANGES: Final = 100
"""Rounds of exchanging ends; a network of a thousand users needs under ten."""


@dataclass(frozen=True)
class Network:
    """Users 0 to n - 1, and the m ends of their links, in the order of the users that they belong to."""

    starts: npt.NDArray[np.int64]
    """n + 1: the links of user u are at starts[u] to starts[u + 1]."""
    neighbours: Ints
    """m: the user at the other end."""
    reverse: Ints
    """m: where the same link stands among those of the other user."""

    @property
    def users(self) -> int:
        """Number of users."""
        return len(self.starts) - 1

    @property
    def degrees(self) -> Ints:
        """Number of neighbours by user."""
        return np.diff(self.starts).astype(np.int32)

    @property
    def owners(self) -> Ints:
        """The user that each link belongs to."""
        return np.repeat(np.arange(self.users, dtype=np.int32), self.degrees)


def degree_shares(exponent: float) -> npt.NDArray[np.float64]:
    """Return the share of users with 1, 2, ... 10 neighbours."""
    weights = np.arange(1, MAX_NEIGHBOURS + 1, dtype=float) ** -exponent
    shares: npt.NDArray[np.float64] = weights / weights.sum()
    return shares


def power_law(users: int, exponent: float, rng: np.random.Generator, networks: int = 1) -> Network:
    """Return `networks` networks of `users` users each (numbered one network after the other)."""
    ends = [_pairs(users, exponent, rng) for _ in range(networks)]
    first = np.concatenate([pair[0] + number * users for number, pair in enumerate(ends)])
    second = np.concatenate([pair[1] + number * users for number, pair in enumerate(ends)])
    return from_pairs(first, second, users * networks)


def from_pairs(first: npt.NDArray[np.int64], second: npt.NDArray[np.int64], users: int) -> Network:
    """Return the network in which first[i] and second[i] are neighbours."""
    links = len(first)
    numbers = np.arange(2 * links, dtype=np.int32)  # i and i + links are the two ends of one link
    places = (np.concatenate([first, second]), np.concatenate([second, first]))
    matrix = sparse.coo_array((numbers, places), shape=(users, users)).tocsr()
    found = np.empty_like(numbers)
    found[matrix.data] = numbers
    reverse = found[(matrix.data + links) % (2 * links)] if links else numbers
    return Network(matrix.indptr.astype(np.int64), matrix.indices.astype(np.int32), reverse)


def _pairs(
    users: int, exponent: float, rng: np.random.Generator
) -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    degrees = rng.choice(np.arange(1, MAX_NEIGHBOURS + 1), size=users, p=degree_shares(exponent))
    if degrees.sum() % 2:  # every link has two ends
        degrees[0] += 1 if degrees[0] < MAX_NEIGHBOURS else -1
    ends = rng.permutation(np.repeat(np.arange(users), degrees))
    first, second = ends[: len(ends) // 2].copy(), ends[len(ends) // 2 :].copy()
    wrong = _wrong(first, second, users)
    for _ in range(_EXCHANGES):
        if not len(wrong):
            break
        others = rng.integers(len(second), size=len(wrong))
        for one, other in zip(wrong.tolist(), others.tolist(), strict=True):
            second[one], second[other] = second[other], second[one]
        wrong = _wrong(first, second, users)
    return np.delete(first, wrong), np.delete(second, wrong)


def _wrong(first: npt.NDArray[np.int64], second: npt.NDArray[np.int64], users: int) -> npt.NDArray[np.intp]:
    """Return the places of the pairs that are one user twice, or that were there before."""
    keys = np.minimum(first, second) * users + np.maximum(first, second)
    order = np.argsort(keys, kind="stable")
    again = np.flatnonzero(np.diff(keys[order]) == 0)
    return np.union1d(order[again + 1], np.flatnonzero(first == second))
