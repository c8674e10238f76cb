"""The halves attack: are the two halves of a user's released log found to be the same user's?

If user ids were replaced by new ones at the middle of the log, who could put the two together? Each user is described
by the categories that it is released under (its profile, which the method preserves) or by the words of the lines under
it (other users' queries); the second half's users are matched to the first half's by cosine similarity. The attacker
needs the released log and the classifier only. A low figure for words and a high one for categories is promised.
"""

from collections.abc import Sequence
from typing import Final, Literal

import numpy as np
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.preprocessing import normalize

from querymix_lab.attacks.logs import Ints, Log
from querymix_lab.attacks.scoring import Found, TooShortError

KNOWS: Final = "the classifier"
FEWEST: Final = 10
"""Released lines that a user needs in each half to take part."""
Feature = Literal["categories", "words"]


def halves(log: Log, texts: Sequence[str], feature: Feature) -> Found:
    """Link the two halves of every user's lines, cut at the log's median time.

    Found are users, right those whose second half is nearest to their own first half; the baseline is 1 / users.
    Raises TooShortError where fewer than two users have `FEWEST` lines in each half.
    """
    if not len(log):
        raise TooShortError("nothing was released: there are no halves to link")
    late = log.times > np.median(log.times)
    size = int(log.users.max(initial=0)) + 1
    counts = [np.bincount(log.users[half], minlength=size) for half in (~late, late)]
    users = np.flatnonzero((counts[0] >= FEWEST) & (counts[1] >= FEWEST))
    if len(users) < 2:
        raise TooShortError(f"fewer than two users have {FEWEST} lines in each half: the log is too short for halves")
    rows = np.full(size, -1)
    rows[users] = np.arange(len(users))
    lines, columns = _features(log, texts, feature)
    kept = rows[log.users[lines]] >= 0
    lines, columns = lines[kept], columns[kept]
    width = int(columns.max(initial=0)) + 1
    sides = []
    for half in (~late, late):
        there = half[lines]
        entries = (np.ones(int(there.sum())), (rows[log.users[lines[there]]], columns[there]))
        sides.append(csr_matrix(entries, shape=(len(users), width)))
    weigh = TfidfTransformer(sublinear_tf=True).fit(sides[0])
    first, second = (normalize(weigh.transform(side)) for side in sides)
    nearest = np.asarray((second @ first.T).todense()).argmax(axis=1)
    return Found(len(users), float((nearest == np.arange(len(users))).mean()), 1 / len(users))


def _features(log: Log, texts: Sequence[str], feature: Feature) -> tuple[Ints, Ints]:
    """Return (line, column) of every feature: a line's category, or each of its words."""
    if feature == "categories":
        return np.arange(len(log)), log.categories + 2
    numbers: dict[str, int] = {}
    words = {int(text): [numbers.setdefault(w, len(numbers)) for w in texts[text].split()] for text in set(log.texts)}
    per_line = [words[int(text)] for text in log.texts]
    lines = np.repeat(np.arange(len(log)), [len(found) for found in per_line])
    return lines, np.array([word for found in per_line for word in found], dtype=np.int64)
