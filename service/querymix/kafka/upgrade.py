"""What will happen when workers of this version start on what is there: looked at beforehand, and nothing is changed.

Rules:
- It asks what the workers ask at their start, by the same functions, so that it finds what they would find.
- Each finding is of a kind; the gravest kind decides. `STOP`: a worker would refuse to start, or must not yet.
  `LOOK`: it starts, and something is lost or changes. `FINE`: nothing is.
"""

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from aiokafka.errors import GroupAuthorizationFailedError

from querymix.codecs.frames import decode_evidence
from querymix.core.crowd_window import CrowdRules
from querymix.core.draw import system_draw
from querymix.core.errors import ConfigError
from querymix.core.rules import Rules
from querymix.kafka.admin import Admin
from querymix.kafka.anonymizer import read_state, refuse_unscreened
from querymix.kafka.classifier import group_of, read_account
from querymix.kafka.evidence_source import known
from querymix.kafka.failures import cut_short, refuse_new_topic
from querymix.kafka.ports import Chunk, End, Limit, PartitionedLog, TopicPartition
from querymix.kafka.topics import Found, Topics
from querymix.ports import ProfileStore
from querymix.settings.values import show_seconds
from querymix.stages.partition import Partition

FINE: Final = 0
LOOK: Final = 1
STOP: Final = 2
_GRAVITY: Final = {
    "goes on": FINE,
    "passed over": FINE,
    "changed": LOOK,
    "left out": LOOK,
    "lost": LOOK,
    "not applied": LOOK,
    "no account": LOOK,
    "refused": STOP,
    "running": STOP,
}
_CROWD: Final = {
    (False, True): "--crowd stream is on from now on: nobody is counted yet, and what the pools hold leaves only where "
    "enough users ask the same again",
    (True, False): "--crowd stream screened what leaves, and asks nothing now: what the pools hold leaves as it is",
    (True, True): "what --crowd stream asks for is other than it was, from the next record on",
}
"""What is said where the stream's own crowd was and is there, and differs."""
_ONE: Final = Limit(1, 1)
_SOME: Final = Limit(1000, 8 << 20)


class Finding(NamedTuple):
    """One thing that will happen."""

    kind: str
    """See `_GRAVITY`."""
    says: str
    topic: str = ""
    partition: int | None = None
    first: int | None = None
    """The offset that it begins at."""
    last: int | None = None
    """The offset that it ends with, where it is about several."""

    @property
    def gravity(self) -> int:
        """FINE, LOOK or STOP."""
        return _GRAVITY[self.kind]


class _Before(NamedTuple):
    """What the partitions were last worked on under."""

    rules: set[Rules]
    crowds: set[CrowdRules | None]


