"""Where records go, how topics are made, and which differences lose records."""

import pytest
from hypothesis import given
from hypothesis import settings as how
from hypothesis import strategies as st
from querymix.codecs.frames import decode_classified
from querymix.core.errors import ConfigError
from querymix.core.knowledge import CATEGORIES
from querymix.core.records import UNCLASSIFIED, Query
from querymix.kafka.classifier import FRAME_BYTES, FRAME_RECORDS, frames
from querymix.kafka.topics import (
    MAX_BYTES,
    READ,
    WRITE,
    Placement,
    Topics,
    harm,
    names,
    partition_of,
    rights_of,
    wanted,
)
from querymix.settings import ConnectionSettings, TopicSettings

settings = how(deadline=None)
categories = st.integers(UNCLASSIFIED, len(CATEGORIES) - 1)
partitions = st.integers(1, 40)


@settings
@given(partitions, categories, st.integers(0, 10**9))
def test_a_category_has_one_partition_whatever_the_turn(number: int, category: int, turn: int) -> None:
    placement = Placement(number, {})
    assert placement.partition(category, turn) == placement.partition(category, 0)
    assert 0 <= placement.partition(category, turn) < number


@settings
@given(partitions, st.integers(0, len(CATEGORIES) - 1), st.data())
def test_a_hot_category_uses_each_of_its_shards_alike_and_no_other_partition(
    number: int, category: int, data: st.DataObject
) -> None:
    shards = data.draw(st.integers(1, number))
    placement = Placement(number, {CATEGORIES[category]: str(shards)})
    used = [placement.partition(category, turn) for turn in range(3 * shards)]
    assert len(set(used)) == shards
    assert {used.count(one) for one in used} == {3}
    assert all(0 <= one < number for one in used)


@pytest.mark.parametrize(
    "hot", [{"Arts": "0"}, {"Arts": "5"}, {"Arts": "-1"}, {"Arts": "x"}, {"Arts": ""}, {"Art": "2"}]
)
def test_wrong_shards_are_refused(hot: dict[str, str]) -> None:
    with pytest.raises(ConfigError, match="--hot: give category=shards with 1 to 4 shards"):
        Placement(4, hot)


@settings
@given(st.binary(min_size=1), partitions)
def test_any_user_has_one_partition_of_evidence(raw: bytes, number: int) -> None:
    user = raw.decode("utf-8", "surrogateescape")
    assert 0 <= partition_of(user, number) < number
    assert partition_of(user, number) == partition_of(user, number)


def test_a_users_partition_is_the_same_in_every_process_and_version() -> None:
    """Profiles hang on it: these values must never change."""
    assert [partition_of(user, 4) for user in ("", "a", "479", "caf\u00e9", "\udce9")] == [0, 3, 2, 1, 1]


def test_topics_are_named_under_the_prefix_and_made_as_the_design_says() -> None:
    chosen = TopicSettings(prefix="logs", raw_partitions=3, pool_partitions=5, out_partitions=7, evidence_partitions=2)
    topics = names(chosen)
    assert topics.anonymized == "logs.anonymized"
    made = wanted(chosen)
    assert made.keys() == set(topics)
    counts = [made[name].partitions for name in topics]
    assert counts == [3, 5, 7, 2, 5, 1, 3, 1]
    assert made[topics.state].configs["cleanup.policy"] == "compact"
    for internal in (topics.classified, topics.evidence, topics.state, topics.positions):
        assert made[internal].configs["max.message.bytes"] == str(MAX_BYTES)
    assert names(ConnectionSettings()).raw == "querylog.raw"


@settings
@given(st.integers(0, 3 * FRAME_RECORDS))
def test_frames_hold_all_queries_in_order_each_at_most_so_many(number: int) -> None:
    queries = [Query("user", "text", "", 0.0, rank, "") for rank in range(number)]
    found = [decode_classified(frame) for frame, _ in frames(3, queries)]
    assert [query for _, some, _ in found for query in some] == queries
    assert all(category == 3 and 0 < len(some) <= FRAME_RECORDS for category, some, _ in found)


