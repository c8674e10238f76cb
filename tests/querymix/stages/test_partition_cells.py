"""What waits for its cell of time to end, as part of a partition's state: through restarts, and under other grids."""

from collections import Counter

from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.records import Release, each_row, rows_of
from querymix.core.rules import Rules
from querymix.stages.cells import Ordering
from querymix.stages.partition import Partition, Step

from tests.querymix.stages.partitions import RULES, Batch, Log, everything, partition, released, run, streams

settings = how(deadline=None, max_examples=60)
orderings = st.sampled_from([Ordering(), Ordering(1), Ordering(5), Ordering(60), Ordering(5, "query")])


def waiting(it: Partition) -> list[int]:
    """Return the ranks of what waits."""
    return [row[4] for _, release in it.cells.rows() for row in release[2]]


def ranks(rows: list[Release]) -> list[int]:
    return [int(row.query.rank or 0) for row in each_row(rows)]


@settings
@given(streams(), st.sampled_from(RULES), st.lists(orderings, min_size=1, max_size=6))
def test_nothing_is_lost_or_doubled_by_restarts_under_any_grids(
    batches: list[Batch], rules: Rules, chosen: list[Ordering]
) -> None:
    """A worker that is killed after each transaction, and given another grid each time."""
    log, out, now = Log(), [], 0.0
    for place, batch in enumerate(batches):
        it = partition(rules, 100 + place, ordering=chosen[place % len(chosen)])
        it.restore(log.compacted())
        (step,) = run(it, [batch], log, begin=now)
        now += batch.wait
        out += step.releases
        again = partition(rules, 7, ordering=chosen[place % len(chosen)])
        again.restore(log.compacted())
        assert everything(again) == everything(it)
        assert again.account == it.account
    it = partition(rules, 3)
    it.restore(log.compacted())
    put = Counter(query.rank for batch in batches for _, query in batch.logs)
    held = [query.rank for query in it.pools.queries()]
    seen = Counter([*held, *waiting(it), *ranks(out)])
    assert not seen - put
    account = it.account
    assert seen.total() + account.suppressed == put.total()
    assert (account.released, account.held) == (rows_of(out), len(held) + len(waiting(it)))


@settings
@given(streams(), st.sampled_from(RULES), orderings)
def test_a_grid_changes_when_and_not_what_is_released(batches: list[Batch], rules: Rules, ordering: Ordering) -> None:
    plain, other = partition(rules), partition(rules, ordering=ordering)
    # Chance of its own, so that the shuffle takes no number from the pairs.
    other.cells._draw = partition(rules, 8)._recorder
    expected = released(run(plain, batches, Log()))
    steps = run(other, batches, Log())
    now = sum(batch.wait for batch in batches)
    last: list[Step] = []
    while other.cells.waiting:
        now += 10
        assert now < 1e6, "the clock ends each cell"
        if other.due(now):
            last += run(other, [Batch([], 0.0, [])], Log(), begin=now)
    if rules.bound is None:  # a hold that ends meanwhile suppresses and merges on
        assert Counter(map(str, map(pair, released(steps + last)))) == Counter(map(str, map(pair, expected)))


def pair(release: Release) -> tuple[str, int]:
    return release.user, int(release.query.rank or 0)
