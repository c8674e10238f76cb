"""Which differences of a topic lose records, and which are only told."""

import pytest
from querymix.kafka.admin import Found, Plan
from querymix.kafka.plan import differences, harm, rights_of, wanted
from querymix.kafka.topics import Topics, names
from querymix.settings import TopicSettings


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
    settings = TopicSettings()
    plans = wanted(settings)
    for field, name in names(settings)._asdict().items():
        assert harm(field, plans[name].configs) == ""


def test_differences_are_told_in_words_and_settings_that_cannot_be_seen_are_left_out() -> None:
    plan = Plan(4, 3, {"cleanup.policy": "delete", "retention.ms": "86400000"})
    same = Found("logs.raw", "id", 4, 3, frozenset())
    assert differences(plan, same, dict(plan.configs)) == []
    assert differences(plan, same, {}) == []
    other = same._replace(partitions=1, copies=1)
    assert differences(plan, other, {"cleanup.policy": "delete", "retention.ms": "1"}) == [
        "has 1 partitions, not 4",
        "has 1 copies, not 3",
        "retention.ms is 1, not 86400000",
    ]


def test_each_role_needs_rights_on_known_topics_only() -> None:
    rights = rights_of(["classifier", "anonymizer", "profiler"])
    assert rights.keys() <= set(Topics._fields)
    assert rights["state"] == {"READ", "WRITE"}
    assert rights_of(["profiler"]) == {"evidence": {"READ"}, "deadletter": {"WRITE"}}
