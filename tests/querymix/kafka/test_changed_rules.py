"""Rules that change while a service works, over the log in memory: kills before and after, each change in one place."""

import asyncio
import json
import logging
from functools import partial
from itertools import pairwise
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.codecs.aol import AolCodec
from querymix.core.draw import Draw
from querymix.core.rules import Rules
from querymix.kafka.anonymizer import read_state
from querymix.kafka.ports import TopicPartition
from querymix.kafka.releases import ReleaseWriter
from querymix.stages.cells import Ordering
from querymix.stages.classifying import Classifying
from querymix.stages.partition import Partition
from querymix.stages.releasing import hash_of_rules
from querymix.telemetry import REGISTRY

from tests.querymix.kafka.whole import RULES, TOPICS, Honest, Service, Wild, check, classify, write
from tests.querymix.stages.partitions import without_hashes

settings = how(deadline=None, max_examples=40)
CHOICES = [
    (RULES, Ordering()),
    (Rules(2, click_wait=0.0, reserve=0), Ordering()),
    (Rules(4, established=20.0, reserve=0), Ordering(60.0)),
    (Rules(2, hold_policy="wait", dedupe=5.0, reserve=0), Ordering(3600.0)),
]


def choose(service: Service, rules: Rules, ordering: Ordering) -> None:
    """Do what a reload does to a worker."""
    codec = AolCodec(precision=ordering.precision)
    setup = service.anonymizer
    setup.rules, setup.ordering = rules, ordering
    setup.release_writer = ReleaseWriter(service.topics, service.partitions, codec, category_header=True)


def decided_by(service: Service, number: int) -> list[tuple[Any, ...]]:
    """Return the rules that each record of a partition's state was decided by, in the order of the log."""
    found = []
    for record in service.memory.records(TOPICS.state):
        if record.partition == number and (record.key or b"").startswith((b"delta-", b"part-")):
            head = json.loads((record.value or b"").partition(b"\n")[0])
            precision = head["precision"] if "precision" in head else head["cells"]["precision"]
            found.append((*head["rules"], precision))
    return found


@settings
@given(st.integers(0, 1 << 30), st.lists(st.tuples(st.integers(0, 3), st.integers(1, 80), st.booleans()), max_size=6))
def test_rules_that_change_at_any_moment_beside_crashes_lose_and_double_nothing(
    seed: int, changes: list[tuple[int, int, bool]]
) -> None:
    async def go() -> None:
        random = Random(seed)
        service = Service(lambda log, source: Wild(log, source, random))
        sent = write(service.memory, random, 30)
        for choice, turns, killed in changes:
            processors = [service.processor(source) for source in service.sources]
            running = asyncio.create_task(service.run(processors, turns))
            for _ in range(turns // 2):
                await asyncio.sleep(0)
            choose(service, *CHOICES[choice])  # in the middle of whatever is under way
            if killed:
                running.cancel()
            await asyncio.wait([running])
            sent |= write(service.memory, random, 10, len(sent))
        check(await service.go(), sent)
        for number in range(2):
            steps = [one for one, other in pairwise(decided_by(service, number)) if one != other]
            assert len(steps) <= len(changes), "each change stands in one place"
            once, again = (Partition(RULES, Draw(Random(1).randbytes)) for _ in range(2))
            for state in (once, again):
                await read_state(service.log, TOPICS, number, state)
            assert without_hashes(once.releasing.snapshot()) == without_hashes(again.releasing.snapshot())

    asyncio.run(go())


async def test_a_change_is_written_logged_and_shown_once_a_partition_where_nothing_arrives(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO, "querymix.kafka")
    service = Service(Honest)
    write(service.memory, Random(1), 60)
    await service.go()
    sources = [TopicPartition(TOPICS.classified, number) for number in range(2)]
    old, new = (hash_of_rules(*CHOICES[number]) for number in (0, 2))
    before = [decided_by(service, number) for number in range(2)]
    choose(service, *CHOICES[2])
    for turn in range(3):  # the second and the third as after a kill
        processors = [service.processor(source) for source in sources]
        tasks = [asyncio.create_task(processor.run()) for processor in processors]
        for _ in range(400):
            await asyncio.sleep(0)
        shown = {
            (number, rules): REGISTRY.get_sample_value("querymix_rules_info", {"partition": number, "rules": rules})
            for number in "01"
            for rules in (old, new)
        }
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
        assert shown == {("0", old): None, ("0", new): 1, ("1", old): None, ("1", new): 1}, turn
    lines = [record.getMessage() for record in caplog.records if "rules" in record.getMessage()]
    ends = [(await service.log.ends([source]))[source].last for source in sources]
    assert sorted(lines) == [
        f"classified partition {number}: rules {old} -> {new} from offset {at + 1} on"
        for number, at in enumerate(await positions(service))
    ]
    assert all(at < end for at, end in zip(await positions(service), ends, strict=True))
    for number in range(2):
        after = decided_by(service, number)[len(before[number]) :]
        assert {rules[:-1] for rules in after} == {tuple(CHOICES[2][0])}


async def positions(service: Service) -> list[int]:
    """Return the offset of the last frame that each partition's state has."""
    found = []
    for number in range(2):
        state = Partition(RULES, Draw(Random(1).randbytes))
        await read_state(service.log, TOPICS, number, state)
        found.append(state.position)
    return found


async def test_what_becomes_of_queries_without_a_category_changes_between_two_batches_and_no_count_is_lost() -> None:
    service = Service(Honest)
    sent = write(service.memory, Random(3), 80)
    commits = 0

    def happened(what: str) -> None:
        nonlocal commits
        commits += what == "commit"
        if commits == 12:
            service.classifier.stage = partial(Classifying, classify, unclassified="pool")

    service.memory.happened = happened
    outcome = await service.go()
    none = sum(log.category == -1 for log in sent.values())
    assert outcome.arrived == len(sent)
    assert 0 < outcome.dropped < none
    rest = [rank for _, rank in outcome.released] + [int(str(query.rank)) for query in outcome.held]
    assert len(rest) == len(set(rest)) == len(sent) - outcome.dropped


async def test_a_partition_that_no_record_has_reached_takes_rules_over_too_and_then_its_first_records() -> None:
    service = Service(Honest)
    sources = [TopicPartition(TOPICS.classified, number) for number in range(2)]
    for choice in (2, 1):
        choose(service, *CHOICES[choice])
        tasks = [asyncio.create_task(service.processor(source).run()) for source in sources]
        for _ in range(100):
            await asyncio.sleep(0)
        choose(service, *CHOICES[choice - 1])
        for _ in range(100):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)
    sent = write(service.memory, Random(5), 60)
    check(await service.go(), sent)
    assert all(rules[:-1] == tuple(CHOICES[0][0]) for rules in decided_by(service, 0)[-3:])
