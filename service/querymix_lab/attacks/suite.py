"""All attacks by name: what each needs, and its figures in one form.

Every attack gives rows of (name, success, low, high, baseline, recall at 90 %, worst tenth, lines, knows), so that
a table and a file for machines can show them side by side. A figure that an attack does not have is None.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from querymix.core.identifiers import Detector
from querymix.core.rules import Rules
from querymix.core.score import width

from querymix_lab.attacks import authorship, kernel, membership, paper, profiles, repeats, sessions, sybils
from querymix_lab.attacks.logs import Log
from querymix_lab.attacks.scoring import Guesses, Row, TooShortError, score
from querymix_lab.attacks.truth import Truth


@dataclass(frozen=True)
class Case:
    """What attacks work on."""

    original: Log
    released: Log
    truth: Truth
    texts: Sequence[str]
    detector: Detector
    k: int
    delta: str
    seed: int
    outsiders: Log | None = None

    def __repr__(self) -> str:
        """Tell sizes only."""
        return f"Case({len(self.original)} lines, {len(self.released)} released)"


Attack = Callable[[Log, int, str, int], Guesses]
"""(released, k, delta, seed) -> guesses."""


def _in_time_order(method: str, released: Log, k: int, delta: str, seed: int) -> Guesses:
    order = np.argsort(released.times, kind="stable")
    guesses = paper.deanonymize(method, released.take(order), k, delta, seed)
    return Guesses(order[guesses.lines].astype(np.int64), guesses.users, guesses.confidence)


GUESSES: Final[dict[str, tuple[str, Attack]]] = {
    **{name: (paper.KNOWS, partial(paper.deanonymize, name)) for name in paper.METHODS},
    **{f"{name}+t": (paper.KNOWS, partial(_in_time_order, name)) for name in paper.METHODS},
    "kernel": (kernel.KNOWS, lambda released, k, *_: kernel.kernel(released, width(k))),
    "repeats": (repeats.KNOWS, lambda released, k, *_: repeats.repeats(released, width(k))),
}
"""Attacks that see the released log alone, with what else they know. `+t` is the attack on the log sorted by time
(Pàmies-Estrems et al. 2016, Figure 6: "+T")."""


def _guessed(name: str, case: Case) -> list[Row]:
    knows, attack = GUESSES[name]
    guesses = attack(case.released, case.k, case.delta, case.seed)
    return [score(name, knows, guesses, case.released, case.truth)._asdict()]


def _authorship(case: Case) -> list[Row]:
    rows = []
    for name, n in (("authorship", None), ("authorship+kernel", width(case.k))):
        guesses = authorship.authorship(case.original, case.released, case.texts, n)
        rows.append(score(name, authorship.KNOWS, guesses, case.released, case.truth)._asdict())
    return rows


def _halves(case: Case) -> list[Row]:
    features: tuple[profiles.Feature, ...] = ("categories", "words")
    return [
        _row(f"halves by {feature}", profiles.KNOWS, *profiles.halves(case.released, case.texts, feature))
        for feature in features
    ]


def _sessions(case: Case) -> list[Row]:
    return [_row("sessions", sessions.KNOWS, *sessions.sessions(case.released, case.texts, case.truth))]


def _membership(case: Case) -> list[Row]:
    if case.outsiders is None:
        raise ValueError("membership needs a log of users who are not in the original: give --outsiders FILE")
    found = membership.membership(case.released, case.original, case.outsiders)
    return [_row("membership (area under ROC)", membership.KNOWS, *found)]


def _sybils(case: Case) -> list[Row]:
    log = case.original.classified().in_time_order()
    rules = Rules(case.k)
    return [sybils.sybils(log, rules, accounts, case.seed)._asdict() for accounts in (sybils.NEW, sybils.AGED)]


def _residue(case: Case) -> list[Row]:
    left = membership.residue(case.released, case.original, case.texts, case.detector)
    knows = defaultdict(lambda: "nothing", {"one asker": "who asked the text"})
    return [_row(f"residue: {what}", knows[what], len(case.released), share, None) for what, share in left.items()]


def _row(attack: str, knows: str, lines: int, success: float, baseline: float | None) -> Row:
    return {"attack": attack, "knows": knows, "lines": lines, "success": success, "baseline": baseline}


ATTACKS: Final[dict[str, Callable[[Case], list[Row]]]] = {
    **{name: partial(_guessed, name) for name in GUESSES},
    "authorship": _authorship,
    "halves": _halves,
    "sessions": _sessions,
    "membership": _membership,
    "residue": _residue,
    "sybils": _sybils,
}
QUICK: Final = (*paper.METHODS, "kernel", "repeats", "halves", "residue")
"""What runs unless methods are named: seconds, not minutes."""


def run(case: Case, names: Sequence[str], begin: Callable[[str], None]) -> tuple[list[Row], list[str]]:
    """Return the figures of the attacks, and why some could not run; `begin` is told each name before it runs."""
    rows: list[Row] = []
    failed: list[str] = []
    for name in names:
        begin(name)
        try:
            rows += ATTACKS[name](case)
        except TooShortError as error:
            failed.append(str(error))
    return rows, failed
