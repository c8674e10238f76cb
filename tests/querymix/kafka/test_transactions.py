"""Letters and transactions, as far as they need no broker."""

import asyncio
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import aiokafka
import pytest
from aiokafka.errors import IllegalOperation, KafkaConnectionError, ProducerFenced
from aiokafka.structs import OffsetAndMetadata
from querymix.core.errors import TransientError
from querymix.kafka import transactions
from querymix.kafka.deadletter import DeadLetter, send_dead_letters
from querymix.kafka.failures import AwayError
from querymix.kafka.ports import FencedError, TopicPartition
from querymix.kafka.topics import MAX_KEPT
from querymix.kafka.transactions import MAX_UNSENT, KafkaWriter

SOURCE = TopicPartition("raw", 3)


class Producer:
    """A producer that remembers what it was asked for; `fails` names the call that raises `error`."""

    def __init__(self, fails: str = "", error: BaseException | None = None) -> None:
        self.calls: list[str] = []
        self.sent: list[dict[str, Any]] = []
        self.offsets: dict[TopicPartition, OffsetAndMetadata] = {}
        self._fails = fails
        self._error = error
        self._txn_manager = SimpleNamespace(wait_for_transaction_end=lambda: None)

    def _note(self, call: str) -> None:
        self.calls.append(call)
        if call == self._fails and self._error is not None:
            raise self._error

    async def begin_transaction(self) -> None:
        self._note("begin")

    async def commit_transaction(self) -> None:
        self._note("commit")

    async def abort_transaction(self) -> None:
        self._note("abort")

    async def send_offsets_to_transaction(self, offsets: dict[TopicPartition, OffsetAndMetadata], group: str) -> None:
        self._note("offsets")
        self.offsets = offsets

    async def send(self, topic: str, value: bytes | None, **more: Any) -> "asyncio.Future[None]":
        self._note("send")
        self.sent.append({"topic": topic, "value": value, **more})
        future = asyncio.get_running_loop().create_future()
        if self._fails == "delivery" and self._error is not None:
            future.set_exception(self._error)
        else:
            future.set_result(None)
        return future


async def writer(producer: Producer) -> KafkaWriter:
    it = KafkaWriter({}, "group-raw-3", "group", SOURCE)
    await it.producer.stop()
    it.producer = producer
    return it


async def transact(it: KafkaWriter, values: Sequence[bytes] = (b"a",)) -> None:
    async with it.transaction() as transaction:
        for value in values:
            await transaction.send("topic", value)
        transaction.reached(41)


async def test_records_and_position_go_in_one_transaction() -> None:
    producer = Producer()
    await transact(await writer(producer))
    assert producer.calls == ["begin", "send", "offsets", "commit"]
    assert producer.offsets == {SOURCE: OffsetAndMetadata(42, "")}


async def test_a_transaction_that_reached_nothing_leaves_the_group_where_it_is() -> None:
    producer = Producer()
    it = await writer(producer)
    await transact(it)
    async with it.transaction():
        await it.send("topic", b"b")
    assert producer.calls[4:] == ["begin", "send", "commit"]


@pytest.mark.parametrize("fails", ["begin", "offsets", "commit", "delivery"])
@pytest.mark.parametrize(
    ("error", "raised"), [(ProducerFenced(), FencedError), (KafkaConnectionError(), TransientError)]
)
async def test_a_failure_anywhere_undoes_the_transaction_and_says_whose_it_is(
    fails: str, error: Exception, raised: type[Exception]
) -> None:
    producer = Producer(fails, error)
    it = await writer(producer)
    with pytest.raises(raised):
        await transact(it)
    assert fails == "begin" or producer.calls[-1] == "abort"
    assert "commit" not in producer.calls or fails == "commit"


@pytest.mark.parametrize(
    ("error", "raised"), [(ProducerFenced(), FencedError), (KafkaConnectionError(), TransientError)]
)
async def test_a_send_after_the_transaction_has_failed_beside_it_tells_why_it_failed(
    error: Exception, raised: type[Exception]
) -> None:
    """aiokafka's sender meets the error by itself; the next send is told only that there is no transaction."""
    producer = Producer("send", IllegalOperation())
    failed = asyncio.get_running_loop().create_future()
    failed.set_exception(error)
    producer._txn_manager.wait_for_transaction_end = lambda: failed
    with pytest.raises(raised):
        await transact(await writer(producer))
    assert producer.calls[-1] == "abort"


