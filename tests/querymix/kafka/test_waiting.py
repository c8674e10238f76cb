"""Releases that wait for their cell of time to end, over the log in memory: crashes, and a clock that goes on."""

import asyncio
from random import Random

from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.account import Account
from querymix.stages.cells import Ordering

from tests.querymix.kafka.whole import Service, Wild, check, write

settings = how(deadline=None, max_examples=40)
DAY = Ordering(86_400)


@settings
@given(st.integers(0, 1 << 30), st.lists(st.integers(1, 60), max_size=5))
def test_crashes_at_any_moment_lose_and_double_nothing_of_what_waits(seed: int, turns: list[int]) -> None:
    async def go() -> None:
        random = Random(seed)
        service = Service(lambda log, source: Wild(log, source, random), ordering=DAY)
        sent = write(service.memory, random, 40)
        for turn in turns:
            sent |= write(service.memory, random, 10, len(sent))
            service.now += random.choice([0, 0, 100_000])
            await service.run([service.processor(source) for source in service.sources], turn)
        outcome = await service.go()
        check(outcome, sent)
        account = sum((state.account for state in outcome.states), Account())
        assert (account.released, account.held) == (len(outcome.released), len(outcome.held))

    asyncio.run(go())


async def test_without_further_logs_the_clock_lets_everything_out_with_its_evidence() -> None:
    random = Random(4)
    service = Service(lambda log, source: Wild(log, source, random), ordering=DAY)
    sent = write(service.memory, random, 60)
    before = await service.go()
    check(before, sent)
    waiting = sum(state.cells.waiting for state in before.states)
    assert waiting > 10
    assert not before.released
    service.now = 86_400 * 1.1
    await service.run([service.processor(source) for source in service.sources], 300)
    after = await service.outcome()
    check(after, sent)
    assert len(after.released) >= waiting
    assert not any(state.cells.waiting for state in after.states)
    lines = [record.value or b"" for record in await service.records(service.topics.anonymized)]
    assert {line.split(b"\t")[2] for line in lines} == {b"2006-03-01 00:00:00"}
