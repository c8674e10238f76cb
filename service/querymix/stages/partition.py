"""One partition of the classified stream: its pooling, the position reached, and how both are written down.

Rules:
- State and position move together: a `Step` is decided in memory, and its delta holds all that it takes to decide it
  again the same way: the frames, the moment and the numbers drawn. Nothing is ever drawn twice.
- Deltas grow with the stream and a snapshot with the pools. Once the deltas since the last snapshot weigh more than
  a snapshot, the next step writes one, in parts that fit a record. Both belong to an epoch; a later one replaces it.
- A delta names the rules that it was decided by, so that it comes out the same under an operator's new ones. Those hold
  for all pools from the next step on, and that step is due at once: so each change stands at one position, also where
  nothing arrives. Until then nothing of the state follows them, since a restore would not know of it.
- What was drawn and waits for its cell of time to end (querymix.stages.cells) is part of the state; a delta names the
  cells that left in its step.
- A restore keeps the last epoch's records only, so its memory follows the pools and not what compaction left.
- What takes long where much is held comes in pieces (`restoring`, `decide`), between which others may have their turn.
"""

from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

from querymix.codecs.frames import Frame, decode_classified, dumps, loads
from querymix.core.account import Account
from querymix.core.crowd_window import CrowdRules
from querymix.core.draw import Draw, RecordingDraw, RepeatingDraw
from querymix.core.pools import Pools
from querymix.core.records import Release
from querymix.core.rules import Rules
from querymix.stages.cells import Cells, Ordering
from querymix.stages.crowding import Crowding
from querymix.stages.pooling import Pooling
from querymix.stages.releasing import OtherVersionError, Released, Releasing, hash_of_rules
from querymix.stages.snapshot_parts import LISTS, put_together, split

PART_BYTES: Final = 1 << 20
"""Bytes of pool entries in one part of a snapshot, about."""
MIN_DELTAS: Final = 1 << 20
"""Bytes of deltas that are written before a snapshot is."""

_SCREENED_CELLS: Final = "screened_cells"
"""The name of `cells` where the stream is its own crowd: 0.6.0, which would screen nothing, refuses a state without."""


class Entry(NamedTuple):
    """One record of the state log."""

    key: bytes
    value: bytes

    def __repr__(self) -> str:
        return f"Entry({self.key!r})"


class Step(NamedTuple):
    """What a batch of frames came to."""

    released: Released
    """What is to be written."""
    entries: list[Entry]
    """What the state log has to take in the same transaction."""
    account: Account
    """What the step changed: `released`, `held` (may be negative), `suppressed_by_hold`,
    `suppressed_as_repeats`, `suppressed_as_rare`, `suppressed_as_long`, `waiting` (negative)."""
    rules_before: str = ""
    """The hash of the rules up to this step, where it is the first one by others."""

    @property
    def releases(self) -> list[Release]:
        """What is to be written, in its order."""
        return self.released.releases

    def __repr__(self) -> str:
        return f"Step({len(self.releases)} releases)"


