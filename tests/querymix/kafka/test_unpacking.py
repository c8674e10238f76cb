"""Batches of records: each is unpacked within a bound, or one record stands for all that it holds."""

import gzip
import resource
import subprocess
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

pytest.importorskip("cramjam", reason="the extra service (cramjam) is not installed")
import aiokafka
from aiokafka import codec
from aiokafka.consumer import fetcher
from aiokafka.record.default_records import DefaultRecordBatchBuilder
from aiokafka.record.legacy_records import LegacyRecordBatchBuilder
from aiokafka.record.util import calc_crc32c
from querymix.kafka import refused_batches, unpacking
from querymix.kafka.ports import RefusedBatch, TopicPartition
from querymix.kafka.unpacking import (
    BROKEN,
    MAX_UNPACKED,
    TOO_LARGE,
    TOO_MANY_HEADERS,
    UNPACKERS,
    BatchRefusedError,
)

MIB = 1 << 20
CODECS = {"gzip": 1, "snappy": 2, "lz4": 3, "zstd": 4}
codecs = pytest.mark.parametrize("name", CODECS)
SOURCE = TopicPartition("made-up.raw", 3)
CRC_AT, CRC_FROM, HEAD = 17, 21, 61


def batch(
    first: int, values: Sequence[bytes], name: str = "", headers: Sequence[Sequence[tuple[str, bytes]]] = ()
) -> bytes:
    """Return a batch as a broker sends it, whose first record has the offset `first`."""
    builder = DefaultRecordBatchBuilder(
        magic=2, compression_type=CODECS.get(name, 0), is_transactional=0, producer_id=-1, producer_epoch=-1,
        base_sequence=-1, batch_size=1 << 30,
    )  # fmt: skip
    for number, value in enumerate(values):
        assert builder.append(number, 0, b"key", value, list(headers[number]) if headers else [])
    return first.to_bytes(8, "big") + bytes(builder.build())[8:]


def sealed(packed: bytes) -> bytes:
    """Return a batch that was changed with the checksum and the length that it has now."""
    rest, length = packed[CRC_FROM:], len(packed) - 12
    return b"".join((packed[:8], length.to_bytes(4, "big"), packed[12:CRC_AT], crc32c(rest), rest))


def crc32c(data: bytes) -> bytes:
    code: int = calc_crc32c(data)
    return code.to_bytes(4, "big")


def fetched(data: bytes, start: int = 0) -> list[tuple[int, Any]]:
    """Return offset and value of each record that aiokafka makes of what a broker sent."""
    reader = fetcher.PartitionRecords(
        aiokafka.TopicPartition(*SOURCE), fetcher.MemoryRecords(data), None, start, None, None, True, 1
    )
    return [(record.offset, record.value) for record in reader]


def refused(value: Any) -> tuple[str, int]:
    """Return why a batch was refused, and how many records it stands for."""
    assert isinstance(value, RefusedBatch)
    return value.reason, value.records


@codecs
@given(st.lists(st.binary(max_size=2000), min_size=1, max_size=5))
def test_what_is_packed_within_the_bound_is_unpacked_as_it_was(name: str, values: list[bytes]) -> None:
    assert fetched(batch(7, values, name), 7) == list(enumerate(values, 7))


def test_a_fetched_record_is_whole_and_its_text_shows_nothing_of_what_it_holds() -> None:
    packed = batch(7, [b"made up"], headers=[[("category", b"Arts")]])
    (record,) = fetcher.PartitionRecords(
        aiokafka.TopicPartition(*SOURCE), fetcher.MemoryRecords(packed), None, 7, None, None, True, 1
    )
    assert record == (*SOURCE, 7, b"key", b"made up", (("category", b"Arts"),), 0)
    assert repr(record) == "PlainRecord(made-up.raw-3@7)"


