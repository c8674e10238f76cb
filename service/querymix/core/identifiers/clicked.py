"""Whether the host of a clicked URL tells what was cut from the query.

Rules:
- A host tells a word that was cut, of `MIN` characters or more, if it holds the word anywhere, its dots and hyphens
  left out; and two short words that stood side by side if it holds them joined: "li wei" and "liwei.example".
- A host in letters of other scripts, or with accents, is read as the query is (seen.py).
- Only a query that something was cut from has to be asked about.
"""

import re
from itertools import pairwise
from typing import Final

from querymix.core.hosts import host_of
from querymix.core.identifiers.seen import see

MIN: Final = 4
"""Characters: shorter words stand in hosts by chance."""
_WORD: Final = re.compile(r"[^\W_]+")


def url_reveals(url: str, text: str, released: str) -> bool:
    """Return whether the host of `url` holds a word of `text` that `released`, what is left of it, does not have."""
    host = host_of(url)
    if not host:
        return False
    if "xn--" in host:
        host = _as_read(host)
    host = "".join(_WORD.findall(host))
    left = frozenset(_WORD.findall(see(released).text.lower()))
    gone = [word for word in _WORD.findall(see(text).text.lower()) if word not in left]
    return any(len(word) >= MIN and word in host for word in gone) or any(
        len(one) + len(two) >= MIN and one + two in host for one, two in pairwise(gone)
    )


def _as_read(host: str) -> str:
    try:
        return see(host.encode("ascii").decode("idna")).text.lower()
    except UnicodeError:
        return host
