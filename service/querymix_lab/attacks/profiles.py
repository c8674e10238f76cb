"""The profiles attack: how many lines of each category stand under an id tells whose it is.

The method keeps these counts on purpose: they are a user's profile. So where a user has several ids, one after the
other, or where somebody knows a person's counts from elsewhere, counts can be put together:

- two halves: at the middle of the log all users get new ids (another pseudonym key);
- neighbouring periods: the ids of a period are put together with those of the next;
- distant periods: with those of the period half a log later, so that what waits in the pools is not the same;
- known counts: those of a person's searches, to the ids of the log.

Two vectors of counts are as alike as a Dirichlet-multinomial distribution finds it likelier that both are drawn from
one mixture of categories than from two (the mean of the mixtures is the log's own), and as their sums are. All ids are
put together at once, one to one, so that the sum is largest.

`halves` also compares the words of the lines under an id (other users' queries): a low figure for words and a high one
for categories is what the method promises.

The attacker needs the released log, the classifier, and for `known counts` the person's counts.

Source: Jonker and Volgenant 1987 (the assignment); Unnikrishnan and Naini 2013 (of histograms).
"""

from collections.abc import Iterator, Sequence
from typing import Final, Literal

import numpy as np
import numpy.typing as npt
from querymix.core.periods import Period
from querymix.core.rules import Rules
from scipy.optimize import linear_sum_assignment
from scipy.sparse import csr_matrix
from scipy.special import gammaln
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.preprocessing import normalize

from querymix_lab.attacks.logs import Floats, Ints, Log
from querymix_lab.attacks.scoring import Found, Row, TooShortError, interval
from querymix_lab.attacks.simulated import Simulated

KNOWS: Final = "the classifier"
KNOWS_COUNTS: Final = "how often a person searched in each category"
FEWEST: Final = 10
"""Released lines that a user needs in each half to take part."""
MANY: Final = 50
PERIODS: Final = 25
Feature = Literal["categories", "words"]
_CONCENTRATION: Final = 10.0
"""How alike the mixtures of users are: as if so many lines of each were drawn from the log's."""
_SPREAD: Final = 0.5
"""Standard deviation of the logarithm of how much more one user searches in one half than in the other."""
_DAY: Final = 86_400.0


def alike(first: Floats, second: Floats) -> Floats:
    """Return how alike vectors of counts are, of shape (a, categories) and (b, categories), as (a, b)."""
    mean = first.sum(axis=0) + second.sum(axis=0) + 0.1
    prior = _CONCENTRATION * mean / mean.sum()
    one, other = _evidence(first, prior), _evidence(second, prior)
    out = np.empty((len(first), len(second)))
    for row, counts in enumerate(first):
        out[row] = _evidence(counts + second, prior) - one[row] - other
    sums = np.log(first.sum(axis=1) + 0.5)[:, None], np.log(second.sum(axis=1) + 0.5)[None, :]
    likeness: Floats = out - 0.5 * ((sums[0] - sums[1]) / _SPREAD) ** 2
    return likeness


def _evidence(counts: Floats, prior: Floats) -> Floats:
    """Return the log probability of each row of counts, but for a factor that falls out."""
    parts: Floats = (gammaln(counts + prior) - gammaln(prior)).sum(axis=-1)
    whole: Floats = gammaln(counts.sum(axis=-1) + prior.sum()) - gammaln(prior.sum())
    return parts - whole


def assigned(likeness: Floats) -> Ints:
    """Return for each column the row it is put together with, one to one; -1: none."""
    rows, columns = linear_sum_assignment(likeness, maximize=True)
    out = np.full(likeness.shape[1], -1, dtype=np.int64)
    out[columns] = rows
    return out


def profiles(
    simulated: Simulated, rules: Rules, seed: int, *, period: Period = None
) -> list[Row]:  # fmt: skip
    """Return how often the ids of one user are put together, and known counts with the person's id.

    Args:
        simulated: what was released.
        rules: of the pools; nothing of them is needed.
        seed: of the periods that are looked at.
        period: how long ids last in `simulated`.

    Raises TooShortError where fewer than two users have enough lines for any of it.
    """
    if not len(simulated.released):
        raise TooShortError("profiles: nothing was released")
    rows = [row for fewest in (FEWEST, MANY) for row in _two_halves(simulated.released, fewest)]
    rng = np.random.default_rng(seed)
    if period is not None and not isinstance(period, str):
        for name, number in (("neighbouring", 1), ("distant", round(float(np.ptp(simulated.moments)) / period / 2))):
            rows += _across(f"profiles, {name} periods", simulated, period, number, rng)
    rows += _known_counts(simulated, period, rng)
    if not rows:
        raise TooShortError("profiles: the log is too short to put ids together")
    return rows


def _two_halves(log: Log, fewest: int) -> Iterator[Row]:
    late = log.times > np.median(log.times)
    early_counts, late_counts = _counts(log, ~late), _counts(log, late)
    users = np.flatnonzero((early_counts.sum(axis=1) >= fewest) & (late_counts.sum(axis=1) >= fewest))
    if len(users) < 2:
        return
    right = assigned(alike(early_counts[users], late_counts[users])) == np.arange(len(users))
    yield _row(f"profiles, two halves of {fewest} lines", KNOWS, right, np.ones(len(users)), 1 / len(users))


