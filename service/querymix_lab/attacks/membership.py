"""Membership and residue: is a known person in the log, and what of persons is left in its texts?

`membership`: the attacker knows a target's queries, say from a router's log, and asks whether they are part of the
released log. Its score is the share of the target's distinct texts found there, each weighted by how rare it is; users
of another log are the outsiders that it must be told from. `residue`: identifiers that are still in the released texts,
and texts that one user alone asked: whoever knows that this person asked it knows who is behind it.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from querymix.core.identifiers import Detector
from sklearn.metrics import roc_auc_score

from querymix_lab.attacks.logs import Floats, Log
from querymix_lab.attacks.scoring import Found

KNOWS: Final = "the target's own queries"


def membership(released: Log, members: Log, outsiders: Log) -> Found:
    """Tell the users of `members` from those of `outsiders` by their texts: area under the ROC curve (a coin: 0.5)."""
    size = int(max(log.texts.max(initial=0) for log in (released, members, outsiders))) + 1
    there = np.bincount(released.texts, minlength=size)
    weights = np.where(there > 0, 1 / np.log2(1 + np.maximum(there, 1)), 0.0)
    first, second = _scores(members, weights), _scores(outsiders, weights)
    truth = np.concatenate([np.ones(len(first)), np.zeros(len(second))])
    return Found(len(truth), float(roc_auc_score(truth, np.concatenate([first, second]))), 0.5)


def _scores(log: Log, weights: Floats) -> Floats:
    """Return by user the mean weight of its distinct texts."""
    pairs = np.unique(np.stack([log.users, log.texts]), axis=1)
    users, rows = np.unique(pairs[0], return_inverse=True)
    scores: Floats = np.bincount(rows, weights[pairs[1]], len(users)) / np.bincount(rows)
    return scores


def residue(released: Log, original: Log, texts: Sequence[str], detector: Detector) -> dict[str, float]:
    """Return the shares of lines that still identify a person, by what does.

    "one asker": one user alone asked the text; else the kind of an identifier that the detector still finds.
    """
    kinds: Counter[str] = Counter()
    numbers, counts = np.unique(released.texts, return_counts=True)
    for number, count in zip(numbers, counts, strict=True):
        kinds.update(dict.fromkeys({one.kind for one in detector.find(texts[number])}, int(count)))
    unique = float(_asked_by_one(original, len(texts))[released.texts].mean())
    return {"one asker": unique} | {kind: count / max(1, len(released)) for kind, count in sorted(kinds.items())}


def _asked_by_one(original: Log, size: int) -> npt.NDArray[np.bool_]:
    pairs = np.unique(np.stack([original.texts, original.users]), axis=1)
    by_one: npt.NDArray[np.bool_] = np.bincount(pairs[0], minlength=size) == 1
    return by_one
