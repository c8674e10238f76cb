"""The choice vector: whom a user asks to submit its own queries.

Rules:
- The vector holds each neighbour as many times as that one has neighbours, and the user itself once.
- It is duplicated a random number of times, 1 to `most_copies` (the thesis gives no bound).
- A share of its elements, drawn uniformly between `least` and `most`, is deleted: any of them, each as likely.
- With nothing deleted a neighbour is chosen with Ps(N_j) = H_j / (sum H + 1).

Here a vector is kept as how many elements each link, and the user itself, has in it.

Source: Erola 2013 (thesis), sections 4.3.2 and 4.3.4.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from querymix_lab.protocol.network import MAX_NEIGHBOURS, Network

Counts = npt.NDArray[np.int32]


@dataclass(frozen=True)
class Pruning:
    """How a choice vector is made."""

    least: float = 0.6
    """Share of the vector that is deleted, between this..."""
    most: float = 0.8
    """...and this."""
    most_copies: int = 10


@dataclass(frozen=True)
class Choice:
    """How often each link's neighbour, and the user itself, stands in the choice vector."""

    links: Counts
    """By link, the elements of its neighbour."""
    itself: Counts
    """By user, its own elements."""

    def without(self, users: npt.NDArray[np.bool_]) -> "Choice":
        """Return the vectors in which `users` (a flag for each) have no elements of their own."""
        return Choice(self.links, np.where(users, np.int32(0), self.itself))


def draw(network: Network, pruning: Pruning, rng: np.random.Generator) -> Choice:
    """Draw a choice vector for every user."""
    heights = network.degrees[network.neighbours]  # H_j by link
    before = np.concatenate([[0], np.cumsum(heights, dtype=np.int64)])
    copies = rng.integers(1, pruning.most_copies + 1, size=network.users)
    left = copies * (before[network.starts[1:]] - before[network.starts[:-1]] + 1)
    cut = np.rint(rng.uniform(pruning.least, pruning.most, network.users) * left).astype(np.int64)
    kept = np.maximum(left - cut, 1)  # at least one element stays, so that the vector names somebody
    links = np.zeros(len(heights), np.int32)
    degrees = network.degrees
    for slot in range(MAX_NEIGHBOURS):
        users = np.flatnonzero(degrees > slot)
        at = network.starts[users] + slot
        some = copies[users] * heights[at]
        links[at] = rng.hypergeometric(some, left[users] - some, kept[users])
        left[users] -= some
        kept[users] -= links[at]
    return Choice(links, kept.astype(np.int32))
