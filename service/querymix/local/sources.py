"""What a run reads: its inputs' records, batch after batch, in the order in which they are to be pooled.

Rules:
- A batch is classified where it was read, or comes classified with its counts. A run need not know which.
- What an earlier start has decided is left out: so many queries, and so many refusals, from the beginning.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from itertools import chain
from typing import Final, Protocol, TypeVar

from querymix.codecs.base import Codec
from querymix.core.records import Query, Refusal
from querymix.local.external_sort import MAX_IN_MEMORY, ExternalSort
from querymix.local.reading import Batch, Input
from querymix.stages.classifying import Classifying

Each = TypeVar("Each")
TIME: Final = Query._fields.index("at")
"""The column by which queries are sorted."""


class SourceBatch(Protocol):
    """Some records of the inputs."""

    @property
    def arrived(self) -> int:
        """How many queries they are."""
        ...

    @property
    def refusals(self) -> list[Refusal]:
        """Those that could not be read."""
        ...

    def classified(self, stage: Classifying) -> list[tuple[int, Query]]:
        """Return the queries that go on with their categories, in their order; `stage` counts what became of all."""
        ...


class Source(Protocol):
    """Where a run's batches come from."""

    inputs: Sequence[Input]
    seconds: dict[str, float]
    """Spent by further processes, less what this one waited for them, by stage."""

    @property
    def peak(self) -> int:
        """Bytes of memory that further processes held at most."""
        ...

    def batches(self, queries: int = 0, refusals: int = 0) -> Iterator[SourceBatch]:
        """Yield what comes after the first `queries` and `refusals`.

        Raises KeyboardInterrupt where the inputs were stopped, and TransientError where a process or a disk fails.
        """
        ...


class OneProcess:
    """Inputs that are read here; `in_order` and `clock` as those of `Processes`."""

    peak = 0

    def __init__(
        self, inputs: Sequence[Input], codec: Codec, *, in_order: bool, clock: Callable[[], None] = lambda: None
    ) -> None:
        self.inputs = inputs
        self.seconds = dict[str, float]()
        self._codec = codec
        self._order = partial(in_time_order, clock=clock) if in_order else iter

    def batches(self, queries: int = 0, refusals: int = 0) -> Iterator[Batch]:
        """As `Source`."""
        read = chain.from_iterable(source.batches(self._codec) for source in self.inputs)
        for batch in until_stopped(self.inputs, self._order(read)):
            if queries or refusals:
                kept = Batch(batch.queries[queries:], batch.refusals[refusals:])
                queries -= len(batch.queries) - len(kept.queries)
                refusals -= len(batch.refusals) - len(kept.refusals)
                if kept.queries or kept.refusals:
                    yield kept
            else:
                yield batch


def until_stopped(inputs: Sequence[Input], batches: Iterator[Each]) -> Iterator[Each]:
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
