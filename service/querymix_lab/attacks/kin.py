"""The kin attack: texts that share a rare word are taken for one owner's.

Of a line's words the rarest counts that at least two and at most `MOST` lines have; the lines of one word are a group
(querymix_lab.attacks.together). The attacker needs the released log and the classifier only.
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
from querymix.core.rules import Rules
from querymix.core.score import width

from querymix_lab.attacks.attacked import Attacked, named
from querymix_lab.attacks.logs import Log
from querymix_lab.attacks.scoring import Guesses, Row
from querymix_lab.attacks.together import name_groups

KNOWS: Final = "the classifier and about how large k is"
MOST: Final = 5
"""Texts that a rare word stands in."""


def kin(attacked: Attacked, rules: Rules, _seed: int, texts: Sequence[str]) -> list[Row]:
    """Return the attack's figures over the lines with a rare word. Raises TooShortError where there are none.

    `texts` holds the text of every text number.
    """
    return [named(attacked, "kin", KNOWS, guess(attacked.seen, texts, width(rules.k)))]


def guess(released: Log, texts: Sequence[str], n: float, most: int = MOST) -> Guesses:
    """Return the likeliest owner of every line that shares a rare word with another text."""
    words: dict[str, int] = {}
    numbers = np.unique(released.texts)
    inside = {int(text): {words.setdefault(word, len(words)) for word in texts[text].split()} for text in numbers}
    counts = np.zeros(len(words), dtype=np.int64)
    for found in inside.values():
        counts[list(found)] += 1
    rarest = np.full(int(released.texts.max(initial=0)) + 1, -1, dtype=np.int64)
    for text, found in inside.items():
        rare = [word for word in found if 2 <= counts[word] <= most]
        rarest[text] = min(rare, key=lambda word: (counts[word], word), default=-1)
    lines = np.flatnonzero(rarest[released.texts] >= 0)
    _, groups = np.unique(rarest[released.texts[lines]], return_inverse=True)
    return name_groups(released, n, lines, groups)
