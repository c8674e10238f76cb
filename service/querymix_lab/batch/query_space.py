"""The distances of user k-anonymity by MDAV, each between 0 and 1, for whole logs: one query or user against all.

    words      Hausdorff distance of their normalised edit distances
    string     (difference in length + 2 * words) / 3
    url        labels that differ, 2^(m - i) over 2^(m + 1) - 1 for label i of m, the top-level domain first
    query      (time + rank + url + 3 * string) / 6
    user       (difference in numbers of queries + Hausdorff distance of the queries) / 2

Rules:
- A query without a click is at distance 0 from another without one, at 1 from all that have one.
- Each thing is computed once for what is the same: edit distances for different words, string distances for different
  texts, URL distances for different hosts; only times and ranks are a row's own. Rows stand user by user.
- Edit distances between words are whole numbers of one byte. All of them are kept where they fit in `MAX_KEPT` bytes,
  else they are computed for a block of texts at a time.

Source: thesis (Erola 2013), section 5.3.1.2; Navarro-Arribas et al. 2012, section 3.2.1.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import numpy as np
import numpy.typing as npt
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cdist

from querymix_lab.batch.base import Log, Tick, no_tick
from querymix_lab.batch.query_values import Norms, Plain, labels_of, rank_of, words_of

Floats = npt.NDArray[np.float32]
Places = npt.NDArray[np.intp]
MAX_KEPT: Final = 1 << 30
_BLOCK: Final = 1 << 27
"""Bytes of edit distances that are computed at once where not all are kept."""
_ROWS: Final = 1000
_LONGEST: Final = 255
"""Characters of a word that are compared: the edit distance of longer ones fits no byte."""
_SHORT: Final = 6
"""Words of a text up to which all texts of one length are looked at together: nearly all texts are that short."""
_MAX_ENDS: Final = 64
"""Top-level domains, with a number of labels, whose distances are remembered."""
_NO_RANK: Final = 2.0
"""Stands for a missing rank: at least 1 away from every normalised one, and cut to 1."""


class Words:
    """Edit distances between the different words of a log."""

    def __init__(self, words: Sequence[str], most_kept: int = MAX_KEPT) -> None:
        self._words = [word[:_LONGEST] for word in words]
        self._lengths = np.array([max(1, len(word)) for word in self._words])
        longest = np.arange(self._lengths.max() + 1)
        self._shares = (1 / np.maximum(np.maximum(longest[:, None], self._lengths), 1)).astype(np.float32)
        """What one edit is of the longer of two words: by the length of the one, for each word of the log."""
        self._kept: npt.NDArray[np.uint8] | None = None
        if len(words) ** 2 <= most_kept:
            self._kept = np.empty((len(words), len(words)), dtype=np.uint8)
            # Some rows at a time: asked for a square, the library fills it row and column wise, a hundred times slower.
            for begin in range(0, len(words), _ROWS):
                self._kept[begin : begin + _ROWS] = self._edits(self._words[begin : begin + _ROWS])

    def _edits(self, some: Sequence[str]) -> npt.NDArray[np.uint8]:
        edits: npt.NDArray[np.uint8] = cdist(some, self._words, scorer=Levenshtein.distance, dtype=np.uint8, workers=-1)
        return edits

    def distances(self, places: Sequence[int]) -> Floats:
        """Return the normalised edit distances of the words at `places` to all words, one row each."""
        edits = self._edits([self._words[place] for place in places]) if self._kept is None else self._kept[places]
        out: Floats = edits * self._shares[self._lengths[places]]
        return out

    @property
    def texts_at_once(self) -> int:
        """How many texts are worth computing at once."""
        return 1 if self._kept is not None else max(1, _BLOCK // (16 * len(self._words)))


class Texts:
    """String distances between the different texts of a log; each is a list of words by their places."""

    def __init__(self, words: Words, texts: Sequence[Sequence[int]], lengths: Sequence[float]) -> None:
        self._words = words
        self._texts = texts
        self._lengths = np.array(lengths, dtype=np.float32)
        sizes = np.array(list(map(len, texts)))
        self._short = [
            (same, np.array([texts[place] for place in same.tolist()]).T.copy())
            for same in (np.flatnonzero(sizes == size) for size in range(1, _SHORT + 1))
            if len(same)
        ]
        """Texts of the same number of words: their places, and their words, a row for the first of each and so on."""
        self._long = np.flatnonzero(sizes > _SHORT)
        self._long_words = np.array([word for place in self._long.tolist() for word in texts[place]], dtype=np.intp)
        self._long_starts = (np.cumsum(sizes[self._long]) - sizes[self._long]).astype(np.intp)

    def distances(self, places: Sequence[int]) -> Iterator[tuple[int, Floats]]:
        """Yield each of the texts at `places` with its distances to all texts."""
        step = self._words.texts_at_once
        for begin in range(0, len(places), step):
            block = places[begin : begin + step]
            needed = dict.fromkeys(word for place in block for word in self._texts[place])
            rows = self._words.distances(list(needed))
            numbers = {word: number for number, word in enumerate(needed)}
            for place in block:
                yield place, self._one(place, rows[[numbers[word] for word in self._texts[place]]])

    def _one(self, place: int, edits: Floats) -> Floats:
        """Return the distances of a text, of whose words `edits` are the distances to all words."""
        nearest = edits.min(axis=0)
        hausdorff = np.empty(len(self._texts), dtype=np.float32)
        for same, theirs in self._short:
            most = nearest.take(theirs[0])
            for column in theirs[1:]:
                np.maximum(most, nearest.take(column), out=most)
            for row in edits:
                least = row.take(theirs[0])
                for column in theirs[1:]:
                    np.minimum(least, row.take(column), out=least)
                np.maximum(most, least, out=most)
            hausdorff[same] = most
        if len(self._long):
            most = np.maximum.reduceat(nearest.take(self._long_words), self._long_starts)
            for row in edits:
                np.maximum(most, np.minimum.reduceat(row.take(self._long_words), self._long_starts), out=most)
            hausdorff[self._long] = most
        out: Floats = (np.abs(self._lengths - self._lengths[place]) + 2 * hausdorff) / 3
        return out


class Hosts:
    """URL distances between the different hosts of a log, each its labels, the top-level domain first."""

    def __init__(self, hosts: Sequence[tuple[str, ...]]) -> None:
        having: dict[tuple[int, str], list[int]] = {}
        for place, labels in enumerate(hosts):
            for level, label in enumerate(labels):
                having.setdefault((level, label), []).append(place)
        self._having = {key: np.array(places) for key, places in having.items()}
        self._sizes = np.array(list(map(len, hosts)))
        self._begun: dict[tuple[str, int], Floats] = {}

    def distances(self, labels: tuple[str, ...]) -> Floats:
        """Return the distances of a host to all hosts of the log."""
        size = len(labels)
        if not size:
            return (self._sizes > 0).astype(np.float32)
        key = (labels[0], size)
        begun = self._begun.get(key)
        if begun is None:
            begun = np.ones(len(self._sizes), dtype=np.float32)
            self._share(begun, 0, labels)
            if len(self._begun) < _MAX_ENDS:
                self._begun[key] = begun
        out = begun.copy()
        for level in range(1, size):
            self._share(out, level, labels)
        return out

    def _share(self, out: Floats, level: int, labels: tuple[str, ...]) -> None:
        """Take the weight of one level off the distances of those that have the same label there."""
        same = self._having.get((level, labels[level]))
        if same is not None:
            longest = np.maximum(self._sizes[same], len(labels))
            out[same] -= 2.0 ** (longest - 1 - level) / (2.0**longest - 1)


class QuerySpace:
    """All queries of a log, user by user, and the distances to them."""

    def __init__(self, log: Log, most_kept: int = MAX_KEPT) -> None:
        norms = self.norms = Norms(log)
        self.rows = [row for rows in log.users.values() for row in rows]
        self.sizes = np.array([len(rows) for rows in log.users.values()])
        self.starts = np.concatenate(([0], np.cumsum(self.sizes)[:-1])).astype(np.intp)
        self.users = np.repeat(np.arange(len(self.sizes)), self.sizes)
        self.counts = np.array([norms.count(size) for size in self.sizes], dtype=np.float32)
        texts: dict[str, int] = {}
        self.texts = np.array([texts.setdefault(row.query.text, len(texts)) for row in self.rows])
        words: dict[str, int] = {}
        split = [[words.setdefault(word, len(words)) for word in dict.fromkeys(words_of(text))] for text in texts]
        lengths = [norms.length(len(words_of(text))) for text in texts]
        self._strings = Texts(Words(list(words), most_kept), split, lengths)
        hosts: dict[tuple[str, ...], int] = {}
        self._host = np.array([hosts.setdefault(labels_of(row.query.url), len(hosts)) for row in self.rows])
        self._hosts = Hosts(list(hosts)) if len(hosts) > 1 else None
        ranks = [rank_of(row) for row in self.rows]
        self._time = np.array([norms.time(row.query.at) / 6 for row in self.rows], dtype=np.float32)
        self._rank = np.array([_scaled(None if rank is None else norms.rank(rank)) for rank in ranks], dtype=np.float32)

    def distances(self, texts: Sequence[int], queries: Sequence[Plain]) -> Iterator[tuple[int, Floats]]:
        """Yield each query, by its number, with its distances to all rows; its array is used again for the next.

        `texts` are the places of the queries' texts among the log's.
        """
        having: dict[int, list[int]] = {}
        for number, text in enumerate(texts):
            having.setdefault(text, []).append(number)
        out, part = np.empty(len(self.rows), dtype=np.float32), np.empty(len(self.rows), dtype=np.float32)
        for text, strings in self._strings.distances(list(having)):
            same = (strings / 2).take(self.texts)
            for number in having[text]:
                query = queries[number]
                np.subtract(self._time, query.time / 6, out=out)
                np.abs(out, out=out)
                np.subtract(self._rank, _scaled(query.rank), out=part)
                np.abs(part, out=part)
                np.minimum(part, 1 / 6, out=part)
                out += part
                out += same
                if self._hosts is not None:
                    out += (self._hosts.distances(query.labels) / 6)[self._host]
                yield number, out

    def nearest(self, distances: Floats) -> Floats:
        """Return the least of the distances to all rows, user by user."""
        least: Floats = np.minimum.reduceat(distances, self.starts)
        return least

    def to_users(self, texts: Sequence[int], queries: Sequence[Plain], count: float) -> Floats:
        """Return the distances of one more user, with these queries and this normalised number of them, to all."""
        there = np.zeros(len(self.sizes), dtype=np.float32)
        back = np.full(len(self.rows), np.inf, dtype=np.float32)
        for _, distances in self.distances(texts, queries):
            np.maximum(there, self.nearest(distances), out=there)
            np.minimum(back, distances, out=back)
        both = np.maximum(there, np.maximum.reduceat(back, self.starts))
        out: Floats = (np.abs(self.counts - np.float32(count)) + both) / 2
        return out

    def user_distances(self, tick: Tick = no_tick) -> Floats:
        """Return the distance of every two users."""
        one_way = np.zeros((len(self.sizes), len(self.sizes)), dtype=np.float32)
        plain = [self.norms(row) for row in self.rows]
        for done, (number, distances) in enumerate(self.distances(self.texts.tolist(), plain)):
            mine = one_way[self.users[number]]
            np.maximum(mine, self.nearest(distances), out=mine)
            if not done % 1000:
                tick(done / len(plain))
        out: Floats = (np.abs(self.counts[:, None] - self.counts) + np.maximum(one_way, one_way.T)) / 2
        return out


def _scaled(rank: float | None) -> float:
    return (_NO_RANK if rank is None else rank) / 6