class Partition:
    """The anonymizer's state for one partition.

    Life: `fold` each record of the state log in order, then `restored()` (or `restore(records)` for both), then
    `step(frames, position, now)` for each transaction; without frames where `due(now)` says so. The state log must
    take a step's entries in the same transaction as its releases. A step that is not committed makes this object
    worthless: a new one has to be restored.

    `log_format` is `Codec.format`: frames and states of another format are refused as ConfigError; empty: any.
    """

    def __init__(
        self,
        rules: Rules,
        draw: Draw,
        log_format: str = "",
        ordering: Ordering = Ordering(),  # noqa: B008 - a tuple, which nothing changes
        crowding: Crowding | None = None,
        *,
        least_deltas: int = MIN_DELTAS,
        part_bytes: int = PART_BYTES,
    ) -> None:
        self._least_deltas = least_deltas
        self._part_bytes = part_bytes
        self._rules = rules
        self._recorder = RecordingDraw(draw)
        self._ordering = ordering
        self._crowding = crowding
        self._written = self._chosen
        """What the last step was decided by."""
        self.releasing = Releasing(Pooling(rules, self._recorder, log_format), Cells(ordering, draw), crowding)
        self.pooling, self.cells = self.releasing.pooling, self.releasing.cells
        self.position = -1
        """Offset of the last frame that went in, -1 before the first."""
        self.arrived = 0
        """Records that went in since the partition began."""
        self._epoch = 0
        self._deltas = 0
        self._delta_bytes = 0
        self._snapshot_bytes = 0
        self._folded: dict[bytes, bytes] = {}
        self._damaged: set[bytes] = set()
        """Keys whose last record is none."""

    @property
    def pools(self) -> Pools:
        """The pools."""
        return self.pooling.pools

    @property
    def rules(self) -> str:
        """The hash of the rules in force."""
        return hash_of_rules(*self._written)

    @property
    def _chosen(self) -> tuple[Rules, Ordering, CrowdRules | None]:
        """What the next step is decided by."""
        return self._rules, self._ordering, None if self._crowding is None else self._crowding.rules

    def follow(self, rules: Rules, ordering: Ordering, crowding: Crowding | None = None) -> None:
        """Let others hold from the next step on. Raises ConfigError where a rule is out of range."""
        self._crowding = crowding
        if (rules, ordering) != (self._rules, self._ordering):
            self._rules, self._ordering = rules.check(), ordering

    @property
    def account(self) -> Account:
        """What became of the logs that went in since the partition began."""
        return self.releasing.account

    def step(self, frames: Sequence[bytes], position: int, now: float) -> Step:
        """Take in frames, the last of which stands at `position`, at the moment `now` in seconds.

        Without frames it only looks at what is held too long. Raises ValueError where a frame cannot be read,
        ConfigError where one is of another format; nothing has changed then.
        """
        step, pieces = self.decide(frames, position, now)
        step.entries.extend(filter(None, pieces))
        return step

    def decide(self, frames: Sequence[bytes], position: int, now: float) -> tuple[Step, Iterator[Entry | None]]:
        """Do as `step` does, but with the entries apart, in pieces: None is one that is not written yet.

        All of them have to be taken before the next step.
        """
        decoded = [decode_classified(frame, self.pooling.log_format) for frame in frames]
        before, rules_before = self.account, ""
        if self._changes:
            rules_before, self._written = self.rules, self._chosen
            self.releasing.follow(self._rules, self._ordering)
            self.releasing.crowd.follow(self._crowding)
        self._recorder.drawn.clear()
        released = self.releasing.take(decoded, now)
        self._reach(decoded, position)
        head = {"epoch": self._epoch, "number": self._deltas, "position": position, "drawn": self._recorder.drawn}
        delta = dumps(head | self.releasing.decision(now))
        value = b"\n".join((delta, *frames))
        if self._delta_bytes + len(value) > max(self._least_deltas, self._snapshot_bytes):
            entries = self._snapshot()
        else:
            entries = iter((Entry(b"delta-%d" % self._deltas, value),))
            self._delta_bytes += len(value)
            self._deltas += 1
        return Step(released, [], self.account - before, rules_before), entries

    def due(self, now: float) -> bool:
        """Say whether a step without frames is due."""
        return self._changes or self.releasing.due(now)

    @property
    def _changes(self) -> bool:
        """Whether the next step is decided by other rules than the last one."""
        return self._written != self._chosen

    def _reach(self, frames: Iterable[Frame], position: int) -> None:
        self.arrived += sum(len(frame[1]) for frame in frames)
        self.position = position

    def _snapshot(self) -> Iterator[Entry | None]:
        """Yield the state in parts; an epoch begins with them."""
        self._epoch += 1
        self._deltas = self._delta_bytes = self._snapshot_bytes = 0
        state = self.releasing.frozen()
        if self.releasing.crowd.used:
            state[_SCREENED_CELLS] = state.pop("cells")
        parts: list[dict[str, Any]] = []
        for part in split(state.pop("pools"), {name: state.pop(name) for name in LISTS}, self._part_bytes):
            parts.append(part)
            yield None
        head = state | {"epoch": self._epoch, "parts": len(parts), "position": self.position, "arrived": self.arrived}
        for number, part in enumerate(parts):
            entry = Entry(b"part-%d" % number, dumps(head | {"number": number} | part))
            self._snapshot_bytes += len(entry.value)
            yield entry

    @property
    def folded_bytes(self) -> int:
        """Bytes of records that a restore keeps so far."""
        return sum(map(len, self._folded.values()))

    def fold(self, entry: Entry) -> None:
        """Take in the next record of the state log, read from its beginning in order; keys of others are left out.

        A record that is none counts until a good one under its key, or a whole new snapshot, follows it.
        """
        key, value = entry
        if not key.startswith((b"delta-", b"part-")):
            return  # somebody else's
        try:
            epoch = loads(value.partition(b"\n")[0])["epoch"]
            newer = epoch > self._epoch
        except (ValueError, TypeError, LookupError, RecursionError):
            self._damaged.add(key)
            return
        self._damaged.discard(key)
        if newer:
            self._epoch = epoch
            self._folded.clear()
            self._damaged.clear()
        if epoch == self._epoch:
            self._folded[key] = value

    def restored(self) -> None:
        """Take over what was folded, at once; raises as `restoring` does."""
        for _ in self.restoring():
            pass

    def restoring(self) -> Iterator[None]:
        """Take over what was folded, in pieces: it is done with when the iterator ends.

        It stands under the rules that it names; this partition's own hold from the next step on.

        Raises ValueError, whose text holds nothing of a record but its key, where a part or a delta of the last epoch
        is missing or damaged, OtherVersionError where one lacks a field, ConfigError where queries of another format
        are held.
        """
        if self._damaged:
            raise ValueError(f"the state log holds a record under {min(self._damaged)!r} that is none")
        folded, self._folded = self._folded, {}
        state: dict[str, Any] = {"format": ""}
        try:
            if self._epoch:
                for size in put_together(folded, state):
                    self._snapshot_bytes += size
                    yield
                if "cells" not in state:
                    state["cells"] = state.pop(_SCREENED_CELLS)
                yield from self.releasing.loading(state)
                self.position, self.arrived = state["position"], state["arrived"]
            written = state["format"]
            for number in range(sum(key.startswith(b"delta-") for key in folded)):
                yield
                delta = folded.pop(b"delta-%d" % number, None)
                if delta is None:
                    raise ValueError("the state log lacks a delta")
                written = self._repeat(delta)
        except (TypeError, LookupError, AttributeError, RecursionError):
            raise OtherVersionError("the state log holds a record that lacks a field") from None
        self.releasing.claim(str(written))
        # What was decided by an older version goes on in today's way, and the policy, which no state has, is ours.
        ordering = self.cells.ordering._replace(policy=self._ordering.policy)
        self._written = self.pools.rules, ordering, self.releasing.crowd.rules
        self.releasing.follow(self.pools.rules, ordering)

    def restore(self, entries: Iterable[Entry]) -> None:
        """Fold all records, and take over what was folded; raises as `restored` does."""
        for entry in entries:
            self.fold(entry)
        self.restored()

    def _repeat(self, delta: bytes) -> str:
        """Decide again what a delta decided, and return the format of its records."""
        first, *rows = delta.split(b"\n")
        head = loads(first)
        frames = [decode_classified(row) for row in rows]
        self.releasing.repeat(frames, head, RepeatingDraw(head["drawn"]))
        self._reach(frames, head["position"])
        self._deltas += 1
        self._delta_bytes += len(delta)
        return str(head["format"])
