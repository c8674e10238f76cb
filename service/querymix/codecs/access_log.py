"""Access logs of web servers, in the combined form of Apache and Nginx: a search has its query in the URL.

Rules:
- `fields` says where things stand: `address`, `login`, `time`, `url.NAME` (a parameter of the request's URL),
  `referrer.NAME` (one of the referring page's), `cookie.NAME` and `field.N` (what the operator has logged after the
  user agent: a cookie in it, or the N-th of them).
- A request without the query's parameter is no search, and no record.
- A released line has the user, the time (in UTC) and the query's own parameters, in the same places; all else leaves as
  "-", and the path as /search. Parameters and cookies stand in the order user, query, rank, url.
- What stands before the address is the server's own name. Of several addresses, as proxies add theirs, the first is
  the user's.
- A user that was not logged ("-") is many people, and refused.

Source: Apache HTTP Server documentation, "Log Files: Combined Log Format"; mod_log_config for how values are escaped.
"""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import quote_plus, unquote_to_bytes

from querymix.codecs.base import (
    BROKEN_USER,
    BYTE_ORDER_MARK,
    LONGEST_QUERY,
    CategoryColumn,
    Decoded,
    TimePolicy,
    UnreadableRecordError,
    UrlPolicy,
    as_windows_1252,
    check_line,
    is_utf8,
    refusal,
)
from querymix.codecs.fields import NamedFields
from querymix.core.errors import ConfigError
from querymix.core.expressions import expression
from querymix.core.hosts import cut_url
from querymix.core.records import POOL_NAMES, Query, Refusal, Release, each_row

ACCESS_FIELDS: Final = {"user": "address", "query": "url.q", "time": "time"}
"""Where they stand if nothing else is said."""
_QUOTED: Final = r'"((?:[^"\\]|\\.)*)"'
_ADDRESS: Final = r"(?:\d{1,3}(?:\.\d{1,3}){3}|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*)"
_HOST: Final = rf"(?!{_ADDRESS} )(?:[^\s,]+:\d+ |(?=[^\s,]*[^\W_])[^\s,]++ (?={_ADDRESS}[ ,]))"
"""The server's own name, which some put before the line: it ends with a port, or an address is next."""
_LINE: Final = expression(
    rf"(?:{_HOST})?([^\s,]+)(?:, ?[^\s,]+)* \S+ (\S.*?) \[([^\]]{{1,99}})\] {_QUOTED} \S+ \S+((?: .*)?)"
)
"""No two of its parts can share a stretch in more than one way, but for 99 characters: its time is linear."""
_WITH_PORT: Final = expression(r"(\d{1,3}(?:\.\d{1,3}){3}):\d+|\[([0-9A-Fa-f:.]+)\](?::\d+)?", re.ASCII)
"""An address with its port, which is another one for each request."""
_FURTHER: Final = expression(rf" (?:{_QUOTED}|(\S+))")
_ESCAPED: Final = expression(r"\\(?:x([0-9A-Fa-f]{2})|(.))")
_REQUEST: Final = expression(r"[A-Za-z]+ +(\S.*?)(?:(?<! ) +HTTP/[0-9.]+)?")
_PLACES: Final = expression(r"address|login|time|url\..+|referrer\..+|cookie\..+|field\.[1-9]\d?")
_WITH_HOST: Final = (2, 4)
"""How long a query's `extra` is where it ends with the host of the referring page; up to 0.5.0 it was 4."""
_AGENT: Final = 2
"""The referring page and the user agent stand before what the operator has added."""
_NO_USER: Final = "the user ({place!r}) is '-': it was not logged, and would make one user of many people"


class Hit(NamedTuple):
    """A line, as far as it is read; what is escaped in it is not undone."""

    address: str
    login: str
    time: str
    request: str
    further: tuple[str, ...]
    """What stands after the size: the referring page, the user agent, and what the operator has added."""

    def __repr__(self) -> str:
        return "Hit(...)"


def parse(line: str) -> Hit | None:
    """Return what a line holds; None where it is of another form."""
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    address, login, time, request, rest = match.groups()
    if ":" in address and (port := _WITH_PORT.fullmatch(address)):
        address = port[1] or port[2]
    further = tuple(found[1] if found[1] is not None else found[2] for found in _FURTHER.finditer(rest))
    return Hit(address, login, time, request, further)


def parameters(hit: Hit, of: str = "url") -> dict[str, str]:
    """Return the parameters of the request's URL, or of the referring page's (`referrer`), the first of each name."""
    return _parameters(_url(hit) if of == "url" else _plain(_further(hit, 0)))


def _url(hit: Hit) -> str:
    match = _REQUEST.fullmatch(_plain(hit.request))
    return match[1] if match else ""


