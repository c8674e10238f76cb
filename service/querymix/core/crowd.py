"""What enough users have in common: the items that a crowd is counted by, and who answers for them.

An item is a term of a query, two adjacent terms, the whole query, a host, a registrable domain, a URL, or a group of
field values. A rule that asks for a crowd lets an item leave only where enough distinct users had it.

>>> sorted(items_of("Red  Shoes?"))
['pair red shoes', 'query red shoes', 'term red', 'term shoes', 'term shoes?']

Rules:
- A text is compared in its normal form: NFKC, case folded, one blank between terms. A term is what stands between
  blanks.
- The bare form of a term lacks the punctuation at its ends. Whoever asked a term has asked its bare form too. Pairs and
  whole queries are those of bare forms.

Source of the rule: z-anonymity (Jha et al. 2020); k-anonymity by terms, as for search data under the Digital Markets
Act, article 6(11).
"""

import unicodedata
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import Final, Protocol

TERM: Final = "term"
PAIR: Final = "pair"
QUERY: Final = "query"
HOST: Final = "host"
DOMAIN: Final = "domain"
URL: Final = "url"
GROUP: Final = "group"
_ENDS: Final = "\"'`.,;:!?()[]{}<>|*+=~^_-/\\&%$#@\u2018\u2019\u201c\u201d\u00ab\u00bb"


class Crowd(Protocol):
    """Answers how many had an item."""

    def enough(self, item: str, users: int) -> bool:
        """Say whether at least so many distinct users had an item; in doubt, no."""
        ...


def terms_of(text: str) -> list[str]:
    """Return the terms of a text in normal form, in their order."""
    if text.isascii():
        return text.lower().split()
    folded = unicodedata.normalize("NFKC", text).casefold()
    return unicodedata.normalize(
        "NFKC", folded
    ).split()  # folding takes letters apart, which the next reading would join


def bare(term: str) -> str:
    """Return a term without punctuation at its ends, or as it is where nothing else is in it."""
    return term.strip(_ENDS) or term


def item(kind: str, *parts: str) -> str:
    """Return the item of a kind."""
    return " ".join((kind, *parts))


def items_of(text: str) -> set[str]:
    """Return the items of a query's text: what its user is counted for. Empty where it has no term.

    It writes them as `item` does, without a call.
    """
    terms = terms_of(text)
    if not terms:
        return set()
    whole = " ".join(terms)
    items = {f"{TERM} {term}" for term in terms}
    if not whole.replace(" ", "").isalnum():  # else each is bare
        terms = [bare(term) for term in terms]
        whole = " ".join(terms)
        items.update([f"{TERM} {term}" for term in terms])
    items.update([f"{PAIR} {one} {two}" for one, two in pairwise(terms)])
    items.add(f"{QUERY} {whole}")
    return items


class CountedCrowd:
    """A crowd counted in memory: the plain count that tables and windows are compared with."""

    def __init__(self) -> None:
        self._users: defaultdict[str, set[str]] = defaultdict(set)

    def __repr__(self) -> str:
        return f"CountedCrowd({len(self._users)} items)"

    def add(self, user: str, items: Iterable[str]) -> None:
        """Count a user for items."""
        for one in items:
            self._users[one].add(user)

    def enough(self, item: str, users: int) -> bool:
        """Say whether at least so many distinct users had an item."""
        return len(self._users.get(item, ())) >= users
