"""Lines that are one owner's tell more together: what each tells of a user is added up.

For a line and a user v the likelihood ratio "v owns it" to "v does not" is taken for 1 + w W / (2 N s): W the kernel's
sum over v's releases near the line in its category (querymix_lab.attacks.kernel), s v's share of the category's
releases, so that 2 N s is what W comes to by chance, w how often the owner stands near at all. The line's own user is
nearly excluded, not wholly: it may own the group's other lines. The logarithms are added over the lines of a group, and
that of v's share. A sum of the kernel's posteriors would count the shares once a line, and find the heaviest user.

How sure it is: the distance of the best sum to the second, over the root of the number of lines, since that is how the
distance grows where they have several owners.
"""

from typing import Final

import numpy as np
from querymix.core.score import nearness
from scipy.sparse import csr_matrix, vstack

from querymix_lab.attacks.logs import Ints, Log
from querymix_lab.attacks.scoring import Guesses

_REACH: Final = 6
"""Releases farther than this many N weigh under 0.3 % and are left out."""
_ROWS: Final = 2_048
_NEAR: Final = 4.0
"""The w above: for each line whose owner does not stand near there are so many where it does."""
_LEAST: Final = 1e-9
"""Of a user's share."""
_OWN: Final = -3.0
"""Logarithm of the ratio for a line's own user."""


def name_groups(released: Log, n: float, lines: Ints, groups: Ints) -> Guesses:
    """Return the likeliest owner of each line's group.

    Args:
        released: the log of m lines.
        n: the kernel's width in releases.
        lines: places in the log, each once.
        groups: a number, from 0, for the group of each of `lines`; of the same length.
    """
    if not len(lines):
        return Guesses.of([])
    order, sizes = np.arange(len(lines)), np.bincount(groups)
    member = csr_matrix((np.ones(len(lines)), (groups, order)), shape=(len(sizes), len(lines)))
    sums = csr_matrix(member @ evidence(released, n, lines))
    share = csr_matrix(member @ _shares(released, lines))
    best, sure = np.zeros(len(sizes), dtype=np.int64), np.zeros(len(sizes))
    for start in range(0, len(sizes), _ROWS):
        some = slice(start, start + _ROWS)
        logs = sums[some].toarray() + np.log(np.maximum(share[some].toarray() / sizes[some][:, None], _LEAST))
        best[some] = logs.argmax(axis=1)
        top = np.partition(logs, -2, axis=1)[:, -2:] if logs.shape[1] > 1 else np.zeros((len(logs), 2))
        sure[some] = (top[:, 1] - top[:, 0]) / np.sqrt(sizes[some])
    return Guesses(lines, best[groups], sure[groups])


def evidence(released: Log, n: float, lines: Ints) -> csr_matrix:
    """Return the logarithm of the likelihood ratio of each user for each line: shape (lines, users), far ones 0."""
    blocks, order = [csr_matrix((0, _width(released)))], [np.array([], dtype=np.int64)]
    number = np.full(len(released), -1, dtype=np.int64)
    number[lines] = np.arange(len(lines))
    for places in released.pools():
        inside, users = np.flatnonzero(number[places] >= 0), released.users[places]
        order.append(number[places[inside]])
        starts = range(0, len(inside), _ROWS)
        blocks += [_near(users, inside[start : start + _ROWS], n, _width(released)) for start in starts]
    return csr_matrix(vstack(blocks).tocsr()[np.argsort(np.concatenate(order))])


def _width(released: Log) -> int:
    return int(released.users.max(initial=0)) + 1


def _shares(released: Log, lines: Ints) -> csr_matrix:
    """Return by line each user's share of the releases in the line's category: shape (lines, users)."""
    names, numbers = np.unique(released.categories, return_inverse=True)
    entries = (1 / np.bincount(numbers)[numbers], (numbers, released.users))
    return csr_matrix(entries, shape=(len(names), _width(released)))[numbers[lines]]


def _near(users: Ints, rows: Ints, n: float, width: int) -> csr_matrix:
    """Return the evidence of some places of one category's releases, which stand under `users`."""
    reach = min(int(_REACH * n), len(users))
    places = rows[:, None] + np.arange(-reach, reach + 1)
    inside = (places >= 0) & (places < len(users))
    near = np.broadcast_to(np.array(nearness(n, reach)), places.shape)[inside]
    columns = users[places[inside]]
    ends = np.append(0, np.cumsum(inside.sum(axis=1)))
    found = csr_matrix((near, columns, ends), shape=(len(rows), width))
    found.sum_duplicates()
    share = np.bincount(users, minlength=width) / len(users)
    found.data = np.log1p(_NEAR * found.data / (2 * n * share[found.indices]))
    at = np.repeat(np.arange(len(rows)), np.diff(found.indptr))
    found.data[found.indices == users[rows][at]] = _OWN
    return found
