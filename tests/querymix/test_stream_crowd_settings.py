"""What `--crowd stream` and its options come to: a crowding, or none; and the hash that tells rules apart."""

import sys
from typing import Any

import pytest
from querymix.bootstrap.crowding import OPTIONS, make_crowding
from querymix.bootstrap.reload import rules_of
from querymix.core.crowd_window import MAX_PAIRS, CrowdWindow
from querymix.core.errors import ConfigError
from querymix.core.records import Query
from querymix.knowledge.domains import registrable_domains
from querymix.settings import RunSettings, WorkerSettings
from querymix.settings.reloading import RULES, changed


@pytest.mark.parametrize(
    "given", [{}, {"crowd": "table.crowd"}, {"crowd": "stream", "rare": "release"}], ids=["none", "a table", "release"]
)
def test_there_is_none_where_the_stream_is_not_asked(given: dict[str, Any]) -> None:
    assert make_crowding(RunSettings(**given)) is None


def test_a_window_of_no_time_is_refused() -> None:
    with pytest.raises(ConfigError, match="crowd window must be more than 0"):
        make_crowding(RunSettings(crowd="stream", crowd_window="0s"))


def test_a_missing_list_of_suffixes_is_told_before_a_worker_has_any_partition(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "publicsuffixlist", None)
    registrable_domains.cache_clear()
    with pytest.raises(ConfigError, match="needs the list of public suffixes"):
        make_crowding(WorkerSettings(crowd="stream", urls="crowd"))


@pytest.mark.parametrize("asks", [{"generalize": {"place": ["city"]}}, {"urls": "crowd"}])
def test_fields_and_urls_ask_the_stream_too_where_rare_texts_leave(asks: dict[str, Any]) -> None:
    assert make_crowding(RunSettings(crowd="stream", rare="release", **asks)) is not None


def test_its_rules_are_the_options_and_its_screen_asks_its_window() -> None:
    crowding = make_crowding(RunSettings(crowd="stream", crowd_users=3, crowd_window="2d", group_users=70))
    assert crowding is not None
    assert crowding.rules[:3] == (2 * 86400.0, 3, 70)
    window = CrowdWindow(crowding.rules)
    screening = crowding.screen(window)
    query = Query("ann", "red shoes", 0, 0.0)
    for user in ("ann", "bob"):
        screening.note(query._replace(user=user))
        assert screening(query) is None
    screening.note(query._replace(user="eve"))
    assert screening(query) == query
    assert screening.suppressed == {"rare": 2}


@pytest.mark.parametrize("partitions", [1, 4, 5, 12, 48])
def test_a_worker_that_takes_over_all_partitions_keeps_no_more_pairs_than_four_windows_have(partitions: int) -> None:
    crowding = make_crowding(RunSettings(crowd="stream"), partitions)
    assert crowding is not None
    assert crowding.most <= MAX_PAIRS
    assert min(partitions, 4) * MAX_PAIRS - partitions < crowding.most * partitions <= 4 * MAX_PAIRS


CHANGES: dict[str, Any] = {
    "crowd_items": "terms",
    "crowd_users": 7,
    "crowd_window": "3d",
    "group_policy": "suppress",
    "group_users": 50,
    "rare": "drop-terms",
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_running_worker_follows_a_change_and_its_hash_tells(name: str) -> None:
    old, new = WorkerSettings(crowd="stream"), WorkerSettings(crowd="stream", **{name: CHANGES[name]})
    assert changed(old, new, {}, {}) == {name} <= RULES
    assert rules_of(old) != rules_of(new)
    table, other = WorkerSettings(crowd="crowd.table"), WorkerSettings(crowd="crowd.table", **{name: CHANGES[name]})
    assert changed(table, other, {}, {}) == {name}, "the classifiers follow it"
    assert rules_of(WorkerSettings()) == rules_of(WorkerSettings(**{name: CHANGES[name]})), "nobody is asked"


def test_each_option_that_a_crowding_is_made_of_is_one() -> None:
    assert WorkerSettings.model_fields.keys() >= OPTIONS
