"""Who owned a released query, as far as the original log tells, and how right a guess is.

Rules:
- A released line's owner is one of the users who asked its text. In a log in which no query returns to its own user
  (`distinct` mode) the line's user is none of them.
- Where one user is left, the owner is known. Only such lines score an attack: which of several askings of a common text
  left cannot be told from files, and a heavy user's do not leave in proportion to their number.
- The credit of a guess on other lines is the guessed user's share of the askings.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from querymix_lab.attacks.logs import Floats, Ints, Log

UNMATCHED = "no line of the released log is a query of the original: are the users pseudonyms, or the files swapped?"


@dataclass(frozen=True)
class Truth:
    """Askings by text and user: `keys` is text * `width` + user, sorted, `counts` how often it was asked."""

    keys: Ints
    counts: Ints
    totals: Ints
    """Askings by text."""
    width: int
    own_returns: bool
    """Whether a query may stand under its own user."""

    def credit(self, released: Log, guesses: Ints) -> Floats:
        """Return for each line the probability that its guess is right; a guess of -1 is none."""
        asked = self.asked(released.texts, guesses)
        own = 0 if self.own_returns else self.asked(released.texts, released.users)
        possible = self.totals[released.texts] - own
        wrong = (guesses < 0) | ((guesses == released.users) & (not self.own_returns))
        return np.where(wrong | (possible <= 0), 0.0, asked / np.maximum(possible, 1))

    def known(self, released: Log) -> npt.NDArray[np.bool_]:
        """Say for each line whether its owner is known: one user asked its text, the line's own user left out."""
        askers = np.bincount(self.keys // self.width, minlength=len(self.totals))[released.texts]
        if not self.own_returns:
            askers = askers - (self.asked(released.texts, released.users) > 0)
        one: npt.NDArray[np.bool_] = askers == 1
        return one

    def owned(self, released: Log, users: int) -> Floats:
        """Return by user the expected number of released lines that it owns; shape (users,)."""
        first = np.searchsorted(self.keys, released.texts * self.width)
        last = np.searchsorted(self.keys, (released.texts + 1) * self.width)
        sizes = last - first
        lines = np.repeat(np.arange(len(released)), sizes)
        places = np.arange(sizes.sum()) - np.repeat(np.cumsum(sizes) - sizes, sizes) + np.repeat(first, sizes)
        owners = self.keys[places] % self.width
        weights: Floats = self.credit(released.take(lines), owners)
        return np.bincount(owners, weights, users).astype(np.float64)

    def owners(self, text: int) -> Ints:
        """Return the users who asked a text."""
        first, last = np.searchsorted(self.keys, [text * self.width, (text + 1) * self.width])
        return self.keys[first:last] % self.width

    def asked(self, texts: Ints, users: Ints) -> Ints:
        """Return how often each user asked the text beside it; 0 for a user of -1."""
        keys = texts * self.width + np.maximum(users, 0)
        places = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
        return np.where((users >= 0) & (self.keys[places] == keys), self.counts[places], 0)


def truth_of(original: Log, released: Log) -> Truth:
    """Return the truth about a released log.

    Raises ValueError where the two logs have no text in common.
    """
    width = int(max(original.users.max(initial=0), released.users.max(initial=0))) + 1
    texts = int(max(original.texts.max(initial=0), released.texts.max(initial=0))) + 1
    keys, counts = np.unique(original.texts * width + original.users, return_counts=True)
    totals: npt.NDArray[np.int64] = np.bincount(original.texts, minlength=texts)
    if not len(keys) or not totals[released.texts].any():
        raise ValueError(UNMATCHED)
    candid = Truth(keys, counts, totals, width, own_returns=True)
    only_own = (candid.asked(released.texts, released.users) == totals[released.texts]) & (totals[released.texts] > 0)
    return Truth(keys, counts, totals, width, own_returns=bool(only_own.any()))
