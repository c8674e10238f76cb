"""Numbers of frames: what was taken and what is lost make what was written."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from querymix.codecs.frames import dumps, loads
from querymix.kafka.numbers import RECORDS, Number, Numbers, Written, number_of
from querymix.kafka.ports import Chunk, PlainRecord, Record
from querymix.kafka.sequence import InputSequence

frames = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 50), st.booleans()), max_size=40)


@given(frames, st.booleans())
def test_whatever_is_removed_from_a_log_what_was_taken_and_what_is_lost_make_what_was_written(
    written: list[tuple[int, int, bool]], settled: bool
) -> None:
    """Frames of several sources, of which some are gone; `settled`: the sources are asked at the end."""
    sources = [Numbers(f"raw-{number}", number) for number in range(3)]
    sequence, taken, last = InputSequence(numbered=True), 0, dict.fromkeys(range(3), 0)
    sent = []
    for offset, (number, count, gone) in enumerate(written):
        headers = sources[number].next(5, count)
        sent.append(count)
        if not gone:
            last[number] = offset
            record: Record = PlainRecord("t", 5, offset, None, b"", headers)
            chunk = Chunk([record], max(sequence.checked + 1, offset), offset + 1)
            assert sequence.resolve(sequence.checked + 1, chunk) == [record]
            taken += count
    if settled:
        sequence.settle({f"raw-{number}": source.written(5) for number, source in enumerate(sources)})
        assert taken + sequence.lost == sum(sent)
    else:
        met = {number for number, _, gone in written if not gone}
        told = [count for offset, (number, count, _) in enumerate(written) if number in met and offset <= last[number]]
        assert taken + sequence.lost == sum(told), "up to the last frame of each source"
    assert sequence.uncounted == 0


@given(st.integers(0, 1 << 60), st.integers(1, 1 << 40), st.integers(0, 1 << 50), st.integers(0, 1 << 20))
def test_a_number_comes_out_of_its_headers_as_it_went_in(epoch: int, nth: int, before: int, records: int) -> None:
    number = Number("raw-7", epoch, nth, 1, before, records)
    assert number_of(PlainRecord("t", 0, 0, None, None, number.headers())) == number
    assert number_of(PlainRecord("t", 0, 0, None, None, [number.header()])) == Number("raw-7", epoch, nth)


@pytest.mark.parametrize("value", [b"", b"1", b"1 2", b"a b c", b"\xff 1 2", None])
def test_a_strangers_headers_are_no_number(value: bytes | None) -> None:
    record = PlainRecord("t", 0, 0, None, None, [("number", b"raw-1 1 1"), (RECORDS, value)])  # type: ignore[list-item]
    assert number_of(record) is None
    assert number_of(PlainRecord("t", 0, 0, None, None, [("number", value)])) is None  # type: ignore[list-item]


def test_a_state_that_was_written_down_goes_on_in_doubt() -> None:
    sequence = InputSequence(numbered=True)
    sequence.resolve(0, Chunk([PlainRecord("t", 0, 0, None, b"", Number("raw-0", 1, 1, 1, 0, 5).headers())], 0, 1))
    sequence.resolve(1, Chunk([], 9, 9))
    again = InputSequence(numbered=True)
    again.restore(loads(dumps(sequence.snapshot())))
    assert again.snapshot() == sequence.snapshot()
    again.settle({"raw-0": Written(1, 4, 1, 25)})
    assert (again.lost, again.found.records, again.found.removed, again.found.missing) == (20, 20, 3, 0)


def test_what_0_4_0_reads_of_a_state_and_of_a_frame_is_as_it_was() -> None:
    """So that the way back is open: further keys and headers are none that it looks at."""
    sequence = InputSequence(numbered=True)
    headers = Numbers("raw-3", 99).next(5, 40)
    assert headers[0] == ("number", b"raw-3 99 1")
    assert [name for name, _ in headers[1:]] == [RECORDS]
    sequence.resolve(0, Chunk([PlainRecord("t", 5, 0, None, b"", headers)], 0, 1))
    kept = loads(dumps(sequence.snapshot()))
    assert {name: kept[name] for name in ("checked", "position", "taken")} == {
        "checked": 0, "position": 0, "taken": {"raw-3": [99, 1]},
    }  # fmt: skip
