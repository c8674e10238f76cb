"""What a run reads: its inputs' records, batch after batch, in the order in which they are to be pooled.

Rule: what an earlier start has decided is left out: so many queries, and so many refusals, from the beginning.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Final

from querymix.codecs.base import Codec
from querymix.core.records import Query
from querymix.local.external_sort import MAX_IN_MEMORY, ExternalSort
from querymix.local.reading import Batch, Input

TIME: Final = Query._fields.index("at")
"""The column by which queries are sorted."""


class Source:
    """Where a run's batches come from: its inputs.

    `in_order`: queries are put in time order, all inputs together; `clock` is called now and then meanwhile.
    """

    def __init__(
        self, inputs: Sequence[Input], codec: Codec, *, in_order: bool, clock: Callable[[], None] = lambda: None
    ) -> None:
        self.inputs = inputs
        self._codec = codec
        self._order = partial(in_time_order, clock=clock) if in_order else iter

    def batches(self, queries: int = 0, refusals: int = 0) -> Iterator[Batch]:
        """Yield what comes after the first `queries` and `refusals`.

        Raises KeyboardInterrupt where the inputs were stopped, and TransientError where a disk fails.
        """
        read = chain.from_iterable(source.batches(self._codec) for source in self.inputs)
        for batch in _until_stopped(self.inputs, self._order(read)):
            if queries or refusals:
                kept = Batch(batch.queries[queries:], batch.refusals[refusals:])
                queries -= len(batch.queries) - len(kept.queries)
                refusals -= len(batch.refusals) - len(kept.refusals)
                if kept.queries or kept.refusals:
                    yield kept
            else:
                yield batch


def _until_stopped(inputs: Sequence[Input], batches: Iterator[Batch]) -> Iterator[Batch]:
    """Yield batches; raise KeyboardInterrupt once the inputs were stopped, also where all of them were read."""
    while not inputs[0].stopped or any(one.has_more for one in inputs):
        batch = next(batches, None)
        if batch is None:
            return
        yield batch
    raise KeyboardInterrupt


def in_time_order(
    batches: Iterable[Batch], clock: Callable[[], None] = lambda: None, *, most_in_memory: int = MAX_IN_MEMORY
) -> Iterator[Batch]:
    """Yield the queries of all batches by time, those of one time as they came; refusals before them, as they are met.

    `clock` is called now and then, for a progress bar; more than `most_in_memory` queries go to the disk. Raises
    TransientError where that fails.
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
