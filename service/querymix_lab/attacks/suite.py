"""All attacks by name: what each needs, and its figures in one form.

Every attack gives rows of (name, success, low, high, baseline, recall at 90 %, worst tenth, lines, knows), so that
a table and a file for machines can show them side by side. A figure that an attack does not have is None or absent.

An attack works on a release that is simulated, whose owners are known exactly, or on two files, where they are known as
far as texts tell. Some need the former.
"""

from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
from querymix.core.errors import ConfigError
from querymix.core.identifiers import Detector
from querymix.core.periods import Period
from querymix.core.rules import Rules
from querymix.core.score import width

from querymix_lab.attacks import (
    again,
    arrivals,
    authorship,
    embedding,
    form,
    kernel,
    kin,
    membership,
    moments,
    pairs,
    paper,
    profiles,
    repeats,
    sessions,
    sybils,
    trail,
    verifier,
)  # fmt: skip
from querymix_lab.attacks.attacked import Attacked, Files, named
from querymix_lab.attacks.attacked import found as row
from querymix_lab.attacks.clicks import Clicked
from querymix_lab.attacks.logs import Log
from querymix_lab.attacks.lowering import LOWERED
from querymix_lab.attacks.scoring import Guesses, Row, TooShortError
from querymix_lab.attacks.simulated import Simulated
from querymix_lab.attacks.truth import Truth


@dataclass(frozen=True, kw_only=True)
class Case:
    """What attacks work on."""

    attacked: Attacked
    texts: Sequence[str]
    rules: Rules
    """Of the release, as far as the attacker knows."""
    seed: int = 1
    detector: Detector | None = None
    """Finds what identifies a person in a text."""
    outsiders: Log | None = None
    clicked: Clicked | None = None
    """The clicks of a simulated release's queries."""
    period: Period = None
    """How long ids last in a simulated release."""
    precision: float | None = None
    """The grid of times in it, in seconds."""
    particles: int = arrivals.PARTICLES
    """Of the attack `arrivals`."""
    command: str | None = None
    """The program that judges pairs."""
    most: int = 500
    """Pairs that it judges."""
    patience: float = 120.0
    """Seconds to wait for its next answer."""

    def __repr__(self) -> str:
        """Tell sizes only."""
        return f"Case({self.attacked!r})"

    @property
    def own_returns(self) -> bool:
        """Whether a query stands under its own user."""
        if isinstance(self.attacked, Files):
            return self.attacked.truth.own_returns
        return bool((self.attacked.owners == self.attacked.released.users).any())


class NotAlikeError(TooShortError):
    """An attack that these logs do not allow, however long they are."""


FOREIGN: Final = (
    "the users of RELEASED are not those of LOG (a pseudonym key, or ids of a period): whether a name is right cannot "
    "be told. Leave RELEASED out: the method runs over LOG itself, and each line's owner is known; or release LOG once "
    "more with --pseudonym-period none and no key, for your own eyes"
)
EXACT: Final = (
    "the owner of every line must be known. Leave RELEASED out: the method runs over LOG itself, and each line's owner "
    "is known"
)
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
    attacked = _of_one_population(case)
    guesses = attack(attacked.seen, case.rules.k, case.rules.delta, case.seed)
    return [named(attacked, name, knows, guesses)]


def _of_one_population(case: Case) -> Attacked:
    """Return what is attacked. Raises NotAlikeError where the released users are not those who asked."""
    attacked = case.attacked
    if isinstance(attacked, Files) and not _share(attacked) >= 0.5:
        raise NotAlikeError(FOREIGN)
    return attacked


def _share(files: Files) -> float:
    """Return which share of the released users asked something."""
    released = np.unique(files.released.users)
    return float(np.isin(released, files.asked.users).mean()) if len(released) else 1.0


def _simulated(case: Case) -> Simulated:
    if isinstance(case.attacked, Files):
        raise NotAlikeError(EXACT)
    return case.attacked


def _authorship(case: Case) -> list[Row]:
    return authorship.authorship(_of_one_population(case), case.rules, case.seed, case.texts)


def _halves(case: Case) -> list[Row]:
    features: tuple[profiles.Feature, ...] = ("categories", "words")
    return [
        row(f"halves by {feature}", profiles.KNOWS, *profiles.halves(case.attacked.seen, case.texts, feature))
        for feature in features
    ]


def _sessions(case: Case) -> list[Row]:
    return [row("sessions", sessions.KNOWS, *sessions.sessions(*_with_truth(case)))]


