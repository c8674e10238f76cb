"""A stream that is its own crowd, over the log in memory: kills at any moment, and rules that change beside them."""

import asyncio
import json
from collections import Counter, defaultdict
from random import Random

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix import telemetry
from querymix.codecs.aol import AolCodec
from querymix.codecs.frames import decode_classified, encode_classified
from querymix.core.account import Account
from querymix.core.draw import Draw
from querymix.core.errors import ConfigError
from querymix.core.records import Query
from querymix.core.rules import Rules
from querymix.kafka.anonymizer import Anonymizer, read_state, refuse_unscreened
from querymix.kafka.memory_log import MemoryLog
from querymix.kafka.ports import TopicPartition
from querymix.kafka.releases import ReleaseWriter
from querymix.stages.cells import Ordering
from querymix.stages.partition import Partition

from tests.querymix.kafka.whole import RULES, TOPICS, Honest, Service, Wild
from tests.querymix.stages.crowds import PlainCount, crowding
from tests.querymix.stages.partitions import everything

settings = how(deadline=None, max_examples=40)
WORDS = ["shoes", "hat", "scarf", "odd1", "odd2", "odd3"]
FOREVER = 1e9
"""A window that nothing leaves: the clock of these tests runs as it likes."""


def write(log: MemoryLog, random: Random, logs: int, first: int = 0) -> int:
    """Write records whose words some users share."""
    for rank in range(first, first + logs):
        user, word, number = random.randrange(6), random.choice([*WORDS[:3] * 4, *WORDS[3:]]), random.randrange(2)
        text = f"{random.choice([0, 1])} {word}"
        at = f"2006-03-01 00:{rank // 60:02}:{rank % 60:02}"
        log.put(TOPICS.raw, number, None, f"user{user}\t{text}\t{at}\t{rank}\t".encode())
    return first + logs


def users_by_word(service: Service) -> dict[int, PlainCount]:
    """Return who had what in the frames of each partition."""
    found: defaultdict[int, PlainCount] = defaultdict(PlainCount)
    for record in service.memory.records(TOPICS.classified):
        for query in decode_classified(record.value or b"")[1]:
            found[record.partition].note(query.user, query.text, 0.0)
    return found


async def states_of(service: Service) -> list[Partition]:
    states = [Partition(RULES, Draw(Random(1).randbytes)) for _ in range(2)]
    for number, state in enumerate(states):
        await read_state(service.log, TOPICS, number, state)
    return states


async def check(service: Service, sent: int, users: int) -> Account:
    """Assert that everything is once, and that no line left that too few users had; return what became of it."""
    states = await states_of(service)
    account = sum((state.account for state in states), Account())
    lines = [(record.value or b"").decode().split("\t") for record in await service.records(TOPICS.anonymized)]
    assert account.released == len(lines)
    assert account.released + account.held + account.suppressed == sum(state.arrived for state in states) == sent
    counts = users_by_word(service)
    for line in lines:
        assert max(count.users(line[1], 0.0, FOREVER) for count in counts.values()) >= users
    ranks = Counter(int(line[3]) for line in lines)
    held = [int(str(query.rank)) for state in states for query in state.pools.queries()]
    assert max((ranks + Counter(held)).values(), default=1) == 1
    profiles = {user: sum(kept.values()) async for user, kept in service.store.export()}
    assert profiles == Counter(line[0] for line in lines), "evidence is of lines that left"
    return account


def choose(service: Service, users: int, rules: Rules = RULES, ordering: Ordering = Ordering()) -> None:  # noqa: B008
    setup = service.anonymizer
    setup.rules, setup.ordering, setup.crowding = rules, ordering, crowding(users, FOREVER)
    codec = AolCodec(precision=ordering.precision)
    setup.release_writer = ReleaseWriter(service.topics, service.partitions, codec, category_header=True)


