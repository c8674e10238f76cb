"""What a run did: one object for machines, tables for people.

Rules:
- in = released + held + suppressed + unclassified + empty + refused, always: the account (querymix.core.account).
  With a state it is that of all its runs, and `this_run` is what the last one changed: held may be less than zero then.
- No user and no query is in it.
"""

import resource
import sys
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import Any, Final

from rich.table import Table

from querymix.consoles import Console
from querymix.core.account import Account
from querymix.core.periods import Period
from querymix.core.pools import Pools
from querymix.core.records import POOL_NAMES
from querymix.core.score import ATTACKS, Guesses
from querymix.local.advice import Advisor, sentences
from querymix.settings.values import show_seconds
from querymix.stages.classifying import Classifying
from querymix.stages.releasing import Releasing

STAGES: Final = ("read", "classify", "pool", "profile", "write", "advise")
_REASONS: Final = (
    "suppressed_by_identifiers", "suppressed_by_hold", "suppressed_as_repeats", "suppressed_as_rare",
    "suppressed_as_long",
)  # fmt: skip
_WIDE: Final = 110
USER_IDS: Final = {
    "pseudonyms": "keyed hashes",
    "as they came": "as they came: whoever knows one finds its lines (--pseudonym-key-file hides them)",
}
"""What is said of the ids that leave, by the summary's word for it."""
_UNBOUNDED: Final = "--mode paper, --draw entry, --hold-policy merge or --time-policy query"
"""Where no draw has a bound."""
_NEW: Final = "new each "
"""Begins that word where they do not last."""
_PAGE: Final = resource.getpagesize()
_STATM: Final = Path("/proc/self/statm")


