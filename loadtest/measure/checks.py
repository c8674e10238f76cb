"""What must hold after a run: the account, and what the scenario expects.

Pure. Each check says what it found in one sentence, so that a failed one tells what to look at.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from loadtest.measure.calibration import MOST
from loadtest.measure.scenario import Expect

Report = Mapping[str, Any]
_WHOLE: Final = 100
"""Figures from here on are shown without decimals."""
_KEPT: Final = "share of the arrivals that was kept up with"
_BUSY: Final = 0.2
"""Cores that others took, from which on a reader should know."""
_CROWDED: Final = 3
"""Limits so many times as wide say that the machine was busy, whatever failed."""


class Check(NamedTuple):
    """One thing that must hold."""

    name: str
    ok: bool
    found: str
    value: float | None = None
    """The figure, where there is one."""
    limit: float | None = None
    """What it was held against: what the scenario expects, wider where the machine had less to give."""


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
    """Return whether what a scenario expects has come true.

    Where limits are wider, so many times as long may something take, so many times as much of the arrivals may be
    missing, and so many times as low may the knee be.
    """
    times = report["limits"]["wider"]
    wants: list[tuple[str, float | None, Callable[[Report], float | None], bool]] = [
        ("p99 beyond the hold, ms", expect.p99_beyond_hold_ms, _p99, True),
        ("lag at the end of the load, s", expect.lag_seconds_at_end, lambda one: one["total"]["lag_seconds"], True),
        (_KEPT, expect.kept_rate, lambda one: one["total"]["kept"], False),
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
        limit = bound if times == 1 else bound * times if most else _at_least(name, bound, times)
        ok = value is not None and (value <= limit if most else value >= limit)
        shown = "nothing was measured" if value is None else _shown(value)
        found = f"{shown}, expected at {'most' if most else 'least'} {_shown(limit)}"
        found += f" here, {_shown(bound)} on a quiet machine" if limit != bound else ""
        checks.append(Check(name, ok, found, value, limit))
    return checks


def verdict(report: Report) -> tuple[bool, list[str]]:
    """Return whether all holds, and what a reader has to know first, a sentence each: the failures, then the limits."""
    failures = [f"{check['name']}: {check['found']}" for check in report["checks"] if not check["ok"]]
    count, problems = len(report["checks"]), list(report["problems"])
    word = "FAILED" if failures or problems else "PASSED"
    word += ", of what was measured until it was interrupted" if report["ended"] == "interrupted" else ""
    said = [f"{word}: {count - len(failures)} of {count} checks hold", *failures, *problems]
    share, times = report["limits"]["share"], report["limits"]["wider"]
    others = report["total"]["settled_others"]
    meanwhile = f" Other programs took {others:.1f} cores meanwhile." if others and others > _BUSY else ""
    if share is None:
        said.append(f"Limits are those of the scenario, as they are.{meanwhile}")
    else:
        wide = f"{_shown(times)} times as wide" if times > 1 else "those of the scenario"
        wide += ", the most that they get" if times >= MOST else ""
        said.append(
            f"This machine had {share:.2f} of what two quiet cores have to give, so limits are {wide}.{meanwhile}"
        )
    limits_alone = all(check["ok"] or check["limit"] is not None for check in report["checks"]) and not problems
    if failures and limits_alone and times > _CROWDED:
        said.append("So little tells more about the machine than about the service: run it on a quieter one.")
    return not (failures or problems), said


def _at_least(name: str, bound: float, times: float) -> float:
    """Return the lowest value that will do: of a share, what may be missing grows; of a rate, it shrinks."""
    return max(0.0, 1 - (1 - bound) * times) if name == _KEPT else bound / times


def _shown(value: float) -> str:
    return f"{value:,.0f}" if value >= _WHOLE else f"{value:.3g}"


def _p99(report: Report) -> float | None:
    value: float | None = report["latency"]["beyond_hold"]["p99"]
    return value


def _recovery(report: Report) -> float | None:
    events: Sequence[Mapping[str, Any]] = report["events"]
    took = [event["recovered_after"] for event in events]
    if None in took:
        return None  # one never recovered
    return max(took, default=0.0)
