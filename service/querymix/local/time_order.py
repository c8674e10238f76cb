"""A log in time order: AOL's files are sorted by user, so files are put in order before they are pooled.

The order is stable, so that a second reading gives the same one.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Final

from querymix.core.records import Query
from querymix.local.external_sort import MAX_IN_MEMORY, ExternalSort
from querymix.local.reading import Batch

TIME: Final = Query._fields.index("at")
"""The column by which queries are sorted."""


def in_time_order(
    batches: Iterable[Batch], clock: Callable[[], None] = lambda: None, *, most_in_memory: int = MAX_IN_MEMORY
) -> Iterator[Batch]:
    """Yield the queries of all batches by time; refusals come before them, as they are met.

    `clock` is called now and then, for a progress bar; more than `most_in_memory` queries go to the disk. Raises
    Broken where that fails.
    """
    with ExternalSort(TIME, row=Query, most=most_in_memory) as queries:
        for batch in batches:
            clock()
            queries.add(batch.queries)
            if batch.refusals:
                yield Batch([], batch.refusals)
        queries.end()
        for some in queries.batches():
            yield Batch(some, [])
        if not queries.count:  # a log without queries may still have a header
            yield Batch([], [])
