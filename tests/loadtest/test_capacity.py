"""The capacity model: more asks for more, and what it predicts is reckoned from what was measured."""

from dataclasses import replace
from typing import Any

import faker  # noqa: F401 - the measuring side needs it, so without it the module is skipped
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from loadtest.capacity import Costs, Demand, point, size, throughput
from loadtest.measure.measured import DEFAULTS, from_report
from tests.loadtest.measure.kit import measured, sample
from tests.loadtest.measure.test_load_report import report

COSTS = Costs(
    classifier=20, anonymizer=15, profiler=5, broker=20, database=100, disk=500, worker_memory=200e6, held_memory=700,
    held=0.1, released=0.8, shares={"Arts": 0.2, "Home": 0.05}, profile_disk=150,
)  # fmt: skip
DEMANDS = st.builds(
    Demand, rate=st.floats(1, 1e7), users=st.integers(1, 10**10), hold=st.floats(0, 1e6),
    replication=st.integers(1, 3), usable=st.floats(0.1, 1), broker_cores=st.integers(1, 64),
    database_cores=st.integers(1, 64),
)  # fmt: skip


def test_a_demand_that_can_be_reckoned_in_the_head() -> None:
    found = size(COSTS, Demand(rate=100_000, users=1_000_000, hold=600, usable=0.5, broker_cores=4, database_cores=8))
    assert found.workers == 8  # 100,000 x 39 µs are 3.9 cores, half of each is used
    assert found.raw_partitions == 16
    assert found.hot == {}  # Arts: 100,000 x 0.2 x 15 µs are 0.3 of a core
    assert found.pool_partitions == 16
    assert size(COSTS, Demand(rate=10_000_000, users=1, hold=0, usable=0.5)).hot == {"Arts": 60, "Home": 15}
    assert found.brokers == 3  # 100,000 x 20 µs x 3 copies are 6 cores: 3 brokers of 4 half used
    assert found.databases == 2  # 80,000 x 100 µs are 8 cores: 2 databases of 8 half used
    assert found.pool_memory == pytest.approx(100_000 * 600 * 0.1 * 700)
    assert found.worker_memory == pytest.approx(200e6 + found.pool_memory / 8)
    assert found.disk == pytest.approx(100_000 * 86_400 * 500 * 3)
    assert found.profile_disk == 150e6


@settings(deadline=None)
@given(DEMANDS, st.floats(1, 10))
def test_a_higher_rate_never_needs_less(demand: Demand, times: float) -> None:
    one, more = size(COSTS, demand), size(COSTS, replace(demand, rate=demand.rate * times))
    for name in ("workers", "raw_partitions", "pool_partitions", "brokers", "databases", "pool_memory", "disk"):
        assert getattr(more, name) >= getattr(one, name)


@settings(deadline=None)
@given(DEMANDS)
def test_workers_brokers_and_shards_carry_the_rate(demand: Demand) -> None:
    found = size(COSTS, demand)
    assert found.workers * demand.usable * 1e6 >= demand.rate * COSTS.worker * 0.999
    assert found.raw_partitions >= found.workers
    assert found.pool_partitions >= max(16, sum(found.hot.values()))
    assert found.brokers >= demand.replication
    for name, share in COSTS.shares.items():
        shard = demand.rate * share / found.hot.get(name, 1)
        assert shard * COSTS.anonymizer <= demand.usable * 1e6 * 1.001


@pytest.mark.parametrize(
    "wrong", [{"rate": 0}, {"users": 0}, {"hold": -1}, {"usable": 0}, {"usable": 1.1}, {"replication": 0}]
)
def test_what_makes_no_sense_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"above|at least"):
        size(COSTS, replace(Demand(rate=1, users=1, hold=1), **wrong))


def test_one_machine_is_held_by_its_workers_or_by_its_cores() -> None:
    costs = replace(COSTS, classifier=20, anonymizer=12, profiler=10, released=0.8, broker=20, database=50)
    assert throughput(costs, workers=1, cores=8) == 25_000  # 40 µs of a worker
    assert throughput(costs, workers=2, cores=8) == 50_000
    assert throughput(costs, workers=2, cores=1, extra=25) == 8_000  # 125 µs in all


def test_a_measured_knee_is_compared_with_what_the_cores_allow() -> None:
    found = report(measured()) | {"knee": {"rate": 10_000, "tried": []}}
    # Others took 0.33 of the 2 cores.
    one = point(replace(COSTS, classifier=80, anonymizer=0, profiler=0, broker=20, database=0), found)
    assert one.cores == pytest.approx(1.67)
    assert one.predicted == 12_500
    assert one.error == pytest.approx(0.25)


def test_a_burst_tells_the_limit_and_a_load_that_was_kept_up_with_does_not() -> None:
    burst = measured()
    burst.samples[-1] = sample(10, 10_000, 5_000, 4_000)
    burst.phases = [replace(burst.phases[0], end=burst.samples[-1])]
    burst.samples += [sample(20, 10_000, 10_000, 8_000), sample(30, 10_000, 10_000, 8_000)]
    one = point(COSTS, report(burst))
    assert one.measured == 500  # 10,000 records in 20 s
    # 1.67 cores, and 4,000 of the 10,000 went into profiles: 20 + 15 + 0.4 x 5 + 20 + 0.4 x 100 µs.
    assert one.predicted == pytest.approx(1.67e6 / 97)
    with pytest.raises(ValueError, match="not at its limit"):
        point(COSTS, report())


def test_the_costs_of_a_report_take_the_place_of_the_defaults() -> None:
    found = from_report(report(), COSTS)
    assert found.worker == pytest.approx(100)  # as the report says of all roles together
    assert found.anonymizer == pytest.approx(100 * 15 / 39)
    assert (found.broker, found.database, found.disk) == (50, 50, 110)
    assert (found.held, found.released, found.shares) == (0.1, 0.8, {"Arts": 1.0})
    assert (found.held_memory, found.worker_memory) == (700, 200e6)
    apart = report()
    apart["costs"] = {"classifier": 25.0, "anonymizer": 19.0, "profiler": 7.0, "broker": 50.0}
    roles = from_report(apart, COSTS)
    assert (roles.classifier, roles.anonymizer, roles.profiler, roles.database) == (25, 19, 7, 100)
    with pytest.raises(ValueError, match="tells no costs"):
        from_report(report() | {"costs": None})


def test_the_defaults_are_measured_and_not_left_out() -> None:
    assert all(value > 0 for name, value in vars(DEFAULTS).items() if name != "shares")
    assert sum(DEFAULTS.shares.values()) == pytest.approx(1, abs=0.01)
