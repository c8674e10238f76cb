"""A classifier with a crowd, over the log in memory: exactly once beside crashes, each record in one count."""

import asyncio
import json
from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.bootstrap.reload import screening_of
from querymix.core.crowd import CountedCrowd, item
from querymix.core.errors import ConfigError
from querymix.core.rare_texts import RareTexts, TooLong
from querymix.core.records import UNCLASSIFIED
from querymix.kafka.classifier import account_of, read_account
from querymix.kafka.operations import account_over
from querymix.settings import WorkerSettings, load
from querymix.stages.classifying import Classifying
from querymix.stages.screening import Rule
from querymix.telemetry import REGISTRY

from tests.crowds import table_of
from tests.querymix.kafka.whole import TOPICS, Honest, Sent, Service, Wild, classify, write

settings = how(deadline=None, max_examples=20)
seeds = st.integers(0, 1 << 30)
RARE = 3
"""One record of so many is rare."""
FIRST = 3
"""The first rank: those before it are words of every crowd, since they are categories."""


def crowd_without(rest: int) -> CountedCrowd:
    """Return a crowd in which all is common but the ranks that leave a rest when they are divided by `RARE`."""
    crowd = CountedCrowd()
    words = ["0", "1", "2", "-1", "query", *(str(rank) for rank in range(400) if rank % RARE != rest)]
    for user in "ab":
        crowd.add(user, [item("term", word.lstrip("-")) for word in words])
    return crowd


def screened(service: Service, rest: int, *rules: Rule) -> None:
    """Let a service's classifiers screen, as one does that takes a table over."""
    every = [*rules, RareTexts(crowd_without(rest), 2, "terms")]
    service.classifier.stage = lambda: Classifying(classify, rules=every)


async def places(service: Service, sent: dict[int, Sent]) -> tuple[set[int], dict[str, int]]:
    """Return the ranks that were pooled, each once, and the account, which must have each record once."""
    outcome = await service.outcome()
    once = Counter([rank for _, rank in outcome.released] + [int(str(query.rank)) for query in outcome.held])
    account = await account_over(service.log, service.topics, service.partitions)
    assert set(once.values()) <= {1}
    assert [rank for user, rank in outcome.released if sent[rank].user == user] == []
    assert account["in"] - account["refused"] == outcome.arrived == len(sent)
    assert account["released"] + account["held"] == len(once)
    assert account["waiting"] == 0
    reasons = ("suppressed_by_identifiers", "suppressed_by_hold", "suppressed_as_repeats", "suppressed_as_rare")
    assert account["suppressed"] == sum(account[name] for name in (*reasons, "suppressed_as_long"))
    return set(once), account


@settings
@given(seeds, st.lists(st.integers(1, 60), max_size=6))
def test_what_is_rare_is_suppressed_once_beside_crashes_and_bad_feeders(seed: int, turns: list[int]) -> None:
    async def go() -> None:
        random = Random(seed)
        service = Service(lambda log, source: Wild(log, source, random))
        screened(service, 0)
        sent = write(service.memory, random, 40, FIRST)
        for turn in turns:
            sent |= write(service.memory, random, 10, FIRST + len(sent))
            await service.run([service.processor(source) for source in service.sources], turn)
        await service.go()
        pooled, account = await places(service, sent)
        classed = {rank for rank, log in sent.items() if log.category != UNCLASSIFIED}
        assert pooled == {rank for rank in classed if rank % RARE}
        assert account["suppressed_as_rare"] == len(classed - pooled)
        assert account["unclassified"] == len(sent) - len(classed)

    asyncio.run(go())


@settings
@given(seeds, st.lists(st.tuples(st.integers(1, 60), st.integers(0, RARE)), min_size=1, max_size=6))
def test_another_table_is_taken_over_at_any_moment_beside_crashes_and_no_count_is_lost(
    seed: int, turns: list[tuple[int, int]]
) -> None:
    async def go() -> None:
        random = Random(seed)
        service = Service(lambda log, source: Wild(log, source, random))
        sent = write(service.memory, random, 30, FIRST)
        rests = {RARE}
        for turn, rest in turns:
            sent |= write(service.memory, random, 20, FIRST + len(sent))
            screened(service, rest, TooLong(3, None))
            rests.add(rest)
            await service.run([service.processor(source) for source in service.sources], turn)
        await service.go()
        pooled, account = await places(service, sent)
        classed = {rank for rank, log in sent.items() if log.category != UNCLASSIFIED}
        assert {rank % RARE for rank in classed - pooled} <= rests
        assert account["suppressed_as_rare"] == len(classed - pooled)

    asyncio.run(go())


async def test_the_metrics_count_what_is_rare_and_what_is_too_long_once_committed() -> None:
    def shown(reason: str) -> float:
        return REGISTRY.get_sample_value("querymix_screened_total", {"reason": reason}) or 0.0

    before = shown("rare"), shown("long")
    service = Service(Honest)
    screened(service, 0, TooLong(None, 10))  # "1 query 100" is longer
    sent = write(service.memory, Random(4), 120)
    await service.go()
    _, account = await places(service, sent)
    assert shown("rare") - before[0] == account["suppressed_as_rare"] > 0
    assert shown("long") - before[1] == account["suppressed_as_long"] > 0


async def test_an_account_that_0_6_0_wrote_is_read_and_gone_on_from() -> None:
    service = Service(Honest)
    sent = write(service.memory, Random(2), 40)
    await service.run([service.processor(source) for source in service.sources if source.topic == TOPICS.raw])
    for number in range(2):
        kept = await read_account(service.log, TOPICS, service.partitions, number)
        assert kept is not None
        new = account_of(kept)
        del kept["stage"]["screened"]
        assert account_of(kept) == new
        service.memory.put(TOPICS.positions, number, b"raw-%d" % number, json.dumps(kept).encode())
    screened(service, 0)
    more = write(service.memory, Random(3), 30, len(sent))
    await service.go()
    _, account = await places(service, sent | more)
    assert account["suppressed_as_rare"] == sum(
        log.category != UNCLASSIFIED and not rank % RARE for rank, log in more.items()
    )


# --- the table of a worker


def worker_with(**options: Any) -> WorkerSettings:
    return load(WorkerSettings, {name: str(value) for name, value in options.items()})


def test_a_worker_shows_its_table_once_it_holds_and_says_that_an_old_one_is_old(
    tmp_path: Path, caplog: pytest.LogCaptureFixture, bare_environment: None
) -> None:
    caplog.set_level("INFO")
    log = [(user, "zqx-secret") for user in "abc"]
    table = table_of(tmp_path / "words.crowd", log)
    rules, show = screening_of(worker_with(crowd=table, crowd_users=2))
    assert [type(rule) for rule in rules] == [RareTexts]
    assert caplog.records == []
    show()
    assert REGISTRY.get_sample_value("querymix_crowd_window_end_timestamp_seconds") == 1149120000.0  # 2006-06-01
    one, other = [record.getMessage() for record in caplog.records]
    assert "counts what was asked from 2006-03-01 to 2006-05-31" in one
    assert "Build it anew" in other
    assert "zqx" not in one + other
    for crowd in ("stream", "none"):
        assert screening_of(worker_with(crowd=crowd))[0] == []
    table.write_bytes(table.read_bytes()[:-1])
    with pytest.raises(ConfigError, match="cut short or damaged"):
        screening_of(worker_with(crowd=table))
