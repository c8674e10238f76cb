"""What a release keeps of a log, and what it tells: shares between 0 and 1, over numbers.

Rules:
- Lines, ids, users and texts are numbers. Arrays are by line: of the m that leave, or of the n of the log.
- Who is looked for is found by what is most in common, copies counted; then by who had these things most often. Where g
  are alike and the right one is among them, it counts as found with 1/g. With nothing in common nobody is found.
- What an id finds is who asked: the owner of a line, whoever's id it is (the stream's ids are another user's).

Source of the linkage: thesis (Erola 2013), section 5.5.2.1 (record linkage); here by id, weighed by lines.
"""

from typing import Final, NamedTuple

import numpy as np
from scipy.sparse import csr_matrix

from querymix_lab.attacks.logs import Floats, Ints

_CELLS: Final = 4_000_000
"""Features of ids that are looked at together."""


class Traced(NamedTuple):
    """Who is found: `users[i]` for group `groups[i]` with probability `chances[i]`; of one group they add up to 1."""

    groups: Ints
    users: Ints
    chances: Floats

    def of(self, groups: Ints, users: Ints) -> Floats:
        """Return the chance with which each of some groups is found to be the user beside it."""
        width = int(max(self.users.max(initial=0), users.max(initial=0))) + 2
        keys = self.groups * width + self.users
        order = np.argsort(keys)
        wanted = groups * width + users
        places = np.minimum(np.searchsorted(keys[order], wanted), max(0, len(keys) - 1))
        if not len(keys):
            return np.zeros(len(groups))
        found = order[places]
        return np.where((keys[found] == wanted) & (users >= 0), self.chances[found], 0.0)


def traced(groups: Ints, things: Ints, users: Ints, had: Ints) -> Traced:
    """Return for each group of lines the users who had most of its things; of these, those who had them most often.

    Args:
        groups: the group of each of m lines, counted from 0.
        things: what each of these lines shows, a number.
        users: who had it, of n things that users had.
        had: these things.
    """
    first, second = _copies(groups, things), _copies(users, had)
    names, numbers = np.unique(np.concatenate([first, second], axis=1)[1:], axis=1, return_inverse=True)
    numbers = numbers.reshape(-1)
    left = _matrix(groups, numbers[: len(groups)], names.shape[1])
    right = _matrix(users, numbers[len(groups) :], names.shape[1]).T.tocsr()
    kinds = int(max(things.max(initial=-1), had.max(initial=-1))) + 1
    shown, often = _matrix(groups, things, kinds), _matrix(users, had, kinds).T.tocsr()
    shown.data[:] = 1.0
    step = max(1, _CELLS // max(1, right.shape[1]))
    parts = []
    for start in range(0, left.shape[0], step):
        some = slice(start, start + step)
        parts.append(_best(csr_matrix(left[some] @ right), csr_matrix(shown[some] @ often), start))
    columns = [np.concatenate(column) for column in zip(*parts, strict=True)] if parts else [np.zeros(0)] * 3
    return Traced(columns[0].astype(np.int64), columns[1].astype(np.int64), columns[2].astype(np.float64))


def _copies(groups: Ints, things: Ints) -> Ints:
    """Return (group, thing, which copy of it in the group) of each line: shape (3, lines)."""
    order = np.lexsort((things, groups))
    sorted_ = np.stack([groups[order], things[order]])
    begins = np.append(True, (sorted_[:, 1:] != sorted_[:, :-1]).any(axis=0))[: len(order)]
    starts = np.maximum.accumulate(np.where(begins, np.arange(len(order)), 0))
    copies = np.zeros(len(order), dtype=np.int64)
    copies[order] = np.arange(len(order)) - starts
    return np.stack([groups, things, copies])


def _matrix(rows: Ints, columns: Ints, width: int) -> csr_matrix:
    """Return how often each row has each column."""
    shape = (int(rows.max(initial=-1)) + 1, width)
    found = csr_matrix((np.ones(len(rows)), (rows, columns)), shape=shape)
    found.sum_duplicates()
    return found


def _best(common: csr_matrix, often: csr_matrix, start: int) -> tuple[Ints, Ints, Floats]:
    """Return (group, user, chance) of the best of each row; both matrices have the same places."""
    for one in (common, often):
        one.sort_indices()
    sizes = np.diff(common.indptr)
    rows = np.repeat(np.arange(len(sizes)), sizes)
    worth = common.data + often.data / (1 + often.data.max(initial=0.0))
    highest = np.zeros(len(sizes))
    np.maximum.at(highest, rows, worth)
    best = worth >= highest[rows] - 1e-12
    chances = 1 / np.bincount(rows[best], minlength=len(sizes))[rows[best]]
    return rows[best] + start, common.indices[best].astype(np.int64), chances


def linkage(ids: Ints, owners: Ints, texts: Ints, found: Traced, people: int) -> float:
    """Return the mean share, over the log's people, of a person's lines that an id joins and by which it is found.

    A line is joined where another text of the same owner stands under its id. Whoever has no line that leaves is not
    found.
    """
    known = owners >= 0
    if not known.any():
        return 0.0
    ids, owners = ids[known], owners[known]
    named = np.where(_further(ids, owners, texts[known]) > 0, found.of(ids, owners), 0.0)
    lines = np.bincount(owners, minlength=people)
    return float((np.bincount(owners, named, minlength=people) / np.maximum(1, lines)).sum() / max(1, people))


def _further(ids: Ints, owners: Ints, texts: Ints) -> Ints:
    """Return how many further different texts of its owner stand under the id of each line."""
    pairs, number = np.unique(np.stack([ids, owners]), axis=1, return_inverse=True)
    number = number.reshape(-1)
    kinds = np.bincount(np.unique(np.stack([number, texts]), axis=1)[0], minlength=pairs.shape[1])
    return (kinds - 1)[number].astype(np.int64)


def joined(ids: Ints, owners: Ints, texts: Ints) -> float:
    """Return how many further different texts of the same owner an id joins to a line, in the mean of lines."""
    known = owners >= 0
    return float(_further(ids[known], owners[known], texts[known]).mean()) if known.any() else 0.0


def alone(things: Ints, users: Ints, shown: Ints) -> "np.ndarray":
    """Return which of m shown things fewer than two users had; -1 shows nothing.

    Args:
        things: what was had, of n lines of the log; -1: nothing.
        users: by whom.
        shown: what is shown by the m lines.
    """
    width = int(max(things.max(initial=-1), shown.max(initial=-1))) + 1
    pairs = np.unique(np.stack([things, users])[:, things >= 0], axis=1)
    had = np.bincount(pairs[0], minlength=width)
    out = np.zeros(len(shown), dtype=bool)
    out[shown >= 0] = had[shown[shown >= 0]] < 2
    return out


def pareto(points: list[tuple[float, float]]) -> list[int]:
    """Return the places of points (told, kept) that no other beats, by what they tell.

    One beats another where it tells no more and keeps no less, and is better in one of both; of equal ones all stay.
    """
    beaten = {
        place
        for place, (told, kept) in enumerate(points)
        if any(other[0] <= told and other[1] >= kept and other != (told, kept) for other in points)
    }
    return sorted((place for place in range(len(points)) if place not in beaten), key=lambda place: points[place])
