"""The authorship attack: what users ask gives them away to who has seen their earlier queries.

The attacker holds the first half of the true log, learns each user's words and pieces of words, and names the owner of
every line released in the second half, never the line's own user. With the kernel, its posterior of the line is
multiplied in, so that only users who were released near it count.

Method: multinomial naive Bayes on words and on pieces of three to five characters (scikit-learn). It takes pieces of
one word for independent and is nearly always sure, so its log likelihood is tempered: multiplied by a factor under 1.
It is the one under which most of the last quarter of what the attacker holds, learned from the rest, is named at a
precision of 90 %; the attacked lines have no part in that choice.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np
import numpy.typing as npt
from querymix.core.rules import Rules
from querymix.core.score import width
from scipy.sparse import csr_matrix, hstack
from scipy.special import logsumexp
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.naive_bayes import MultinomialNB

from querymix_lab.attacks.attacked import Attacked
from querymix_lab.attacks.kernel import Posterior, posteriors
from querymix_lab.attacks.logs import Floats, Log
from querymix_lab.attacks.scoring import Guesses, Row, recall

KNOWS: Final = "the first half of the true log, and the classifier"
TEMPERS: Final = (0.1, 0.05, 0.2, 0.3, 0.5, 1.0)
"""Where two are equal, the first counts."""
_ROWS: Final = 4_096
_PIECES: Final = 200_000
_HELD_BACK: Final = 2_000
"""Queries that choose the temper."""
_FLOOR: Final = 1e-6


def authorship(attacked: Attacked, rules: Rules, _seed: int, texts: Sequence[str]) -> list[Row]:
    """Return the attack's figures by texts alone and, where ids last, with the kernel.

    `texts` holds the text of every text number. Raises TooShortError where the attack names nobody.
    """
    released = attacked.released
    if not (attacked.ids == released.users).all():
        # It knows users, and ids of a period are nobody's to it: neither is the line's own left out nor is one near.
        strangers = replace(released, users=np.full(len(released), -1, dtype=np.int64))
        found = {"authorship": guess(attacked.asked, strangers, texts)}
    else:
        found = {
            "authorship": guess(attacked.asked, released, texts),
            "authorship+kernel": guess(attacked.asked, released, texts, width(rules.k)),
        }
    return [attacked.score(name, KNOWS, guesses)._asdict() for name, guesses in found.items()]


def guess(original: Log, released: Log, texts: Sequence[str], n: float | None = None) -> Guesses:
    """Return the likeliest owner of every line released after the original's middle time.

    Args:
        original: the true log; what is at or before its median time trains.
        released: the released log; a user of -1 is unknown.
        texts: the text of every text number.
        n: the kernel's width in releases; None: text alone.
    """
    middle = float(np.median(original.times))
    known = original.take(np.flatnonzero(original.times <= middle)).in_time_order()
    lines = np.flatnonzero(released.times > middle)
    temper, model = _temper(known, texts), _Model(known, texts)
    near = {} if n is None else {one.line: one for one in posteriors(released, n)}
    columns = {int(user): place for place, user in enumerate(model.users)}
    users = np.empty(len(lines), dtype=np.int64)
    confidence = np.empty(len(lines))
    for start in range(0, len(lines), _ROWS):
        some = lines[start : start + _ROWS]
        logs = temper * model.likelihoods([texts[text] for text in released.texts[some]])
        for row, line in enumerate(some.tolist()):
            logs[row] += model.prior if n is None else _prior(near.get(line), columns, logs.shape[1])
            own = columns.get(int(released.users[line]))
            if own is not None:
                logs[row, own] = -np.inf
        best = logs.argmax(axis=1)
        users[start : start + len(some)] = model.users[best]
        confidence[start : start + len(some)] = np.exp(logs.max(axis=1) - logsumexp(logs, axis=1))
    return Guesses(lines.astype(np.int64), users, confidence)


class _Model:
    """What users' words tell, learned from a log."""

    def __init__(self, known: Log, texts: Sequence[str]) -> None:
        learned = [texts[text] for text in known.texts]
        self._words = CountVectorizer(token_pattern=r"\S+", dtype=np.float64)  # noqa: S106 - a pattern, no password
        self._pieces = CountVectorizer(analyzer="char_wb", ngram_range=(3, 5), max_features=_PIECES, dtype=np.float64)
        columns = [self._words.fit_transform(learned), self._pieces.fit_transform(learned)]
        self._bayes = MultinomialNB(alpha=0.01).fit(hstack(columns).tocsr(), known.users)
        self.users: npt.NDArray[np.int64] = self._bayes.classes_
        self.prior: Floats = self._bayes.class_log_prior_

    def likelihoods(self, asked: Sequence[str]) -> Floats:
        """Return the logarithm of each text's likelihood under each user, but for what all have in common."""
        columns = [self._words.transform(asked), self._pieces.transform(asked)]
        logs: Floats = self._bayes.predict_joint_log_proba(csr_matrix(hstack(columns)))
        return logs - self.prior


def _temper(known: Log, texts: Sequence[str]) -> float:
    """Return the factor of `TEMPERS` under which most of a log's last quarter is named at a precision of 90 %."""
    cut = 3 * len(known) // 4
    model = _Model(known.take(np.arange(cut)), texts)
    places = cut + np.flatnonzero(np.isin(known.users[cut:], model.users))
    if not len(places):
        return TEMPERS[0]
    held = known.take(places[:: 1 + len(places) // _HELD_BACK])
    logs = model.likelihoods([texts[text] for text in held.texts])

    def named(temper: float) -> float:
        tempered = temper * logs + model.prior
        sure = np.exp(tempered.max(axis=1) - logsumexp(tempered, axis=1))
        right = tempered.argmax(axis=1) == np.searchsorted(model.users, held.users)
        return recall(right[np.argsort(-sure, kind="stable")].astype(np.float64))

    return max(TEMPERS, key=named)


def _prior(posterior: Posterior | None, columns: dict[int, int], width: int) -> Floats:
    out = np.full(width, np.log(_FLOOR))
    if posterior is not None:
        for user, weight in zip(posterior.users, posterior.weights, strict=True):
            place = columns.get(int(user))
            if place is not None:
                out[place] = np.log(max(float(weight), _FLOOR))
    return out
