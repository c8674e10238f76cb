"""The host of a URL, read as browsers read it, and no other part of the URL.

>>> cut_url("http://jo:word@www.Example.com:80/a?b"), host_of("www.example.com/a"), cut_url("http://127.0.0.1/")
('http://www.example.com', 'example.com', '')

Rules:
- What is returned is certainly a host's name, or nothing: an IP address, a single label and what a browser refuses give
  nothing. Letters of other scripts are written as DNS has them ("xn--..."), without a last dot.
- The authority ends at the first slash, question mark or hash, and at a backslash in schemes of the web. User
  information goes to its last at-sign. A percent-encoded host is decoded.
- A URL without a scheme has a host only where its last label is a usual one, since "john.smith" is no host's name.

Source: WHATWG URL Standard (host parsing), RFC 1035 and 1123 (names), RFC 3490 (IDNA).
"""

import re
import unicodedata
from typing import Final
from urllib.parse import unquote_to_bytes

from querymix.core.expressions import expression

LONGEST_HOST: Final = 253
"""Characters of a host's name (RFC 1035)."""

_LABEL: Final = r"[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?"
_PLAIN: Final = expression(r"(?:https?|ftp)://[a-z0-9]+(?:[.-][a-z0-9]+)*\.[a-z]{2,63}(?=[/?#\\]|\Z)")
"""The scheme and host of most URLs. Within `_SHORT` characters no label is too long."""
_SHORT: Final = 64
_BARE: Final = expression(r"(https?)://([a-z0-9.-]{3,200})(?:/[^\\]*)?")
_SCHEME: Final = expression(r"([a-z][a-z0-9+.-]{0,40}):(?=//|(?!\d{1,5}(?:[/?#]|$)))", re.I)
_WEB: Final = frozenset({"http", "https", "ftp", "ws", "wss"})
_END: Final = expression(r"[/?#]")
_WEB_END: Final = expression(r"[/?#\\]")
_NAME: Final = expression(
    rf"(?:[a-z0-9_](?:[a-z0-9_-]{{0,61}}[a-z0-9_])?\.)*{_LABEL}\.(?:[a-z]{{2,63}}|xn--[a-z0-9-]{{1,59}})"
)
"""Labels under the last two may hold underscores, as the DNS of hosting companies has them."""
_DOTS: Final = expression("[\u3002\uff0e\uff61]")
_LINES: Final = expression(r"[\t\r\n]")
_SPACE: Final = "".join(map(chr, range(0x21)))
_LETTERS: Final = frozenset({"Ll", "Lu", "Lt", "Lo", "Lm", "Mn", "Mc", "Nd", "Cf"})
_USUAL: Final = (
    "com net org edu gov mil int info biz name pro museum coop aero jobs mobi travel cat tel xxx asia post arpa app "
    "dev page site online store shop blog cloud tech xyz club live news world life today email agency digital"
)
USUAL_ENDS: Final = frozenset(_USUAL.split())
"""Last labels, beside those of two letters, that make a host's name of a word with dots in it."""


def cut_url(url: str) -> str:
    """Return a URL's scheme and host, without user, port, path or query; empty where the host is not certain."""
    plain = _PLAIN.match(url)
    if plain and plain.end() <= _SHORT:
        return plain[0]
    scheme, host = _parsed(url)
    return f"{scheme}://{host}" if scheme and host else host


def host_of(url: str) -> str:
    """Return a URL's host in lower case without "www.", empty where it is not certain."""
    plain = _BARE.fullmatch(url)
    host = plain[2] if plain and _NAME.fullmatch(plain[2]) else _parsed(url)[1]
    return host.removeprefix("www.")


def _parsed(url: str) -> tuple[str, str]:
    """Return a URL's scheme and host, each empty where there is none."""
    url = _LINES.sub("", url.strip(_SPACE))
    match = _SCHEME.match(url)
    scheme = match[1].lower() if match else ""
    rest = url[match.end() :] if match else url
    web = scheme in _WEB or not scheme
    if scheme in _WEB:
        rest = rest.lstrip("/\\")
    elif rest.startswith("//"):
        rest = rest[2:]
    elif scheme:
        return "", ""  # "mailto:", "javascript:"
    end = (_WEB_END if web else _END).search(rest)
    host = host_name(rest[: end.start()] if end else rest)
    if not scheme and host and not usual(host):
        return "", ""
    return scheme, host


def usual(host: str) -> bool:
    """Return whether a host's last label is one that is seldom anything else."""
    last = host.rpartition(".")[2]
    return host.startswith("www.") or len(last) == 2 or last in USUAL_ENDS or last.startswith("xn--")


def host_name(authority: str) -> str:
    """Return the host's name in an authority ("user:password@host:port"), empty where it is not certain."""
    host, colon, port = authority.rpartition("@")[2].partition(":")
    if colon and port and not (port.isascii() and port.isdigit()):
        return ""
    if "%" in host:
        try:
            host = unquote_to_bytes(host).decode()
        except UnicodeError:
            return ""
    if len(host) > 4 * LONGEST_HOST:
        return ""
    host = _DOTS.sub(".", host).lower() if host.isascii() else _dns(_DOTS.sub(".", host))
    host = host.removesuffix(".")
    return host if len(host) <= LONGEST_HOST and _NAME.fullmatch(host) else ""


def _dns(host: str) -> str:
    """Return a host's name of letters of any script as DNS has it, empty where it holds anything else."""
    if not all(char in ".-_" or unicodedata.category(char) in _LETTERS for char in host):
        return ""
    try:
        return host.encode("idna").decode("ascii").lower()
    except UnicodeError:
        return ""
