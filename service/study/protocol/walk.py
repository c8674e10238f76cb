"""Queries on their way through the network, until somebody submits them to the search engine.

Rules:
- The source draws from its choice vector without putting back, until it draws itself, or somebody who accepts. Whoever
  forwards draws likewise, with 1 / (k + 1) for itself and each neighbour. When nobody is left, the holder submits.
- U accepts a query of N with probability p(U, N), which begins at 1 and stays within 0 and 1. U accepts: p(U, N) falls by zeta
  and p(N, U) rises by 2 zeta. U rejects: p(N, U) falls by zeta.
- A selfish user rejects every query, and submits none of its own while a neighbour may accept it.
- Queries that are sent together are asked about at the same time: each is decided with the p before it.

Source: Erola 2013 (thesis), sections 4.3.1 to 4.3.5.
"""

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from service.study.protocol.choice import Choice, equal
from service.study.protocol.network import MOST_NEIGHBOURS, Ints, Network

AT_ONCE = 2_000_000
"""Queries on their way at the same time: what bounds the memory."""


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
        self._forward = equal(self.network)

    def send(self, sources: Ints) -> Ints:
        """Return who submits one query of each of `sources` (a user may stand there several times)."""
        parts = [self._send(sources[at : at + AT_ONCE]) for at in range(0, len(sources), AT_ONCE)]
        return np.concatenate(parts) if parts else sources

    def _send(self, sources: Ints) -> Ints:
        submitters = np.empty_like(sources)
        queries = np.arange(len(sources), dtype=np.int32)
        holders, tried, at_source = sources, np.zeros(len(sources), np.int16), True
        waiting: list[tuple[Ints, Ints, npt.NDArray[np.int16]]] = []
        while len(queries):
            slots = self._draw(holders, tried, self.own if at_source else self._forward)
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
                queries, holders, tried = (np.concatenate(part) for part in parts)  # type: ignore[assignment]
                waiting, at_source = [], True
        return submitters

    def _draw(self, holders: Ints, tried: npt.NDArray[np.int16], choice: Choice) -> npt.NDArray[np.int16]:
        """Return the drawn neighbour's place among those of its holder, or -1 for the holder itself."""
        starts = self.network.starts[holders]
        degrees = (self.network.starts[holders + 1] - starts).astype(np.int32)
        if choice is self._forward:
            return self._draw_open(degrees, tried)
        last = len(choice.links) - 1
        weights = np.zeros((MOST_NEIGHBOURS, len(holders)), np.int32)
        for slot in range(MOST_NEIGHBOURS):
            open_to = (slot < degrees) & ((tried >> slot) & 1 == 0)
            weights[slot] = np.where(open_to, choice.links[np.minimum(starts + slot, last)], 0)
        upto = np.cumsum(weights, axis=0)
        left = np.maximum(upto[-1] + choice.itself[holders], 1)
        point = self.rng.integers(0, left, dtype=np.int32)
        drawn = (upto <= point).sum(axis=0).astype(np.int16)
        drawn[drawn == MOST_NEIGHBOURS] = -1
        return drawn

    def _draw_open(self, degrees: Ints, tried: npt.NDArray[np.int16]) -> npt.NDArray[np.int16]:
        """Return one of the neighbours that were not tried, or -1, each as likely."""
        slots = np.arange(MOST_NEIGHBOURS, dtype=np.int16)[:, None]
        open_to = (slots < degrees) & ((tried >> slots) & 1 == 0)
        before = np.cumsum(open_to, axis=0, dtype=np.int16)
        point = self.rng.integers(0, before[-1] + 1, dtype=np.int16)  # 0: the holder itself
        drawn = (before < point).sum(axis=0, dtype=np.int16)
        return np.where(point == 0, np.int16(-1), drawn)

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
