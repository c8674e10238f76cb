"""What is shown of the pools: the share that the hold took."""

from querymix import telemetry
from querymix.codecs.frames import encode_classified
from querymix.core.draw import seeded_draw
from querymix.core.records import Query
from querymix.core.rules import Rules
from querymix.kafka.gauges import PoolMeasures, hide_pools, show_pools, show_share
from querymix.stages.partition import Partition

from tests.querymix.stages.crowds import crowding


def test_the_share_that_the_hold_took_is_shown_and_told_from_a_thousand_logs_on() -> None:
    for logs, much in ((999, False), (1000, True)):
        state = Partition(Rules(2, max_hold=10.0, click_wait=0.0, reserve=0), seeded_draw(1))
        rows = [Query("ann", f"text {number}", "", 0.0, number, "") for number in range(logs)]
        state.step([encode_classified(1, rows)], 0, 100.0)
        assert not show_share(state, 77)
        for moment in range(101, 140):
            state.step([], 0, float(moment))
        assert state.account.suppressed_by_hold == logs
        assert show_share(state, 77) is much
        shown = telemetry.REGISTRY.get_sample_value("querymix_suppressed_by_hold_ratio", {"partition": "77"})
        assert shown == 1.0
    hide_pools(state, 77)
    assert telemetry.REGISTRY.get_sample_value("querymix_suppressed_by_hold_ratio", {"partition": "77"}) is None


def test_the_age_that_is_shown_is_the_stages_own() -> None:
    state = Partition(Rules(2, max_hold=1e4, click_wait=0.0, reserve=0), seeded_draw(1))
    state.step([encode_classified(1, [Query("ann", "text", "", 0.0, 1, "")])], 0, 7200.0)
    for second in range(40):
        state.step([], 0, float(second))  # the machine's clock was put back by two hours
    measures = PoolMeasures(lambda: {78: state}, lambda: 39.0)
    measures.measure()
    shown = telemetry.REGISTRY.get_sample_value("querymix_hold_age_seconds", {"partition": "78"})
    assert shown == state.pooling.hold_age(39.0) > 10
    hide_pools(state, 78)


def test_what_the_streams_own_crowd_holds_is_shown_and_what_its_bound_made_it_forget() -> None:
    def shown(name: str) -> float | None:
        return telemetry.REGISTRY.get_sample_value(f"querymix_crowd_{name}", {"partition": "79"})

    chosen = crowding(2)._replace(most=6)
    state = Partition(Rules(2, click_wait=0.0, reserve=0), seeded_draw(1), crowding=chosen)
    for number in range(9):
        query = Query(f"user{number}", f"odd{number} word{number}", "", 0.0, number, "")
        state.step([encode_classified(1, [query])], number, 100.0)
        show_pools(state, 79)
    assert 0 < (shown("pairs") or 0) <= 6 + 4
    assert shown("forgotten_pairs")
    hide_pools(state, 79)
    assert shown("pairs") is shown("forgotten_pairs") is None
