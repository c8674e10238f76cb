"""Records out of a fetched batch are those that aiokafka reads, from whatever bytes."""

import random
from collections.abc import Sequence
from typing import Any

import pytest

pytest.importorskip("aiokafka", reason="the extra service (aiokafka) is not installed")
import aiokafka
from aiokafka.consumer import fetcher
from aiokafka.record.default_records import DefaultRecordBatchBuilder
from hypothesis import given
from hypothesis import strategies as st
from querymix import native_path
from querymix.kafka import refused_batches
from querymix.kafka.ports import RefusedBatch

from tests.optional import need_native

need_native()

SOURCE = aiokafka.TopicPartition("made-up.raw", 3)
HEAD, ATTRIBUTES, LOG_APPEND_TIME = 61, 22, 8
Sent = tuple[int, int, bytes | None, bytes | None, list[tuple[str, bytes | None]]]
PARTS = st.none() | st.binary(max_size=6)
RECORDS = st.lists(
    st.tuples(
        st.integers(0, 1 << 20), st.integers(0, 1 << 44), PARTS, PARTS,
        st.lists(st.tuples(st.text(max_size=3), PARTS), max_size=3),
    ),
    max_size=5,
).map(lambda rows: sorted({row[0]: row for row in rows}.values(), key=lambda row: row[0]))  # fmt: skip


def batch(first: int, records: Sequence[Sent], attributes: int = 0) -> bytes:
    """Return a batch as a broker sends it, whose records have offsets from `first` on."""
    builder = DefaultRecordBatchBuilder(
        magic=2, compression_type=0, is_transactional=0, producer_id=-1, producer_epoch=-1, base_sequence=-1,
        batch_size=1 << 30,
    )  # fmt: skip
    for record in records:
        assert builder.append(*record)
    built = bytearray(builder.build())
    built[:8] = first.to_bytes(8, "big")
    built[ATTRIBUTES] |= attributes
    return bytes(built)


def read(data: bytes, start: int) -> tuple[list[Any], int]:
    """Return all records that a client makes of what a broker sent, and where it goes on."""
    reader = fetcher.PartitionRecords(SOURCE, fetcher.MemoryRecords(data), None, start, None, None, False, 1)
    found = []
    for record in reader:
        value = record.value
        refused = (value.reason, value.records) if isinstance(value, RefusedBatch) else None
        found.append((type(record), [(type(part), part) for part in record], refused))
    return found, reader.next_fetch_offset


def same(data: bytes, start: int) -> list[Any]:
    """Check that both ways read the same, and return it."""
    found = read(data, start)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(refused_batches, "module", lambda: None)
        assert read(data, start) == found
    return found[0]


@given(RECORDS, RECORDS, st.integers(0, 1 << 40), st.sampled_from([0, LOG_APPEND_TIME]), st.integers(0, 3))
def test_whole_batches_are_read_as_aiokafka_does(
    records: list[Sent], more: list[Sent], first: int, attributes: int, later: int
) -> None:
    data = batch(first, records, attributes) + batch(first + (1 << 21), more)
    same(data, first + later)


def test_a_usual_batch_is_read_natively_however_long() -> None:
    records: list[Sent] = [(place, 7, None, b"made up %d" % place, []) for place in range(200)]
    data = batch(5, records)
    assert [row[1][2][1] for row in same(data, 5)] == list(range(5, 205))
    about = *SOURCE, 5, 7, None
    rows, at = native_path.module().read_records(data, HEAD, len(data), 200, 4, about, refused_batches._Taken)
    assert (at, len(rows)) == (len(data), 200)


def test_offsets_that_do_not_rise_are_left_to_aiokafka() -> None:
    same(batch(5, [(3, 7, None, b"a", []), (1, 7, None, b"b", []), (4, 7, None, b"c", []), (4, 7, None, b"d", [])]), 5)


def test_a_native_path_that_cannot_be_loaded_makes_no_batch_a_damaged_one(monkeypatch: pytest.MonkeyPatch) -> None:
    def unusable() -> None:
        raise ImportError("older than its sources")

    monkeypatch.setattr(refused_batches, "module", unusable)
    with pytest.raises(ImportError, match="older"):
        read(batch(5, [(0, 7, None, b"made up", [])]), 5)


def test_damaged_batches_are_read_and_refused_as_aiokafka_does() -> None:
    chance = random.Random(3)
    keys, headers = [None, b"k"], [[], [("category", b"Arts"), ("n", None)]]
    records: list[Sent] = [
        (place, 7 + place, chance.choice(keys), b"made up", chance.choice(headers)) for place in range(70)
    ]
    usual, damaged = batch(5, records), 0
    for _ in range(4000):
        data = bytearray(usual)
        for _ in range(chance.randint(1, 2)):
            place = chance.choice([ATTRIBUTES, chance.randrange(57, HEAD), chance.randrange(HEAD, len(data))])
            if place == ATTRIBUTES:
                data[place] ^= LOG_APPEND_TIME
            else:
                data[place] = chance.choice([0, 1, 2, 0x7F, 0x80, 0xFF, chance.randrange(256)])
        if int.from_bytes(data[57:HEAD], "big", signed=True) < 1 << 16:
            damaged += any(row[2] for row in same(bytes(data), 5))
    assert damaged > 500
