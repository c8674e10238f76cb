"""Knowledge out of MongoDB: read at start, and again on each new version, while the worker works on."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from mode import Service

from querymix import telemetry
from querymix.core.classify import Classify, Each, each_of
from querymix.core.errors import QuerymixError, reason
from querymix.core.records import Classification, Query
from querymix.knowledge.bundle import Bundle
from querymix.stores.mongo_knowledge import MongoKnowledge

_LOOK_EVERY: Final = 30.0
_log: Final = logging.getLogger(__name__)


class CurrentKnowledge(Service):
    """A classifier that follows the version in MongoDB.

    `make` puts a classifier together over a bundle; bundles are kept in `folder`.
    """

    def __init__(self, source: MongoKnowledge, folder: Path, make: Callable[[Bundle], Classify]) -> None:
        super().__init__()
        self._source = source
        self._folder = folder
        self._make = make
        self._version = ""
        self._classify: Classify
        self._each: Each

    def __call__(self, text: str, url: str | None = None, /) -> Classification:
        """Return the topic of a query by the version that is current here."""
        return self._classify(text, url)

    def each(self, queries: list[Query]) -> list[Classification]:
        """Return the topic of each query by that version; the native path takes many at once."""
        return self._each(queries)

    async def refresh(self) -> None:
        """Take over the current version if it is a new one.

        Raises ConfigError where none was loaded, TransientError where MongoDB is away.
        """
        version = await self._source.version()
        if version is not None and version == self._version:
            return
        bundle = await self._source.bundle(self._folder)
        if self._version:
            telemetry.KNOWLEDGE.remove(self._version[:16])
        self._classify, self._version = self._make(bundle), bundle.version
        self._each = each_of(self._classify)
        telemetry.KNOWLEDGE.labels(bundle.version[:16]).set(1)

    @Service.task
    async def _follow(self) -> None:
        while not self.should_stop:
            await self.sleep(_LOOK_EVERY)
            try:
                await self.refresh()
            except (QuerymixError, OSError) as error:
                # An OSError is this machine's own: the bundle is kept in a file.
                why = error if isinstance(error, QuerymixError) else reason(error)
                _log.warning("the knowledge stays as it is: %s", why)
