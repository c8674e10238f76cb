"""Repeated lines of the log are folded, and say how many they stand for; what querymix says of itself is not.

And what a signal means to a worker.
"""

import asyncio
import logging
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from aiokafka.errors import InvalidProducerIdMapping, KafkaError
from querymix.kafka import reloading, worker
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


def test_whoever_asks_for_the_settings_to_be_read_again_is_answered_each_time() -> None:
    """A second SIGHUP on the same wrong file was met by silence."""
    log = Log()
    for _ in range(2):
        log.says(reloading.__name__, "the settings were not read again: %s", "--k is wrong")
    assert len(log.shown) == 2


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


def test_a_kafka_error_of_a_client_is_named_without_the_way_to_it_through_the_clients_code() -> None:
    try:
        raise KafkaError("Unexpected error during batch delivery") from InvalidProducerIdMapping()
    except KafkaError as error:
        caught = (type(error), error, error.__traceback__)
    record = logging.LogRecord("aiokafka.producer", logging.ERROR, "", 0, "Unexpected error", (), caught)
    assert RepeatFilter().filter(record)
    assert logging.Formatter().format(record) == "Unexpected error (InvalidProducerIdMapping)"
    own = logging.LogRecord("querymix.kafka", logging.ERROR, "", 0, "Unexpected error", (), caught)
    assert RepeatFilter().filter(own)
    assert "Traceback" in logging.Formatter().format(own)


class Elsewhere:
    """A worker's terminal, and whoever reads its settings again."""

    def __init__(self) -> None:
        self.gone = False
        self.asked = asyncio.Event()


class FakeApp:
    """An app whose start and stop take as long as they are told to."""

    def __init__(self, *, start_hangs: bool = False, stop_hangs: bool = False) -> None:
        self.crashed = False
        self.crash_reason = None
        self.started = asyncio.Event()
        self._hangs = (start_hangs, stop_hangs)

    async def start(self) -> None:
        self.started.set()
        if self._hangs[0]:
            await asyncio.Event().wait()

    async def stop(self) -> None:
        if self._hangs[1]:
            with suppress(asyncio.CancelledError):
                await asyncio.Event().wait()
            await asyncio.Event().wait()


async def told(app: Any, *, times: int = 1) -> list[str]:
    """Tell a worker to stop once it has begun to start, and return what it closed."""
    closed: list[str] = []

    async def close() -> None:
        closed.append("connections")

    elsewhere: Any = Elsewhere()
    it = Worker(app, Failure(), close, elsewhere.asked.set, elsewhere)
    running = asyncio.create_task(it.run())
    await app.started.wait()
    await asyncio.sleep(0.05)
    for _ in range(times):
        os.kill(os.getpid(), signal.SIGTERM)
        await asyncio.sleep(0.01)
    await running
    return closed


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Give each step a moment, and keep the process if it is cut off."""
    monkeypatch.setattr(worker, "_STOPS_WITHIN", 0.05)
    monkeypatch.setattr(worker, "_GRACE", 3600.0)
    before = [(number, signal.getsignal(number)) for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)]
    yield
    for number, handler in before:
        signal.signal(number, handler)


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("start_hangs", [False, True])
async def test_told_to_stop_a_worker_ends_in_order_while_it_works_and_while_its_start_waits(start_hangs: bool) -> None:
    assert await told(FakeApp(start_hangs=start_hangs)) == ["connections"]


@pytest.mark.usefixtures("quick")
async def test_a_step_of_the_stop_that_hangs_is_left_and_the_next_one_is_done() -> None:
    assert await told(FakeApp(stop_hangs=True)) == ["connections"]


CUT_OFF = """
import asyncio, os, signal, sys, threading
from querymix.kafka import worker
from querymix.kafka.worker import Failure, Worker
from querymix.core.errors import ConfigError
from querymix.signals import Terminal
worker._GRACE = float(sys.argv[1])

class App:
    crashed = False
    async def start(self): os.kill(os.getpid(), signal.SIGTERM)
    async def stop(self):
        if sys.argv[2] == "again":
            os.kill(os.getpid(), signal.SIGTERM)
            await asyncio.sleep(600)
        if sys.argv[2] == "blocks":
            threading.Event().wait(600)
        threading.Thread(target=threading.Event().wait, args=[600]).start()

async def close(): return

failure = Failure()
if sys.argv[3]:
    failure(ConfigError("a topic was made anew."))
asyncio.run(Worker(App(), failure, close, lambda: None, Terminal()).run())
"""


@pytest.mark.parametrize(
    ("grace", "how", "broke", "code", "says"),
    [
        ("0.2", "blocks", "", 1, "The worker did not stop in 0 s and is cut off. Nothing is lost or doubled"),
        ("0.2", "a thread stays", "", 1, "The worker did not stop in 0 s and is cut off."),
        ("0.2", "blocks", "broke", 2, "a topic was made anew. The worker did not stop in 0 s and is cut off."),
        ("600", "again", "", 1, "The worker was told to stop a second time and is cut off."),
    ],
)
def test_what_hangs_is_cut_off_with_a_code_and_words(grace: str, how: str, broke: str, code: int, says: str) -> None:
    """Also where the event loop is held, or a thread keeps the interpreter from its end."""
    done = subprocess.run(
        [sys.executable, "-c", CUT_OFF, grace, how, broke], capture_output=True, text=True, timeout=300, check=False
    )
    assert done.returncode == code, done.stderr
    assert says in done.stderr


@pytest.mark.usefixtures("quick")
async def test_a_hang_up_asks_for_the_settings_and_ends_a_worker_only_once_its_terminal_has_gone() -> None:
    app: Any = FakeApp()
    elsewhere: Any = Elsewhere()
    running = asyncio.create_task(Worker(app, Failure(), app.stop, elsewhere.asked.set, elsewhere).run())
    await app.started.wait()
    for _ in range(2):
        os.kill(os.getpid(), signal.SIGHUP)
        await asyncio.wait_for(elsewhere.asked.wait(), 300)
        elsewhere.asked.clear()
    assert not running.done()
    elsewhere.gone = True
    os.kill(os.getpid(), signal.SIGHUP)
    await asyncio.wait_for(running, 300)
    assert not elsewhere.asked.is_set()
