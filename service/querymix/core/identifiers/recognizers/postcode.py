"""Postcodes of letters and digits that name a few houses: British, Canadian, Irish and Dutch.

Rules:
- A British code is an area, a district, and a digit with two letters that are never C, I, K, M, O or V ("m25 7pm" is
  none). The first half alone names a town or a part of one and stays.
- Where the second half reads as a quantity or an ordinal ("8gb", "4th"), or the halves are joined after one letter
  or with three figures ("e52ab", "np600ab"), it needs an area of two letters and a district of two figures, a word such
  as "postcode", a British place beside it, or (if joined) to be all of the query.
- A joined code whose district an area does not have needs such a word too ("ss316ln").
- A Dutch code needs such a word, a town, what is looked for near by, or to be all of the query.
- A Canadian code has letters and digits in turn; D, F, I, O, Q and U are never used. Santa's own stays.

Source: BS 7666 and Royal Mail's PAF guide, Canada Post's addressing guidelines, Eircode's product guide.
"""

import re
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.recognizers.zipcode import ZIP_WORDS
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.spellings import spelled
from querymix.core.identifiers.tables import word_lists
from querymix.core.identifiers.tokens import QueryText

_BEGINS: Final = word_lists("postcodes.tsv")
AREAS: Final = _BEGINS["british"]
HIGHEST: Final = {
    code.rstrip("0123456789"): int(code.lstrip("abcdefghijklmnopqrstuvwxyz")) for code in _BEGINS["highest"]
}
"""The highest district of an area: "ss316ln" is a steel."""
ROUTES: Final = _BEGINS["irish"]
BRITISH: Final = expression(
    r"(?<![\w.$/-])([a-z]{1,2})(\d{1,2}|\d[a-hjkmnp-y])([ -]{0,2})(\d[abd-hjlnp-uw-z]{2})(?![\w-]|\.\w)"
)
MIXED: Final = expression("[a-z][0-9]")
"""What every British, Canadian and Irish code holds."""
HALF: Final = expression("[0-9][a-z]{2}(?![a-z0-9])")
"""How a British code ends, found sooner than all of it."""
CANADIAN: Final = expression(
    r"(?<![\w.$/-])[abceghj-nprstvxy]\d[abceghj-nprstv-z][ -]{0,2}\d[abceghj-nprstv-z]\d(?![\w-]|\.\w)"
)
IN_TURN: Final = expression("[0-9][a-z][ -]{0,2}[0-9]")
"""The middle of a Canadian code."""
ROUTE: Final = expression("[a-z][0-9][0-9w][ -]?[0-9ac-fhknprtv-y]{4}")
IRISH: Final = expression(
    r"(?<![\w.$/-])([a-z]\d[\dw])[ -]?(?=[a-z]*\d)(?=\d*[a-z])[0-9ac-fhknprtv-y]{4}(?![\w-]|\.\w)"
)
DUTCH: Final = expression(r"(?<![\w.$/-])[1-9]\d{3} ?[a-eg-hj-npr-tv-z][a-eg-hj-npr-tv-z](?![\w-])")
ANY_DUTCH: Final = expression(r"(?<![\w.$/-])[1-9]\d{3} ?[a-z]{2}(?![\w-])")
"""With letters that are given to nobody, too: right beside a word a slip counts."""
FOUR: Final = 4
LONGEST: Final = len("1012 ab")
QUANTITY: Final = expression(
    r"\d(?:[gtph]b|lb|ft|yd|h[prz]|yr|ah|wh|ep|dr|hd|b[adhr]|sp|e[rs]|gr|p[xptslg]|qt|dl|gp|xl|x[xs]|ss|wd|ds|ga|pa|ty)"
)
"""What is a quantity or a size rather than the second half of a code."""
ORDINAL: Final = expression(r"\d(?:st|nd|rd|th|ed)")
MOST: Final = 99
"""The highest district where none is known."""
NORTH_POLE: Final = expression(r"h0h ?0h0")
PLACES: Final = word_set(
    "uk london england scotland wales britain manchester birmingham leeds glasgow edinburgh liverpool bristol cardiff "
    "sheffield nottingham leicester coventry bradford belfast hull stoke derby southampton portsmouth plymouth "
    "brighton norwich oxford cambridge york exeter swansea aberdeen dundee newcastle sunderland wolverhampton "
    "croydon bromley "
    "luton reading council bin bins road street lane avenue crescent terrace"
)
DUTCH_PLACES: Final = spelled(" ".join(_BEGINS["dutch"]))
DUTCH_SAID: Final = word_set("pc postcode postkode")
DUTCH_WORDS: Final = ZIP_WORDS | {"postkode", "postcodes", "huisnr", "huisnummer", "bezorgen", "woon"}
NEAR: Final = spelled(" ".join(_BEGINS["near"]))
NO_DUTCH: Final = word_set(
    "am pm kg km ml mm cm hp kw mb gb tb hz lb ft rm nm px kb mw gw bc cc dl pc pk ps kj nr no in of is it to at by my "
    "me we he or as an on up us uk tv pt hd xl lt gt rt rs ok de la le et en un es el do da di il im zu so du er "
    "op te je ti rx"
)
"""What stands behind four figures else: units, models and small words."""
WORDS: Final = ZIP_WORDS | PLACES | {"postcodes", "address", "addresses"}


