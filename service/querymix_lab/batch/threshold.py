"""Threshold: a text stays if enough users asked it within a window of time; the rule that search engines use today.

Rules:
- A line stays if its time is in a window of the given length in which at least n distinct users asked its text. Texts
  are those without identifiers, compared without regard to case and spaces.
- Its clicked host stays if at least n distinct users clicked that host, in any query of the log.
- Lines stay under their users: which common texts one user asked together can still tell who it is.

Source: the rule of Google's European Search Dataset Licensing Program (EU Digital Markets Act, article 6.11).
"""

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Sequence

from querymix.core.draw import Draw
from querymix.core.hosts import host_of

from querymix_lab.batch.base import Log, Options, Outcome, Row, Tick, balance, no_tick
from querymix_lab.batch.times import timed


def threshold(log: Log, options: Options, draw: Draw, tick: Tick = no_tick) -> Outcome:
    """Return the lines whose texts enough users asked."""
    texts: dict[str, list[Row]] = {}
    for row in log.rows:
        texts.setdefault(text_of(row), []).append(row)
    stays: set[int] = set()
    for done, rows in enumerate(texts.values()):
        stays.update(common(rows, options.users, options.window))
        tick(done / len(texts))
    rows, cut = keep(log, lambda row: row.place in stays, common_hosts(log.rows, options.users), options.times)
    notes = [f"{cut:,} released lines lost their clicked host, which fewer than {options.users:,} users clicked"]
    return Outcome(Log(rows), balance(log, rows), notes=notes if cut else [])


def text_of(row: Row) -> str:
    """Return a row's text as texts are compared."""
    return " ".join(row.query.text.lower().split())


def common(rows: Iterable[Row], users: int, window: float) -> list[int]:
    """Return the places of those rows of one text that a window with enough distinct users holds."""
    ordered = sorted(rows, key=lambda row: row.query.at)
    if len({row.user for row in ordered}) < users:
        return []
    inside: Counter[str] = Counter()
    begin, marked = 0, 0
    places: list[int] = []
    for end, row in enumerate(ordered):
        inside[row.user] += 1
        while row.query.at - ordered[begin].query.at > window:
            left = ordered[begin].user
            inside[left] -= 1
            if not inside[left]:
                del inside[left]
            begin += 1
        if len(inside) >= users:
            places += [ordered[at].place for at in range(max(begin, marked), end + 1)]
            marked = end + 1
    return places


def keep(log: Log, stays: Callable[[Row], bool], hosts: Collection[str], policy: str) -> tuple[list[Row], int]:
    """Return the rows that stay, by user and at their released times, and how many lost a clicked host not in `hosts`.

    `policy` is `Options.times`.
    """
    rows, cut = list[Row](), 0
    for mine in log.users.values():
        for row in sorted(filter(stays, mine), key=lambda each: each.query.at):
            released = timed(row, policy)
            if row.query.url and host_of(row.query.url) not in hosts:
                released = released._replace(query=released.query._replace(url=""))
                cut += 1
            rows.append(released)
    return rows, cut


def common_hosts(rows: Sequence[Row], users: int) -> set[str]:
    """Return the hosts that enough distinct users clicked."""
    clicked: dict[str, set[str]] = {}
    for row in rows:
        if row.query.url and (host := host_of(row.query.url)):
            clicked.setdefault(host, set()).add(row.user)
    return {host for host, some in clicked.items() if len(some) >= users}
