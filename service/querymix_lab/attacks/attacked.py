"""What an attack works on, simulated or read from two files, and its figures as a row.

Rules:
- One line is one query: the rows of one query, one a click, are joined in both logs.
- Guesses name ids that stand in the released log; right is the id that the owner left under. In files an id is a
  user's for good; a simulation may give it another one in each period.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from querymix_lab.attacks.logs import Ints, Log
from querymix_lab.attacks.scoring import Guesses, Row, Score, score
from querymix_lab.attacks.simulated import Simulated, joined
from querymix_lab.attacks.truth import Truth, truth_of


@dataclass(frozen=True)
class Files:
    """A log of n queries and m released lines, read from files whose users are the same."""

    asked: Log
    released: Log
    truth: Truth

    @classmethod
    def of(cls, original: Log, released: Log) -> "Files":
        """Join the rows of both logs. Raises ValueError where they have nothing in common."""
        asked, lines = joined(original), released.take(first_rows(released))
        return cls(asked, lines, truth_of(asked, lines))

    def __repr__(self) -> str:
        return f"Files({len(self.asked)} queries, {len(self.released)} lines)"

    @property
    def ids(self) -> Ints:
        """The id of each line."""
        return self.released.users

    @property
    def seen(self) -> Log:
        """What the attacker sees."""
        return self.released

    def score(self, attack: str, knows: str, guesses: Guesses, baseline: Ints | None = None) -> Score:
        """Return the figures of guesses at the owners of lines of `released`; raises as `scoring.score` does."""
        return score(attack, knows, guesses, self.released, self.truth, baseline)


Attacked = Simulated | Files


def first_rows(released: Log) -> npt.NDArray[np.intp]:
    """Return the place of each query's first row: the rows of one stand together, of one user, text and time."""
    columns = (released.users, released.texts, released.times)
    same = [column[1:] == column[:-1] for column in columns]
    return np.flatnonzero(np.append(True, ~np.logical_and.reduce(same))[: len(released)])


def named(attacked: Attacked, attack: str, knows: str, guesses: Guesses, baseline: Ints | None = None) -> Row:
    """Return the figures of guesses that name an id for lines of `attacked.seen`; raises as `scoring.score` does."""
    if (attacked.ids == attacked.released.users).all():  # a guess may be at somebody whom this release lacks
        return attacked.score(attack, knows, guesses, baseline)._asdict()
    users = np.full(int(attacked.ids.max(initial=0)) + 1, -1, dtype=np.int64)
    users[attacked.ids] = attacked.released.users
    guesses = Guesses(guesses.lines, np.where(guesses.users < 0, -1, users[guesses.users]), guesses.confidence)
    return attacked.score(attack, knows, guesses, baseline)._asdict()


def found(attack: str, knows: str, lines: int, success: float, baseline: float | None) -> Row:
    """Return the figures of an attack that names no owners."""
    return {"attack": attack, "knows": knows, "lines": lines, "success": success, "baseline": baseline}
