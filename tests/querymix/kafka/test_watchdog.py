"""The watchdog: a partition with lag has to move, a worker must not wait for ever, Kafka has to answer."""

import asyncio
from collections.abc import Collection, Mapping
from time import monotonic, sleep

import pytest
from querymix.core.errors import ConfigError, QuerymixError, TransientError
from querymix.kafka import watchdog
from querymix.kafka.ports import End, TopicPartition
from querymix.kafka.processor import Progress
from querymix.kafka.watchdog import Watchdog

SOURCE = TopicPartition("topic", 1)
OTHER = TopicPartition("topic", 2)
ALWAYS = TopicPartition("always", 0)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the watchdog's own clock stand still: how long a busy machine takes for a test is no silence of Kafka's."""
    monkeypatch.setattr(watchdog, "monotonic", lambda: 7.0)


class Ends:
    """Says where partitions end, unless it is away."""

    def __init__(self) -> None:
        self.away = False
        self.asked: set[TopicPartition] = set()

    async def ends(self, sources: Collection[TopicPartition]) -> Mapping[TopicPartition, End]:
        if self.away:
            raise TransientError("the log is unavailable")
        self.asked = set(sources)
        return dict.fromkeys(sources, End(9, 9))


class Watched:
    """A worker's partitions, each at the same place."""

    def __init__(self) -> None:
        self.sources: set[TopicPartition] = {SOURCE}
        self.progress: Progress | None = Progress(5, 9)

    def ends(self, ends: Mapping[TopicPartition, End]) -> Mapping[TopicPartition, Progress | None]:
        return {source: self.progress and self.progress._replace(end=ends[source].last) for source in self.sources}


class Dog:
    """A watchdog that looks after 10 seconds, and what it said."""

    def __init__(self, why: QuerymixError | None = None) -> None:
        self.said: list[BaseException] = []
        self.log = Ends()
        self.watched = Watched()
        self.trouble = ""

        async def ask_why() -> None:
            if why is not None:
                raise why

        self.it = Watchdog(
            self.log, [self.watched], ALWAYS, 10.0, self.said.append, trouble=lambda: self.trouble, why=ask_why
        )

    def sees(self, at: int, end: int, now: float, source: TopicPartition = SOURCE) -> bool:
        """Say whether this is what makes it bark."""
        before = len(self.said)
        self.it.judge(source, Progress(at, end), now)
        return len(self.said) > before


def test_a_partition_with_lag_that_does_not_move_is_stalled_after_the_timeout() -> None:
    dog = Dog()
    assert not dog.sees(5, 9, 0.0)
    assert not dog.sees(5, 9, 10.0)
    assert dog.sees(5, 12, 10.1)
    assert isinstance(dog.said[0], TransientError)
    assert "topic partition 1 has lag and has not moved for 10 s" in str(dog.said[0])


def test_a_partition_without_lag_may_stay_where_it_is() -> None:
    dog = Dog()
    assert not any(dog.sees(9, 9, now) for now in range(0, 1000, 9))
    assert not dog.sees(9, 12, 1000.0), "lag counts from the moment that it is there"
    assert not dog.sees(9, 12, 1001.0)
    assert dog.sees(9, 12, 1011.0)


def test_a_partition_that_waits_for_a_store_that_is_away_is_not_stalled_until_the_store_is_back() -> None:
    dog = Dog()
    for now in range(0, 1000, 9):
        dog.it.judge(SOURCE, Progress(5, 9, excused=True), now)
    assert dog.said == []
    assert dog.it.lag == 4
    assert not dog.sees(5, 9, 1000.0)
    assert dog.sees(5, 9, 1010.0)


def test_a_partition_that_moves_however_little_is_not_stalled() -> None:
    dog = Dog()
    assert not any(dog.sees(at, 1000, 9.0 * at) for at in range(100))


def test_a_partition_that_goes_back_has_moved() -> None:
    """A stream that is sought back to where the state stands."""
    dog = Dog()
    assert not dog.sees(50, 100, 0.0)
    assert not dog.sees(20, 100, 11.0)


async def test_a_partition_that_is_restored_has_all_its_time() -> None:
    dog = Dog()
    dog.sees(5, 9, 0.0)
    dog.watched.progress = None
    await dog.it.look()
    assert not dog.sees(5, 9, 20.0)


async def test_lag_is_added_up_over_partitions_and_forgotten_with_them() -> None:
    dog = Dog()
    dog.watched.sources = {SOURCE, OTHER}
    await dog.it.look()
    assert dog.it.lag == 8
    dog.watched.sources = {OTHER}
    await dog.it.look()
    assert dog.it.lag == 4
    dog.sees(9, 7, 0.0, OTHER)
    assert dog.it.lag == 0, "an end that is known late is no lag"


async def test_a_worker_without_partitions_asks_kafka_as_well() -> None:
    dog = Dog()
    dog.watched.sources = set()
    await dog.it.look()
    assert dog.log.asked == {ALWAYS}


