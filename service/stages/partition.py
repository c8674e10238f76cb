"""One partition of the classified stream: its pools, the position reached, and how both are written down.

Rules:
- State and position move together: a `Step` is decided in memory, and its delta holds all that it takes to decide it
  again the same way: the frames, the moment and the numbers drawn. Nothing is ever drawn twice.
- Deltas grow with the stream and a snapshot with the pools. Once the deltas since the last snapshot weigh more than
  a snapshot, the next step writes one, in parts that fit a record. Both belong to an epoch; a later one replaces it.
- A delta names the rules that it was decided by, so that it comes out the same under an operator's new ones; those
  hold for all pools from then on.
- The clock is the service's own here, handed in with each step.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from service.codecs.frames import decode_classified, dumps, loads, thaw_query
from service.core.draw import Draw
from service.core.pools import Pools, Rules
from service.core.records import Query, Release

PART_BYTES: Final = 1 << 20
"""Bytes of pool entries in one part of a snapshot, about."""
LEAST_DELTAS: Final = 1 << 20
"""Bytes of deltas that are written before a snapshot is."""
_LOOKS: Final = 10


class Entry(NamedTuple):
    """One record of the state log."""

    key: bytes
    value: bytes

    def __repr__(self) -> str:
        return f"Entry({self.key!r})"


class Step(NamedTuple):
    """What a batch of frames came to."""

    releases: list[Release]
    entries: list[Entry]
    """What the state log has to take in the same transaction."""

    def __repr__(self) -> str:
        return f"Step({len(self.releases)} releases)"


class _Recorder(Draw):
    """Draws, and remembers what was drawn."""

    __slots__ = ("_source", "drawn")

    def __init__(self, source: Draw) -> None:
        self._source = source
        self.drawn: list[int] = []

    def below(self, n: int) -> int:
        number = self._source.below(n)
        self.drawn.append(number)
        return number


class _Repeater(Draw):
    """Draws what was drawn before."""

    __slots__ = ("_drawn",)

    def __init__(self, drawn: Iterable[int]) -> None:
        self._drawn = iter(drawn)

    def below(self, n: int) -> int:
        return next(self._drawn)


class Partition:
    """The anonymizer's state for one partition."""

    def __init__(
        self, rules: Rules, draw: Draw, *, least_deltas: int = LEAST_DELTAS, part_bytes: int = PART_BYTES
    ) -> None:
        self._least_deltas = least_deltas
        self._part_bytes = part_bytes
        self._recorder = _Recorder(draw)
        self.pools = Pools(rules, self._recorder)
        self.position = -1
        """Offset of the last frame that went in, -1 before the first."""
        self.arrived = 0
        """Logs that went in since the partition began."""
        self._last: Query | None = None
        self._look_at = 0.0
        self._epoch = 0
        self._deltas = 0
        self._delta_bytes = 0
        self._snapshot_bytes = 0

    @property
    def look_every(self) -> float | None:
        """Seconds between two looks at what is held too long, None where there is no need."""
        rules = self.pools.rules
        return None if rules.max_hold is None or rules.hold_policy == "wait" else rules.max_hold / _LOOKS

    def step(self, frames: Sequence[bytes], position: int, now: float) -> Step:
        """Take in frames, the last of which stands at `position`, at the moment `now` in seconds.

        Without frames it only looks at what is held too long. Raises ValueError where a frame is none; nothing has
        changed then.
        """
        decoded = [decode_classified(frame) for frame in frames]
        self._recorder.drawn.clear()
        releases = self._advance(decoded, position, now)
        delta = dumps(
            {
                "epoch": self._epoch,
                "number": self._deltas,
                "position": position,
                "now": now,
                "rules": self.pools.rules[:],
                "drawn": self._recorder.drawn,
            }
        )
        value = b"\n".join((delta, *frames))
        if self._delta_bytes + len(value) > max(self._least_deltas, self._snapshot_bytes):
            return Step(releases, self._snapshot())
        self._delta_bytes += len(value)
        self._deltas += 1
        return Step(releases, [Entry(b"delta-%d" % (self._deltas - 1), value)])

    def due(self, now: float) -> bool:
        """Say whether it is time to look at what is held too long."""
        return self.look_every is not None and now >= self._look_at and self.pools.held > 0

    def _advance(self, frames: Iterable[tuple[int, list[Query]]], position: int, now: float) -> list[Release]:
        releases: list[Release] = []
        if self.due(now) and self._last is not None:
            releases += self.pools.expire(now, self._last)
            self._look_at = now + (self.look_every or 0.0)
        arrive = self.pools.arrive
        for category, queries in frames:
            self.arrived += len(queries)
            for query in queries:
                release = arrive(category, query, now)
                if release is not None:
                    releases.append(release)
            if queries:
                self._last = queries[-1]
        self.position = position
        return releases

    def _snapshot(self) -> list[Entry]:
        self._epoch += 1
        self._deltas = self._delta_bytes = 0
        parts: list[dict[str, Any]] = [{"pools": {}}]
        room = self._part_bytes
        for category, pool in self.pools.snapshot().items():
            entries = zip(pool.pop("users"), pool.pop("queries"), strict=True)
            parts[-1]["pools"][category] = pool | {"users": [], "queries": []}
            for user, query in entries:
                size = len(dumps([user, query]))
                if room < size:
                    parts.append({"pools": {}})
                    room = self._part_bytes
                room -= size
                some = parts[-1]["pools"].setdefault(category, {"users": [], "queries": []})
                some["users"].append(user)
                some["queries"].append(query)
        head = {
            "epoch": self._epoch,
            "parts": len(parts),
            "position": self.position,
            "arrived": self.arrived,
            "look_at": self._look_at,
            "rules": self.pools.rules[:],
            "last": None if self._last is None else self._last[:],
        }
        written = [Entry(b"part-%d" % n, dumps(head | {"number": n} | part)) for n, part in enumerate(parts)]
        self._snapshot_bytes = sum(len(entry.value) for entry in written)
        return written

    def restore(self, entries: Iterable[Entry]) -> None:
        """Take over what the state log holds, read from its beginning in order.

        Raises ValueError where parts of the last epoch are missing.
        """
        rules = self.pools.rules
        deltas: dict[int, bytes] = {}
        parts: dict[int, dict[str, Any]] = {}
        epoch = 0
        for key, value in entries:
            if not key.startswith((b"delta", b"part")):
                continue  # somebody else's, such as a raw partition's account
            head = loads(value.partition(b"\n")[0])
            if head["epoch"] > epoch:
                epoch = head["epoch"]
                deltas, parts = {}, {}
                self._snapshot_bytes = 0
            if head["epoch"] == epoch:
                if key.startswith(b"delta"):
                    deltas[head["number"]] = value
                else:
                    parts[head["number"]] = head
                    self._snapshot_bytes += len(value)
        self._epoch = epoch
        if epoch:
            self._take_over(parts)
        for number in range(len(deltas)):
            if number not in deltas:
                raise ValueError("the state log lacks a delta")
            self._repeat(deltas[number])
        self._follow(rules)

    def _take_over(self, parts: dict[int, dict[str, Any]]) -> None:
        if not parts or sorted(parts) != list(range(parts[0]["parts"] if 0 in parts else -1)):
            raise ValueError("the state log lacks a part of its snapshot")
        pools: dict[str, dict[str, Any]] = {}
        for number in sorted(parts):
            for category, some in parts[number]["pools"].items():
                pool = pools.setdefault(category, some)
                if pool is not some:
                    pool["users"] += some["users"]
                    pool["queries"] += some["queries"]
        for pool in pools.values():
            pool["queries"] = [(owner, thaw_query(query), arrived) for owner, query, arrived in pool["queries"]]
        head = parts[0]
        self.pools = Pools(Rules(*head["rules"]), self._recorder)
        self.pools.restore(pools)
        self.position = head["position"]
        self.arrived = head["arrived"]
        self._look_at = head["look_at"]
        self._last = None if head["last"] is None else thaw_query(head["last"])

    def _repeat(self, delta: bytes) -> None:
        first, *frames = delta.split(b"\n")
        head = loads(first)
        self._follow(Rules(*head["rules"]))
        self.pools.draw = _Repeater(head["drawn"])
        self._advance(map(decode_classified, frames), head["position"], head["now"])
        self.pools.draw = self._recorder
        self._deltas += 1
        self._delta_bytes += len(delta)

    def _follow(self, rules: Rules) -> None:
        """Let `rules` hold from now on; a k that paper mode has grown does not shrink."""
        if rules == self.pools.rules:
            return
        pools = Pools(rules, self._recorder)
        pools.restore(self.pools.snapshot())
        for _, pool in pools:
            pool.k = rules.k if rules.mode == "distinct" else max(rules.k, pool.k)
        self.pools = pools