class Start(NamedTuple):
    """A start of this version's workers: what they will meet, and their settings."""

    log: PartitionedLog
    store: ProfileStore
    topics: Topics
    found: Mapping[str, Found]
    """The topics as the brokers have them, by their names in `Topics`."""
    group: str
    rules: Rules
    log_format: str
    """`Codec.format`"""
    crowd: CrowdRules | None = None
    """What is asked of the stream's own crowd."""
    own_crowd: bool = True
    """Whether the stream is its own crowd, also where nothing is asked of it."""

    async def findings(self) -> list[Finding]:
        """Return what will happen to each partition. Raises TransientError where Kafka or the store is unavailable."""
        found: list[Finding] = []
        before = _Before(set(), set())
        for field, look in (("raw", self._raw), ("classified", self._classified), ("evidence", self._evidence)):
            sources = [TopicPartition(self.found[field].name, n) for n in range(self.found[field].partitions)]
            ends = await self.log.ends(sources)
            for source in sources:
                try:
                    found += await look(source, ends[source], before)
                except ConfigError as error:
                    found.append(Finding("refused", str(error), *source))
        told = [*changes(before.rules, self.rules), *crowd_changes(before.crowds, self.crowd)]
        told += await self._other_ids() if before.rules else []
        return found + [Finding("changed", says) for says in told]

    async def _other_ids(self) -> list[str]:
        """Say that ids last for a period from now on, where no worker has begun one yet."""
        if "periods" not in self.found:
            return []
        source = TopicPartition(self.found["periods"].name, 0)
        if (await self.log.ends([source]))[source].last:
            return []
        return ["ids were released that last for good, and are others in each period now (--pseudonym-period)"]

    async def _raw(self, source: TopicPartition, end: End, _: _Before) -> list[Finding]:
        counts = {topic.name: topic.partitions for topic in self.found.values()}
        kept = await read_account(self.log, self.topics, counts, source.partition)
        refuse_new_topic(source, kept, self.found["raw"].id)
        position = -1 if kept is None else kept["position"]
        found, at = await self._goes_on(source, end, position, group_of(self.group))
        if kept is None and at > 0:
            says = "what was read before is in no account: the sums of 'querymix account' begin here"
            found.append(Finding("no account", says, *source))
        return found

    async def _classified(self, source: TopicPartition, end: End, before: _Before) -> list[Finding]:
        state = Partition(self.rules, system_draw(), self.log_format)
        kept = await read_state(self.log, self.topics, source.partition, state)
        refuse_new_topic(source, kept, self.found["classified"].id)
        refuse_unscreened(source, state, own_crowd=self.own_crowd)
        if state.arrived:
            before.rules.add(state.pools.rules)
            before.crowds.add(state.releasing.crowd.rules)
        found, at = await self._goes_on(source, end, kept["intake"]["position"] if kept else state.position, self.group)
        if kept is None and at > 0:
            found.append(Finding("lost", "there is no state: what was held in the pools is lost", *source))
        return found

    async def _evidence(self, source: TopicPartition, end: End, _: _Before) -> list[Finding]:
        """The group says where to go on; the store, what is applied already."""
        there = await known(self.log, self.store, source, self.found["evidence"].id)
        start = await self.log.committed(self.group, source) or 0
        found = (await self._goes_on(source, end, there.applied, self.group))[0]
        if start <= there.applied:
            by = ", by a version that gave it another name," if there.former else ""
            says = f"evidence {start} to {there.applied} is applied{by} and is passed over"
            found.append(Finding("passed over", says, *source, start, there.applied))
        if there.foreign is not None:
            says = f"evidence up to {there.foreign} was of an older topic of that name: its offsets do not count"
            found.append(Finding("left out", says, *source, 0, there.foreign))
        if (first := await self._unapplied(source, there.applied + 1, min(start, end.stable))) is not None:
            says = (
                f"evidence {first} to {start - 1} is in no profile, and the group {self.group} is past it. Where the "
                "database is older than the topics (a backup): see Restore in deploy/README.md"
            )
            found.append(Finding("not applied", says, *source, first, start - 1))
        return found

    async def _unapplied(self, source: TopicPartition, at: int, end: int) -> int | None:
        """Return the offset of the first evidence from `at` on and before `end`, None where there is none."""
        while at < end:
            chunk = await self.log.read(source, at, end, _SOME)
            for record in chunk.records:
                try:
                    decode_evidence(record.value)
                except ValueError:
                    continue  # it is in the dead letters
                return record.offset
            at = chunk.next
        return None

    async def _goes_on(self, source: TopicPartition, end: End, position: int, group: str) -> tuple[list[Finding], int]:
        """Say where a partition goes on after `position`, or after its group's where that is further."""
        if end.last <= position:
            raise cut_short(source, position, end.last)
        at = max(position + 1, await self.log.committed(group, source) or 0)
        if end.last < at:
            raise cut_short(source, at - 1, end.last)
        chunk = await self.log.read(source, at, end.stable, _ONE) if at < end.stable else Chunk((), at, at)
        begin = chunk.begin
        found = []
        if at < begin and at > 0:
            says = f"retention has removed offsets {at} to {begin - 1} before they were read"
            found.append(Finding("lost", says, *source, at, begin - 1))
        says = f"goes on at offset {begin}, " + (f"the end is at {end.last}" if chunk.records else "all is read")
        return [*found, Finding("goes on", says, *source, begin)], begin


def changes(before: Iterable[Rules], now: Rules) -> list[str]:
    """Return in words how the rules differ from those that the pools were last filled by.

    What says how sessions are put together is left out where there were none, or are none now.
    """
    differing = {
        (name, was, getattr(now, name))
        for rules in before
        for name, was in rules._asdict().items()
        if was != getattr(now, name) and not (name.startswith("session_") and "query" in (rules.unit, now.unit))
    }
    return [
        f"--{name.replace('_', '-')} was {_shown(was)} when the pools were filled, and is {_shown(is_now)} now"
        for name, was, is_now in sorted(differing, key=str)
    ]


def crowd_changes(before: Iterable[CrowdRules | None], now: CrowdRules | None) -> list[str]:
    """Return in words how what is asked of the stream's own crowd differs from what was asked before."""
    return sorted({_CROWD[was is not None, now is not None] for was in before if was != now})


def _shown(value: object) -> str:
    return "none" if value is None else show_seconds(value) if isinstance(value, float) else str(value)


async def running(admin: Admin, group: str) -> list[Finding]:
    """Return the groups of the service that have members: workers that still run. `group` is the setting."""
    found = []
    for name in (group, group_of(group), f"{group}-profiler"):
        try:
            members = (await admin.group(name)).members
        except GroupAuthorizationFailedError:
            continue  # versions before 0.1.0 alone had the last one
        if members:
            says = f"the group {name} has {len(members)} members: stop all workers first"
            found.append(Finding("running", says))
    return found