def _parameters(url: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for part in url.partition("?")[2].partition("#")[0].split("&"):
        name, _, value = part.partition("=")
        if name:
            found.setdefault(_unquoted(name), _unquoted(value))
    return found


def _unquoted(text: str) -> str:
    """Undo the escapes of a URL's parameter; bytes that are not UTF-8 are Windows-1252, as old browsers send them."""
    text = text.replace("+", " ")
    if "%" not in text:
        return text
    data = unquote_to_bytes(text)
    try:
        return data.decode()
    except UnicodeDecodeError:
        return data.decode("cp1252", "replace")


def _further(hit: Hit, number: int) -> str:
    return hit.further[number] if number < len(hit.further) else "-"


def _plain(text: str) -> str:
    """Undo what the server has escaped; bytes become what they are in a URL."""
    return _ESCAPED.sub(lambda found: f"%{found[1]}" if found[1] else found[2], text) if "\\" in text else text


def _cookie(hit: Hit, name: str) -> str | None:
    for text in hit.further[_AGENT:]:
        for part in _plain(text).split(";"):
            key, mark, value = part.strip().partition("=")
            if mark and key == name:
                return value
    return None


def _reader(place: str) -> Callable[[Hit], str | None]:
    """Return what reads one place of a line. Raises ConfigError where there is no such place."""
    if not _PLACES.fullmatch(place):
        raise ConfigError(
            f"an access log has no field {place!r}: it has address, login, time, url.NAME, referrer.NAME, cookie.NAME "
            "and field.N (the N-th after the user agent), such as --fields user=cookie.sid,query=url.q"
        )
    kind, _, name = place.partition(".")
    if kind == "cookie":
        return lambda hit: _cookie(hit, name)
    if kind == "field":
        return lambda hit: _plain(_further(hit, _AGENT - 1 + int(name)))
    if kind in ("url", "referrer"):
        return lambda hit: parameters(hit, kind).get(name)
    return lambda hit: str(getattr(hit, kind))


class AccessLogCodec(NamedFields):
    """Reads and writes lines of access logs."""

    def __init__(
        self,
        *,
        fields: Mapping[str, str] | None = None,
        time: TimePolicy = "trigger",
        urls: UrlPolicy = "host",
        precision: float | None = None,
        category: CategoryColumn = "off",
        longest_query: int = LONGEST_QUERY,
    ) -> None:
        given = ACCESS_FIELDS | dict(fields or {})
        super().__init__(
            form="access",
            fields=given,
            time=time,
            urls=urls,
            precision=precision,
            time_form="server",
            longest_query=longest_query,
        )
        self._category = category == "on"
        self._readers = {field: (name, _reader(name)) for field, name in given.items()}
        self._referred = any(name.startswith("referrer.") for name in given.values())

    def header(self, line: str) -> bool:
        """Access logs have no header; what a server writes as a comment is no record."""
        return line.lstrip(BYTE_ORDER_MARK).startswith("#")

    def heading(self, line: str) -> str:
        """Return a comment as it is."""
        return line

    def whole(self, block: bytes) -> int:
        """Each line is a record."""
        return len(block)

    def decode(self, lines: Sequence[str], source: str, first: int) -> Decoded:
        """Read lines, without their line ends; what is no search is left out."""
        queries: list[Query] = []
        refusals: list[Refusal] = []
        for number, line in enumerate(lines, first):
            try:
                check_line(line)
                query = self._query(line.lstrip(BYTE_ORDER_MARK))
            except UnreadableRecordError as error:
                refusals.append(refusal(source, number, str(error), line))
            else:
                if query is not None:
                    queries.append(query)
        return Decoded(queries, refusals)

    def _query(self, line: str) -> Query | None:
        if not line or self.header(line):
            return None
        broken = not is_utf8(line)
        if broken:
            line = as_windows_1252(line)
        hit = parse(line)
        if hit is None:
            raise UnreadableRecordError("the line is not of the combined form of access logs")
        record: dict[Any, Any] = {}
        for field, (name, read) in self._readers.items():
            value = read(hit)
            if value is not None:
                record[name] = value
            elif field == "query":
                return None
        user = self.names["user"]
        if record.get(user, "-") in ("-", ""):
            raise UnreadableRecordError(_NO_USER.format(place=user))
        if broken and not str(record[user]).isascii():
            raise UnreadableRecordError(BROKEN_USER)
        query = self.read(record)
        if self._referred:
            return query._replace(extra=((), cut_url(_plain(_further(hit, 0)))))
        return query

    def encode(self, releases: Iterable[Release]) -> list[str]:
        """Write a line for each row of each release, with nothing but what was read of it."""
        return [
            self._line(self.write(release[0], release[2], release[4]), release[2], POOL_NAMES[release[3]])
            for release in each_row(list(releases))
        ]

    def _line(self, values: Mapping[Any, Any], query: Query, category: str) -> str:
        head = {"address": "-", "login": "-", "time": "-"}
        urls: dict[str, list[str]] = {"url": [], "referrer": []}
        further: dict[int, str] = {}
        cookies = []
        for name, value in values.items():
            text = str(value)
            kind, _, inner = name.partition(".")
            if kind in urls:
                urls[kind].append(f"{quote_plus(inner)}={_url_quoted(text)}")
            elif kind == "cookie":
                cookies.append(f"{inner}={text}")
            elif kind == "field":
                further[int(inner)] = text
            else:
                head[kind] = text
        host = query.extra[-1] if self._referred and len(query.extra) in _WITH_HOST else ""
        referrer = f"{host}/search?{'&'.join(urls['referrer'])}" if urls["referrer"] else "-"
        target = "/search" + ("?" + "&".join(urls["url"]) if urls["url"] else "")
        places = [further.get(number, "-") for number in range(1, max(further, default=0) + 1)]
        if cookies:
            places.append("; ".join(cookies))
        if self._category:
            places.append(category)
        tail = "".join([f' "{_escaped(text)}"' for text in places])
        return (
            f'{head["address"]} - {head["login"]} [{head["time"]}] "GET {target} HTTP/1.1" 200 - "{referrer}" "-"{tail}'
        )


def _url_quoted(text: str) -> str:
    return quote_plus(text, safe="", errors="replace")


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"')
