"""What must hold after a run: the account, and what the scenario expects.

Pure. Each check says what it found in one sentence, so that a failed one tells what to look at.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from loadtest.measure.scenario import Expect

Report = Mapping[str, Any]
_WHOLE: Final = 100
"""Figures from here on are shown without decimals."""


class Check(NamedTuple):
    """One thing that must hold."""

    name: str
    ok: bool
    found: str


def account_checks(report: Report) -> list[Check]:
    """Return whether every record that was sent is accounted for, once; none where the run ended before the account."""
    account, total = report["account"], report["total"]
    if not account:
        return [Check("account", False, "it could not be taken")]
    parts = ("released", "held", "suppressed", "unclassified", "empty", "refused", "waiting")
    accounted = sum(account[name] for name in parts)
    checks = [
        Check(
            "in = released + held + suppressed + unclassified + empty + refused + waiting",
            account["in"] == accounted,
            f"{account['in']:,} = {accounted:,}",
        ),
        Check(
            "sent = in + not yet read",
            _near(total["sent"], account["in"] + total["unread"], total["unsure"] + _moving(report)),
            f"{total['sent']:,} sent, {account['in']:,} in, {total['unread']:,} not yet read"
            + (f", {total['unsure']:,} never confirmed to the sender" if total["unsure"] else ""),
        ),
        Check(
            "released = read from the anonymized topic",
            _near(account["released"], total["released"], _moving(report)),
            f"{account['released']:,} released, {total['released']:,} read",
        ),
    ]
    if total["bad"] or account["refused"]:
        exact = total["exact"] and not total["unread"] and not total["unsure"]
        checks.append(
            Check(
                "refused = bad records",
                account["refused"] == total["bad"] if exact else account["refused"] <= total["bad"],
                f"{account['refused']:,} refused, {total['bad']:,} bad records sent",
            )
        )
    return checks


def _moving(report: Report) -> int:
    """Return how far counts may be apart: where workers went on, they are of different moments."""
    return 0 if report["resting"] else max(1000, int(report["total"]["sent"] // 100))


def _near(one: int, other: int, tolerance: int) -> bool:
    return abs(one - other) <= tolerance


def expected(expect: Expect, report: Report) -> list[Check]:
    """Return whether what a scenario expects has come true."""
    wants: list[tuple[str, float | None, Callable[[Report], float | None], bool]] = [
        ("p99 beyond the hold, ms", expect.p99_beyond_hold_ms, _p99, True),
        ("lag at the end of the load, s", expect.lag_seconds_at_end, lambda one: one["total"]["lag_seconds"], True),
        ("share of the arrivals that was kept up with", expect.kept_rate, lambda one: one["total"]["kept"], False),
        ("longest recovery after an event, s", expect.recovery_seconds, _recovery, True),
        ("knee, records/s", expect.knee, lambda one: (one["knee"] or {}).get("rate"), False),
    ]
    checks = []
    planned, happened = len(report["scenario"].get("event", ())), len(report["events"])
    if planned:
        checks.append(Check("events that happened", happened == planned, f"{happened} of {planned}"))
    if report["knee"] is not None:
        found = report["knee"]["rate"]
        hint = f"{found:,.0f} records/s" if found else "no rate was kept: begin lower ([knee] first), with longer steps"
        checks.append(Check("a knee was found", bool(found), hint))
    for name, bound, measure, most in wants:
        if bound is None:
            continue
        value = measure(report)
        ok = value is not None and (value <= bound if most else value >= bound)
        shown = "nothing was measured" if value is None else f"{value:,.0f}" if value >= _WHOLE else f"{value:.3g}"
        checks.append(Check(name, ok, f"{shown}, expected at {'most' if most else 'least'} {bound:,g}"))
    return checks


def _p99(report: Report) -> float | None:
    value: float | None = report["latency"]["beyond_hold"]["p99"]
    return value


def _recovery(report: Report) -> float | None:
    events: Sequence[Mapping[str, Any]] = report["events"]
    took = [event["recovered_after"] for event in events]
    if None in took:
        return None  # one never recovered
    return max(took, default=0.0)
