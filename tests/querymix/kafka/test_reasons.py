"""Why nothing leaves, as the log and `querymix status` say it; and when the log says it."""

import logging
from datetime import UTC, datetime

import pytest
from querymix import telemetry
from querymix.codecs.frames import encode_classified
from querymix.core.draw import seeded_draw
from querymix.core.outlook import Outlook
from querymix.core.records import Query
from querymix.core.rules import Rules
from querymix.kafka.gauges import PoolMeasures, hide_pools
from querymix.kafka.reasons import Silence, Standing, date, why
from querymix.stages.cells import Ordering
from querymix.stages.partition import Partition

from tests.querymix.stages.crowds import crowding

NOW = datetime(2026, 11, 29, 9, 0, tzinfo=UTC).timestamp()
DAY = 86_400.0
STRICT = Rules(20, established=7 * DAY, dedupe=DAY)


def pool(category: int = 1, **fields: object) -> Outlook:
    """Return a pool of 12 users whose k is 20."""
    one = Outlook(category, 40, 12, 12, 9, 21, 0.0, None, 3 * 3600.0)
    return one._replace(**fields)  # type: ignore[arg-type]


def standing(*pools: Outlook, drawn: int = 0, written_in: float | None = None) -> Standing:
    return Standing(0, sum(one.held for one in pools), drawn, written_in, pools)


def test_strict_on_a_new_service_says_from_when_on_users_are_established() -> None:
    young = pool(users=30, counted=0, missing=21, first_in=7 * DAY, ready_in=7 * DAY + 600)
    few = pool(2, counted=0, missing=21, first_in=7 * DAY + 60)
    assert why([standing(young), standing(few)], STRICT, None, NOW) == (
        "80 records of 2 categories are held, the oldest for 3h. Only users who were first seen so long ago count "
        "(--established 7d): no user is established before 2026-12-06 09:00 UTC. The first release can be expected by "
        "2026-12-06 09:10 UTC, of Arts"
    )


def test_once_some_are_established_it_says_how_many_and_that_others_have_to_come() -> None:
    some = pool(counted=4, missing=17)
    assert why([standing(some)], STRICT, None, NOW).endswith(
        "Arts has 4 of the 21 (k + 1) that it needs, and no category has enough users even then. Others have to search "
        "first"
    )


def test_what_is_suppressed_before_the_first_release_is_said() -> None:
    rules = Rules(20, established=7 * DAY, max_hold=2 * DAY)
    young = pool(users=30, counted=0, missing=21, first_in=7 * DAY, ready_in=7 * DAY)
    assert "--max-hold 2d is suppressed before that" in why([standing(young)], rules, None, NOW)
    assert "--max-hold" not in why([standing(young)], STRICT, None, NOW)


def test_too_few_users_are_counted_and_named_by_their_category() -> None:
    assert why([standing(pool(1), pool(2, users=3, missing=18))], Rules(20, reserve=0), None, NOW) == (
        "80 records of 2 categories are held, the oldest for 3h. None has the 21 different users (k + 1) that a "
        "release needs: Arts, which is closest, has 12. Others have to search in it first"
    )


def test_what_is_drawn_and_waits_for_its_cell_has_a_time() -> None:
    assert why([standing(pool(), drawn=7, written_in=1800.0)], STRICT, 3600.0, NOW) == (
        "7 records are drawn and wait for their cell of time to end (--time-precision 1h): the first are written by "
        "2026-11-29 09:30 UTC at the latest"
    )


def test_a_pool_that_is_full_lacks_only_arrivals() -> None:
    full = pool(users=30, counted=30, missing=0, ready_in=0.0)
    assert why([standing(full, pool(2))], Rules(20, reserve=0), None, NOW).endswith(
        "1 category has the users that a release needs, and one leaves with each record that is pooled there"
    )
    assert why([standing(full, pool(2))], Rules(20), None, NOW).endswith(
        "is pooled there, or once up to 10 more have come, which is chance (--reserve)"
    )
    assert why([standing(pool(2))], Rules(20), None, NOW).endswith(
        "Others have to search in it first, up to 10 more than that, which is chance (--reserve)"
    )


def test_where_all_that_is_drawn_is_too_rare_that_is_said_and_only_while_the_stream_is_its_own_crowd() -> None:
    rules = Rules(2, click_wait=0.0, reserve=0)
    state = Partition(rules, seeded_draw(1), crowding=crowding(2, 1e9))
    for number in range(9):
        state.step([encode_classified(1, [Query(f"user{number}", f"odd{number}", "", 0.0, number, "")])], number, NOW)

    def said() -> str:
        return why([Standing.of(state, NOW, list(state.pooling.outlooks(NOW)))], rules, None, NOW)

    account = state.account
    assert account.released == 0 < account.suppressed_as_rare
    assert said().endswith(
        f". {account.suppressed_as_rare} records were drawn so far and suppressed, since too few users had the same "
        "(--crowd stream)"
    )
    state.follow(rules, Ordering(), None)
    state.step([], 8, NOW)
    assert "--crowd" not in said()


def test_where_nothing_is_held_there_is_no_reason() -> None:
    assert why([standing()], Rules(20), None, NOW) == ""
    assert why([], Rules(20), None, NOW) == ""
    rows = Standing(0, 3, 0, None, ())
    assert why([rows], Rules(20), None, NOW) == "3 records wait for further rows of theirs (--click-wait)"


def test_in_paper_mode_queries_are_missing() -> None:
    text = why([standing(pool(missing=2))], Rules(20, mode="paper"), None, NOW)
    assert text.endswith("None has k of them: Arts, which is closest, lacks 2")


