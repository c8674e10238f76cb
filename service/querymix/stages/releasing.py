"""The tail of both runtimes: pools, what waits for its cell of time, and the running score, as one state.

    classified queries -> pools -> cells -> crowd -> score -> Released(releases, guesses) -> lines, evidence

A run calls it with queries, and their own times are the clock; Kafka gives `take` frames and the service's clock.

Rules:
- `frozen` and `loading` are the only code that writes and reads this state, in pieces where it is long: a checkpoint, a
  state topic and the library keep the same plain data. `loading` and `repeat` restore what was decided under whatever
  rules held then; `follow` then lets today's hold.
- Chance is the pools' and the cells' own: numbers that decide a pair are recorded on Kafka, those of a shuffle are not.
- The score sees what is released now, and never what a restore decides again.
- Where the stream is the crowd (querymix.stages.crowding), a batch whose own times are the clock is taken in by pieces
  of a thousandth of the window: what leaves is screened by who came by then, and not by who came later in the batch.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import groupby
from typing import Any, Final, NamedTuple

from querymix.codecs.frames import Frame, dumps
from querymix.core.account import Account
from querymix.core.crowd_window import CrowdRules
from querymix.core.draw import Draw
from querymix.core.pieces import whole
from querymix.core.profiles import evidence
from querymix.core.records import Query, Release
from querymix.core.rules import Rules
from querymix.core.score import Guesses, Score
from querymix.stages.cells import WINDOW, Cells, Ordering
from querymix.stages.crowding import Crowded, Crowding
from querymix.stages.pooling import OLD_VERSION, VERSION, Pooling

_SCREENED: Final = VERSION + 1
"""The version of a decision whose stream is its own crowd, which 0.6.0 would repeat without one; else as `VERSION`."""


class OtherVersionError(ValueError):
    """A state was written by a version of querymix that this one does not read, or is damaged; both look the same."""


def hash_of_rules(rules: Rules, ordering: Ordering, crowd: CrowdRules | None = None) -> str:
    """Return twelve hexadecimal digits that tell rules, an order and a crowd from others, the same in every process."""
    return blake2b(dumps([*rules, *ordering, *(crowd or ())]), digest_size=6).hexdigest()


class Released(NamedTuple):
    """What a batch let out."""

    releases: list[Release]
    """What is to be written, in its order."""
    guesses: dict[int, Guesses]
    """What attacks on it came to, by category."""

    def __repr__(self) -> str:
        return f"Released({len(self.releases)} releases)"

    def evidence(self) -> dict[tuple[str, int], int]:
        """Return what the profiles get for it: counts by (user, category)."""
        return evidence(self.releases)

    def pieces(self, most: int) -> Iterator["Released"]:
        """Yield it in pieces of `most` releases; the guesses are the whole's, and in none."""
        for start in range(0, len(self.releases), most):
            yield Released(self.releases[start : start + most], {})


