"""Pairs of released lines that may be one owner's: which are looked at, what they have in common, how right a judge is.

Rules:
- Pairs that share a rare word, a rare host or an id at neighbouring places are looked at (`candidates`): all others
  count as judged different, so that `of_all` figures are over every pair of lines.
- Users are parted: what learns, what calibrates and what is judged have no owner in common. Each part is taken for a
  log of its own, so that nothing of the judged part's words is known beforehand.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt
from querymix.core.score import width
from scipy.sparse import csr_matrix
from sklearn.feature_extraction.text import CountVectorizer, TfidfTransformer

from querymix_lab.attacks.clicks import Clicked, hosts_of
from querymix_lab.attacks.kernel import posteriors
from querymix_lab.attacks.logs import Floats, Ints, Log
from querymix_lab.attacks.scoring import PRECISION, interval
from querymix_lab.attacks.simulated import Simulated

RAREST: Final = 200
"""Lines that share a word, or a host, at most, where its pairs are looked at."""
_BESIDE: Final = 2
"""Neighbours under one id that are looked at."""
_ROWS: Final = 50_000


@dataclass(frozen=True)
class Lines:
    """Lines that pairs are made of, with what they hold; n lines."""

    log: Log
    """As the attacker sees them."""
    owners: Ints
    words: csr_matrix
    """Words by line: 1 where it has the word; shape (n, words)."""
    pieces: csr_matrix
    """Weighted pieces of three to five characters, of unit length; shape (n, pieces)."""
    hosts: csr_matrix
    """Hosts by line; shape (n, hosts)."""
    ranks: Floats
    near: csr_matrix
    """The kernel's posteriors by line; shape (n, ids)."""

    def __repr__(self) -> str:
        return f"Lines({len(self.log)})"


def lines_of(simulated: Simulated, texts: Sequence[str], clicked: Clicked, near: csr_matrix, users: Ints) -> Lines:
    """Return the released lines whose owners are among `users`; `near` is what `posteriors_of` gives of all lines."""
    places = np.flatnonzero(np.isin(simulated.owners, users))
    log = simulated.seen.take(places)
    askings = simulated.askings[places]
    distinct, rows = np.unique(log.texts, return_inverse=True)
    found = [texts[text] for text in distinct] or [""]
    words = CountVectorizer(token_pattern=r"\S+", binary=True, dtype=np.float64)  # noqa: S106 - a pattern
    pieces = CountVectorizer(analyzer="char_wb", ngram_range=(3, 5), max_features=100_000, dtype=np.float64)
    try:
        by_word, by_piece = (
            words.fit_transform(found),
            TfidfTransformer(sublinear_tf=True).fit_transform(pieces.fit_transform(found)),
        )
    except ValueError:  # of scikit-learn, where no text has a word
        by_word = by_piece = csr_matrix((len(found), 1))
    line, host = hosts_of(clicked, askings)
    hosts = csr_matrix((np.ones(len(line)), (line, host)), shape=(len(log), int(host.max(initial=0)) + 1))
    return Lines(
        log, simulated.owners[places], csr_matrix(by_word)[rows], csr_matrix(by_piece)[rows], hosts,
        clicked.ranks[askings], near[places],
    )  # fmt: skip


def posteriors_of(seen: Log, k: int) -> csr_matrix:
    """Return the kernel's posteriors of all lines, which are seen whoever their owners are."""
    found = list(posteriors(seen, width(k)))
    rows = np.repeat([one.line for one in found], [len(one.users) for one in found]).astype(np.int64)
    columns = np.concatenate([one.users for one in found]) if found else np.zeros(0, dtype=np.int64)
    weights = np.concatenate([one.weights for one in found]) if found else np.zeros(0)
    return csr_matrix((weights, (rows, columns)), shape=(len(seen), int(seen.users.max(initial=0)) + 1))


class Candidates(NamedTuple):
    """Pairs of places in `Lines`, the first before the second."""

    first: Ints
    second: Ints

    def take(self, places: npt.NDArray[np.intp] | npt.NDArray[np.bool_]) -> "Candidates":
        """Return some of them."""
        return Candidates(self.first[places], self.second[places])


