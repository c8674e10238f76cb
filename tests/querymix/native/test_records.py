"""Kafka's records of releases are the same, byte for byte, as those of ReleaseWriter and aiokafka in Python."""

import asyncio
import random
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import aiokafka
import pytest
from aiokafka.producer.message_accumulator import BatchBuilder, MessageAccumulator
from aiokafka.record.default_records import DefaultRecordBatch
from hypothesis import given
from hypothesis import strategies as st
from querymix import native_path
from querymix.core.records import OTHER, POOL_NAMES, Query, Release
from querymix.kafka.ports import Headers
from querymix.kafka.transactions import _BATCH_BYTES, _packed

from tests.optional import need_native
from tests.querymix.kafka.released import writer_of

need_native()

STATE = 5_000_000_000, 3, 7
"""Of a producer: id, epoch and sequence."""
USERS = st.text(max_size=9) | st.sampled_from(["7", "a\udc80b", "\udcff"])


def release(user: str, text: str, pool: int) -> Release:
    """Return the release of a text."""
    query = Query("9", text, "2006-03-01 07:17:12", 1141197432.0)
    return Release(user, 3, query, pool, query, 20)


def lines_of(releases: Sequence[Release], partitions: int, *, native: bool) -> tuple[int, dict[int, Any]]:
    """Return the bytes of what is written and its records, by partition."""
    lines: dict[int, Any] = {}
    return writer_of(partitions, native=native)._encode(releases, lines), lines


@given(
    st.lists(st.tuples(USERS, USERS, st.sampled_from([*POOL_NAMES, OTHER])), max_size=12).map(
        lambda rows: [release(*row) for row in rows]
    ),
    st.integers(1, 7),
)
def test_each_release_has_the_record_that_python_makes(releases: list[Release], partitions: int) -> None:
    native, python = (lines_of(releases, partitions, native=native) for native in (True, False))
    assert native[0] == python[0]
    assert {place: list(records) for place, records in native[1].items()} == python[1]
    assert list(native[1]) == list(python[1])


def test_a_pool_without_a_name_is_refused() -> None:
    for native in (True, False):
        with pytest.raises(KeyError):
            lines_of([release("7", "soccer", 99)], 1, native=native)


def test_headers_that_are_made_anew_for_each_record_are_its_own() -> None:
    class Anew(dict[int, Headers]):
        def __missing__(self, pool: int) -> Headers:
            return [("category", b"%d" % pool)]

    lines: dict[int, Any] = {}
    releases = [release("7", "soccer", pool % 3) for pool in range(30)]
    native_path.module().add_lines(releases, ["a line"] * 30, 1, Anew(), lines)
    assert [headers for _, _, headers in lines[0]] == [[("category", b"%d" % one.pool)] for one in releases]


def built(records: Sequence[tuple[bytes, bytes, Headers]]) -> list[tuple[int, bytes]]:
    """Return the batches that aiokafka's builder makes: records and bytes."""
    batches = [BatchBuilder(_BATCH_BYTES, 0, is_transactional=1)]
    for key, value, headers in records:
        while batches[-1].append(timestamp=1000, key=key, value=value, headers=headers) is None:
            batches.append(BatchBuilder(_BATCH_BYTES, 0, is_transactional=1))
    return [whole(batch) for batch in batches]


def whole(batch: Any) -> tuple[int, bytes]:
    """Return a batch's records and bytes, as the sender asks for them."""
    assert batch.closed() or batch.record_count()
    batch._set_producer_state(*STATE)
    size, content = batch.size(), bytes(batch._build())
    assert size == len(content) == batch.size()
    return batch.record_count(), content


@pytest.mark.parametrize(
    "sizes",
    [
        [0],
        [3] * 200,
        [100] * 9000,
        [_BATCH_BYTES // 2 - 100] * 3,
        list(range(3000)),
        [70_000, 0, 200_000] * 9,
        [5, _BATCH_BYTES, 5, 6],
        [1 << 20] * 3,
        [0, _BATCH_BYTES - 100, 1],
    ],
)
def test_batches_are_those_of_aiokafkas_builder(sizes: list[int]) -> None:
    chance = random.Random(2)
    releases = [release(str(chance.randrange(10 ** chance.randrange(1, 20))), "x" * size, size % 15) for size in sizes]
    _, native = lines_of(releases, 2, native=True)
    _, python = lines_of(releases, 2, native=False)
    for place, records in native.items():
        packed = list(_packed(records))
        for batch in packed:
            batch._time = 1000
        found = [whole(batch) for batch in packed]
        assert found == built(python[place])
        assert all(DefaultRecordBatch(content).validate_crc() for _, content in found)


def test_a_record_that_is_larger_than_a_batch_is_one_by_itself() -> None:
    """As aiokafka's builder has it. `send` would show its key and value to aiokafka's log."""
    releases = [release("7", "x" * size, 3) for size in (5, _BATCH_BYTES, 5, 6)]
    _, lines = lines_of(releases, 1, native=True)
    assert [batch.record_count() for batch in _packed(lines[0])] == [1, 1, 2]


async def sent_again(batch: Any, *, fails: int) -> bytes:
    """Return the bytes of a batch that aiokafka's accumulator hands out once more after so many failures."""
    place = aiokafka.TopicPartition("made-up.anonymized", 0)
    state = SimpleNamespace(
        producer_id=STATE[0], producer_epoch=STATE[1], transactional_id="made-up", has_pid=lambda: True,
        sequence_number=lambda _: STATE[2], increment_sequence_number=lambda *_: None,
        maybe_add_partition_to_txn=lambda _: None,
    )  # fmt: skip
    leader = SimpleNamespace(leader_for_partition=lambda _: 0)
    waiting = MessageAccumulator(leader, _BATCH_BYTES, 0, 30, txn_manager=state)
    await waiting.add_batch(batch, place, 1)
    contents = set()
    for _ in range(fails + 1):
        # A transaction that is given up closes what waits, and waits until that is sent.
        end = asyncio.ensure_future(waiting.flush_for_commit())
        await asyncio.sleep(0)
        assert not end.done()
        end.cancel()
        drained, _ = waiting.drain_by_nodes(set())
        handed = drained[0][place]
        contents.add(bytes(handed.get_data_buffer()))
        waiting.reenqueue(handed)
        state.producer_id = 1
    (content,) = contents
    return content


@pytest.mark.parametrize("fails", [0, 2])
async def test_a_batch_that_waits_or_fails_goes_out_as_aiokafkas_own(fails: int) -> None:
    _, lines = lines_of([release("7", "soccer", 3)] * 3, 1, native=True)
    (batch,) = _packed(lines[0])
    batch._time = 1000
    assert [(3, await sent_again(batch, fails=fails))] == built(list(lines[0]))


def test_nothing_of_a_record_is_shown() -> None:
    _, lines = lines_of([release("7", "soccer", 3)], 1, native=True)
    assert repr(lines[0]) == "Records(1)"
    assert "soccer" not in repr(next(iter(_packed(lines[0]))))
