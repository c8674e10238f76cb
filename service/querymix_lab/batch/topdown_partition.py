"""Partition: top-down, all users begin with the root term, and terms are made more special while k users agree.

Rules:
- A part of the users holds one set of nodes. Its most general inner node is expanded: each user's share of that node is
  the set of its children that the user has items under. Users with the same share go on as a part of their own, with
  the children instead of the node, where they are at least k.
- Users of smaller shares stay together with the node as it is. Where these are below k, the largest new parts give what
  they have above k; where that is not enough, the smallest new part joins them.
- A node that was expanded in vain stays. An item on the node itself is a share of its own.

Source: He and Naughton 2009, "Anonymization of set-valued data via top-down, local generalization", as told by Milani
Fard and Wang 2010, section 1.1. What differs: docs/batch.md.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from querymix.core.draw import Draw

from querymix_lab.batch.base import Log, Options, Outcome, Tick, no_tick
from querymix_lab.batch.generalizing import Group, generalize
from querymix_lab.batch.taxonomy import ROOT, Taxonomy

Nodes = frozenset[int]
"""Nodes of the taxonomy; ~n (below zero) is node n itself, with nothing under it."""


def partition(log: Log, options: Options, draw: Draw, tick: Tick = no_tick) -> Outcome:
    """Return the log's terms generalized top-down. Raises ConfigError as `clump` does."""
    return generalize(log, options, lambda transactions, taxonomy: parts(transactions, taxonomy, options.k, tick))


class _Part(NamedTuple):
    members: list[int]
    nodes: Nodes
    closed: Nodes
    """Nodes that were expanded in vain, or have no children."""


def parts(transactions: Sequence[Sequence[int]], taxonomy: Taxonomy, k: int, tick: Tick = no_tick) -> list[Group]:
    """Return parts of at least k of the transactions, by their places; at least k are given, none is empty."""
    shares = [_shares(transaction, taxonomy) for transaction in transactions]
    waiting = [_Part(list(range(len(transactions))), frozenset({ROOT}), frozenset())]
    found: list[Group] = []
    done = 0
    while waiting:
        part = waiting.pop()
        open_nodes = [node for node in part.nodes - part.closed if node >= 0]
        if not open_nodes:
            generalized = sorted((~node if node < 0 else node for node in part.nodes), key=taxonomy.level, reverse=True)
            found.append(Group(part.members, generalized))
            done += len(part.members)
            tick(done / len(transactions))
            continue
        node = max(open_nodes, key=lambda each: (taxonomy.losses[each], -each))
        waiting += _expanded(part, node, shares, k)
    return found


def _shares(transaction: Sequence[int], taxonomy: Taxonomy) -> dict[int, Nodes]:
    """Return, for each node that a transaction has items under, the children that it has them under."""
    below: dict[int, set[int]] = {}
    for item in set(transaction):
        path = taxonomy.path(item)
        below.setdefault(item, set()).add(~item)
        for child, parent in pairwise(path):
            below.setdefault(parent, set()).add(child)
    return {node: frozenset(children) for node, children in below.items()}


def _expanded(part: _Part, node: int, shares: Sequence[dict[int, Nodes]], k: int) -> list[_Part]:
    groups: dict[Nodes, list[int]] = {}
    for member in part.members:
        groups.setdefault(shares[member][node], []).append(member)
    rest = [member for members in groups.values() if len(members) < k for member in members]
    large = {share: members for share, members in groups.items() if len(members) >= k}
    if rest and large:
        _fill(rest, large, k)
    special = [_Part(members, part.nodes - {node} | share, part.closed) for share, members in large.items()]
    return special + ([_Part(rest, part.nodes, part.closed | {node})] if rest else [])


def _fill(rest: list[int], large: dict[Nodes, list[int]], k: int) -> None:
    """Bring the rest to k members, out of what the large parts have above k or with a whole one of them."""
    spare = sum(len(members) - k for members in large.values())
    if len(rest) + spare < k:
        smallest = min(large, key=lambda share: (len(large[share]), sorted(share)))
        rest += large.pop(smallest)
        return
    while len(rest) < k:
        largest = max(large, key=lambda share: (len(large[share]), sorted(share)))
        rest.append(large[largest].pop())
