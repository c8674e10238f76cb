"""What tests of rare texts share: a plain count of a log, the table that is made of it, what must hold of a line."""

from collections.abc import Iterable
from datetime import date
from itertools import pairwise
from pathlib import Path

from querymix.core.crowd import CountedCrowd, bare, item, items_of, terms_of
from querymix.crowd.writing import write_table


def counted(log: Iterable[tuple[str, str]]) -> CountedCrowd:
    """Count the users of a log of (user, text)."""
    crowd = CountedCrowd()
    for user, text in log:
        crowd.add(user, items_of(text))
    return crowd


def table_of(path: Path, log: Iterable[tuple[str, str]], least: int = 2, last: date = date(2006, 5, 31)) -> Path:
    """Write the table of a log of (user, text), whose window ends with the day `last`."""
    crowd = counted(log)
    counts = {one: len(users) for one, users in crowd._users.items()}
    write_table(path, counts, least=least, first=date(2006, 3, 1), last=last, established=0.0)
    return path


def shared(text: str, crowd: CountedCrowd, users: int, kinds: Iterable[str] = ("term", "pair")) -> bool:
    """Say whether a text has terms, and each item of it enough users: the rule, written down anew."""
    terms = terms_of(text)
    plain = [bare(term) for term in terms]
    items = {
        "term": [item("term", term) for term in (*terms, *plain)],
        "pair": [item("pair", *two) for two in pairwise(plain)],
        "query": [item("query", *plain)],
    }
    return bool(terms) and all(crowd.enough(one, users) for kind in kinds for one in items[kind])