def test_a_moment_that_no_calendar_has_is_said_to_be_so() -> None:
    assert date(1e30) == "a time beyond all calendars"


def test_where_nothing_was_ever_drawn_the_log_says_it_after_a_minute_and_then_every_ten() -> None:
    it = Silence()
    assert [it.tells(0, 10, now) for now in (0, 30, 59)] == [False] * 3
    assert [it.tells(0, 10, now) for now in (60, 70, 659, 660)] == [True, False, False, True]


def test_where_something_was_drawn_before_it_takes_ten_minutes_and_a_hundred_records() -> None:
    it = Silence()
    assert [it.tells(5, 20, now) for now in (0, 800, 2000)] == [False] * 3, "nothing has arrived"
    assert not it.tells(5, 119, 2010)
    assert [it.tells(5, 120, now) for now in (2020, 2030, 2620)] == [True, False, True]
    assert [it.tells(6, 500, now) for now in (2630, 2640)] == [False, False], "it goes on"


def strict_partition(precision: float | None = None) -> Partition:
    return Partition(Rules(2, established=7 * DAY, click_wait=0.0, reserve=0), seeded_draw(1), "", Ordering(precision))


def feed(state: Partition, users: int, now: float, position: int = 0) -> None:
    rows = [Query(f"secret-user-{user}", f"secret text {user}", "", now, user, "") for user in range(users)]
    state.step([encode_classified(1, rows)], position, now)


def shown(name: str, **labels: str) -> float | None:
    return telemetry.REGISTRY.get_sample_value(name, labels)


async def test_a_worker_logs_the_reason_and_shows_it_and_hides_it_with_the_partition(
    caplog: pytest.LogCaptureFixture,
) -> None:
    state = strict_partition()
    feed(state, 5, NOW)
    measures = PoolMeasures(lambda: {81: state}, lambda: NOW + 60)
    with caplog.at_level(logging.INFO, "querymix"):
        await measures.look(0.0)
        assert caplog.text == ""
        await measures.look(61.0)
    (line,) = caplog.messages
    assert line.startswith("Nothing leaves: 5 records of 1 category are held, the oldest for 1m.")
    assert "no user is established before 2026-12-06 09:00 UTC" in line
    assert "secret" not in caplog.text
    assert caplog.records[0].levelno == logging.INFO, "it is known when that ends"
    arts = {"category": "Arts", "partition": "81"}
    assert [shown(f"querymix_pool_{name}", **arts) for name in ("users", "counted_users", "missing_users")] == [5, 0, 3]
    assert shown("querymix_pool_oldest_seconds", **arts) == 60
    expected = shown("querymix_release_expected_timestamp_seconds", partition="81")
    assert expected is not None
    assert NOW + 7 * DAY <= expected <= NOW + 8 * DAY
    hide_pools(state, 81)
    assert shown("querymix_pool_missing_users", **arts) is None
    assert shown("querymix_release_expected_timestamp_seconds", partition="81") is None


async def test_users_who_have_not_come_are_a_warning_and_have_no_time(caplog: pytest.LogCaptureFixture) -> None:
    state = Partition(Rules(9, click_wait=0.0, reserve=0), seeded_draw(1))
    feed(state, 5, NOW)
    measures = PoolMeasures(lambda: {82: state}, lambda: NOW)
    with caplog.at_level(logging.INFO, "querymix"):
        await measures.look(0.0)
        await measures.look(61.0)
    assert caplog.records[0].levelno == logging.WARNING
    assert shown("querymix_release_expected_timestamp_seconds", partition="82") == float("inf")
    hide_pools(state, 82)


async def test_where_something_can_leave_with_the_next_record_the_time_is_zero() -> None:
    state = Partition(Rules(9, click_wait=0.0, reserve=0), seeded_draw(1))
    feed(state, 5, NOW)
    state.pooling.follow(Rules(2, click_wait=0.0, reserve=0))
    await PoolMeasures(lambda: {83: state}, lambda: NOW).look(0.0)
    assert shown("querymix_release_expected_timestamp_seconds", partition="83") == 0
    hide_pools(state, 83)


async def test_before_the_first_cell_is_over_the_log_says_when_and_afterwards_no_cell_is_a_silence(
    caplog: pytest.LogCaptureFixture,
) -> None:
    state = Partition(Rules(2, click_wait=0.0, reserve=0), seeded_draw(1), "", Ordering(3600.0))
    feed(state, 9, NOW)
    drawn = state.cells.waiting
    assert drawn
    now = NOW
    measures = PoolMeasures(lambda: {84: state}, lambda: now)
    with caplog.at_level(logging.INFO, "querymix"):
        await measures.look(0.0)
        await measures.look(61.0)
        assert f"{drawn} records are drawn and wait for their cell of time to end (--time-precision 1h)" in caplog.text
        assert shown("querymix_release_expected_timestamp_seconds", partition="84") == NOW + 3600 + 360
        now = NOW + 4000
        state.step([], 0, now)
        assert state.account.released == drawn
        caplog.clear()
        feed(state, 9, now, 1)
        await measures.look(4061.0)
        feed(state, 9, now, 2)
        await measures.look(5000.0)
        assert caplog.text == ""
    hide_pools(state, 84)


async def test_a_partition_that_is_taken_away_meanwhile_is_shown_no_more() -> None:
    state, states = strict_partition(), dict[int, Partition]()
    feed(state, 5, NOW)
    answers = [{85: state}, states]
    measures = PoolMeasures(lambda: answers.pop(0), lambda: NOW)
    await measures.look(0.0)
    assert shown("querymix_pool_missing_users", category="Arts", partition="85") is None
