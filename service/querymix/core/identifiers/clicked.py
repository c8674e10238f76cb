"""Whether what stands beside a query, such as the host of a clicked URL, tells what was cut from it.

Rules:
- A host tells a word that was cut, of `MIN` characters or more, if it holds the word anywhere, its dots and hyphens
  left out; and two short words that stood side by side if it holds them joined: "li wei" and "liwei.example".
- A host in letters of other scripts, or with accents, is read as the query is (seen.py).
- What follows a URL's host tells it in the same way. A text tells it where such a word, or two joined, is one of its
  own words.
- Only a query that something was cut from has to be asked about.
"""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final
from urllib.parse import unquote

from querymix.core.expressions import expression
from querymix.core.hosts import host_of
from querymix.core.identifiers.seen import see

MIN: Final = 4
"""Characters: shorter words stand in hosts by chance."""
_WORD: Final = expression(r"[^\W_]+")


def gone_words(text: str, released: str) -> list[str]:
    """Return the words of a text that what is left of it does not have, in their order."""
    left = frozenset(_words(released))
    return [word for word in _words(text) if word not in left]


def host_holds(url: str, gone: Sequence[str]) -> bool:
    """Return whether the host of a URL holds a word that was cut, or two side by side."""
    host = host_of(url)
    if "xn--" in host:
        host = _as_read(host)
    return _holds("".join(_WORD.findall(host)), gone)


def url_holds(url: str, gone: Sequence[str]) -> bool:
    """Return whether anything of a URL after its scheme holds a word that was cut, or two side by side."""
    return _holds("".join(_words(unquote(url.partition("://")[2] or url))), gone)


def text_holds(text: str, gone: Sequence[str]) -> bool:
    """Return whether a word of a text is one that was cut, or two side by side."""
    return _holds(frozenset(_words(text)), gone)


def _holds(where: str | frozenset[str], gone: Sequence[str]) -> bool:
    """Return whether a text that is joined, or a set of words, has a word that was cut, or two that stood together."""
    return any(len(word) >= MIN and word in where for word in gone) or any(
        len(one) + len(two) >= MIN and one + two in where for one, two in pairwise(gone)
    )


def _words(text: str) -> list[str]:
    return _WORD.findall(see(text).text.lower())


def _as_read(host: str) -> str:
    try:
        return see(host.encode("ascii").decode("idna")).text.lower()
    except UnicodeError:
        return host
