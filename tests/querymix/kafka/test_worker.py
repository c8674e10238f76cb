"""Repeated lines of the log are folded, and say how many they stand for; what querymix says of itself is not.

And what a signal means to a worker.
"""

import asyncio
import logging
import os
import signal
from collections.abc import Iterator
from typing import Any

import pytest
from querymix.kafka.worker import Failure, RepeatFilter, Worker


class Log:
    """A log behind the filter, by a clock that is set by hand."""

    def __init__(self) -> None:
        self.now = 0.0
        self._filter = RepeatFilter(30.0, lambda: self.now)
        self.shown: list[str] = []

    def says(self, name: str, template: str, *values: object, level: int = logging.ERROR) -> None:
        record = logging.LogRecord(name, level, "", 0, template, values, None)
        if self._filter.filter(record):
            self.shown.append(record.getMessage())


def test_one_and_the_same_message_is_shown_once_in_a_while_with_how_many_were_left_out() -> None:
    log = Log()
    for second in range(61):
        log.now = float(second)
        log.says("aiokafka.conn", "Unable to connect to %s after %d", "broker:9092", second)
    assert log.shown == [
        "Unable to connect to broker:9092 after 0",
        "Unable to connect to broker:9092 after 30 (and 29 more of these in 30 s)",
        "Unable to connect to broker:9092 after 60 (and 29 more of these in 30 s)",
    ]


def test_other_messages_levels_and_loggers_are_told_apart() -> None:
    log = Log()
    log.says("aiokafka", "one")
    log.says("aiokafka", "two")
    log.says("aiokafka", "one", level=logging.WARNING)
    log.says("faust", "one")
    assert log.shown == ["one", "two", "one", "one"]


def test_what_querymix_says_of_several_partitions_is_shown_for_each() -> None:
    log = Log()
    for partition in (1, 2, 1):
        log.says("querymix.kafka.processor", "partition %d lacks frames", partition)
    assert log.shown == ["partition 1 lacks frames", "partition 2 lacks frames"]


def test_information_and_what_others_say_is_never_left_out() -> None:
    log = Log()
    for _ in range(3):
        log.says("aiokafka", "joined", level=logging.INFO)
        log.says("querymix", "stopped")
    assert log.shown == ["joined", "stopped"] * 3


def test_what_is_remembered_has_a_bound() -> None:
    log = Log()
    for number in range(5000):
        log.says("aiokafka", f"message {number} without a template")
    assert len(log.shown) == 5000
    assert len(log._filter._seen) <= 1000


class Quiet:
    """An app that does nothing, and what a worker asks of its terminal and of whoever reads its settings again."""

    crashed = False
    gone = False

    def __init__(self) -> None:
        self.started = asyncio.Event()
        self.asked = asyncio.Event()

    async def start(self) -> None:
        self.started.set()

    async def stop(self) -> None:
        return


@pytest.fixture
def own_signals() -> Iterator[None]:
    before = {number: signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for number, handler in before.items():
        signal.signal(number, handler)


@pytest.mark.usefixtures("own_signals")
async def test_a_hang_up_asks_for_the_settings_and_ends_a_worker_only_once_its_terminal_has_gone() -> None:
    it: Any = Quiet()
    running = asyncio.create_task(Worker(it, Failure(), it.stop, it.asked.set, it).run())
    await it.started.wait()
    for _ in range(2):
        os.kill(os.getpid(), signal.SIGHUP)
        await asyncio.wait_for(it.asked.wait(), 30)
        it.asked.clear()
    assert not running.done()
    it.gone = True
    os.kill(os.getpid(), signal.SIGHUP)
    await asyncio.wait_for(running, 30)
    assert not it.asked.is_set()
