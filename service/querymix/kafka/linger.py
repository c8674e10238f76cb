"""How long a feeder gathers records: a transaction costs far more than the records in it.

Rules:
- After a batch that was less than half full, the next one waits for `BATCHING_DELAY`: while little comes in, a
  partition has ten transactions a second at most. Full batches do not wait, nor does the first record after a pause.
"""

import asyncio
from collections.abc import Sequence
from typing import Final

from querymix.kafka.ports import Limit, Record

BATCHING_DELAY: Final = 0.1
"""Seconds, as Kafka's `linger.ms`."""


class BatchingDelay:
    """Gathers the records of one partition."""

    def __init__(self) -> None:
        self._few = False

    async def wait(self) -> None:
        """Wait, where the last batch was a small one."""
        if self._few:
            await asyncio.sleep(BATCHING_DELAY)

    def note(self, records: Sequence[Record], limit: Limit) -> None:
        """Note the batch that is handed over."""
        self._few = (
            0 < len(records) < limit.records // 2
            and sum(len(record.value or b"") for record in records) < limit.bytes // 2
        )
