"""Latencies in HDR histograms (Gil Tene's; the package `hdrhistogram`, Apache-2.0): from a millisecond to two days.

Three significant digits: a percentile is at most a thousandth off, in a few kilobytes, however many records there are.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final

from hdrh.histogram import HdrHistogram

MIN: Final = 1
MAX: Final = 2 * 86_400_000
PERCENTILES: Final = {"p50": 50.0, "p95": 95.0, "p99": 99.0}


def histogram() -> HdrHistogram:
    """Return an empty histogram of milliseconds."""
    return HdrHistogram(MIN, MAX, 3)


def record(into: HdrHistogram, counts: Mapping[int, int]) -> None:
    """Add latencies in milliseconds with how often each came; what is outside the range counts as its end."""
    for milliseconds, count in counts.items():
        into.record_value(min(max(milliseconds, MIN), MAX), count)


def pack(found: HdrHistogram) -> str:
    """Return a histogram in HDR's own form (V2, base64), which other HDR tools read too."""
    return str(found.encode().decode())


def merged(packed: Iterable[str]) -> HdrHistogram:
    """Return the sum of packed histograms."""
    total = histogram()
    for one in packed:
        total.decode_and_add(one)
    return total


def figures(found: HdrHistogram) -> dict[str, Any]:
    """Return count, percentiles and maximum in milliseconds; no percentiles where there is no latency."""
    count = int(found.get_total_count())
    if not count:
        return {"count": 0, **dict.fromkeys([*PERCENTILES, "max"])}
    values = {name: int(found.get_value_at_percentile(share)) for name, share in PERCENTILES.items()}
    return {"count": count, **values, "max": int(found.get_max_value())}
