"""Poblete: queries are removed that name a site, are too rare, or share a clicked document with another query.

Rules, on the graph whose nodes are texts and whose edges join texts with a clicked host in common:
1. Vulnerable texts go: those that fewer than k users asked, and those that hold the name of a host that was clicked
   for them (well-targeted).
2. The text with the most neighbours goes, the rarer one first where several have as many, until no two texts that are
   left share a clicked host (density 0).

Sources: Poblete, Spiliopoulou and Baeza-Yates 2007, "Website privacy preservation for query log publishing"; the same
2010; thesis (Erola 2013), 3.2. What differs: docs/batch.md.
"""

from collections.abc import Mapping
from heapq import heapify, heappop, heappush

from querymix.core.draw import Draw
from querymix.core.hosts import host_of

from querymix_lab.batch.base import Log, Options, Outcome, Tick, balance, no_tick
from querymix_lab.batch.threshold import keep, text_of


def poblete(log: Log, options: Options, draw: Draw, tick: Tick = no_tick) -> Outcome:
    """Return the lines whose texts are left of the graph."""
    asked: dict[str, set[str]] = {}
    often: dict[str, int] = {}
    clicked: dict[str, set[str]] = {}
    for row in log.rows:
        text = text_of(row)
        asked.setdefault(text, set()).add(row.user)
        often[text] = often.get(text, 0) + 1
        clicked.setdefault(text, set()).update([host] if row.query.url and (host := host_of(row.query.url)) else [])
    rare = {text for text, users in asked.items() if len(users) < options.k}
    targeted = {text for text in asked.keys() - rare if names_one(text, clicked[text])}
    tick(0.5)
    open_texts = {text: clicked[text] for text in asked.keys() - rare - targeted}
    joined = connected(open_texts, often)
    stays = open_texts.keys() - joined
    rows, _ = keep(
        log, lambda row: text_of(row) in stays, {host for text in stays for host in clicked[text]}, options.times
    )
    figures = {
        "distinct_texts": len(asked), "removed_too_few_users": len(rare),
        "removed_naming_a_clicked_site": len(targeted), "removed_sharing_a_click": len(joined),
    }  # fmt: skip
    return Outcome(Log(rows), balance(log, rows), figures=figures)


def names_one(text: str, hosts: set[str]) -> bool:
    """Say whether a text holds the name of one of the hosts: a label of it but the last, of three letters and more."""
    joined = "".join(letter for letter in text if letter.isalnum())
    words = set(text.split()) | {joined}
    for host in hosts:
        labels = [label for label in host.split(".")[:-1] if len(label) >= 3 and label != "www"]
        if host in text or any(label in words or _bare(label) in joined for label in labels if len(_bare(label)) >= 3):
            return True
    return False


def _bare(label: str) -> str:
    return label.replace("-", "")


def connected(clicked: Mapping[str, set[str]], often: Mapping[str, int]) -> set[str]:
    """Return the texts that have to go so that no two of the others share a clicked host."""
    by_host: dict[str, set[str]] = {}
    for text, hosts in clicked.items():
        for host in hosts:
            by_host.setdefault(host, set()).add(text)
    neighbours = {
        text: set[str]().union(*(by_host[host] for host in hosts)) - {text} for text, hosts in clicked.items()
    }
    waiting = [(-len(others), often[text], text) for text, others in neighbours.items() if others]
    heapify(waiting)
    gone: set[str] = set()
    while waiting:
        degree, _, text = heappop(waiting)
        if text in gone or -degree != len(neighbours[text]) or not degree:
            continue  # its degree has fallen since
        gone.add(text)
        for other in neighbours.pop(text):
            neighbours[other].discard(text)
            if neighbours[other]:
                heappush(waiting, (-len(neighbours[other]), often[other], other))
    return gone