class Releasing:
    """The last stage, over one stream, or one partition of it: puts `pooling` and `cells` together.

    With `crowding` what leaves is screened by who had it in the stream.
    """

    def __init__(self, pooling: Pooling, cells: Cells, crowding: Crowding | None = None) -> None:
        self.pooling = pooling
        self.pools = pooling.pools
        self.cells = cells
        self.crowd = Crowded(self.pools, crowding)
        self._score = Score(self.pools.rules.k)

    def __repr__(self) -> str:
        return f"Releasing({self.pools.held + self.cells.waiting} held)"

    @property
    def account(self) -> Account:
        """What became of the queries that arrived; they are taken off those that wait for a pool."""
        return self.pooling.account + self.cells.account + self.crowd.account

    @property
    def owner_named_at_most(self) -> float | None:
        """As `Rules.owner_named_at_most`; None also where lines carry their query's own time, which tells its owner."""
        return None if self.cells.ordering.policy == "query" else self.pools.rules.owner_named_at_most

    def __call__(self, classified: Sequence[tuple[int, Query]]) -> Released:
        """Take in classified queries; the clock reads their times."""
        if self.crowd.on:
            step = self.crowd.step
            together = [list(rows) for _, rows in groupby(classified, lambda row: row[1][3] // step)]
            return self._scored([release for rows in together or [[]] for release in self._screened(rows)])
        times = [query[3] for _, query in classified[-WINDOW:]]
        return self._scored(self.cells.take(times, self.pooling(classified)))

    def _screened(self, rows: Sequence[tuple[int, Query]]) -> list[Release]:
        """Return what leaves once queries have arrived together, where what leaves is screened."""
        releases = self.pooling(rows)
        queries = [query for _, query in rows]
        self.crowd.note(queries, self.pooling.clock.now or 0.0)
        return self.crowd.screened(self.cells.take([query[3] for query in queries[-WINDOW:]], releases))

    def take(self, frames: Sequence[Frame], now: float) -> Released:
        """Take in frames of classified queries, which arrive at `now`; without frames only time passes."""
        releases = self.pooling.take(frames, now)
        self._note(frames)
        return self._released(self.cells.take(self._times(frames), releases, now))

    def _note(self, frames: Sequence[Frame]) -> None:
        if self.crowd.on:
            self.crowd.note((query for frame in frames for query in frame[1]), self.pooling.clock.now or 0.0)

    def finish(self, *, ended: bool = True) -> Released:
        """Let out all that may still leave; nothing below the threshold does.

        `ended` says that no more comes: then no query waits for further rows.
        """
        releases = self.cells.take([], self.pooling.finish() if ended else [])
        return self._released(releases + self.cells.end())

    def _released(self, releases: list[Release]) -> Released:
        return self._scored(self.crowd.screened(releases) if self.crowd.on else releases)

    def _scored(self, releases: list[Release]) -> Released:
        return Released(releases, self._score.see(releases))

    def due(self, now: float) -> bool:
        """Say whether `take` should be called though no frame has come."""
        return self.pooling.due(now) or self.cells.due(now)

    def _times(self, frames: Iterable[Frame]) -> list[float]:
        """Return times of arrivals from all over the frames, whose queries are in order only one by one."""
        if self.cells.ordering.precision is None:
            return []
        queries = [query for frame in frames for query in frame[1]]
        return [query.at for query in queries[:: max(1, len(queries) // WINDOW)]]

    def snapshot(self) -> dict[str, Any]:
        """Return the state as plain data, for `restore`."""
        return whole(self.frozen() | self.pooling.snapshot())

    def frozen(self) -> dict[str, Any]:
        """Return the state as `snapshot` does, but for what may be long: iterators, to be used before it changes."""
        return self.pooling.frozen() | {
            "rules": self.pools.rules[:],
            "cells": self.cells.head(),
            "in_cells": self.cells.rows(),
            "crowd_head": self.crowd.head(),
            "crowd": self.crowd.rows(),
        }

    def restore(self, state: Mapping[str, Any]) -> None:
        """Take over a state, under this stage's own rules from now on.

        Raises ConfigError where it holds queries of another format.
        """
        rules, ordering = self.pools.rules, self.cells.ordering
        for _ in self.loading(state):
            pass
        self.claim(state.get("format", ""))
        self.follow(rules, ordering)
        self.crowd.follow(self.crowd.crowding)

    def loading(self, state: Mapping[str, Any]) -> Iterator[None]:
        """Take over, in pieces, a state, under the rules and the grid that it was written under.

        Local runs of 0.1.0 wrote no rules: theirs cannot change.
        """
        if "rules" in state:
            self.pooling.follow(Rules.of(state["rules"]))
        yield from self.pooling.loading(state)
        self.cells.follow(Ordering())
        yield from self.cells.restoring(state["cells"], state["in_cells"])
        yield from self.crowd.restoring(state.get("crowd_head"), state.get("crowd", ()))

    def decision(self, now: float) -> dict[str, Any]:
        """Return what it takes, beside its frames and the numbers drawn, to decide the last `take` again."""
        return {
            "version": _SCREENED if self.crowd.used else VERSION,
            "now": now,
            "rules": self.pools.rules[:],
            "format": self.pooling.log_format,
            "precision": self.cells.ordering.precision,
            "left": self.cells.left,
            **self.crowd.decision(),
        }

    def repeat(self, frames: Sequence[Frame], decision: Mapping[str, Any], draw: Draw) -> None:
        """Decide again what was decided of these frames; `draw` gives the numbers that were drawn.

        Raises OtherVersionError where another version of querymix decided it.
        """
        version = decision["version"]
        if version not in (OLD_VERSION, VERSION, _SCREENED):
            raise OtherVersionError("the state log holds a delta of another version of querymix")
        now = decision["now"]
        self.pooling.follow(Rules.of(decision["rules"]), min(version, VERSION))
        self.cells.follow(Ordering(decision["precision"]))
        self.crowd.hold(CrowdRules.of(decision.get("crowd")))  # 0.6.0 and before had none
        own, self.pools.draw = self.pools.draw, draw
        releases = self.pooling.take(frames, now)
        self.pools.draw = own
        self._note(frames)
        self.crowd.take_over(decision.get("suppressed", (0, 0)))
        self.cells.repeat(self._times(frames), releases, now, decision["left"])

    def claim(self, written: str) -> None:
        """Raise ConfigError where queries are held that were read in another format; `written` names it."""
        self.pooling.claim(written)
        self.cells.claim(written, self.pooling.log_format)

    def follow(self, rules: Rules, ordering: Ordering) -> None:
        """Let these rules and this order hold from now on; the crowd follows its own."""
        if rules.k != self.pools.rules.k:
            self._score = Score(rules.k)
        self.pooling.follow(rules)
        self.cells.follow(ordering)
