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

from querymix_lab.attacks import authorship, halves, kernel, kin, membership, paper, repeats, sessions, sybils
from querymix_lab.attacks.attacked import Files, Row, found
from querymix_lab.attacks.logs import Log
from querymix_lab.attacks.scoring import Guesses, TooShortError, score
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

    @property
    def files(self) -> Files:
        """The two logs, as the attacks see them."""
        return Files(self.original, self.released, self.truth)

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
    "repeats": (repeats.KNOWS, lambda released, k, *_: repeats.guess(released, width(k))),
}
"""Attacks that see the released log alone, with what else they know. `+t` is the attack on the log sorted by time
(Pàmies-Estrems et al. 2016, Figure 6: "+T")."""


def _guessed(name: str, case: Case) -> list[Row]:
    knows, attack = GUESSES[name]
    guesses = attack(case.released, case.k, case.delta, case.seed)
    return [score(name, knows, guesses, case.released, case.truth)._asdict()]


def _authorship(case: Case) -> list[Row]:
    return authorship.authorship(case.files, Rules(case.k), case.seed, case.texts)


def _halves(case: Case) -> list[Row]:
    features: tuple[halves.Feature, ...] = ("categories", "words")
    return [
        found(f"halves by {feature}", halves.KNOWS, *halves.halves(case.released, case.texts, feature))
        for feature in features
    ]


def _sessions(case: Case) -> list[Row]:
    return [found("sessions", sessions.KNOWS, *sessions.sessions(case.released, case.texts, case.truth))]


def _membership(case: Case) -> list[Row]:
    if case.outsiders is None:
        raise ValueError("membership needs a log of users who are not in the original: give --outsiders FILE")
    figures = membership.membership(case.released, case.original, case.outsiders)
    return [found("membership (area under ROC)", membership.KNOWS, *figures)]


def _sybils(case: Case) -> list[Row]:
    return sybils.sybils(case.files, Rules(case.k), case.seed)


def _kin(case: Case) -> list[Row]:
    return kin.kin(case.files, Rules(case.k), case.seed, case.texts)


def _residue(case: Case) -> list[Row]:
    left = membership.residue(case.released, case.original, case.texts, case.detector)
    knows = defaultdict(lambda: "nothing", {"one asker": "who asked the text"})
    return [found(f"residue: {what}", knows[what], len(case.released), share, None) for what, share in left.items()]


ATTACKS: Final[dict[str, Callable[[Case], list[Row]]]] = {
    **{name: partial(_guessed, name) for name in GUESSES},
    "authorship": _authorship,
    "halves": _halves,
    "sessions": _sessions,
    "membership": _membership,
    "residue": _residue,
    "sybils": _sybils,
    "kin": _kin,
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
