"""The authorship attack: what users ask gives them away to who has seen their earlier queries.

The attacker holds the first half of the true log, learns each user's words and pieces of words, and names the owner of
every line released in the second half, never the line's own user. With `n`, the kernel's posterior of the line is
multiplied in, so that only users who were released near it count.

Method: multinomial naive Bayes on words and on pieces of three to five characters (scikit-learn).
"""

from collections.abc import Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from scipy.sparse import csr_matrix, hstack
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

from querymix_lab.attacks.kernel import Posterior, posteriors
from querymix_lab.attacks.logs import Floats, Log
from querymix_lab.attacks.scoring import Guesses

KNOWS: Final = "the first half of the true log, and the classifier"
_ROWS: Final = 4_096
_FLOOR: Final = 1e-6


def authorship(original: Log, released: Log, texts: Sequence[str], n: float | None = None) -> Guesses:
    """Return the likeliest owner of every line released after the original's middle time.

    Args:
        original: the true log; what is at or before its median time trains.
        released: the released log.
        texts: the text of every text number.
        n: the kernel's width in releases; None: text alone.
    """
    middle = float(np.median(original.times))
    known = original.take(np.flatnonzero(original.times <= middle))
    lines = np.flatnonzero(released.times > middle)
    model = MultinomialNB(alpha=0.01)
    words = CountVectorizer(token_pattern=r"\S+", dtype=np.float64)  # noqa: S106 - a pattern and no password
    pieces = CountVectorizer(analyzer="char_wb", ngram_range=(3, 5), max_features=200_000, dtype=np.float64)
    learned = [texts[text] for text in known.texts]
    model.fit(hstack([words.fit_transform(learned), pieces.fit_transform(learned)]).tocsr(), known.users)
    near = {} if n is None else {one.line: one for one in posteriors(released, n)}
    columns = {int(user): place for place, user in enumerate(model.classes_)}
    users = np.empty(len(lines), dtype=np.int64)
    confidence = np.empty(len(lines))
    for start in range(0, len(lines), _ROWS):
        some = lines[start : start + _ROWS]
        asked = [texts[text] for text in released.texts[some]]
        logs = model.predict_joint_log_proba(csr_matrix(hstack([words.transform(asked), pieces.transform(asked)])))
        for row, line in enumerate(some):
            own = columns.get(int(released.users[line]))
            if own is not None:
                logs[row, own] = -np.inf
            if n is not None:
                logs[row] += _prior(near.get(int(line)), columns, logs.shape[1])
        best = logs.argmax(axis=1)
        users[start : start + len(some)] = model.classes_[best]
        confidence[start : start + len(some)] = _share(logs, best)
    return Guesses(lines.astype(np.int64), users, confidence)


def _prior(posterior: Posterior | None, columns: dict[int, int], width: int) -> Floats:
    out = np.full(width, np.log(_FLOOR))
    if posterior is not None:
        for user, weight in zip(posterior.users, posterior.weights, strict=True):
            place = columns.get(int(user))
            if place is not None:
                out[place] = np.log(max(float(weight), _FLOOR))
    return out


def _share(logs: Floats, best: npt.NDArray[np.intp]) -> Floats:
    """Return the share of the best column in each row's probabilities."""
    top = logs[np.arange(len(logs)), best]
    share: Floats = 1.0 / np.exp(logs - top[:, None]).sum(axis=1)
    return share
