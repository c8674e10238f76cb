"""Looks while a worker works whether its topics are still those that it began with, and its static name its own.

- A topic that is deleted and made anew within a moment looks to every client like the old one with other offsets.
- Two workers under one static name throw each other out of the group for ever, and no client says so: the one that
  began earlier ends. A worker that was restarted has begun later than the one that it replaces.
"""

import logging
from collections.abc import Collection, Mapping
from time import time_ns
from typing import Any, Final

from aiokafka.errors import KafkaError
from mode import Service

from service.core.errors import Misconfigured, QuerymixError
from service.kafka.connection import connected
from service.kafka.failures import NameTaken
from service.kafka.groups import GroupMember, describe
from service.kafka.lookup import Found, ask
from service.kafka.processors import Fail
from service.settings import ConnectionSettings

LOOK_EVERY: Final = 5.0
_CLIENT: Final = "querymix-"
_log: Final = logging.getLogger(__name__)


def client_id() -> str:
    """Return what this worker calls itself: it tells which of two workers under one name began later."""
    return f"{_CLIENT}{time_ns()}"


class SameWatch(Service):
    """Calls `fail` once a topic is gone or has another id than it was `found` with, or the name is another worker's.

    `client` is the worker's own `client_id`, `groups` are those that it joins under `instance`.
    """

    def __init__(
        self,
        settings: ConnectionSettings,
        found: Mapping[str, Found],
        groups: Collection[str],
        instance: str | None,
        client: str,
        fail: Fail,
        **kwargs: Any,
    ) -> None:
        super().__init__(**kwargs)
        self._settings = settings
        self._ids = {topic.name: topic.id for topic in found.values()}
        self._groups = groups if instance else ()
        self._instance = instance
        self._client = client
        self._fail = fail

    @Service.task
    async def _watch(self) -> None:
        while not self.should_stop:
            try:
                async with connected(self._settings) as client:
                    while not self.should_stop:
                        self.judge(await ask(client, self._ids))
                        for group in self._groups:
                            self.judge_name((await describe(client, group)).members)
                        await self.sleep(LOOK_EVERY)
            except (TimeoutError, KafkaError, OSError, QuerymixError) as error:
                # A broker that is away is the watchdog's business.
                _log.warning("cannot look at topics and groups: %s", type(error).__name__)
            await self.sleep(LOOK_EVERY)

    def judge(self, now: Mapping[str, Found]) -> None:
        """Fail where a topic is another one."""
        for name, known in self._ids.items():
            if name not in now:
                self._fail(
                    Misconfigured(
                        f"the topic {name} was deleted while the worker ran: make it with 'querymix topics create', "
                        "see Restore in deploy/README.md, then start again"
                    )
                )
            elif now[name].id != known:
                self._fail(
                    Misconfigured(
                        f"the topic {name} was deleted and made anew while the worker ran: stop all workers, see "
                        "Restore in deploy/README.md, run 'querymix topics accept', and start them again"
                    )
                )

    def judge_name(self, members: Collection[GroupMember]) -> None:
        """Fail where a worker that began later has this worker's name."""
        for member in members:
            if member.instance == self._instance and _began(member.client) > _began(self._client):
                self._fail(NameTaken.by(self._instance))


def _began(client: str) -> int:
    number = client.removeprefix(_CLIENT)
    return int(number) if number.isascii() and number.isdigit() else 0
