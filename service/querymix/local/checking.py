"""What a log would come to, found before a run: it is read and classified once, and pooled anew for each setting.

Rules:
- Nothing is written, and chance is the run's own: the figures of a run differ by a little.
- Of a log beyond `MOST` records the first ones are looked at. A whole log has more users, so that a run releases more.
- No user and no query is in what is found.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from datetime import UTC, datetime
from statistics import median
from time import perf_counter
from typing import Any, Final, NamedTuple

from querymix.codecs.base import Codec
from querymix.core.account import Account
from querymix.core.records import Query, Refusal
from querymix.local.noticed import Noticed
from querymix.local.reading import Input
from querymix.local.summary import peak_memory
from querymix.stages.classifying import Classifying
from querymix.stages.releasing import Releasing

MOST: Final = 500_000
"""Records that are looked at."""
GOOD: Final = 0.9
"""Share of the records that a setting releases which fits a log."""
_BATCH: Final = 16_384
_DAY: Final = 86_400
_IDS: Final[Mapping[str, re.Pattern[str]]] = {
    "an address of the internet": re.compile(r"\d{1,3}(?:\.\d{1,3}){3}|[0-9a-f:]*:[0-9a-f:]+:[0-9a-f:.]*", re.I | re.A),
    "a mail address": re.compile(r"[^@\s]+@[^@\s]+\.[a-z]{2,}", re.I),
    "a telephone number": re.compile(r"\+\d[\d ().-]{7,}\d", re.A),
    "several words": re.compile(r"\S+(?: \S+)+"),
}
"""What a user id should not be, since it leaves with the log."""
_SUSPICIOUS: Final = 0.1
"""Share of the users whose ids are told of."""


_TOLD: Final = ("in", "released", "held", "suppressed", "unclassified", "empty", "refused")
"""What of an account is told of each setting."""


class Setting(NamedTuple):
    """One way to run."""

    name: str
    """As its options are written."""
    k: int
    start: Callable[[], Releasing]


def check(
    source: Input,
    codec: Codec,
    classifying: Classifying,
    settings: Sequence[Setting],
    noticed: Noticed,
    tick: Callable[[str], None],
) -> dict[str, Any]:
    """Return what a log has, and what each setting would release; the first setting is the one that was asked for.

    `noticed` is told all of the log; `tick` is called now and then with what is being done.
    """
    start = perf_counter()
    refusals = Counter[str]()
    classified: list[tuple[int, Query]] = []
    read, users, days = 0, Counter[str](), Counter[int]()
    whole = True
    for queries, refused in some_of(source, codec):
        noticed.refuse(refused)
        refusals.update(one.reason for one in refused)
        users.update(query.user for query in queries)
        days.update(int(query.at // _DAY) for query in queries)
        some = classifying(queries)
        noticed.note(some)
        classified += some
        read += len(queries)
        tick("reading")
        if read >= MOST:
            whole = False
            break
    classified.sort(key=lambda one: one[1].at)
    seconds = perf_counter() - start
    before = classifying.account + Account(refused=sum(refusals.values()))
    found = [_tried(setting, classified, before, tick) for setting in settings]
    share = source.position / source.size if source.size and not whole else 1.0
    return {
        "records": read,
        "whole": whole,
        "refused": sum(refusals.values()),
        "refused_because": dict(refusals.most_common(5)),
        "users": _users(users),
        "times": _times(days, classified),
        "identifiers": dict(sorted(classifying.removed.items())),
        **{name: found[0]["account"][name] for name in ("suppressed_as_rare", "suppressed_as_long")},
        "settings": found,
        "fits": next((one["options"] for one in _best_first(found) if one["share"] >= GOOD), None),
        "seconds": round((seconds + found[0]["seconds"]) / max(share, 1e-9), 1),
        "peak_memory_bytes": peak_memory(),
    }


def some_of(source: Input, codec: Codec) -> Iterator[tuple[list[Query], list[Refusal]]]:
    """Yield what is read of a log in small batches, with what was refused."""
    for batch in source.batches(codec):
        for begin in range(0, max(1, len(batch.queries)), _BATCH):
            yield batch.queries[begin : begin + _BATCH], batch.refusals if not begin else []


def _tried(
    setting: Setting, classified: Sequence[tuple[int, Query]], before: Account, tick: Callable[[str], None]
) -> dict[str, Any]:
    start = perf_counter()
    releasing = setting.start()
    for begin in range(0, len(classified), _BATCH):
        releasing(classified[begin : begin + _BATCH])
        tick(setting.name)
    releasing.finish()
    figures = (before + releasing.account).figures()
    read = figures["in"] - figures["refused"] - figures["empty"]
    return {
        "options": setting.name,
        "k": setting.k,
        **{name: figures[name] for name in _TOLD},
        "share": round(figures["released"] / read, 4) if read else 0.0,
        "seconds": round(perf_counter() - start, 3),
        "account": figures,
    }


def _best_first(found: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    return sorted(found, key=lambda one: -int(one["k"]))


def _users(users: Counter[str]) -> dict[str, Any]:
    total = sum(users.values())
    busiest = max(users.values(), default=0)
    looks = Counter(next((name for name, form in _IDS.items() if form.fullmatch(user)), "") for user in users)
    return {
        "number": len(users),
        "busiest": round(busiest / total, 4) if total else 0.0,
        "median_records": median(users.values()) if users else 0,
        "ids_look_like": [name for name in _IDS if looks[name] > _SUSPICIOUS * len(users)],
    }


def _times(days: Counter[int], classified: Sequence[tuple[int, Query]]) -> dict[str, Any]:
    if not days:
        return {"first": None, "last": None, "days": 0, "days_without": 0, "median_day": 0, "longest_gap": 0.0}
    moments = [query.at for _, query in classified]
    gaps = map(float.__sub__, moments[1:], moments)
    span = max(days) - min(days) + 1
    first, last = (datetime.fromtimestamp(day * _DAY, UTC).date().isoformat() for day in (min(days), max(days)))
    return {
        "first": first,
        "last": last,
        "days": span,
        "days_without": span - len(days),
        "median_day": median(days.values()),
        "longest_gap": max(gaps, default=0.0),
    }
