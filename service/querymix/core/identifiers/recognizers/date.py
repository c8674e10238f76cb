"""Dates of a person's life.

Rules:
- A date is an identifier only beside a word of a person's life ("born", "dob", "died") or a person's name, unless the
  query asks about the famous; its year goes with it. Years alone stay.

Source: 45 CFR 164.514(b)(2)(i)(C).
"""

import re
from typing import Final

from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tokens import QueryText

MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:r?uary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
MONTH_DAY: Final = r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
DATE: Final = re.compile(
    rf"(?<![\w/.-])(?:\d{{1,2}}([-/. ])\d{{1,2}}\1(?:\d{{4}}|\d{{2}})|\d{{4}}([-/.])\d{{1,2}}\2\d{{1,2}}"
    rf"|{MONTH} ?\d{{1,2}}(?:st|nd|rd|th)?(?:,? ?(?:of )?(?:\d{{4}}|'?\d{{2}}))?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?[ -](?:of )?{MONTH}(?:[ ,-]{{1,2}}(?:\d{{4}}|'?\d{{2}}))?"
    rf"|\d{{1,2}}/\d{{1,2}}|(?:19|20)\d{{2}}{MONTH_DAY}|{MONTH_DAY}(?:19|20)\d{{2}})(?![\w/]|[-.]\d)"
)
LIFE_WORDS: Final = word_set(
    "born dob d.o.b birth birthdate birthdates birthday bday b-day died death deceased dod obit obituary obituaries "
    "married divorced admitted admission discharged discharge baptized buried burial wedding"
)
MAYBE_LIFE: Final = word_set("passed")
PUBLIC_ACT: Final = word_set("bill law act legislation amendment resolution statute senate congress house exam test")
"""A law passes too."""
PUBLIC_LIFE: Final = word_set(
    "famous celebrity celebrities people horoscope horoscopes zodiac astrology history president king queen star stars"
)


def beside_life(query: QueryText, finds: Findings) -> None:
    """Add dates beside a word of a life."""
    if query.says(LIFE_WORDS) or not query.says(PUBLIC_ACT):
        _dates(query, finds)


def beside_name(query: QueryText, finds: Findings) -> None:
    """Add dates beside a name."""
    if finds and any(one.kind == "name" for one in finds):
        _dates(query, finds)


def _dates(query: QueryText, finds: Findings) -> None:
    if not query.says(PUBLIC_LIFE):
        finds.extend(Identifier("date", *match.span()) for match in DATE.finditer(query.spaced))


BESIDE_LIFE: Final[Recognizer] = Recognizer(beside_life, digits=1, words=LIFE_WORDS | MAYBE_LIFE)
BESIDE_NAME: Final[Recognizer] = Recognizer(beside_name, digits=1)
