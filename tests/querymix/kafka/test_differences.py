"""How topics differ from how they would be made, and for each difference whether an operator has to act."""

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.kafka.differences import FINE, MAY, MUST, Difference, differences
from querymix.kafka.topics import MAX_BYTES, Found, Plan, Topics, harm, names, wanted
from querymix.settings import ConnectionSettings, TopicSettings

SETTINGS = TopicSettings(replication=3)
NAMES = names(ConnectionSettings())
PLANS = dict(zip(Topics._fields, (wanted(SETTINGS)[name] for name in NAMES), strict=True))


def of(field: str, partitions: int = 0, copies: int = 0, **configs: str) -> list[Difference]:
    """Return how a topic differs that is as planned but for what is given; `_` stands for a dot."""
    plan = PLANS[field]
    found = Found(f"querylog.{field}", "id", partitions or plan.partitions, copies or plan.copies, frozenset())
    changed = {name.replace("_", "."): value for name, value in configs.items()}
    return differences(field, plan, found, {**plan.configs, **changed}, "kafka:9092")


@pytest.mark.parametrize("field", Topics._fields)
def test_a_topic_that_is_as_it_would_be_made_or_whose_settings_cannot_be_seen_has_no_differences(field: str) -> None:
    assert of(field) == []
    plan = PLANS[field]
    assert differences(field, plan, Found("x", "id", *plan[:2], frozenset()), {}, "kafka:9092") == []


@pytest.mark.parametrize(
    ("difference", "verdict", "says", "command"),
    [
        (of("state", cleanup_policy="delete"), MUST, "loses records", "--add-config cleanup.policy=compact"),
        (of("raw", cleanup_policy="compact"), MUST, "loses records", "--add-config cleanup.policy=delete"),
        (of("evidence", max_message_bytes="1000"), MUST, "loses records", f"max.message.bytes={MAX_BYTES}"),
        (of("anonymized", max_message_bytes="1000"), MUST, "loses records", "max.message.bytes="),
        (of("state", copies=1), MUST, "records are lost with 1 of the brokers", "kafka-reassign-partitions.sh"),
        (of("classified", retention_ms="1000"), MAY, "is lost", "retention.ms=86400000"),
        (of("classified", retention_ms="-1"), MAY, "stay there for longer", "retention.ms=86400000"),
        (of("classified", retention_bytes="1000"), MAY, "what does not fit is lost", "retention.bytes=-1"),
        (
            of("state", max_compaction_lag_ms="9" * 18),
            MAY,
            "removed later",
            "max.compaction.lag.ms=3600000",
        ),
        (of("periods", retention_ms="1000"), MAY, "other ids before the period is over", "retention.ms=691200000"),
        (of("periods", retention_ms="-1"), MAY, "keys of periods that are over stay", "retention.ms=691200000"),
        (of("periods", cleanup_policy="compact"), MUST, "loses records", "--add-config cleanup.policy=delete"),
        (of("periods", partitions=4), FINE, "the first one alone is used", ""),
        (of("anonymized", message_timestamp_type="CreateTime"), MAY, "clocks", "message.timestamp.type=LogAppendTime"),
        (of("raw", partitions=2), MAY, "more workers", "kafka-topics.sh --bootstrap-server kafka:9092 --alter"),
        (of("raw", partitions=9), FINE, "takes no partition away", ""),
        (of("state", partitions=9), FINE, "fixed for good; give --pool-partitions 9", ""),
        (of("positions", partitions=2), FINE, "fixed for good; it need not be that of the raw topic", ""),
        (of("raw", copies=5), FINE, "more copies are safer", ""),
        (of("state", max_message_bytes="99999999"), FINE, "it is enough", ""),
        (of("state", segment_ms="1000"), FINE, "it is enough", ""),
    ],
)
def test_each_difference_says_whether_to_act_and_by_which_command(
    difference: list[Difference], verdict: str, says: str, command: str
) -> None:
    (one,) = difference
    assert one.verdict == verdict
    assert says in one.why
    assert (command in one.command) if command else one.command == ""
    assert str(one).startswith(f"{one.what}, which {verdict} (")


def test_what_weighs_most_stands_first() -> None:
    found = of("classified", partitions=9, cleanup_policy="compact", retention_ms="1")
    assert [one.verdict for one in found] == [MUST, MAY, FINE]


_numbers = st.integers(-1, 2**62).map(str)


@how(deadline=None)
@given(
    st.sampled_from(Topics._fields),
    st.integers(1, 99),
    st.integers(1, 9),
    st.fixed_dictionaries(
        {},
        optional={
            "cleanup.policy": st.sampled_from(["delete", "compact", "compact,delete", "delete, compact", ""]),
            "retention.ms": _numbers,
            "retention.bytes": _numbers,
            "max.message.bytes": st.integers(0, 2**31 - 1).map(str),
            "segment.ms": _numbers,
            "max.compaction.lag.ms": _numbers,
            "message.timestamp.type": st.sampled_from(["CreateTime", "LogAppendTime"]),
            "unknown": st.text(max_size=5),
        },
    ),
)
def test_whatever_a_topic_is_what_workers_refuse_must_be_set_right_and_what_is_fine_needs_no_command(
    field: str, partitions: int, copies: int, configs: dict[str, str]
) -> None:
    plan: Plan = PLANS[field]
    found = differences(field, plan, Found("x", "id", partitions, copies, frozenset()), configs, "b")
    musts = [one for one in found if one.verdict == MUST and "workers refuse" in one.why]
    repair = harm(field, configs)
    assert [one.command.rpartition(" ")[2] for one in musts] == ([repair] if repair else [])
    assert all(bool(one.command) == (one.verdict != FINE) for one in found)
