"""Queries on their way through the network, until somebody submits them to the search engine.

Rules:
- The source draws from its choice vector without putting back, until it draws itself, or somebody who accepts. Whoever
  forwards draws likewise, with 1 / (k + 1) for itself and each neighbour. When nobody is left, the holder submits.
- U accepts a query of N with probability p(U, N), which begins at 1 and stays within 0 and 1. U accepts: p(U, N) falls
  by zeta and p(N, U) rises by 2 zeta. U rejects: p(N, U) falls by zeta.
- A selfish user rejects every query, and submits none of its own while a neighbour may accept it.
- Queries that are sent together are asked about at the same time: each is decided with the p before it.

Source: Erola 2013 (thesis), sections 4.3.1 to 4.3.5.
"""

from dataclasses import dataclass, field
from typing import Final

import numpy as np
import numpy.typing as npt

from querymix_lab.protocol.choice import Choice
from querymix_lab.protocol.network import MAX_NEIGHBOURS, Ints, Network

Bits = npt.NDArray[np.int16]
Slots = npt.NDArray[np.int8]

AT_ONCE: Final = 2_000_000
"""Queries on their way at the same time: what bounds the memory."""


def _open_slots() -> Slots:
    """Return a table: [bits of the slots that were tried, n] is the n-th of the others."""
    every = range(MAX_NEIGHBOURS)
    rows = ([slot for slot in every if not tried >> slot & 1] for tried in range(1 << MAX_NEIGHBOURS))
    return np.array([row + [-1] * (MAX_NEIGHBOURS - len(row)) for row in rows], np.int8)


_OPEN: Final = _open_slots()


@dataclass
class Walks:
    """The protocol on one network."""

    network: Network
    own: Choice
    """The choice vectors of the sources."""
    zeta: float
    rng: np.random.Generator
    selfish: npt.NDArray[np.bool_] | None = None
    """By user; None: all are honest."""
    returns: bool = False
    """Whether a query may be handed back to whom it came from."""
    asked: int = 0
    hops: int = 0
    """How often a query was handed over."""
    accepts: npt.NDArray[np.float32] = field(init=False)
    """By link, p(owner of the link, its neighbour)."""

    def __post_init__(self) -> None:
        self.accepts = np.ones(len(self.network.neighbours), np.float32)
        network, links = self.network, self.own.links
        before = np.concatenate([[0], np.cumsum(links, dtype=np.int64)])
        sums = before[network.starts[1:]] - before[network.starts[:-1]]
        self._totals = (sums + self.own.itself).astype(np.int32)

    @property
    def flags(self) -> npt.NDArray[np.bool_]:
        """By user, whether it is selfish."""
        return np.zeros(self.network.users, np.bool_) if self.selfish is None else self.selfish

    def send(self, sources: Ints) -> Ints:
        """Return who submits one query of each of `sources` (a user may stand there several times)."""
        parts = [self._send(sources[at : at + AT_ONCE]) for at in range(0, len(sources), AT_ONCE)]
        return np.concatenate(parts) if parts else sources

    def _send(self, sources: Ints) -> Ints:
        submitters = np.empty_like(sources)
        queries = np.arange(len(sources), dtype=np.int32)
        holders, tried, at_source = sources, np.zeros(len(sources), np.int16), True
        waiting: list[tuple[Ints, Ints, Bits]] = []
        while len(queries):
            slots = self._draw(holders, tried, self.own if at_source else None)
            done = slots < 0
            submitters[queries[done]] = holders[done]
            queries, holders, tried, slots = queries[~done], holders[~done], tried[~done], slots[~done]
            links = self.network.starts[holders] + slots
            yes = self._asked(links)
            tried |= (np.int16(1) << slots).astype(np.int16)
            if at_source and not yes.all():
                waiting.append((queries[~yes], holders[~yes], tried[~yes]))  # they go on as sources
                queries, holders, tried = queries[yes], holders[yes], tried[yes]
                links, yes = links[yes], yes[yes]
            holders = np.where(yes, self.network.neighbours[links], holders)
            back = self.network.reverse[links[yes]] - self.network.starts[holders[yes]]
            tried[yes] = 0 if self.returns else np.int16(1) << back.astype(np.int16)
            at_source = False
            if not len(queries) and waiting:
                parts = list(zip(*waiting, strict=True))
                queries, holders, tried = (np.concatenate(part) for part in parts)
                waiting, at_source = [], True
        return submitters

    def _draw(self, holders: Ints, tried: Bits, choice: Choice | None) -> Slots:
        """Return the drawn neighbour's place among those of its holder, or -1 for the holder itself."""
        starts = self.network.starts[holders]
        degrees = (self.network.starts[holders + 1] - starts).astype(np.int8)
        if choice is None:  # itself and all that were not tried are as likely
            point = self.rng.integers(-1, degrees - np.bitwise_count(tried), dtype=np.int8)
            return np.where(point < 0, point, _OPEN[tried, point])
        weights = self._totals[holders]
        for slot in range(MAX_NEIGHBOURS):
            places = np.flatnonzero(tried >> slot & 1)
            weights[places] -= choice.links[starts[places] + slot]
        left = self.rng.integers(0, np.maximum(weights, 1), dtype=np.int32)
        drawn = np.full(len(holders), -1, np.int8)
        places = np.arange(len(holders), dtype=np.int32)
        for slot in range(MAX_NEIGHBOURS):
            places = places[degrees[places] > slot]
            weight = choice.links[starts[places] + slot] * (tried[places] >> slot & 1 == 0)
            here = left[places] < weight
            drawn[places[here]] = slot
            places, weight = places[~here], weight[~here]
            left[places] -= weight
        return drawn

    def _asked(self, links: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Say which of the neighbours at the other ends of `links` accept, and keep account of it."""
        self.asked += len(links)
        if self.zeta == 0 and self.selfish is None:
            self.hops += len(links)
            return np.ones(len(links), np.bool_)
        back = self.network.reverse[links]
        yes: npt.NDArray[np.bool_] = self.rng.random(len(links), dtype=np.float32) < self.accepts[back]
        if self.selfish is not None:
            yes &= ~self.selfish[self.network.neighbours[links]]
        np.add.at(self.accepts, links, np.where(yes, 2 * self.zeta, -self.zeta).astype(np.float32))
        np.subtract.at(self.accepts, back[yes], np.float32(self.zeta))
        for touched in (links, back):
            self.accepts[touched] = np.clip(self.accepts[touched], 0, 1)
        self.hops += int(np.count_nonzero(yes))
        return yes
