"""Looks while a worker works whether its topics are still the ones that it began with.

A topic that is deleted and made anew within a moment looks to every client like the old one with other offsets.
"""

import logging
from collections.abc import Mapping
from typing import Any, Final

from aiokafka.errors import KafkaError
from mode import Service

from service.core.errors import Misconfigured, QuerymixError
from service.kafka.connection import connected
from service.kafka.lookup import Found, ask
from service.kafka.processors import Fail
from service.settings import ConnectionSettings

LOOK_EVERY: Final = 5.0
_log: Final = logging.getLogger(__name__)


class TopicWatch(Service):
    """Calls `fail` once a topic is gone or has another id than it was `found` with."""

    def __init__(self, settings: ConnectionSettings, found: Mapping[str, Found], fail: Fail, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._settings = settings
        self._ids = {topic.name: topic.id for topic in found.values()}
        self._fail = fail

    @Service.task
    async def _watch(self) -> None:
        while not self.should_stop:
            try:
                async with connected(self._settings) as client:
                    while not self.should_stop:
                        self.judge(await ask(client, self._ids))
                        await self.sleep(LOOK_EVERY)
            except (TimeoutError, KafkaError, OSError, QuerymixError) as error:
                # A broker that is away is the watchdog's business.
                _log.warning("cannot look at the topics: %s", type(error).__name__)
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
