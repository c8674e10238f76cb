"""The sessions attack: lines with nearly the same text soon after each other are one user's.

Under `--time-policy query` a released line carries its query's own time, so that a search that was refined within
minutes stands side by side with its refinement, if under other users. Pairs of lines of one category within
`SECONDS` whose words overlap by at least half are taken for the same owner's.

The attacker needs the released log and the classifier only.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np

from querymix_lab.attacks.logs import Floats, Ints, Log
from querymix_lab.attacks.scoring import Found, TooShortError
from querymix_lab.attacks.truth import Truth

KNOWS: Final = "the classifier"
SECONDS: Final = 600.0
_MIN_OVERLAP: Final = 0.5
_LOOK_BACK: Final = 50


def sessions(released: Log, texts: Sequence[str], truth: Truth) -> Found:
    """Link neighbouring lines with similar texts: found are pairs of lines, right those with the same owner.

    The baseline is that of pairs that are as near to each other, whatever their texts. Raises TooShortError where no
    pair has similar ones.
    """
    ordered = released.in_time_order()
    words = {int(text): frozenset(texts[text].split()) for text in set(ordered.texts)}
    near: list[tuple[int, int]] = []
    alike: list[bool] = []
    for places in ordered.pools():
        for number, place in enumerate(places):
            for before in places[max(0, number - _LOOK_BACK) : number]:
                if ordered.times[place] - ordered.times[before] > SECONDS:
                    continue
                a, b = words[int(ordered.texts[place])], words[int(ordered.texts[before])]
                near.append((int(before), int(place)))
                alike.append(a != b and len(a & b) >= _MIN_OVERLAP * max(1, len(a | b)))
    pairs, similar = np.array(near, dtype=np.int64).reshape(-1, 2), np.array(alike, dtype=bool)
    if not similar.any():
        raise TooShortError("no two lines within ten minutes have similar texts: the log is too thin for sessions")
    same = _same_owner(ordered, pairs, truth)
    return Found(int(similar.sum()), float(same[similar].mean()), float(same.mean()))


def _same_owner(log: Log, pairs: Ints, truth: Truth) -> Floats:
    """Return the probability that the two lines of each pair have the same owner."""
    out = np.zeros(len(pairs))
    for number, (first, second) in enumerate(pairs):
        owners = truth.owners(int(log.texts[first]))
        both = np.intersect1d(owners, truth.owners(int(log.texts[second])))
        if len(both):
            one = truth.credit(log.take(np.full(len(both), first)), both)
            other = truth.credit(log.take(np.full(len(both), second)), both)
            out[number] = float(one @ other)
    return out
