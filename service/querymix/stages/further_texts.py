"""The texts that leave beside the query: safe fields, fields of ladders, titles of results; and the URLs of a list.

Rules:
- Each text is looked through for identifiers as a query is, and what is found is cut. Where nothing is left, the value
  is absent; inside of a list null stands in its place. A name inside of an object is a text too.
- What was cut from the query is not to be read beside it: a text that repeats a word of it is left out, a URL whose
  host holds one too (querymix.core.identifiers.clicked). Of a URL with such a word in its path the host is left.
- Numbers are left as they are: the operator named them safe.
"""

from typing import Any, Final

from querymix.core.bounded_cache import BoundedCache
from querymix.core.classify import CachingClassifier, Classify
from querymix.core.hosts import cut_url
from querymix.core.identifiers.clicked import gone_words, host_holds, text_holds, url_holds
from querymix.core.records import Query
from querymix.core.rich import Result, rich_of, with_rich

REPEATED: Final = "repeated in a field"
"""What a text is counted under that was left out, since it repeats what was cut from the query."""
CLICKED_HOST: Final = "clicked host"
"""What a URL is counted under that was left out or cut, since it holds what was cut from the query."""
_NESTED: Final = frozenset((tuple, list, dict))


class FurtherTexts:
    """Cuts identifiers out of what travels with a query; `classify` says what of a text may be released."""

    def __init__(self, classify: Classify) -> None:
        self._texts = _Texts(classify)
        self.filled: set[int] = set()
        """Places of the first part of `extra` in which a value stood."""

    def __call__(self, query: Query, released: str, removed: tuple[str, ...]) -> tuple[Query, set[str]]:
        """Return a query without the identifiers beside its text, and their kinds.

        `released` is what is left of its text, `removed` are the kinds of what was cut there.
        """
        gone = gone_words(query[1], released) if removed else []
        kinds: set[str] = set()
        extra: Any = query[6]
        if extra and type(extra[0]) is tuple:
            values = tuple([self._value(value, gone, kinds) for value in extra[0]])
            for place, value in enumerate(extra[0]):
                if value is not None and place not in self.filled:
                    self.filled.add(place)
            if values != extra[0]:
                first = values if values.count(None) < len(values) else ()
                query = query._replace(extra=(first, *extra[1:]) if first or len(extra) > 1 else ())
            query = self._lists(query, gone, kinds)
        if gone and query[5] and (url := self._url(query[5], gone, kinds)) != query[5]:
            query = query._replace(url=url)
        return query, kinds

    def _value(self, value: Any, gone: list[str], kinds: set[str]) -> Any:
        """Return a value as it may leave, None where nothing of it may."""
        kind = type(value)
        if kind is str:
            left, found = self._texts[value]
            if found:
                kinds.update(found)
            if gone and left and text_holds(left, gone):
                kinds.add(REPEATED)
                left = None
            return left
        if kind not in _NESTED:
            return value
        if kind is dict:
            named = [
                (key, self._value(inner, gone, kinds))
                for key, inner in value.items()
                if self._value(key, gone, kinds) == key
            ]
            kept = {key: inner for key, inner in named if inner is not None or value[key] is None}
            return kept if kept or not value else None
        items = tuple([self._value(inner, gone, kinds) for inner in value])
        return items if items.count(None) < len(items) or items == value else None

    def _lists(self, query: Query, gone: list[str], kinds: set[str]) -> Query:
        rich = rich_of(query)
        if rich is None:
            return query
        results = tuple([self._result(result, gone, kinds) for result in rich.results])
        clicks = rich.clicks
        if gone:
            clicks = tuple(
                [
                    click._replace(url=(self._url(click.url, gone, kinds) if click.url else "") or None)
                    for click in clicks
                ]
            )
        left = rich._replace(results=results, clicks=clicks)
        return query if left == rich else with_rich(query, left)

    def _result(self, result: Result, gone: list[str], kinds: set[str]) -> Result:
        title = self._value(result.title, gone, kinds)
        url = result.url
        if gone and url and (left := self._url(url, gone, kinds)) != url:
            url, title = left or None, None
        return result if title == result.title and url == result.url else result._replace(url=url, title=title)

    def _url(self, url: str, gone: list[str], kinds: set[str]) -> str:
        """Return what may leave of a URL beside a query that words were cut from."""
        left = "" if host_holds(url, gone) else url
        if left and url_holds(url, gone):
            left = cut_url(url)
        if left != url:
            kinds.add(CLICKED_HOST)
        return left


class _Texts(BoundedCache[tuple[str | None, tuple[str, ...]]]):
    """From a text to what of it may be released, None where nothing may, and the kinds of what was cut."""

    def __init__(self, classify: Classify) -> None:
        super().__init__()
        self._classify = classify

    def __missing__(self, text: str) -> tuple[str | None, tuple[str, ...]]:
        # Not through what the classifier remembers: titles are many, and would take the room of queries there.
        if isinstance(self._classify, CachingClassifier):
            found = self._classify.decided(text, "")
        else:
            found = self._classify(text)
        answer = (found.text or None, found.removed) if found.removed else (text, ())
        self.keep(text, answer)
        return answer
