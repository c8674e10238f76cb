"""What a sequence takes of what a feeder hands over."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st
from querymix.kafka.ports import PlainRecord, Record
from querymix.kafka.sequence import InputSequence


def records(offsets: Sequence[int]) -> list[Record]:
    """Return records at these offsets."""
    return [PlainRecord("raw", 0, offset, None, b"made up") for offset in offsets]


@given(st.integers(-1, 3), st.integers(0, 3), st.lists(st.integers(0, 9), max_size=6) | st.integers(0, 6).map(range))
def test_a_batch_is_taken_as_its_records_one_by_one_are_up_to_a_gap(begin: int, first: int, offsets: list[int]) -> None:
    whole, one_by_one = InputSequence(), InputSequence()
    whole.start_after(begin)
    one_by_one.start_after(begin)
    given = records([first + offset for offset in offsets])
    fresh, read_to = whole.accept(given)
    taken: list[Record] = []
    for record in given:
        some, further = one_by_one.accept([record])
        taken += some
        if further > one_by_one.checked + 1:
            assert read_to == max(other.offset for other in given) + 1
            break
    else:
        assert read_to == whole.checked + 1
    assert fresh == taken
    assert whole.checked == one_by_one.checked
    assert whole.position == one_by_one.position


def test_records_without_a_gap_are_all_taken() -> None:
    sequence = InputSequence()
    assert sequence.accept(records(range(5))) == (records(range(5)), 5)
    assert sequence.accept(records([5, 6, 8])) == (records([5, 6]), 9)
    assert sequence.accept([]) == ([], 7)
    assert (sequence.checked, sequence.position) == (6, 6)
