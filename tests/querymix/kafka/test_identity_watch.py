"""Whether a static name is another worker's too, told by the member ids that Kafka gives."""

from itertools import count

from querymix.kafka.admin import GroupMember
from querymix.kafka.identity_watch import InstanceName

OTHER = GroupMember("two", "x")


def looks(name: InstanceName, ids: str, group: str = "g", every: float = 5.0) -> list[bool]:
    """Return what each look says; a letter stands for the member id that it sees, a dot for a group without it."""
    moments = (every * number for number in count())
    seen = [[OTHER, *([] if letter == "." else [GroupMember("one", letter)])] for letter in ids]
    return [name.taken(group, members, now) for members, now in zip(seen, moments, strict=False)]


def test_a_name_that_was_this_workers_for_a_while_is_taken_once_its_id_changes_again_and_again() -> None:
    assert looks(InstanceName("one", 6.0), "aaabcd") == [False] * 5 + [True]


def test_a_worker_that_never_had_its_name_for_long_gives_in_later_than_the_one_that_had() -> None:
    assert looks(InstanceName("one", 6.0), "abcdefghijkl") == [False] * 12
    assert looks(InstanceName("one", 6.0), "abcdefghijklm")[-1]


def test_a_worker_alone_has_its_name_through_restarts_and_short_breaks() -> None:
    assert not any(looks(InstanceName("one", 6.0), "aaaa.bbbb..cccccccc.dddddd"))
    assert not any(looks(InstanceName("one", 6.0), "aaab" + 100 * "b"))
    assert not any(looks(InstanceName(None, 6.0), "aaabcdefg"))
