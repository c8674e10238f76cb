"""The pairs attack: are two released lines one owner's?

Boosted trees (scikit-learn's HistGradientBoostingClassifier) learn it from the lines of other users whose owners are
known: from words and pieces of words, times, categories, hosts, ranks, ids, and what the kernel says of both. Their
probabilities are calibrated on further users (isotonic regression).

A public evaluation of linkage on another released search log reports a precision of 0.022, a recall of 0.85 and an F1
of 0.042; its pairs are not ours, so that only the order of size can be compared.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from querymix.core.rules import Rules
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.isotonic import IsotonicRegression
from threadpoolctl import threadpool_limits

from querymix_lab.attacks.clicks import Clicked
from querymix_lab.attacks.logs import Floats
from querymix_lab.attacks.pairing import (
    Candidates,
    Judged,
    Lines,
    candidates,
    features,
    judged,
    lines_of,
    parts,
    posteriors_of,
)
from querymix_lab.attacks.scoring import Row, TooShortError
from querymix_lab.attacks.simulated import Simulated

KNOWS: Final = "the owners of other users' lines, the classifier and about how large k is"
SHARES: Final = (0.35, 0.15, 0.5)
"""Of the users: those learned from, calibrated on, attacked."""
MOST: Final = 100_000
"""Pairs of each part, at most; drawn by the seed where there are more."""
FEWEST: Final = 50
"""Pairs of one owner, and pairs of two, that each part needs."""


def pairs(
    simulated: Simulated, rules: Rules, seed: int, texts: Sequence[str], clicked: Clicked | None = None
) -> list[Row]:
    """Return the attack's row.

    Args:
        simulated: the release.
        rules: of its pools; the attacker knows about how large k is.
        seed: what chance begins with.
        texts: the text of every text number.
        clicked: the clicks of `simulated.asked`.

    Raises TooShortError where a part has too few pairs to learn from.
    """
    clicked = clicked or Clicked.none(len(simulated.asked))
    near = posteriors_of(simulated.seen, rules.k)
    (fit, fitting, _), (hold, holding, _), (lines, tried, share) = [
        some(lines_of(simulated, texts, clicked, near, users), seed) for users in parts(simulated.owners, SHARES, seed)
    ]
    trees = HistGradientBoostingClassifier(max_iter=100, random_state=seed)
    calibrated = IsotonicRegression(y_min=0, y_max=1, out_of_bounds="clip")
    with threadpool_limits(1, user_api="openmp"):  # threads that wait for each other take far longer on a busy machine
        trees.fit(features(fit, fitting), truth(fit, fitting))
        calibrated.fit(trees.predict_proba(features(hold, holding))[:, 1], truth(hold, holding))
        raw = trees.predict_proba(features(lines, tried))[:, 1]
    # The trees' own probability breaks the ties that isotonic regression makes, and moves none by more than 1e-6.
    said: Floats = np.clip(calibrated.predict(raw) + 1e-6 * (raw - 0.5), 0, 1)
    return [row("pairs", KNOWS, judged(said, lines, tried, share))]


def some(lines: Lines, seed: int) -> tuple[Lines, Candidates, float]:
    """Return at most `MOST` candidates of these lines, and the share of all candidates that they are.

    Raises TooShortError where too few are one owner's, or two owners'.
    """
    found = candidates(lines)
    share = min(1.0, MOST / max(1, len(found.first)))
    if share < 1:
        found = found.take(np.sort(np.random.default_rng(seed).choice(len(found.first), MOST, replace=False)))
    same = truth(lines, found).sum()
    if min(same, len(found.first) - same) < FEWEST:
        raise TooShortError(f"fewer than {FEWEST} pairs of lines share a rare word: the log is too short for pairs")
    return lines, found, share


def truth(lines: Lines, found: Candidates) -> "np.ndarray[Any, np.dtype[np.bool_]]":
    """Say for each pair whether both lines are one owner's."""
    same: np.ndarray[Any, np.dtype[np.bool_]] = lines.owners[found.first] == lines.owners[found.second]
    return same


def row(attack: str, knows: str, found: Judged) -> Row:
    """Return the figures of a judge of pairs in the form of all attacks: its success is its precision."""
    told = (
        f"{found.pairs:,} pairs judged: precision {found.precision:.3f}, recall {found.recall:.3f}, best F1 "
        f"{found.f1:.3f}; over all pairs of lines recall {found.recall_of_all:.3f}, best F1 {found.f1_of_all:.3f} "
        "(another release in public: 0.022, 0.85, 0.042)"
    )
    figures = {name: value for name, value in found._asdict().items() if name not in ("claimed", "precision")}
    return figures | {
        "attack": attack, "knows": knows, "lines": found.claimed, "success": found.precision, "told": told,
    }  # fmt: skip
