"""What the search engine knows of a user: its place in its group, and how much of its profile is exposed.

- A user's group is the user and its neighbours. Its position is how many of them submitted fewer of the user's queries
  (equal ones stand in random order). The ideal is the middle, with a large deviation.
- With one text a user (made-up queries) PEL is not defined. There a user is exposed who submits at least 60 % of its
  queries itself.

Source: Erola 2013 (thesis), sections 4.3.4, 4.5 and 4.7.
"""

from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from querymix_lab.protocol.network import MAX_NEIGHBOURS, Ints, Network
from querymix_lab.protocol.walk import Walks

EXPOSED: Final = 0.6
"""Share of its profile from which on a user counts as exposed."""

_ONE: Final = np.int32(1)
Floats = npt.NDArray[np.float64]


class Submitted(NamedTuple):
    """How many of each user's queries the user itself and its neighbours submitted."""

    own: Ints
    """By user."""
    by_link: Ints
    """By link: of its owner's queries, those that the neighbour submitted."""


def submit(walks: Walks, rounds: int, sources: Ints | None = None) -> Submitted:
    """Send one query of every source, by default of every user, in each round."""
    network = walks.network
    sources = np.arange(network.users, dtype=np.int32) if sources is None else sources
    counted = Submitted(np.zeros(network.users, np.int32), np.zeros(len(network.neighbours), np.int32))
    starts = network.starts[sources]
    degrees = network.starts[sources + 1] - starts
    by_slot = [np.flatnonzero(degrees > slot) for slot in range(MAX_NEIGHBOURS)]
    for _ in range(rounds):
        submitters = walks.send(sources)
        np.add.at(counted.own, sources[submitters == sources], _ONE)
        for slot, places in enumerate(by_slot):
            links = starts[places] + slot
            np.add.at(counted.by_link, links[network.neighbours[links] == submitters[places]], _ONE)
    return counted


def positions(network: Network, submitted: Submitted, rng: np.random.Generator) -> Floats:
    """Return each user's position in its group, 0 to its number of neighbours."""
    own = submitted.own + rng.random(network.users, dtype=np.float32)
    others = submitted.by_link + rng.random(len(network.neighbours), dtype=np.float32)
    owners = network.owners
    fewer = (others < own[owners]).astype(np.float64)
    return np.bincount(owners, weights=fewer, minlength=network.users).astype(np.float64)


def response_ms(hops: float, latency_ms: float, search_ms: float) -> float:
    """Return the average response time in milliseconds: there and back over `hops`, and the search itself."""
    return 2 * hops * latency_ms + search_ms
