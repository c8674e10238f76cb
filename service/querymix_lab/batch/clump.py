"""Clump: users whose terms are near each other in a taxonomy leave with the terms that all of them have in common.

Rules (Algorithm 1 of the paper):
1. Transactions in descending order of length; of floor(n / k) clusters, each begins with every k-th of them.
2. Each remaining one, in that order, goes to the cluster below k transactions whose GGD with it is least, among the
   first `r` of these; once all have k, to the cluster whose GGD with it is least.

Source: Milani Fard and Wang 2010, "An effective clustering approach to web query log anonymization", section 3.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from querymix.core.draw import Draw

from querymix_lab.batch.base import Log, Options, Outcome, Tick, no_tick
from querymix_lab.batch.generalizing import Group, generalize
from querymix_lab.batch.taxonomy import Counts, Taxonomy, meet


def clump(log: Log, options: Options, draw: Draw, tick: Tick = no_tick) -> Outcome:
    """Return the log's terms generalized by Clump. Raises ConfigError without WordNet, or with fewer than k users."""
    return generalize(
        log,
        options,
        lambda transactions, taxonomy: clusters(transactions, taxonomy, options.k, options.candidates, tick),
    )


@dataclass
class _Cluster:
    members: list[int]
    common: Counts
    items: int

    def distortion_with(self, taxonomy: Taxonomy, counts: Counts, items: int) -> float:
        """Return GGD once a transaction has joined."""
        return taxonomy.distortion(len(self.members) + 1, self.items + items, meet(self.common, counts))

    def join(self, member: int, counts: Counts, items: int) -> None:
        self.members.append(member)
        self.common = meet(self.common, counts)
        self.items += items


def clusters(
    transactions: Sequence[Sequence[int]], taxonomy: Taxonomy, k: int, r: int = 10, tick: Tick = no_tick
) -> list[Group]:
    """Return clusters of at least k of the transactions, by their places; at least k are given."""
    order = sorted(range(len(transactions)), key=lambda place: -len(transactions[place]))
    counts = [taxonomy.counts(transaction) for transaction in transactions]
    first = order[: len(order) // k * k : k]
    found = [_Cluster([place], counts[place], len(transactions[place])) for place in first]
    begun = set(first)
    for done, place in enumerate(order):
        if place in begun:
            continue
        small = [cluster for cluster in found if len(cluster.members) < k][:r]
        _nearest(small or found, taxonomy, counts[place], len(transactions[place])).join(
            place, counts[place], len(transactions[place])
        )
        tick(done / len(order))
    return [Group(cluster.members, taxonomy.lcg(cluster.common)) for cluster in found]


def _nearest(some: Iterable[_Cluster], taxonomy: Taxonomy, counts: Counts, items: int) -> _Cluster:
    return min(some, key=lambda cluster: cluster.distortion_with(taxonomy, counts, items))
