"""A release that is simulated, so that it is known exactly who asked what stands in each of its lines.

Rules:
- The method itself runs (querymix.stages.releasing), with chance that a seed repeats.
- A log's rows of one query, one a click, are joined first: one line is one query, as long as `rules.unit` is one.
- What an attacker sees is `released` with `ids` for users. An attacker of lasting ids sees `released` as it is.
"""

from dataclasses import dataclass, replace

import numpy as np
from querymix.core.draw import seeded_draw
from querymix.core.periods import Period
from querymix.core.records import Query
from querymix.core.rules import Rules
from querymix.stages.cells import Cells, Ordering, on_grid
from querymix.stages.classifying import Classified
from querymix.stages.pooling import Pooling
from querymix.stages.releasing import Releasing

from querymix_lab.attacks.logs import Floats, Ints, Log
from querymix_lab.attacks.scoring import Guesses, Score, score
from querymix_lab.attacks.truth import Truth, truth_of


@dataclass(frozen=True)
class Simulated:
    """A log of n queries and the m lines that the method released of it; arrays are by line, of that length."""

    asked: Log
    """The n queries, in the order of their times."""
    released: Log
    """The m lines in their order: the user each stands under, the query's text, the pool's category, the time shown."""
    askings: Ints
    """The place in `asked` of each line's query."""
    ids: Ints
    """A number for the id that each line stands under; equal numbers are equal ids."""
    moments: Floats
    """When each line was set off, in seconds since 1970, not cut to a grid."""
    units: Ints
    """A number for each release; the lines of one unit have the same."""

    def __repr__(self) -> str:
        return f"Simulated({len(self.asked)} queries, {len(self.released)} lines)"

    @property
    def owners(self) -> Ints:
        """Who asked each line's query."""
        return self.asked.users[self.askings]

    @property
    def seen(self) -> Log:
        """What the attacker sees: lines under the ids that they left under."""
        return replace(self.released, users=self.ids)

    @property
    def share(self) -> float:
        """Released lines per query asked."""
        return len(self.released) / max(1, len(self.asked))

    @property
    def exact(self) -> tuple[Log, Truth]:
        """Return the lines with a text of its own for every asking, so that each has one owner, and their truth."""
        askings = replace(self.released, texts=self.askings)
        return askings, truth_of(replace(self.asked, texts=np.arange(len(self.asked))), askings)

    def score(self, attack: str, knows: str, guesses: Guesses, baseline: Ints | None = None) -> Score:
        """Return the figures of guesses at the owners of lines of `released`; raises as `scoring.score` does."""
        askings, truth = self.exact
        return score(attack, knows, guesses, askings, truth, baseline)


def joined(log: Log) -> Log:
    """Return one line for each query: its first row, where one user has several of one text and time; by time."""
    rows = np.stack([log.users.astype(np.float64), log.texts.astype(np.float64), log.times])
    _, first = np.unique(rows, axis=1, return_index=True)
    return log.take(np.sort(first)).in_time_order()


def simulate(
    log: Log, rules: Rules, *, seed: int = 1, ordering: Ordering | None = None, period: Period = None
) -> Simulated:
    """Run the method over a classified log.

    Args:
        log: the log as it was asked, with categories; it is joined and put in time order here.
        rules: of the pools.
        seed: what chance begins with.
        ordering: the grid of released times, None: times leave as they came.
        period: how long an id lasts, by when a line is written, as on Kafka.
    """
    asked, order = joined(log), ordering or Ordering()
    releasing = Releasing(Pooling(rules, seeded_draw(seed), in_order=True), Cells(order, seeded_draw(seed + 1)))
    columns = [column.tolist() for column in (asked.users, asked.texts, asked.categories, asked.times)]
    queries = [
        Classified(category, Query(str(user), str(text), at, at, rank=place))
        for place, (user, text, category, at) in enumerate(zip(*columns, strict=True))
    ]
    released = [*releasing(queries).releases, *releasing.finish().releases]
    rows = [
        (int(release.user), row.rank, release.pool, number)
        for number, release in enumerate(released)
        for row in (release.query, *release.further)
    ]
    users, askings, categories, units = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    triggers = np.array([release.trigger.at for release in released], dtype=np.float64)
    moments = triggers[units]
    shown = asked.times[askings] if order.policy == "query" else moments
    times, cells = (np.array([on_grid(at, order.precision) for at in some], np.float64) for some in (shown, moments))
    lines = Log(users, asked.texts[askings], categories, times)
    left = moments if order.precision is None else cells + order.precision
    return Simulated(asked, lines, askings, _ids(users, units, left, period), moments, units)


def _ids(users: Ints, units: Ints, left: Floats, period: Period) -> Ints:
    """Number the ids of lines that left at these moments, in seconds since 1970."""
    if period is None:
        return users
    if period == "session":
        return units
    if period == "record":
        return np.arange(len(users), dtype=np.int64)
    numbers = np.floor(left / period).astype(np.int64)
    _, ids = np.unique(np.stack([numbers, users]), axis=1, return_inverse=True)
    return ids.reshape(-1).astype(np.int64)
