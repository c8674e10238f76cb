"""Links that are keys: whoever has one gets in, reads along, or acts as the person it was sent to.

Example: of "https://shop.example/reset/k7Qz91mX" goes "k7Qz91mX"; "https://example.com/reset/password" stays.

Rules:
- The key goes, its host and the path before it stay.
- Of services for meetings, invitations and shared files (data/key-links.tsv) every key goes that is no known word.
- Elsewhere the path has to say what the link does (`SAYS`: "reset", "invite", "unsubscribe"). After that go the parts
  and the parameters' values that look drawn: figures among letters, capitals among small letters, five figures or more,
  or letters that nobody knows as a word.

Source: the services' documentation of their links.
"""

import re
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.tables import rows
from querymix.core.identifiers.tokens import QueryText

SERVICES: Final = expression(
    rf"(?<![\w-])(?:{'|'.join(pattern for pattern, _ in rows('key-links.tsv'))})([^\s\"'<>]{{1,600}})"
)
SAYS: Final = expression(
    r"[\w.-]\.[a-z]{2,24}(?::\d{1,5})?/(?:[^\s?#]{0,200}[/_-])?(?:[a-z]{0,12}[._-]?)?"
    r"(?:reset|forgot|recover|verif|confirm|activat|invit|unsubscri|opt-?out|remove-me|preferences|magic|accept|join|"
    r"shared?|rsvp|claim|redeem|one-?time|otp|sign-?in|log-?in|auth|sso|token|approve|onboarding|register|ballot|"
    r"deactivat|restore|set-?password)"
    r"[a-z]{0,12}(?:[._-][a-z]{1,20}){0,3}(?:\.[a-z]{2,5})?([/?#&=][^\s\"'<>]{1,600})"
)
PIECE: Final = expression(r"[^/?#&=;:,]+")
PART: Final = expression(r"[a-z0-9]+")
NUMBERED: Final = expression(r"([a-z]+)\d{1,4}")
DATE: Final = expression(r"(?:19|20)\d{2}[01]\d(?:[0-3]\d)?")
CAPITALS: Final = expression(r"(?<=[a-z])[A-Z]")
FILE: Final = expression(r"\.(?:html?|php|aspx?|jsp|do|cgi|pdf|png|jpe?g|exe|zip|dmg|msi|apk|js|css)$")
STAYS: Final = frozenset(
    {"password", "account", "email", "new", "landing", "start", "success", "step", "confirm", "token"}
)
FEWEST_FIGURES: Final = 5
FEWEST: Final = 6
"""Characters of a part that nobody knows as a word."""
FEWEST_OF_SERVICES: Final = 3
SLUG: Final = 4
"""Words from which on a part of a link is a title, unless most of them look drawn."""


def find(query: QueryText, finds: Findings) -> None:
    """Add keys in links."""
    text = query.text
    if "." not in text and "tg:" not in text:
        return
    for match in SERVICES.finditer(text):
        finds.extend(_keys(query, match, service=True))
    for match in SAYS.finditer(text):
        finds.extend(_keys(query, match, service=False))


def _keys(query: QueryText, match: re.Match[str], *, service: bool) -> list[Identifier]:
    """Return the parts of a link after its beginning that are a key."""
    start, end = match.span(1)
    found = []
    for piece in PIECE.finditer(query.text, start, end):
        begin, stop = piece.span()
        cased = query.cased[begin:stop].rstrip(".")
        name = FILE.sub("", cased.lower())
        if cased and name not in STAYS and _drawn(query, FILE.sub("", cased), service=service):
            found.append(Identifier("secret", begin, begin + len(cased)))
    return found


def _drawn(query: QueryText, cased: str, *, service: bool) -> bool:
    """Return whether a part of a link looks drawn; at a service known for such links, whether it is no known word."""
    words = [cased[one.start() : one.end()] for one in PART.finditer(cased.lower())]
    drawn = sum(_is_drawn(query, word, service=service) for word in words)
    joined = "".join(words)
    if not drawn and len(words) > 1 and len(joined) >= FEWEST and not joined.isalpha() and not joined.isdigit():
        return all(word.isalnum() and not word.isdigit() and not _known(query, word) for word in words)  # "x9qk-2mz7"
    return drawn > 0 and (service or len(words) < SLUG or 2 * drawn > len(words))


def _is_drawn(query: QueryText, cased: str, *, service: bool) -> bool:
    word = cased.lower()
    if word.isdigit():
        return len(word) >= FEWEST_FIGURES and not DATE.fullmatch(word)
    mixed = len(CAPITALS.findall(cased)) > 1
    if mixed or _known(query, word):
        return mixed
    numbered = None if service else NUMBERED.fullmatch(word)
    if numbered and (len(numbered[1]) < 3 or _known(query, numbered[1])):
        return False  # "step2", "iphone13"
    return len(word) >= (FEWEST_OF_SERVICES if service else FEWEST)


def _known(query: QueryText, word: str) -> bool:
    term = query.knowledge[word]
    return bool(term.tags or term.references)


RECOGNIZER: Final = Recognizer(find, marks="/")