def test_frames_of_the_longest_queries_fit_a_record() -> None:
    """In the characters that take the most room."""
    queries = [Query("user", "\udcff" * 20_000, "", 0.0, rank, "") for rank in range(40)]
    found = [frame for frame, _ in frames(3, queries)]
    assert max(map(len, found)) <= FRAME_BYTES < MAX_BYTES
    assert [query for frame in found for query in decode_classified(frame)[1]] == queries
    huge = [Query("user", "\udcff" * 300_000, "", 0.0, 0, "")]
    assert len(list(frames(3, huge))) == 1, "a single record is never cut"


@pytest.mark.parametrize(
    ("field", "configs", "repair"),
    [
        ("raw", {"cleanup.policy": "delete"}, ""),
        ("raw", {"cleanup.policy": "compact"}, "cleanup.policy=delete"),
        ("anonymized", {"cleanup.policy": "compact,delete"}, "cleanup.policy=delete"),
        ("state", {"cleanup.policy": "delete"}, "cleanup.policy=compact"),
        ("positions", {"cleanup.policy": "delete"}, "cleanup.policy=compact"),
        ("state", {"cleanup.policy": "compact,delete"}, "cleanup.policy=compact"),
        ("state", {"cleanup.policy": "compact", "max.message.bytes": "1048588"}, "max.message.bytes=8388608"),
        ("classified", {"cleanup.policy": "delete", "max.message.bytes": "1048588"}, "max.message.bytes=8388608"),
        ("deadletter", {"cleanup.policy": "delete", "max.message.bytes": "1048588"}, ""),
        ("anonymized", {"max.message.bytes": "100000"}, "max.message.bytes=327680"),
        ("state", {}, ""),
    ],
)
def test_a_setting_that_loses_logs_comes_with_its_repair(field: str, configs: dict[str, str], repair: str) -> None:
    assert harm(field, configs) == repair


def test_topics_as_they_are_made_do_no_harm() -> None:
    chosen = TopicSettings()
    plans = wanted(chosen)
    for field, name in names(chosen)._asdict().items():
        assert harm(field, plans[name].configs) == ""


def test_each_role_needs_rights_on_known_topics_only() -> None:
    rights = rights_of(["classifier", "anonymizer", "profiler"])
    assert rights.keys() <= set(Topics._fields)
    assert rights["state"] == {"READ", "WRITE"}
    assert rights_of(["profiler"]) == {"evidence": {"READ"}, "deadletter": {"WRITE"}}


def test_the_topic_of_keys_is_needed_where_anonymizers_release_ids_of_a_period() -> None:
    roles = ["classifier", "anonymizer", "profiler"]
    assert rights_of(roles)["periods"] == {READ, WRITE}
    for needed in (rights_of(roles, period_keys=False), rights_of(["classifier", "profiler"])):
        assert "periods" not in needed


def test_the_raw_topic_can_have_a_name_of_its_own_but_none_of_the_services() -> None:
    found = names(ConnectionSettings(prefix="p", raw_topic="search.log"))
    assert found._replace(raw="p.raw") == names(ConnectionSettings(prefix="p"))
    assert found.raw == "search.log"
    assert names(ConnectionSettings(prefix="p", raw_topic="p.raw")).raw == "p.raw"
    for field in found._fields[1:]:
        with pytest.raises(ConfigError, match=r"--raw-topic: p\..* is a topic that the service itself writes"):
            names(ConnectionSettings(prefix="p", raw_topic=f"p.{field}"))


def test_a_dry_run_needs_no_right_to_write_what_is_released() -> None:
    needed = rights_of(["classifier", "anonymizer", "profiler"], dry_run=True)
    assert needed["anonymized"] == set()
    assert needed["evidence"] == {READ}
    assert needed["classified"] == {READ, WRITE}
