"""Membership and residue: is a known person in the log, and what of persons is left in its texts?

`membership`: the attacker knows a target's queries, say from a router's log, and asks whether the target's searches
are part of the released log. Its score is the share of the target's distinct texts that are found in the log, each
weighted by how rare it is; users of another log are the outsiders that it must be told from.

`residue`: identifiers that the detector still finds in the released texts, and texts that one user alone asked:
whoever knows that this person asked it knows who is behind it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from querymix.core.identifiers import Detector
from sklearn.metrics import roc_auc_score

from querymix_lab.attacks.logs import Floats, Log

KNOWS: Final = "the target's own queries"


class Membership(NamedTuple):
    """How well members are told from outsiders."""

    members: int
    outsiders: int
    area: float
    """Area under the ROC curve; 0.5 is a coin."""


class Residue(NamedTuple):
    """What is left in the released texts."""

    lines: int
    kinds: Mapping[str, int]
    """Lines in which the detector still finds an identifier, by kind."""
    unique: float
    """Share of the lines whose text one user alone asked in the original."""


def membership(released: Log, members: Log, outsiders: Log) -> Membership:
    """Tell the users of `members` from those of `outsiders` by their texts in the released log."""
    size = int(max(log.texts.max(initial=0) for log in (released, members, outsiders))) + 1
    there = np.bincount(released.texts, minlength=size)
    weights = np.where(there > 0, 1 / np.log2(1 + np.maximum(there, 1)), 0.0)
    first, second = _scores(members, weights), _scores(outsiders, weights)
    truth = np.concatenate([np.ones(len(first)), np.zeros(len(second))])
    return Membership(len(first), len(second), float(roc_auc_score(truth, np.concatenate([first, second]))))


def _scores(log: Log, weights: Floats) -> Floats:
    """Return by user the mean weight of its distinct texts."""
    pairs = np.unique(np.stack([log.users, log.texts]), axis=1)
    users, rows = np.unique(pairs[0], return_inverse=True)
    scores: Floats = np.bincount(rows, weights[pairs[1]], len(users)) / np.bincount(rows)
    return scores


def residue(released: Log, original: Log, texts: Sequence[str], detector: Detector) -> Residue:
    """Count what identifies a person in the released texts."""
    kinds: Counter[str] = Counter()
    numbers, counts = np.unique(released.texts, return_counts=True)
    for number, count in zip(numbers, counts, strict=True):
        for kind in {one.kind for one in detector.find(texts[number])}:
            kinds[kind] += int(count)
    return Residue(len(released), dict(kinds), float(_asked_by_one(original, len(texts))[released.texts].mean()))


def _asked_by_one(original: Log, size: int) -> npt.NDArray[np.bool_]:
    pairs = np.unique(np.stack([original.texts, original.users]), axis=1)
    by_one: npt.NDArray[np.bool_] = np.bincount(pairs[0], minlength=size) == 1
    return by_one