def find(query: QueryText, finds: Findings) -> None:
    """Add postcodes of letters and digits."""
    text = query.spaced
    if query.digits == FOUR and len(text) <= LONGEST and DUTCH.fullmatch(text) and text[-2:] not in NO_DUTCH:
        finds.append(Identifier("zip", 0, len(text)))
    if not MIXED.search(text):
        return
    for match in BRITISH.finditer(text) if HALF.search(text) else ():
        if match[1] in AREAS and (_sure(match, alone=match[0] == text.strip()) or query.says(WORDS)):
            finds.append(Identifier("zip", *match.span()))
    if query.digits >= 3:
        for match in CANADIAN.finditer(text) if IN_TURN.search(text) else ():
            if not NORTH_POLE.fullmatch(match[0]):
                finds.append(Identifier("zip", *match.span()))
        if ROUTE.search(text):
            finds.extend(Identifier("zip", *match.span()) for match in IRISH.finditer(text) if match[1] in ROUTES)


def _sure(match: re.Match[str], *, alone: bool) -> bool:
    """Return whether a text in the form of a British code is one whatever stands beside it."""
    area, district, gap, last = match.groups()
    if not gap and int(district[:1] if district[-1].isalpha() else district) > HIGHEST.get(area, MOST):
        return False
    ordinal = ORDINAL.fullmatch(last) is not None
    if ordinal or QUANTITY.fullmatch(last):
        return (len(area) == 2 or (alone and ordinal)) and len(district) == 2 and gap == " "
    return alone or gap == " " or district[-1].isalpha() or (len(area) == 2 and len(district) == 1)


def dutch(query: QueryText, finds: Findings) -> None:
    """Add Dutch codes beside a word, a town, or what is looked for near by."""
    text = query.spaced
    if query.says(DUTCH_SAID):
        for match in ANY_DUTCH.finditer(text):
            if match[0][-2:] not in NO_DUTCH:
                finds.append(Identifier("zip", *match.span()))
    sure = query.says(DUTCH_WORDS | DUTCH_PLACES)
    for match in DUTCH.finditer(text):
        if sure or match[0][-2:] not in NO_DUTCH:
            finds.append(Identifier("zip", *match.span()))


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=2)
IN_DUTCH: Final[Recognizer] = Recognizer(dutch, digits=4, words=DUTCH_SAID | DUTCH_WORDS | DUTCH_PLACES | NEAR)
