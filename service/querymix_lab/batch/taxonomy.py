"""A tree of terms, and generalizing bags of them: LM, LCG and GGD.

Rules:
- A transaction is a bag of items; an item is a node of the tree, also an inner one. An item is its own ancestor.
- LM(p) = (leaves under p - 1) / (leaves of the tree - 1): 0 for a leaf, 1 for the root.
- The least common generalization of transactions S: with m(i) the least number of items at or under node i in a
  transaction of S, node i is in it m(i) - (sum of m over its children) times. Its length is that of the shortest
  transaction. (Definition 2 and Property 2; the paper's procedure differs: docs/batch.md.)
- GGD(S, t) = |S| * (sum of LM over t) + items of S that nothing in t stands for.

Source: Milani Fard and Wang 2010, sections 2 and 4.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from typing import Final

ROOT: Final = 0

Counts = Mapping[int, int]
"""Items at or under a node, by node; nodes without any are left out."""


class Taxonomy:
    """A tree whose nodes are numbered from 0, the root."""

    def __init__(self, parents: Sequence[int], names: Sequence[str]) -> None:
        """Take each node's parent and name; the root's parent is -1, and a parent comes before its children."""
        self.parents = parents
        self.names = names
        leaves = [0] * len(parents)
        inner = set(parents)
        for node in range(len(parents) - 1, -1, -1):
            leaves[node] += node not in inner
            if node != ROOT:
                leaves[parents[node]] += leaves[node]
        self.losses: Final = [(under - 1) / max(1, leaves[ROOT] - 1) for under in leaves]
        """LM by node."""

    @cached_property
    def weights(self) -> list[float]:
        """What a node's m(i) adds to the sum of LM over the LCG: its LM less its parent's."""
        losses, parents = self.losses, self.parents
        return [losses[at] - (losses[parents[at]] if at != ROOT else 0.0) for at in range(len(parents))]

    def path(self, node: int) -> list[int]:
        """Return a node and all its ancestors, the root last."""
        path = [node]
        while node != ROOT:
            node = self.parents[node]
            path.append(node)
        return path

    def level(self, node: int) -> int:
        """Return a node's level; the root's is 1."""
        return len(self.path(node))

    def counts(self, transaction: Iterable[int]) -> dict[int, int]:
        """Return how many items of a transaction are at or under each node."""
        counts: Counter[int] = Counter()
        for item, times in Counter(transaction).items():
            for node in self.path(item):
                counts[node] += times
        return dict(counts)

    def lcg(self, common: Counts) -> list[int]:
        """Return the least common generalization out of m(i), most special first."""
        left = Counter(common)
        for node, count in common.items():
            if node != ROOT:
                left[self.parents[node]] -= count
        return sorted((+left).elements(), key=lambda node: (-self.level(node), node))

    def distortion(self, size: int, items: int, common: Counts) -> float:
        """Return GGD of the LCG of `size` transactions that hold `items` items in all, out of their m(i)."""
        weights = self.weights
        return size * sum(weights[node] * count for node, count in common.items()) + items - size * common.get(ROOT, 0)

    def loss_of(self, transactions: Sequence[Sequence[int]], generalized: Iterable[int]) -> float:
        """Return GGD of any common generalization of transactions: the definition."""
        nodes = list(generalized)
        suppressed = sum(len(transaction) - len(nodes) for transaction in transactions)
        return len(transactions) * sum(self.losses[node] for node in nodes) + suppressed


def meet(one: Counts, other: Counts) -> dict[int, int]:
    """Return the lesser of both counts by node: m(i) of the transactions of both."""
    if len(other) < len(one):
        one, other = other, one
    return {node: min(count, other[node]) for node, count in one.items() if node in other}
