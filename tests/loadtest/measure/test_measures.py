"""What the watcher reads: metrics, counters that begin anew, latencies, CPU and memory of processes."""

import os
import subprocess
import sys
import time

import faker  # noqa: F401 - what is tested here needs it, so without it the module is skipped
from hypothesis import given, settings
from hypothesis import strategies as st
from prometheus_client import generate_latest
from querymix import telemetry

from loadtest.measure.latency import MAX, figures, histogram, merged, pack, record
from loadtest.measure.resource_usage import Processes, busy_seconds, machine
from loadtest.measure.scraping import parse, read
from loadtest.measure.watching import Rising


def test_the_metrics_that_are_read_are_those_that_a_worker_has() -> None:
    # Under names of this test alone: the metrics are one for all tests of a process.
    for topic, partition, lag in (("read.raw", 0, 3), ("read.raw", 1, 4), ("read.classified", 0, 5)):
        telemetry.LAG.labels(topic, partition).set(lag)
    telemetry.POOL_DEPTH.labels("what is read", 0).set(7)
    telemetry.POOL_DEPTH.labels("what is read", 1).set(8)
    before = parse(generate_latest(telemetry.REGISTRY).decode())
    telemetry.EVIDENCE.inc(11)
    telemetry.LOGS_OUT.labels("classifier").inc(13)
    telemetry.LOGS_IN.labels("anonymizer").inc(36)
    page = parse(generate_latest(telemetry.REGISTRY).decode())
    assert page.lag["read.raw"] == 7
    assert page.lag["read.classified"] == 5
    assert page.held["what is read"] == 15
    assert page.evidence - before.evidence == 11
    assert page.passed - before.passed == 13
    assert page.pooled - before.pooled == 36
    assert page.cpu > 0
    assert page.memory > 1 << 20


def test_a_page_that_does_not_answer_is_none_and_not_zero() -> None:
    assert read("http://127.0.0.1:1/metrics") is None


def test_a_counter_goes_on_where_the_process_that_kept_it_began_anew() -> None:
    counter = Rising()
    for value in (100, 130, 130, 5, 25):
        counter.take(value)
    assert counter.total == 30 + 5 + 20


@settings(deadline=None)
@given(st.lists(st.integers(0, 200_000), min_size=1), st.integers(1, 5))
def test_histograms_of_parts_add_up_to_that_of_the_whole(values: list[int], parts: int) -> None:
    whole = histogram()
    record(whole, dict.fromkeys(values, 2))
    packed = []
    for part in range(parts):
        one = histogram()
        record(one, dict.fromkeys(list(dict.fromkeys(values))[part::parts], 2))
        packed.append(pack(one))
    assert figures(merged(packed)) == figures(whole)
    assert abs(figures(whole)["max"] - max(1, *values)) <= max(values) / 500


def test_latencies_out_of_range_are_counted_at_its_end_and_none_gives_no_figures() -> None:
    found = histogram()
    record(found, {-5: 1, 10 * MAX: 1})
    assert figures(found)["count"] == 2
    assert figures(found)["max"] >= MAX * 0.99
    assert figures(histogram()) == {"count": 0, "p50": None, "p95": None, "p99": None, "max": None}


BUSY = "import time; end = time.process_time() + 0.3\nwhile time.process_time() < end: pass\nprint(flush=True); input()"


def test_cpu_and_memory_of_children_count_and_what_was_spent_stays_after_the_end() -> None:
    parent = f"import subprocess, sys; child = subprocess.Popen([sys.executable, '-c', {BUSY!r}]); child.wait()"
    with subprocess.Popen([sys.executable, "-c", parent], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdin is not None
        processes = Processes()
        processes.watch("worker", "worker 1", process.pid)
        process.stdout.readline()
        (usage,) = processes.sample()
        assert usage.cpu > 0.25  # the kernel tells it in hundredths, each part rounded down
        assert usage.memory > 1 << 20
        process.stdin.close()
        process.wait()
    (after,) = processes.sample()
    assert after.cpu > 0.25
    assert after.memory == 0
    assert after.peak > 0
    processes.watch("worker", "worker 1", os.getpid())
    (again,) = processes.sample()
    assert again.cpu > after.seen[next(iter(after.seen))]
    assert processes.by_kind() == {"worker": again.cpu}


def test_the_machine_is_told() -> None:
    assert int(machine()["cores"]) >= 1
    begin = busy_seconds()
    end = time.process_time() + 0.1
    while time.process_time() < end:
        pass
    assert busy_seconds() > begin
