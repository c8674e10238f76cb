"""Rules about a query's text: what too few users share does not leave, nor what is too long.

Rules:
- Whatever leaves is the normal form (querymix.core.crowd), and each of its terms is in the crowd; so is each two that
  are adjacent, and the whole of it, where these are asked for. Read again, it leaves unchanged.
- A term that is rare leaves in its bare form where that one is common enough: "shoes?" as "shoes".
- `suppress`: something rare suppresses the whole query. `drop-terms`: rare terms are left out, the later one of a rare
  pair, and the last ones of what is rare as a whole; where nothing is left, the query is suppressed. What stands beside
  it and holds a word that was left out is emptied, as with identifiers: URLs, titles, texts of safe fields.
- Whoever asked a query has asked all of its terms and pairs, so where these are asked for the whole needs no look-up.
- A text without blanks, as Chinese and Japanese have, is one term: it leaves only where enough users asked all of it.
- Letters that fold differently are different terms, such as "istanbul" and a Turkish spelling of it: each is counted by
  itself, so that less leaves and never more.
- Length is counted before anything is dropped, and again in normal form, which may be longer.
"""

from collections.abc import Callable, Iterable
from typing import Any, Final, Literal

from querymix.core.bounded_cache import BoundedCache
from querymix.core.crowd import PAIR, QUERY, TERM, Crowd, bare, items_of, terms_of
from querymix.core.identifiers.clicked import gone_words, text_holds, url_holds
from querymix.core.records import Query
from querymix.core.rich import Result, rich_of, with_rich

Items = Literal["terms", "pairs", "queries"]
"""What must be shared: each term; each term and each two adjacent ones; or whole queries too."""
Count = Callable[[str, Iterable[str]], object]
"""Counts a user for items."""

_KINDS: Final[dict[str, tuple[str, ...]]] = {
    "terms": (f"{TERM} ",),
    "pairs": (f"{TERM} ", f"{PAIR} "),
    "queries": (f"{TERM} ", f"{PAIR} ", f"{QUERY} "),
}
_NOTED: Final = 1 << 13
"""Texts whose items are remembered, about 5 MB: rows of one query, and repeats, come one after the other."""
_new: Final = tuple.__new__


class TooLong:
    """Suppresses queries of more words or characters; None: no bound. Words are what stands between blanks."""

    def __init__(self, words: int | None, characters: int | None) -> None:
        self._words = words
        self._characters = characters

    def __call__(self, query: Query, /) -> Query | Literal["long"]:
        """Return the query, or that it is too long."""
        text = query[1]
        if self._exceeds(text) or not (text.isascii() or not self._exceeds(" ".join(terms_of(text)))):
            return "long"
        return query

    def note(self, query: Query, /) -> None:
        """Count nobody: it asks no crowd."""

    def _exceeds(self, text: str) -> bool:
        if self._characters is not None and len(text) > self._characters:
            return True
        most = self._words
        return most is not None and len(text) > 2 * most and len(text.split()) > most


class RareTexts:
    """Lets only texts leave that `users` distinct users share, as far as `items` says.

    `count`: what counts a user for items, where the stream itself is the crowd; its answers change, and none is
    remembered. Without it the crowd is a table.
    """

    def __init__(
        self,
        crowd: Crowd,
        users: int,
        items: Items = "pairs",
        policy: Literal["suppress", "drop-terms"] = "suppress",
        count: Count | None = None,
    ) -> None:
        self._crowd = crowd
        self._users = users
        self._kinds = _KINDS[items]
        self._pairs = items != "terms"
        self._queries = items == "queries"
        self._drops = policy == "drop-terms"
        self._count = count
        self._answers: BoundedCache[str] = BoundedCache()
        """What leaves of a text, empty where nothing does."""
        self._forms: BoundedCache[tuple[str, str]] = BoundedCache()
        """What leaves of a term, empty where nothing does, and its bare form."""
        self._items: BoundedCache[list[str]] = BoundedCache(_NOTED)
        """What the users of a text are counted for."""

    def __repr__(self) -> str:
        return f"RareTexts({self._users} users)"

    def __call__(self, query: Query, /) -> Query | Literal["rare"]:
        """Return the query with the text that may leave, or that it is rare."""
        text = query[1]
        left = self._answers.get(text)
        if left is None:
            left = self._left(text)
            if self._count is None:
                self._answers.keep(text, left)
        if not left:
            return "rare"
        if left == text:
            return query
        if self._drops and (query[5] or query[6]) and (gone := gone_words(text, left)):
            query = _beside(query, gone)
        return _new(Query, (query[0], left, *query[2:]))

    def note(self, query: Query, /) -> None:
        """Count the query's user for what its text says."""
        if self._count is not None:
            text = query[1]
            items = self._items.get(text)
            if items is None:
                items = [one for one in items_of(text) if one.startswith(self._kinds)]
                self._items.keep(text, items)
            self._count(query[0], items)

    def _left(self, text: str) -> str:
        """Return what may leave of a text, empty where nothing may; it writes items as `item` does, without a call."""
        enough, users, drops, known = self._crowd.enough, self._users, self._drops, self._forms
        asks_pairs = self._pairs
        forms: list[str] = []
        kept: list[str] = []
        for term in terms_of(text):
            form, plain = known.get(term) or self._form(term)
            if form and asks_pairs and kept and not enough(f"{PAIR} {kept[-1]} {plain}", users):
                form = ""
            if form:
                forms.append(form)
                kept.append(plain)
            elif not drops:
                return ""
        while self._queries and kept and not enough(f"{QUERY} {' '.join(kept)}", users):
            if not drops:
                return ""
            kept.pop()
        return " ".join(forms[: len(kept)])

    def _form(self, term: str) -> tuple[str, str]:
        """Return what may leave of a term, empty where nothing may, and its bare form."""
        plain, enough = bare(term), self._crowd.enough
        if enough(f"{TERM} {term}", self._users):
            found = term, plain
        else:
            found = plain if plain != term and enough(f"{TERM} {plain}", self._users) else "", plain
        if self._count is None:
            self._forms.keep(term, found)
        return found


def _beside(query: Query, gone: list[str]) -> Query:
    """Return a query without what stands beside its text and holds a word that was left out of that."""
    url = query[5]
    if url and url_holds(url, gone):
        query = query._replace(url="")
    extra: Any = query[6]
    if extra and type(extra[0]) is tuple:
        values = tuple([None if _says(one, gone) else one for one in extra[0]])
        query = query._replace(extra=(values, *extra[1:]))
    rich = rich_of(query)
    if rich is None:
        return query
    clicks = [one._replace(url=None) if one.url and url_holds(one.url, gone) else one for one in rich.clicks]
    return with_rich(
        query, rich._replace(results=tuple([_result(one, gone) for one in rich.results]), clicks=tuple(clicks))
    )


def _says(value: Any, gone: list[str]) -> bool:
    """Return whether a value, or anything inside of a list or an object, is a text with a word that was left out."""
    kind = type(value)
    if kind is dict:
        return any(_says(name, gone) or _says(inner, gone) for name, inner in value.items())
    if kind in (tuple, list):
        return any(_says(inner, gone) for inner in value)
    return kind is str and text_holds(value, gone)


def _result(result: Result, gone: list[str]) -> Result:
    if result.url and url_holds(result.url, gone):
        return result._replace(url=None, title=None)
    return result._replace(title=None) if result.title and text_holds(result.title, gone) else result