def candidates(lines: Lines) -> Candidates:
    """Return the pairs that are looked at, each once, in order."""
    size = max(1, len(lines.log))
    made = [_sharing(lines.words), _sharing(lines.hosts), _beside(lines.log.users)]
    keys = np.unique(np.concatenate([first * size + second for first, second in made]))
    return Candidates(keys // size, keys % size)


def _sharing(held: csr_matrix) -> tuple[Ints, Ints]:
    """Return pairs of lines that share something which few hold."""
    columns = held.tocsc()
    firsts, seconds = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    sizes = np.diff(columns.indptr)
    for size in range(2, RAREST + 1):
        starts = columns.indptr[:-1][sizes == size]
        if len(starts):
            group = np.sort(columns.indices[starts[:, None] + np.arange(size)].astype(np.int64), axis=1)
            one, other = np.triu_indices(size, 1)
            firsts.append(group[:, one].ravel())
            seconds.append(group[:, other].ravel())
    return np.concatenate(firsts), np.concatenate(seconds)


def _beside(ids: Ints) -> tuple[Ints, Ints]:
    """Return pairs of lines that follow each other under one id."""
    order = np.argsort(ids, kind="stable")
    firsts, seconds = [np.zeros(0, dtype=np.int64)], [np.zeros(0, dtype=np.int64)]
    for step in range(1, _BESIDE + 1):
        one, other = order[:-step], order[step:]
        same = ids[one] == ids[other]
        firsts.append(one[same].astype(np.int64))
        seconds.append(other[same].astype(np.int64))
    return np.concatenate(firsts), np.concatenate(seconds)


def features(lines: Lines, pairs: Candidates) -> Floats:
    """Return what the two lines of each pair have in common; shape (pairs, features)."""
    often = np.asarray(lines.words.sum(axis=0)).ravel()
    rarity = np.log((1 + len(lines.log)) / (1 + often))
    weighed = csr_matrix(lines.words.multiply(rarity[None, :]))
    length = np.sqrt(np.asarray(weighed.multiply(weighed).sum(axis=1)).ravel())
    number = np.asarray(lines.words.sum(axis=1)).ravel()
    host = np.log((1 + len(lines.log)) / (1 + np.asarray(lines.hosts.sum(axis=0)).ravel()))
    hosts, clicks = csr_matrix(lines.hosts.multiply(host[None, :])), np.asarray(lines.hosts.sum(axis=1)).ravel()
    _, text, asked = np.unique(lines.log.texts, return_inverse=True, return_counts=True)
    place = np.empty(len(lines.log))
    for places in lines.log.pools():
        place[places] = np.arange(len(places))
    parts = []
    for start in range(0, len(pairs.first), _ROWS):
        a, b = pairs.first[start : start + _ROWS], pairs.second[start : start + _ROWS]
        shared = csr_matrix(weighed[a].multiply(lines.words[b]))
        sums = np.asarray(shared.sum(axis=1)).ravel()
        squares = np.asarray(weighed[a].multiply(weighed[b]).sum(axis=1)).ravel()
        common = np.diff(shared.indptr)
        same_pool = lines.log.categories[a] == lines.log.categories[b]
        near = [
            np.asarray(lines.near[a].multiply(lines.near[b]).sum(axis=1)).ravel(),
            _at(lines.near, a, lines.log.users[b]) + _at(lines.near, b, lines.log.users[a]),
        ]
        parts.append(np.stack([
            sums, np.asarray(shared.max(axis=1).todense()).ravel(), common,
            common / np.maximum(1, number[a] + number[b] - common), squares / np.maximum(1e-12, length[a] * length[b]),
            np.asarray(lines.pieces[a].multiply(lines.pieces[b]).sum(axis=1)).ravel(),
            np.minimum(number[a], number[b]), np.maximum(number[a], number[b]),
            lines.log.texts[a] == lines.log.texts[b], np.log(asked[text[a]]) + np.log(asked[text[b]]),
            np.log1p(np.abs(lines.log.times[a] - lines.log.times[b])), same_pool, lines.log.categories[a],
            lines.log.categories[b], np.where(same_pool, np.log1p(np.abs(place[a] - place[b])), np.nan),
            lines.log.users[a] == lines.log.users[b],
            np.asarray(hosts[a].multiply(lines.hosts[b]).sum(axis=1)).ravel(), np.minimum(clicks[a], clicks[b]),
            np.abs(lines.ranks[a] - lines.ranks[b]), np.isnan(lines.ranks[a]) == np.isnan(lines.ranks[b]), *near,
        ], axis=1))  # fmt: skip
    found = np.concatenate(parts) if parts else np.zeros((0, 22))
    return np.nan_to_num(found.astype(np.float64), nan=-1.0)  # scikit-learn takes no column that is never a number


def _at(matrix: csr_matrix, rows: Ints, columns: Ints) -> Floats:
    found: Floats = np.asarray(matrix[rows, columns]).ravel().astype(np.float64)
    return found


class Judged(NamedTuple):
    """How right a judge of pairs is; shares are between 0 and 1."""

    pairs: int
    """Pairs that were judged."""
    claimed: int
    """Those taken for one owner's where F1 is best over them."""
    precision: float
    low: float
    high: float
    """Ends of the 95 % interval of the precision, over owners."""
    recall: float
    """Share of the judged pairs of one owner that are among the claimed."""
    f1: float
    baseline: float
    """Share of the judged pairs that are one owner's."""
    recall_at_90: float
    """Recall where 90 % of the claimed are right."""
    recall_of_all: float
    """The recall over all pairs of lines, those included that were never looked at."""
    f1_of_all: float
    """The best F1 over all pairs of lines."""
    brier: float
    """Mean square of probability less truth; `baseline` * (1 - `baseline`) where a judge knows nothing."""


def judged(probabilities: Floats, lines: Lines, pairs: Candidates, share: float = 1.0) -> Judged:
    """Return how right probabilities of one owner are.

    Args:
        probabilities: of each pair, that both lines are one owner's.
        lines: what the pairs are of.
        pairs: those that were judged, at least one of them one owner's.
        share: of the candidates that was judged, which the recall over all pairs is scaled by.
    """
    right = lines.owners[pairs.first] == lines.owners[pairs.second]
    order = np.argsort(-probabilities, kind="stable")
    hits, claimed = np.cumsum(right[order]), np.arange(1, len(order) + 1)
    # A threshold lies between different probabilities only.
    ends = np.flatnonzero(np.diff(probabilities[order], append=-1.0) != 0)
    precision, found = hits[ends] / claimed[ends], hits[ends]
    truth = int(right.sum())
    _, counts = np.unique(lines.owners, return_counts=True)
    every = float((counts * (counts - 1) // 2).sum())
    f1 = 2 * found / (claimed[ends] + truth)
    of_all = 2 * found / share / (claimed[ends] / share + every)
    best, widest = int(np.argmax(f1)), int(np.argmax(of_all))
    taken = order[: ends[best] + 1]
    owner = lines.owners[pairs.first[taken]]
    size = int(lines.owners.max(initial=0)) + 1
    below = np.bincount(owner, minlength=size).astype(np.float64)
    above = np.bincount(owner, right[taken], size).astype(np.float64)
    low, high = interval(above[below > 0], below[below > 0])
    sure = np.flatnonzero(precision >= PRECISION)
    return Judged(
        len(right), int(claimed[ends][best]), float(precision[best]), low, high, float(found[best] / truth),
        float(f1[best]), truth / len(right), float(found[sure[-1]] / truth) if len(sure) else 0.0,
        float(found[widest] / share / every), float(of_all[widest]), float(np.mean((probabilities - right) ** 2)),
    )  # fmt: skip


def parts(users: Ints, shares: Sequence[float], seed: int) -> Iterator[Ints]:
    """Yield the users in parts of these shares, by the seed."""
    shuffled = np.random.default_rng(seed).permutation(np.unique(users))
    ends = np.round(np.cumsum(shares) / sum(shares) * len(shuffled)).astype(np.int64)
    yield from (np.sort(part) for part in np.split(shuffled, ends[:-1]))