async def test_a_kafka_that_does_not_answer_ends_nothing_however_long_and_excuses_what_stands_still() -> None:
    dog = Dog(why=ConfigError("the broker refuses the password"))
    dog.sees(5, 9, 0.0)
    dog.it.judge_waiting("rebalancing", 0.0)
    dog.log.away = True
    assert not await dog.it.look()
    assert dog.it.silence(-1.0) == "Kafka has not answered for 0 s (the broker refuses the password)"
    assert not dog.sees(5, 9, 1e9)
    dog.it.judge_waiting("rebalancing", 1e9)
    assert dog.said == [], "both have all their time once Kafka is back"
    assert dog.sees(5, 9, 1e9 + 11)
    dog.it.judge_waiting("rebalancing", 1e9 + 11)
    assert len(dog.said) == 2


async def test_where_a_new_connection_tells_no_reason_the_silence_is_told_by_its_own() -> None:
    dog = Dog()
    dog.log.away = True
    await dog.it.look()
    assert dog.it.silence(-1.0) == "Kafka has not answered for 0 s (the log is unavailable)"
    dog.log.away = False
    assert await dog.it.look()
    assert dog.it.silence(-1.0) == "Kafka has not answered for 0 s"


def test_a_worker_whose_partitions_the_log_fails_again_and_again_may_wait_for_longer_but_not_for_ever() -> None:
    dog = Dog()
    dog.trouble = "raw partition 1: too few replicas"
    for now in (0.0, 11.0, 100.0):
        dog.it.judge_waiting("restoring raw", now)
    assert dog.said == []
    dog.it.judge_waiting("restoring raw", 100.1)
    assert str(dog.said[0]) == (
        "the worker is restoring raw for more than 100 s and ends. raw partition 1: too few replicas"
    )


LATE: list[float] = []


async def late() -> None:
    """Note, until cancelled, by how many seconds the event loop has been late."""
    LATE.append(0.0)
    while True:
        due = monotonic() + watchdog._BEAT
        await asyncio.sleep(watchdog._BEAT)
        LATE[-1] += monotonic() - due


@pytest.mark.parametrize("stands_still", [True, False])
async def test_an_answer_that_is_late_by_the_worker_s_own_fault_is_told_so(
    monkeypatch: pytest.MonkeyPatch, stands_still: bool
) -> None:
    """Who reads that Kafka does not answer would look for the fault there."""
    monkeypatch.setattr(watchdog, "monotonic", monotonic)
    monkeypatch.setattr(watchdog, "_ANSWERS_WITHIN", 0.05 if stands_still else 1.0)
    dog = Dog()

    async def ends(_: object) -> Mapping[TopicPartition, End]:
        if stands_still:
            asyncio.get_running_loop().call_soon(sleep, 5 * watchdog._BEAT)
        return await asyncio.Future()

    monkeypatch.setattr(dog.log, "ends", ends)
    for _ in range(100):
        held_up = asyncio.create_task(late())
        assert not await dog.it.look()
        held_up.cancel()
        await asyncio.wait([held_up])
        if stands_still or LATE[-1] < watchdog._HELD_UP / 2:
            break  # else the machine was so busy that the worker did stand still
    assert ("no answer in time; the worker itself stood still for " in dog.it.silence(-1.0)) is stands_still
    assert "no answer in time" in dog.it.silence(-1.0)
    assert asyncio.all_tasks() == {asyncio.current_task()}


async def test_silence_is_told_once_it_is_longer_than_bearable() -> None:
    dog = Dog()
    await dog.it.look()
    assert dog.it.silence(5.0) == ""
    assert dog.it.silence(-1.0) == "Kafka has not answered for 0 s"
    dog.log.away = True
    await dog.it.look()
    assert dog.it.silence(-1.0) == "Kafka has not answered for 0 s (the log is unavailable)"


def test_a_worker_that_waits_too_long_fails_and_one_that_waits_now_and_then_does_not() -> None:
    dog = Dog()
    for now, waits in [
        (0.0, "rebalancing"),
        (9.0, "rebalancing"),
        (10.0, ""),
        (11.0, "restoring pools"),
        (21.0, "rebalancing"),
    ]:
        dog.it.judge_waiting(waits, now)
    assert dog.said == []
    dog.it.judge_waiting("rebalancing", 21.1)
    assert str(dog.said[0]) == "the worker is rebalancing for more than 10 s and ends."


@pytest.mark.parametrize("waits", ["", "rebalancing"])
def test_the_first_look_never_fails(waits: str) -> None:
    dog = Dog()
    dog.it.judge_waiting(waits, 1e9)
    assert dog.said == []


def test_a_lag_that_is_more_than_bearable_is_told_with_its_size() -> None:
    dog = Dog()
    dog.sees(5, 9, 0.0)
    dog.sees(7, 9, 0.0, OTHER)
    assert dog.it.behind(6) == ""
    assert dog.it.behind(5) == "lag of 6 records"