class Stopwatch:
    """Time and growth of memory by stage; memory is what the process holds, and only where the system tells it."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys(STAGES, 0.0)
        self.grown = dict.fromkeys(STAGES, 0)
        self._start = perf_counter()

    @property
    def elapsed(self) -> float:
        """Seconds since the start."""
        return perf_counter() - self._start

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        """Count what happens inside to a stage."""
        start, before = perf_counter(), _resident()
        yield
        self.grown[name] += max(0, _resident() - before)
        self.seconds[name] += perf_counter() - start


def _resident() -> int:
    try:
        return int(_STATM.read_bytes().split()[1]) * _PAGE
    except OSError:
        return 0


def peak_memory() -> int:
    """Return the most bytes that the process has held."""
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def _categories(pools: Pools) -> dict[str, dict[str, Any]]:
    categories = {}
    for category, pool in pools:
        anonymity = pool.anonymity
        categories[POOL_NAMES[category]] = {
            "released": pool.released,
            "held": pools.held_in(category),
            "k": pool.k,
            "suppressed": pool.suppressed,
            "merged": pool.merged,
            "own_query_returned": pool.own_returned,
            "effective_anonymity": {name: round(value, 2) for name, value in anonymity._asdict().items()},
        }
    return categories


def _shown(account: Account) -> dict[str, int]:
    return {name: count for name, count in account.figures().items() if name not in ("lost", "waiting")}


def summarize(
    classifying: Classifying,
    releasing: Releasing,
    watch: Stopwatch,
    advisor: Advisor,
    guesses: Guesses,
    *,
    refused: int,
    logs: int,
    before: Account | None = None,
    period: Period = None,
) -> dict[str, Any]:
    """Return the closing figures of a run. `logs` is how many records were read since `watch` started.

    `before` is what became of the records of earlier runs with the same state: then what this run changed is told too.
    """
    pools = releasing.pools
    categories = _categories(pools)
    account = classifying.account + releasing.account + Account(refused=refused)
    pooled = classifying.passed_on
    classified = pooled + classifying.dropped - classifying.unclassified
    with watch.stage("advise"):
        advice = advisor.advise(account.suppressed_by_hold / pooled if pooled else 0.0)
    seconds = watch.elapsed
    summary = {
        **_shown(account),
        **({} if before is None else {"this_run": _shown(account - before)}),
        "classified": classified,
        "unclassified_pooled": classifying.unclassified - classifying.dropped,
        "own_query_returned": pools.own_returned,
        "owner_named_at_most": releasing.owner_named_at_most,
        "user_ids": _user_ids(period, hidden=classifying.hides_users),
        **_identifiers(classifying),
        "seconds": round(seconds, 3),
        "logs_per_second": round(logs / seconds) if seconds else 0,
        "peak_memory_bytes": peak_memory(),
        "categories": categories,
        "stages": {
            name: {
                "seconds": round(watch.seconds[name], 3),
                "logs_per_second": round(logs / watch.seconds[name]) if watch.seconds[name] else 0,
                "microseconds_per_log": round(1e6 * watch.seconds[name] / logs, 2) if logs else 0,
                "memory_grown_bytes": watch.grown[name],
            }
            for name in STAGES
        },
        "advice": advice,
    }
    warnings = sentences(summary, pools.rules, releasing.pooling.clock.setbacks)
    return summary | {"warnings": warnings, "attacks": guesses.figures()}


def _identifiers(classifying: Classifying) -> dict[str, dict[str, int]]:
    counts = {"identifiers_removed": classifying.removed, "identifiers_swapped": classifying.swapped}
    return {name: dict(sorted(count.items())) for name, count in counts.items()}


def _user_ids(period: Period, *, hidden: bool) -> str:
    if period is not None:
        return f"{_NEW}{period if isinstance(period, str) else show_seconds(period)}"
    return "pseudonyms" if hidden else "as they came"


def _ids_told(word: str) -> str:
    if word.startswith(_NEW):
        return f"{word}: nobody can join lines by them for longer"
    return f"{USER_IDS[word]}; they last, and whoever knows when somebody searched finds its id (--pseudonym-period 1d)"


def report_console(*, to_stderr: bool) -> Console:
    """Return where people read a summary; what goes to a file or a pipe is as wide as its tables."""
    console = Console(stderr=to_stderr, highlight=False)
    if not console.is_terminal:
        console.width = _WIDE
    return console


def _attacked(attacks: Mapping[str, float]) -> str:
    if not attacks["lines"]:
        return "too few lines were released to try one"
    tried = ", ".join(f"{name} {100 * attacks[name]:.1f} %" for name in ATTACKS)
    return f"{tried} of {attacks['lines']:,} lines tried"


def _head(summary: Mapping[str, Any]) -> Table:
    total = summary["in"]

    def share(count: int) -> str:
        return f"{count:,} ({100 * count / total:.1f} %)" if total else f"{count:,}"

    head = Table.grid(padding=(0, 3))
    lines = ("classified", "released", "held", "suppressed", "unclassified", "empty", "refused", "own_query_returned")
    for name in lines:
        head.add_row(name.replace("_", " "), share(summary[name]))
        if name == "suppressed":
            reasons = [reason for reason in _REASONS if summary[reason]]
            for reason in reasons if reasons != ["suppressed_by_identifiers"] else ():
                head.add_row(f"  {reason.removeprefix('suppressed_').replace('_', ' ')}", share(summary[reason]))
    if summary["unclassified_pooled"]:
        head.add_row("unclassified, pooled", share(summary["unclassified_pooled"]))
    if run := summary.get("this_run"):
        parts = ("released", "suppressed", "unclassified", "empty", "refused")
        changed = ", ".join(f"{name} {run[name]:,}" for name in parts)
        head.add_row("of this run alone", f"in {run['in']:,}: {changed}, held {run['held']:+,}")
    bound = summary["owner_named_at_most"]
    head.add_row(
        "owner of a release",
        f"named by one draw with probability {bound:.3g} at most, by whoever knows that pool just before it and "
        "nothing of arrivals afterwards, other releases or texts; k counts ids, not people"
        if bound
        else f"no bound on the probability of naming it ({_UNBOUNDED})",
    )
    head.add_row("owner named by attack", _attacked(summary["attacks"]))
    removed = ", ".join(f"{kind} {count:,}" for kind, count in summary["identifiers_removed"].items())
    head.add_row("identifiers cut from", removed or "none")
    if swapped := ", ".join(f"{kind} {count:,}" for kind, count in summary["identifiers_swapped"].items()):
        head.add_row("of these swapped in", swapped)
    head.add_row("user ids", _ids_told(summary["user_ids"]))
    return head


def show(summary: Mapping[str, Any], console: Console) -> None:
    """Print a run's figures for people."""
    total = summary["in"]

    console.print(f"[bold]{total:,}[/] records in {summary['seconds']:.1f} s: {summary['logs_per_second']:,} records/s")
    console.print(_head(summary))
    pools = Table(title="Pools", title_justify="left")
    pools.add_column("category")
    for name in ("released", "held", "k", "suppressed", "own returned", "min", "5th %", "median"):
        pools.add_column(name, justify="right")
    for category, pool in summary["categories"].items():
        anonymity = pool["effective_anonymity"]
        numbers = (pool["released"], pool["held"], pool["k"], pool["suppressed"], pool["own_query_returned"])
        pools.add_row(category, *(f"{n:,}" for n in numbers), *(f"{n:.1f}" for n in anonymity.values()))
    pools.caption = "min, 5th % and median: effective anonymity, in users"
    pools.caption_justify = "left"
    console.print(pools)
    stages = Table(title="Stages", title_justify="left")
    microseconds = "us" if console.options.ascii_only else "µs"
    for name in ("stage", "records/s", f"{microseconds}/record", "memory grown, MiB"):
        stages.add_column(name, justify="left" if name == "stage" else "right")
    for name, stage in summary["stages"].items():
        stages.add_row(
            name,
            f"{stage['logs_per_second']:,}",
            f"{stage['microseconds_per_log']:.2f}",
            f"{stage['memory_grown_bytes'] / 2**20:.1f}",
        )
    stages.caption = f"peak memory: {summary['peak_memory_bytes'] / 2**20:.0f} MiB"
    stages.caption_justify = "left"
    console.print(stages)
