"""Looks while a worker works whether its topics are still those that it began with, and its static name its own.

- A topic that is deleted and made anew within a moment looks to every client like the old one with other offsets.
- Two workers under one static name throw each other out of the group for ever, and no client says so: the one that
  began earlier ends.
"""

import logging
from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from time import monotonic
from typing import Final

from aiokafka.errors import KafkaError
from mode import Service

from querymix.core.errors import ConfigError, QuerymixError
from querymix.kafka.admin import Admin, GroupMember
from querymix.kafka.assignment import Fail
from querymix.kafka.connection import reaching
from querymix.kafka.failures import NameTakenError
from querymix.kafka.topics import Found

LOOK_EVERY: Final = 5.0
_SETTLED: Final = 2
"""Looks with one and the same id after which a name was this worker's first."""
_FEW: Final = 3
_MANY: Final = 12
"""Changes of the id that the earlier and the later of two workers bear."""
_log: Final = logging.getLogger(__name__)


class InstanceName:
    """A worker's static name in its groups, and whether another worker has it too.

    Two of one name throw each other out at every sign of life, and Kafka gives a new member id each time. The one whose
    id had been the same for a while began earlier, and gives in first.
    """

    def __init__(self, instance: str | None, session_timeout: float) -> None:
        self.instance = instance
        self._window = 4 * session_timeout
        self._ids: dict[str, str] = {}
        self._same: Counter[str] = Counter()
        """Looks since each group had another id, until there was a second one."""
        self._changes: dict[str, list[float]] = {}

    def taken(self, group: str, members: Iterable[GroupMember], now: float) -> bool:
        """Note a group's members at `now`, in seconds, and say whether another worker has the name."""
        for member in members:
            if self.instance is None or member.instance != self.instance:
                continue
            if self._ids.get(group, member.id) != member.id:
                self._changes.setdefault(group, []).append(now)
            elif not self._changes:
                self._same[group] += 1
            self._ids[group] = member.id
        first = max(self._same.values(), default=0) >= _SETTLED
        needed, window = (_FEW, self._window) if first else (_MANY, 4 * self._window)
        recent = [change for change in self._changes.get(group, ()) if now - change < window]
        return len(recent) >= needed


class IdentityWatch(Service):
    """Calls `fail` once a topic is gone or has another id than it was `found` with, or the name is another worker's.

    `groups` are those that the worker joins under its `name`.
    """

    def __init__(
        self, admin: Admin, found: Mapping[str, Found], groups: Collection[str], name: InstanceName, fail: Fail
    ) -> None:
        super().__init__()
        self._admin = admin
        self._ids = {topic.name: topic.id for topic in found.values()}
        self._groups = groups if name.instance else ()
        self._name = name
        self._fail = fail

    @Service.task
    async def _watch(self) -> None:
        while not self.should_stop:
            try:
                self.judge(await self._admin.topics(self._ids))
                for group in self._groups:
                    self.judge_name(group, (await self._admin.group(group)).members)
            except (TimeoutError, KafkaError, OSError, QuerymixError) as error:
                # A broker that is away is the watchdog's business.
                _log.warning("cannot look at topics and groups: %s", type(error).__name__)
            await self.sleep(LOOK_EVERY)

    def judge(self, now: Mapping[str, Found]) -> None:
        """Fail where a topic is another one."""
        if other := self._other(now):
            self._fail(other)

    async def same(self) -> None:
        """Raise ConfigError where a topic is another one by now, AwayError or RefusedError where Kafka does not say."""
        with reaching("Kafka failed while looking at the topics"):
            if other := self._other(await self._admin.topics(self._ids)):
                raise other

    def _other(self, now: Mapping[str, Found]) -> ConfigError | None:
        for name, known in self._ids.items():
            if name not in now:
                return ConfigError(
                    f"the topic {name} was deleted while the worker ran: make it with 'querymix topics create', "
                    "see Restore in deploy/README.md, then start again"
                )
            if now[name].id != known:
                return ConfigError(
                    f"the topic {name} was deleted and made anew while the worker ran, or the brokers are others: stop "
                    "all workers, see Restore in deploy/README.md, run 'querymix topics accept', and start them again"
                )
        return None

    def judge_name(self, group: str, members: Iterable[GroupMember]) -> None:
        """Fail where another worker has this one's name."""
        if self._name.taken(group, members, monotonic()):
            self._fail(NameTakenError.by(self._name.instance))
