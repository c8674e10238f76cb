"""Sessions that leave together on Kafka, over the log in memory: exactly once beside kills, profiles exact."""

import asyncio
from collections import Counter
from itertools import groupby
from random import Random

from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.core.profiles import categories_of
from querymix.core.records import POOL_NAMES, UNCLASSIFIED
from querymix.core.rules import Rules, SessionScope
from querymix.stages.classifying import Classifying

from tests.querymix.kafka.whole import TOPICS, Honest, Outcome, Sent, Service, Wild, classify, write

settings = how(deadline=None, max_examples=40)
RULES = Rules(3, reserve=0, unit="session", session_gap=40.0, session_most=3)


def with_sessions(service: Service, rules: Rules) -> Service:
    """Let a service go by rules, as a reload does; a query without a category is pooled."""
    service.classifier.rules = service.anonymizer.rules = rules
    service.classifier.stage = lambda: Classifying(classify, unclassified="pool")
    return service


def check(outcome: Outcome, sent: dict[int, Sent]) -> None:
    """Assert that each query is in one place, none is under its own user, and each counts once for its own user.

    It counts for the profile once the user entry of its unit has left.
    """
    once = Counter([rank for _, rank in outcome.released] + [int(str(query.rank)) for query in outcome.held])
    assert once == dict.fromkeys(sent, 1)
    assert [rank for user, rank in outcome.released if sent[rank].user == user] == []
    counted = Counter({(user, c): n for user, counts in outcome.profiles.items() for c, n in counts.items()})
    for state in outcome.states:
        entries = [entry for _, pool in state.pools for entry in pool.users]
        counted.update((user, c) for user, origin, _ in entries for c in categories_of(origin))
        counted.update((unit[1].user, unit[5]) for unit in state.pools._gathering.waiting)
        for (user, _), (_, _, _, *queries) in state.pools._sessions.waiting.items():
            counted.update((user, query[0]) for query in queries)
    came = Counter((log.user, log.category) for log in sent.values())
    assert {pair: n for pair, n in counted.items() if pair[1] != UNCLASSIFIED} == {
        pair: n for pair, n in came.items() if pair[1] != UNCLASSIFIED
    }


@settings
@given(
    st.integers(0, 1 << 30),
    st.lists(st.tuples(st.booleans(), st.integers(1, 80), st.booleans()), max_size=5),
    st.sampled_from(["category", "all"]),
)
def test_sessions_lose_and_double_nothing_beside_crashes_and_while_they_are_switched_on_and_off(
    seed: int, changes: list[tuple[bool, int, bool]], scope: SessionScope
) -> None:
    async def go() -> None:
        random, rules = Random(seed), RULES._replace(session_scope=scope)
        service = with_sessions(Service(lambda log, source: Wild(log, source, random)), rules)
        sent = write(service.memory, random, 30)
        for on, turns, killed in changes:
            running = asyncio.create_task(service.run(map(service.processor, service.sources), turns))
            for _ in range(turns // 2):
                await asyncio.sleep(0)
            with_sessions(service, rules if on else Rules(3))
            if killed:
                running.cancel()
            await asyncio.wait([running])
            sent |= write(service.memory, random, 10, len(sent))
        check(await service.go(), sent)

    asyncio.run(go())


def test_a_session_leaves_in_order_under_one_other_user_after_a_restart_too() -> None:
    async def go() -> None:
        service = with_sessions(Service(Honest), RULES._replace(session_scope="all", session_gap=1e5))
        sent = dict[int, Sent]()
        for rank in range(60):
            sent[rank] = Sent(f"user{rank % 20}", [1, UNCLASSIFIED, 2][rank // 20])
            line = f"{sent[rank].user}\t{sent[rank].category} query {rank}\t2006-03-01 00:00:{rank // 20:02}\t{rank}\t"
            service.memory.put(TOPICS.raw, rank % 2, None, line.encode())
        for _ in range(3):  # each time as after a kill
            await service.go()
            service.now += 1e6
        outcome = await service.go()
        check(outcome, sent)
        assert len(outcome.released) >= 3 * 10
        records = await service.records(TOPICS.anonymized)
        for user, own in groupby(records, key=lambda record: record.key):
            ranks = [int((record.value or b"").split(b"\t")[3]) for record in own]
            for first in range(0, len(ranks), 3):
                unit = ranks[first : first + 3]
                assert len({sent[rank].user for rank in unit} | {(user or b"").decode()}) == 2
                assert unit == [unit[0], unit[0] + 20, unit[0] + 40], "whole, and in order"
        for record in records:
            rank = int((record.value or b"").split(b"\t")[3])
            assert dict(record.headers)["category"] == POOL_NAMES[sent[rank].category].encode(), "its own"
        for counts in outcome.profiles.values():
            assert counts == {1: 1, 2: 1}, "of a whole session, each under its own category"

    asyncio.run(go())