def _counts(log: Log, some: npt.NDArray[np.bool_], users: int | None = None) -> Floats:
    """Return counts by user and category of the lines that are chosen."""
    size = int(log.users.max(initial=0)) + 1 if users is None else users
    counts = np.zeros((size, int(log.categories.max(initial=0)) + 3))
    np.add.at(counts, (log.users[some], log.categories[some] + 2), 1.0)
    return counts


def _across(
    name: str, simulated: Simulated, period: float, apart: int, rng: np.random.Generator
) -> Iterator[Row]:  # fmt: skip
    log = simulated.released
    numbers = np.floor(simulated.moments / period).astype(np.int64)
    size = int(log.users.max()) + 1
    right, tried, chance = np.zeros(size), np.zeros(size), 0.0
    starts = np.intersect1d(numbers, numbers - apart)
    for number in rng.permutation(starts).tolist()[:PERIODS]:
        sides = [_counts(log, numbers == number + step) for step in (0, apart)]
        first, second = (np.flatnonzero(side.sum(axis=1)) for side in sides)
        both = np.intersect1d(first, second)
        if len(first) < 2 or not len(both):
            continue
        found = assigned(alike(sides[0][first], sides[1][second]))
        named = second[(found >= 0) & (first[np.maximum(found, 0)] == second)]
        right[named] += 1
        tried[both] += 1
        chance += len(both) / max(len(first), len(second))
    if tried.any():
        yield _row(name, KNOWS, right[tried > 0], tried[tried > 0], chance / tried.sum())


def _known_counts(simulated: Simulated, period: Period, rng: np.random.Generator) -> Iterator[Row]:
    """Put the counts of everybody's searches together with the ids of the log, or of a period."""
    asked, log = simulated.asked, simulated.released
    length = _DAY if isinstance(period, str) else period
    starts = asked.times * 0 if length is None else np.floor(asked.times / length)
    leaving = log.times * 0 if length is None else np.floor(simulated.moments / length)
    size = int(asked.users.max(initial=0)) + 1
    right, tried, chance = np.zeros(size), np.zeros(size), 0.0
    for number in rng.permutation(np.unique(leaving)).tolist()[: PERIODS if length else 1]:
        known = _counts(asked, starts == number)
        here = np.flatnonzero(leaving == number)
        _, firsts, ids = np.unique(simulated.ids[here], return_index=True, return_inverse=True)
        owners = log.users[here[firsts]]
        seen = np.zeros((len(owners), known.shape[1]))
        np.add.at(seen, (ids.reshape(-1), log.categories[here] + 2), 1.0)
        people = np.intersect1d(np.flatnonzero(known.sum(axis=1)), owners)
        if len(people) < 2:
            continue
        found = assigned(alike(seen, known[people]))
        named = people[(found >= 0) & (owners[np.maximum(found, 0)] == people)]
        right[named] += 1
        tried[people] += 1
        chance += sum(float((owners == person).mean()) for person in people.tolist())
    if tried.any():
        name = "profiles, known counts"
        yield _row(name, KNOWS_COUNTS, right[tried > 0], tried[tried > 0], chance / tried.sum())


def _row(attack: str, knows: str, right: npt.NDArray[np.generic], tried: Floats, baseline: float) -> Row:
    hits = right.astype(np.float64)
    low, high = interval(hits, tried)
    return {
        "attack": attack, "knows": knows, "lines": int(tried.sum()), "success": float(hits.sum() / tried.sum()),
        "low": low, "high": high, "baseline": float(baseline),
    }  # fmt: skip


def halves(log: Log, texts: Sequence[str], feature: Feature) -> Found:
    """Link the two halves of every user's lines, cut at the log's median time.

    Found are users, right those whose second half is put together with their own first half; the baseline is
    1 / users. Raises TooShortError where fewer than two users have `FEWEST` lines in each half.
    """
    if not len(log):
        raise TooShortError("nothing was released: there are no halves to link")
    late = log.times > np.median(log.times)
    size = int(log.users.max(initial=0)) + 1
    counts = [np.bincount(log.users[half], minlength=size) for half in (~late, late)]
    users = np.flatnonzero((counts[0] >= FEWEST) & (counts[1] >= FEWEST))
    if len(users) < 2:
        raise TooShortError(f"fewer than two users have {FEWEST} lines in each half: the log is too short for halves")
    if feature == "categories":
        likeness = alike(*(_counts(log, half)[users] for half in (~late, late)))
    else:
        likeness = _by_words(log, texts, late, users)
    return Found(len(users), float((assigned(likeness) == np.arange(len(users))).mean()), 1 / len(users))


def _by_words(log: Log, texts: Sequence[str], late: npt.NDArray[np.bool_], users: npt.NDArray[np.intp]) -> Floats:
    """Return the cosine of the words of the users' halves, rarer ones weighing more."""
    rows = np.full(int(log.users.max()) + 1, -1)
    rows[users] = np.arange(len(users))
    lines, columns = _words(log, texts)
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
    return np.asarray((first @ second.T).todense(), dtype=np.float64)


def _words(log: Log, texts: Sequence[str]) -> tuple[Ints, Ints]:
    """Return (line, column) of every word."""
    numbers: dict[str, int] = {}
    words = {int(text): [numbers.setdefault(w, len(numbers)) for w in texts[text].split()] for text in set(log.texts)}
    per_line = [words[int(text)] for text in log.texts]
    lines = np.repeat(np.arange(len(log)), [len(found) for found in per_line])
    return lines, np.array([word for found in per_line for word in found], dtype=np.int64)