def _with_truth(case: Case) -> tuple[Log, Sequence[str], Truth]:
    """Return the released log, its texts by number, and who asked what."""
    if isinstance(case.attacked, Files):
        return case.attacked.released, case.texts, case.attacked.truth
    askings, truth = case.attacked.exact
    return askings, [case.texts[text] for text in case.attacked.asked.texts.tolist()], truth


def _membership(case: Case) -> list[Row]:
    if case.outsiders is None:
        raise ConfigError("membership needs a log of users who are not in the original: give --outsiders FILE")
    found = membership.membership(case.attacked.released, case.attacked.asked, case.outsiders)
    return [row("membership (area under ROC)", membership.KNOWS, *found)]


def _sybils(case: Case) -> list[Row]:
    return sybils.sybils(case.attacked, case.rules, case.seed)


def _residue(case: Case) -> list[Row]:
    if case.detector is None:
        raise NotAlikeError("no detector of identifiers was given")
    released = case.attacked.released
    left = membership.residue(released, case.attacked.asked, case.texts, case.detector)
    knows = defaultdict(lambda: "nothing", {"one asker": "who asked the text"})
    return [row(f"residue: {what}", knows[what], len(released), share, None) for what, share in left.items()]


def _arrivals(case: Case) -> list[Row]:
    return arrivals.arrivals(_simulated(case), case.rules, case.seed, particles=case.particles)


def _trail(case: Case) -> list[Row]:
    return trail.trail(_simulated(case), case.rules, case.seed, period=case.period, precision=case.precision)


def _profiles(case: Case) -> list[Row]:
    return profiles.profiles(_simulated(case), case.rules, case.seed, period=case.period)


def _kin(case: Case) -> list[Row]:
    return kin.kin(_of_one_population(case), case.rules, case.seed, case.texts)


def _again(case: Case) -> list[Row]:
    if case.period is not None:
        raise NotAlikeError("lines of several releases are added up by ids that last: give --pseudonym-period none")
    return again.again(_simulated(case), case.rules, case.seed)


def _time(case: Case) -> list[Row]:
    return moments.time(_simulated(case), case.rules, case.seed, case.precision)


def _form(case: Case) -> list[Row]:
    return form.form(_simulated(case), case.rules, case.seed)


def _pairs(case: Case) -> list[Row]:
    return pairs.pairs(_simulated(case), case.rules, case.seed, case.texts, case.clicked)


def _embedding(case: Case) -> list[Row]:
    return embedding.embedding(_simulated(case), case.rules, case.seed, case.texts)


def _verifier(case: Case) -> list[Row]:
    if case.command is None:
        raise ConfigError("verifier needs a program of yours that judges pairs: give --verifier CMD")
    return verifier.verifier(
        _simulated(case), case.seed, case.texts, case.command, most=case.most, patience=case.patience
    )


ATTACKS: Final[dict[str, Callable[[Case], list[Row]]]] = {
    **{name: partial(_guessed, name) for name in GUESSES},
    "kin": _kin,
    "residue": _residue,
    "halves": _halves,
    "profiles": _profiles,
    "sessions": _sessions,
    "trail": _trail,
    "time": _time,
    "form": _form,
    "arrivals": _arrivals,
    "again": _again,
    "authorship": _authorship,
    "embedding": _embedding,
    "pairs": _pairs,
    "verifier": _verifier,
    "membership": _membership,
    "sybils": _sybils,
}
QUICK: Final = ("d1", "kernel", "repeats", "kin", "residue", "profiles", "trail", "pairs")
"""What runs over one's own log unless methods are named: a minute at most."""
QUICK_OF_FILES: Final = (*paper.METHODS, "kernel", "repeats", "halves", "residue")
"""The same for two files."""


def run(case: Case, names: Sequence[str], begin: Callable[[str], None]) -> tuple[list[Row], list[str]]:
    """Return the figures of the attacks, and why some could not run; `begin` is told each name before it runs.

    Raises ConfigError where an attack lacks what an operator must give, and as `verifier.verifier` does.
    """
    rows: list[Row] = []
    failed: dict[str, list[str]] = {}
    for name in names:
        begin(name)
        try:
            rows += [found | {"lowered": LOWERED[name]} for found in ATTACKS[name](case)]
        except NotAlikeError as error:
            failed.setdefault(str(error), []).append(name)
        except TooShortError as error:
            failed.setdefault(str(error), [])
    return rows, [f"{', '.join(names)}: {why}" if names else why for why, names in failed.items()]


def files_of(original: Log, released: Log) -> Files:
    """Return two logs that were read. Raises ConfigError where they have nothing in common."""
    try:
        return Files.of(original, released)
    except ValueError as error:
        raise ConfigError(str(error)) from None