@codecs
@pytest.mark.parametrize("size", [0, 1, MIB, 5 * MIB, MAX_UNPACKED])
def test_a_batch_may_be_as_large_as_the_bound(name: str, size: int) -> None:
    data = b"made up\n" * (size // 8)
    assert UNPACKERS[f"{name}_decode"](getattr(codec, f"{name}_encode")(data)) == data


@codecs
def test_one_byte_more_is_refused(name: str) -> None:
    with pytest.raises(BatchRefusedError, match=TOO_LARGE):
        UNPACKERS[f"{name}_decode"](getattr(codec, f"{name}_encode")(bytes(MAX_UNPACKED + 1)))


@codecs
@given(st.binary(max_size=300))
def test_rubbish_is_refused(name: str, data: bytes) -> None:
    head = {"gzip": b"\x1f\x8b\x08", "snappy": unpacking._XERIAL + bytes(8), "lz4": b"\x04\x22\x4d\x18"}
    for packed in (data, head.get(name, b"\x28\xb5\x2f\xfd") + data):
        with suppress(BatchRefusedError):
            assert len(UNPACKERS[f"{name}_decode"](packed)) <= MAX_UNPACKED


def test_gzip_of_many_parts_is_refused_since_each_takes_a_copy_of_the_rest() -> None:
    few, many = gzip.compress(b"golf") * 100, gzip.compress(b"") * 1_000
    assert unpacking.UNPACKERS["gzip_decode"](few) == b"golf" * 100
    with pytest.raises(BatchRefusedError, match="cannot be unpacked"):
        unpacking.UNPACKERS["gzip_decode"](many)


def test_a_large_batch_of_more_records_than_anybody_sends_is_refused() -> None:
    record = b"\x0c\0\0\0\0\0\0"
    assert unpacking.refused_for(record * unpacking.MAX_RECORDS) == ""
    assert unpacking.refused_for(record * (unpacking.MAX_RECORDS + 1)) == unpacking.TOO_MANY_RECORDS
    with pytest.raises(BatchRefusedError, match="records"):
        unpacking.UNPACKERS["gzip_decode"](gzip.compress(record * (unpacking.MAX_RECORDS + 1)))


def test_bytes_that_are_no_records_are_not_looked_through_to_their_end() -> None:
    assert unpacking.refused_for(b"\0" * unpacking.MAX_UNPACKED) == ""
    assert unpacking.refused_for(b"\x02" * unpacking.MAX_UNPACKED) == ""


def test_snappy_blocks_that_lead_nowhere_do_not_loop() -> None:
    for size in (-4, -1, 0, 1 << 30):
        with pytest.raises(BatchRefusedError):
            UNPACKERS["snappy_decode"](unpacking._XERIAL + bytes(8) + size.to_bytes(4, "big", signed=True) + b"\0\0\0")


@codecs
def test_a_batch_that_is_too_large_is_one_record_and_the_stream_goes_on(name: str) -> None:
    large = batch(12, [b"x" * (20 * MIB)] * 2, name)
    found = fetched(batch(10, [b"a", b"b"]) + large + batch(14, [b"c"], name), 10)
    assert [offset for offset, _ in found] == [10, 11, 13, 14]
    assert refused(found[2][1]) == (TOO_LARGE, 2)
    assert bytes(found[2][1]) == large[HEAD:], "the letter keeps the batch as it came"
    assert found[3][1] == b"c"


def test_what_was_read_of_a_refused_batch_before_does_not_count_again() -> None:
    found = fetched(batch(10, [b"x" * (20 * MIB)] * 5, "zstd"), 12)
    assert found[0][0] == 14
    assert refused(found[0][1]) == (TOO_LARGE, 3)


def test_who_was_past_the_record_that_stands_for_a_batch_does_not_meet_it_again() -> None:
    assert fetched(batch(10, [b"x" * (20 * MIB)] * 5, "zstd"), 15) == []


def test_batches_of_the_older_message_format_are_read_too() -> None:
    builder = LegacyRecordBatchBuilder(magic=1, compression_type=CODECS["gzip"], batch_size=1 << 20)
    for number, value in enumerate((b"a", b"b")):
        builder.append(number, 0, None, value)
    assert [value for _, value in fetched(bytes(builder.build()))] == [b"a", b"b"]
    builder = LegacyRecordBatchBuilder(magic=1, compression_type=CODECS["gzip"], batch_size=1 << 30)
    builder.append(0, 0, None, bytes(MAX_UNPACKED))
    ((offset, value),) = fetched(bytes(builder.build()))
    assert (offset, refused(value)) == (0, (TOO_LARGE, 1))


def test_rubbish_that_is_packed_is_one_record_too() -> None:
    good = batch(0, [b"made up"] * 3, "gzip")
    found = fetched(sealed(good[:HEAD] + b"rubbish") + batch(3, [b"c"]))
    assert [offset for offset, _ in found] == [2, 3]
    assert refused(found[0][1]) == (BROKEN, 3)


def test_a_record_that_no_client_can_read_takes_those_behind_it_in_its_batch_along_and_no_others() -> None:
    headers: list[list[tuple[str, bytes]]] = [[], [("name", b"")], []]
    data = sealed(batch(0, [b"a", b"b", b"c"], headers=headers).replace(b"name", b"\xff\xfe\xfd\xfc"))
    found = fetched(data + batch(3, [b"d"]))
    assert [offset for offset, _ in found] == [0, 2, 3]
    assert refused(found[1][1]) == (BROKEN, 2)


def test_a_batch_that_was_damaged_on_its_way_is_still_an_error_of_the_connection() -> None:
    damaged = bytearray(batch(0, [b"made up"]))
    damaged[-1] ^= 1
    with pytest.raises(aiokafka.errors.CorruptRecordException):
        fetched(bytes(damaged))


def test_of_many_headers_in_a_large_batch_only_some_are_kept() -> None:
    headers = [[("", b"")] * 1000, [("number", b"1")]]
    for size in (1, 2 * MIB):
        data = batch(0, [b"a" * size, b"b"], "zstd", headers)
        reader = fetcher.PartitionRecords(
            aiokafka.TopicPartition(*SOURCE), fetcher.MemoryRecords(data), None, 0, None, None, True, 1
        )
        found = list(reader)
        assert [len(record.headers) for record in found] == [1000 if size == 1 else refused_batches._MAX_HEADERS, 1]
        assert [(record.key, len(record.value), record.offset) for record in found] == [
            (b"key", size, 0),
            (b"key", 1, 1),
        ]


def test_a_record_that_is_nothing_but_headers_is_refused() -> None:
    headers = [[], [("", b"")] * (MIB * 6 // 10)]
    found = fetched(batch(0, [b"a", b"b"], "zstd", headers))
    assert refused(found[0][1]) == (TOO_MANY_HEADERS, 2)
    few = batch(0, [b"a", b"b" * 2 * MIB], "zstd", [[], [("n", b"")] * 9])
    assert [len(value) for _, value in fetched(few)] == [1, 2 * MIB]


@given(st.binary(max_size=200))
def test_looking_for_headers_ends_whatever_it_looks_at(data: bytes) -> None:
    unpacking.has_many_headers(b"\xff" * 30 + data)
    unpacking.has_many_headers(data)


READER = """
import re, sys
from pathlib import Path
import aiokafka.consumer.fetcher
from aiokafka.record.legacy_records import LegacyRecordBatchBuilder
from querymix.kafka import connection
def peak():  # not `getrusage`, which begins with what the parent had
    return int(re.search(r"VmHWM:\\s+(\\d+)", Path("/proc/self/status").read_text())[1])
data, before = Path(sys.argv[1]).read_bytes(), peak()
records = aiokafka.consumer.fetcher.PartitionRecords(
    aiokafka.TopicPartition("made-up.raw", 0), aiokafka.consumer.fetcher.MemoryRecords(data), None, 0, None, None, True,
    1)
print([type(record.value).__name__ for record in records], (peak() - before) << 10)
"""


@codecs
def test_a_small_batch_that_unpacks_to_much_takes_little_memory(name: str, tmp_path: Path) -> None:
    file = tmp_path / "batch"
    file.write_bytes(batch(0, [bytes(256 * MIB)], name))
    done = subprocess.run([sys.executable, "-c", READER, str(file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr[-2000:]
    kinds, grown = done.stdout.rsplit(" ", 1)
    assert kinds == "['RefusedBatch']"
    assert int(grown) < 2.5 * MAX_UNPACKED + resource.getpagesize()
