"""Exact coordinates: decimal degrees, and degrees with minutes and seconds.

Rules:
- Exact are four decimals of a degree (ten metres), seconds, and two decimals of a minute. Coarser coordinates name a
  town and stay, as cities do.
- Two decimals need the range of a latitude and a longitude, in either order. Where a blank alone parts them, they need
  a word such as "gps", or to be no small numbers: with five decimals each, or four and a sign.
- One number alone needs "lat" or "lng", or a degree sign and a point of the compass.

Source: RFC 5870 (geo URIs), ISO 6709, RFC 7946 (longitude first).
"""

import re
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.numbers import of_a_thing
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

_POINT: Final = r"(?:north|south|east|west|[nsewo])"
"""A point of the compass; "o" is the west of Romance languages."""
_DEGREE: Final = r" ?(?:\u00b0|\*|degrees?,?|deg\.?|o(?![a-z]))"
_ONE: Final = (
    rf"(?:({_POINT})\.? ?)?((?:[+-] ?)?\d{{1,3}}[.,]\d{{1,17}}(?!\d))(?:{_DEGREE})?"
    rf"(?: ?({_POINT}|lat|lon|lng|long|latitude|longitude)(?![a-z]))?"
)
PAIR: Final = expression(rf"(?<![a-z0-9])(?<!\d[.,]){_ONE}(\s?(?:[,;/|~&_]|and)?\s?){_ONE}(?![a-z0-9]|\.\d)")
LABELLED: Final = expression(
    r"(?:(?<![a-z])m?(?:latitude|latitud|lat|longitude|longitud|long|lon|lng|breitengrad|langengrad)\.?"
    r"[\"']?(?: ?[:=] ?| is | )[\"']?|!\dd)([+-]?\d{1,3}[.,]\d{4,17})(?![\d.])"
)
_ANGLE: Final = (
    rf"\d{{1,3}}(?:{_DEGREE}| ?d) ?-?(?:\d{{1,2}}[.,]\d{{2,8}} ?(?:'|min(?:utes?)?|m)?"
    r"|\d{1,2}(?: ?(?:'|min(?:utes?)?,?|m)|[ -]) ?-?"
    r"\d{1,2}(?:[.,]\d{1,8})? ?(?:''|\"|'|sec(?:onds?)?|s(?!outh|o)(?! ?[ewo]\b))?)"
)
"""Degrees with minutes and seconds, or with decimals of minutes."""
_DECIMAL: Final = rf"\d{{1,3}}[.,]\d{{4,17}}{_DEGREE}"
_AFTER: Final = rf"(?:{_ANGLE}|{_DECIMAL}) ?{_POINT}"
_BEFORE: Final = rf"{_POINT}\.? ?(?:{_ANGLE}|{_DECIMAL})"
TURNED: Final = expression(
    rf"(?<![a-z0-9.]){_BEFORE}(?:[ ,;]{{1,2}}{_BEFORE})?(?![a-z0-9])"
    rf"|(?<![\w.]){_AFTER}(?:[ ,;]{{0,2}}{_AFTER})?(?![a-z])"
)
"""One angle or two with points of the compass, after them or before."""
SIGNED: Final = expression(rf"(?<![\w.])[+-]?{_ANGLE}(?: ?[,;] ?| )[+-]?{_ANGLE}(?![\w.])")
"""Two angles whose signs stand for the points of the compass."""
_GROUPS: Final = r"\d{1,3}[ :.-]\d{1,2}(?:[ :.-]\d{1,2}(?:\.\d{1,6})?|\.\d{2,6})"
GROUPED: Final = expression(
    rf"(?<![\w.-]){_GROUPS} ?(?:north|south|[ns]),? ?{_GROUPS} ?(?:east|west|[ewo])(?!\w)"
    rf"|(?<![\w.-])[ns] ?{_GROUPS},? ?[ewo] ?{_GROUPS}(?![\w.])"
    r"|(?<![\w.-])\d{6}(?:\.\d{1,4})?[ns] ?\d{7}(?:\.\d{1,4})?[ew](?!\w)"
)
"""Degrees, minutes and seconds without signs, with both points of the compass."""
DECIMALS: Final = expression("[0-9][.,][0-9]{4}")
SIGN: Final = expression("[0-9] ?(?:\u00b0|[*od] ?[0-9]|deg)")
"""What such coordinates cannot do without."""
WORDS: Final = word_set(
    "gps coordinate coordinates coords coord latitude longitude lat lon lng latlng geolocation geotag waypoint point "
    "geocache geocaching location map maps koordinaten coordenadas coordonnees"
)
NO_PLACE: Final = word_set(
    "ratio ratios odds usd eur gbp jpy exchange currency rate rates pip pips mean std variance sigma gpa era avg "
    "average decimal decimals fraction fractions divided pi sqrt log version p-value correlation"
)
"""Words beside which two decimals are figures."""


def find(query: QueryText, finds: Findings) -> None:
    """Add exact coordinates."""
    text = query.spaced
    patterns = []
    if DECIMALS.search(text):
        finds.extend(Identifier("location", *one.span()) for one in PAIR.finditer(text) if _is_place(query, one))
        finds.extend(Identifier("location", *one.span(1)) for one in LABELLED.finditer(text))
        patterns.append(TURNED)
    elif SIGN.search(text):
        patterns.append(TURNED)
    if patterns:
        patterns.append(SIGNED)
    if query.digits >= 8:
        patterns.append(GROUPED)
    for pattern in patterns:
        finds.extend(Identifier("location", *one.span()) for one in pattern.finditer(text))


def _is_place(query: QueryText, match: re.Match[str]) -> bool:
    """Return whether two decimals are an exact latitude and longitude."""
    before, first, after, between, second_before, second, second_after = match.groups()
    one, two = (abs(float(number.replace(",", ".").replace(" ", ""))) for number in (first, second))
    places = [len(number.replace(",", ".").partition(".")[2]) for number in (first, second)]
    if min(one, two) > 90 or max(one, two) > 180 or max(places) < 4:
        return False
    if ("," in first or "," in second) and min(places) < 4:
        return False  # a list of whole numbers
    if sum(map(bool, (before, after, second_before, second_after))) > 1:
        return True
    cued = query.says(WORDS)
    if not cued and (query.says(NO_PLACE) or of_a_thing(query.text, *match.span())):
        return False
    if between.strip() in ("", "and"):
        signed = second[0] in "+-" and second[1] != " "
        return cued or (max(one, two) >= 10 and min(places) >= (4 if signed or first[0] == "-" else 5))
    return True


RECOGNIZER: Final = Recognizer(find, digits=4)