async def test_an_error_or_an_end_inside_the_body_undoes_the_transaction() -> None:
    for error in (ValueError(), asyncio.CancelledError()):
        producer = Producer()
        with pytest.raises(type(error)):
            async with (await writer(producer)).transaction():
                raise error
        assert producer.calls == ["begin", "abort"]


async def test_an_abort_that_fails_does_not_hide_why_it_came_to_it() -> None:
    producer = Producer("abort", KafkaConnectionError())
    with pytest.raises(ZeroDivisionError):
        async with (await writer(producer)).transaction():
            raise ZeroDivisionError


class Hanging(Producer):
    """A producer whose brokers take no more from a call on."""

    def __init__(self, hangs: str) -> None:
        super().__init__()
        self._hangs = hangs

    async def send(self, topic: str, value: bytes | None, **more: Any) -> "asyncio.Future[None]":
        future = await super().send(topic, value, **more)
        return asyncio.get_running_loop().create_future() if self._hangs == "delivery" else future

    async def commit_transaction(self) -> None:
        self._note("commit")
        if self._hangs == "commit":
            await asyncio.Event().wait()

    async def abort_transaction(self) -> None:
        self._note("abort")
        await asyncio.Event().wait()


@pytest.mark.parametrize("hangs", ["delivery", "commit"])
async def test_what_the_brokers_do_not_take_is_given_up_before_they_end_the_transaction_themselves(
    monkeypatch: pytest.MonkeyPatch, hangs: str
) -> None:
    """The client would try for ever; where it is given up, the partition is begun anew."""
    monkeypatch.setattr(transactions, "_COMMITS_WITHIN", 0.02)
    monkeypatch.setattr(transactions, "_ABORTS_WITHIN", 0.02)
    producer = Hanging(hangs)
    with pytest.raises(AwayError, match=r"min\.insync\.replicas"):
        await transact(await writer(producer))
    assert producer.calls[-1] == "abort"


def test_a_transaction_is_given_up_before_kafka_ends_it() -> None:
    assert (
        aiokafka.AIOKafkaProducer.__init__.__kwdefaults__["transaction_timeout_ms"] / 1000
        > transactions._COMMITS_WITHIN
    )


async def test_a_writer_that_was_fenced_is_fenced_for_good() -> None:
    it = await writer(Producer("commit", ProducerFenced()))
    for _ in range(2):
        with pytest.raises(FencedError):
            await transact(it)


def letter(value: bytes | None, key: bytes | None = b"key") -> DeadLetter:
    return DeadLetter(key, value, "the reason", "raw", 3, 41)


async def test_a_letter_is_the_record_with_why_and_where_from() -> None:
    producer = Producer()
    await send_dead_letters(await writer(producer), "letters", [letter(b"somebody's query")])
    (sent,) = producer.sent
    assert (sent["topic"], sent["key"], sent["value"]) == ("letters", b"key", b"somebody's query")
    assert sent["headers"] == [("reason", b"the reason"), ("topic", b"raw"), ("partition", b"3"), ("offset", b"41")]


def test_a_letter_keeps_what_fits_a_record_and_can_always_be_sent() -> None:
    assert letter(b"x" * MAX_KEPT).kept == b"x" * MAX_KEPT
    assert letter(b"x" * (MAX_KEPT + 1)).kept == b"x" * MAX_KEPT
    assert letter(None).kept is None
    assert letter(None, key=None).kept == b"", "a record needs a key or a value"
    assert letter(b"").kept == b""


def test_a_letter_does_not_show_its_record() -> None:
    assert repr(letter(b"somebody's query", b"somebody")) == "Letter(raw-3@41: the reason)"


async def test_what_waits_to_be_sent_is_bounded_in_bytes() -> None:
    """A producer takes all that it is given; a snapshot of large pools would be in memory twice."""
    producer = Slow()
    it = await writer(producer)
    await transact(it, [b"x" * (MAX_UNSENT // 4)] * 40)
    assert len(producer.sent) == 40
    assert producer.most <= 5


class Slow(Producer):
    """A producer that has sent what it was given some turns later."""

    def __init__(self) -> None:
        super().__init__()
        self.waiting = self.most = 0

    async def send(self, topic: str, value: bytes | None, **more: Any) -> "asyncio.Future[None]":
        self._note("send")
        self.sent.append({"topic": topic, "value": value, **more})
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        return asyncio.ensure_future(self._deliver())

    async def _deliver(self) -> None:
        for _ in range(3):
            await asyncio.sleep(0)
        self.waiting -= 1