@settings
@given(
    st.integers(0, 1 << 30),
    st.lists(st.tuples(st.integers(2, 5), st.integers(1, 80), st.booleans()), max_size=6),
)
def test_kills_and_changes_at_any_moment_lose_and_double_nothing_and_let_no_rare_word_out(
    seed: int, changes: list[tuple[int, int, bool]]
) -> None:
    async def go() -> None:
        random = Random(seed)
        service = Service(lambda log, source: Wild(log, source, random))
        choose(service, 2)
        sent = write(service.memory, random, 40)
        for users, turns, killed in changes:
            processors = [service.processor(source) for source in service.sources]
            running = asyncio.create_task(service.run(processors, turns))
            for _ in range(turns // 2):
                await asyncio.sleep(0)
            choose(service, users)
            if killed:
                running.cancel()
            await asyncio.wait([running])
            sent = write(service.memory, random, 10, sent)
        await service.go()
        account = await check(service, sent, min([2, *(users for users, _, _ in changes)]))
        assert account.suppressed_as_long == 0

    asyncio.run(go())


async def test_a_worker_that_was_killed_decides_as_one_that_was_not() -> None:
    """The state topic leads to the same window: what it holds, and what it has suppressed."""
    service = Service(Honest)
    choose(service, 3)
    sent = write(service.memory, Random(2), 150)
    roles = dict[int, Anonymizer]()

    def make(source: TopicPartition) -> Anonymizer:
        return roles.setdefault(source.partition, Anonymizer(service.anonymizer, source))

    service.make[TOPICS.classified] = make
    await service.go()
    account = await check(service, sent, 3)
    assert account.suppressed_as_rare > 0 < account.released
    for number in range(2):
        again = Partition(RULES, Draw(Random(1).randbytes), crowding=service.anonymizer.crowding)
        await read_state(service.log, TOPICS, number, again)
        assert everything(again)["crowd"] == everything(roles[number].state)["crowd"]


async def test_what_is_suppressed_is_shown_by_its_reason() -> None:
    def shown(reason: str) -> float:
        return telemetry.REGISTRY.get_sample_value("querymix_screened_total", {"reason": reason}) or 0.0

    before = shown("rare")
    service = Service(Honest)
    choose(service, 4)
    sent = write(service.memory, Random(4), 120)
    await service.go()
    account = await check(service, sent, 4)
    assert shown("rare") - before == account.suppressed_as_rare > 0


async def test_a_decision_tells_the_window_of_then_and_no_text() -> None:
    service = Service(Honest)
    choose(service, 2)
    write(service.memory, Random(4), 60)
    await service.go()
    deltas = [
        json.loads((record.value or b"").partition(b"\n")[0])
        for record in service.memory.records(TOPICS.state)
        if (record.key or b"").startswith(b"delta-")
    ]
    assert deltas
    assert all(delta["crowd"] == [FOREVER, 2, 2, []] for delta in deltas)
    assert all(word not in json.dumps(delta) for delta in deltas for word in WORDS)


async def test_what_waits_to_be_screened_is_refused_by_a_service_that_would_let_it_out() -> None:
    service = Service(Honest)
    choose(service, 2)
    write(service.memory, Random(4), 60)
    await service.go()
    source = TopicPartition(TOPICS.classified, 0)
    for own, crowd in ((False, None), (True, None), (True, service.anonymizer.crowding)):
        service.anonymizer.own_crowd, service.anonymizer.crowding = own, crowd
        role = Anonymizer(service.anonymizer, source)
        if own:
            await role.restore(service.log)  # nothing is asked by an option of today, such as --rare release
        else:
            with pytest.raises(ConfigError, match=r"partition 0 holds \d+ records that --crowd stream screens"):
                await role.restore(service.log)
        assert role.state.pools.held


async def test_a_service_without_a_crowd_goes_on_where_nothing_waits_to_be_screened() -> None:
    rules, source = Rules(2, max_hold=5.0, hold_policy="suppress", click_wait=0.0), TopicPartition(TOPICS.classified, 0)
    state = Partition(rules, Draw(Random(1).randbytes), crowding=crowding(2, FOREVER))
    state.step([encode_classified(1, [Query("ann", "hat", "", 0.0, 1)])], 0, 100.0)
    with pytest.raises(ConfigError, match="holds 1 records"):
        refuse_unscreened(source, state, own_crowd=False)
    for second in range(101, 130):
        state.step([], 0, float(second))
    assert state.account.suppressed_by_hold == 1
    refuse_unscreened(source, state, own_crowd=False)
