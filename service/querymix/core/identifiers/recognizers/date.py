"""Dates of a person's life.

Rules:
- A date is an identifier only beside a word of a person's life ("born", "dob", "died") or a person's name, unless the
  query asks about the famous; its year goes with it. Years alone stay.
- The words and months of six further languages stand in data/dates.tsv. Some count as a phrase only: "ne" of "ne le" is
  French for "not" as well, and "nato" an alliance.

Source: 45 CFR 164.514(b)(2)(i)(C).
"""

from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.numbers import only_digits
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.spellings import mistyped, spelled
from querymix.core.identifiers.tables import word_lists
from querymix.core.identifiers.tokens import QueryText

MONTH: Final = (
    r"(?:jan(?:uary)?|feb(?:r?uary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|"
    r"nov(?:ember)?|dec(?:ember)?)\.?"
)
_WORDS: Final = {name: spelled(" ".join(words)) for name, words in word_lists("dates.tsv").items()}
_SHORT: Final = "|".join(sorted(name for name in _WORDS["month"] if len(name) <= 3))
"""Months that are other words too: "set", "out"."""
_LONG: Final = "|".join(sorted(_WORDS["month"] - set(_SHORT.split("|")), key=lambda name: (-len(name), name)))
_DAY: Final = r"\d{1,2}(?:er|o|\.|\xb0)?[ -]{0,2}(?:de |di )?"
_YEAR: Final = r"[ ,-]{0,2}(?:del? |di |do )?(?:\d{4}|'?\d{2})"
MONTH_DAY: Final = r"(?:0[1-9]|1[0-2])(?:0[1-9]|[12]\d|3[01])"
DATE: Final = expression(
    rf"(?<![\w/.-])(?:\d{{1,2}}([-/. ])\d{{1,2}}\1(?:\d{{4}}|\d{{2}})|\d{{4}}([-/.])\d{{1,2}}\2\d{{1,2}}"
    rf"|{MONTH} ?\d{{1,2}}(?:st|nd|rd|th)?(?:,? ?(?:of )?(?:\d{{4}}|'?\d{{2}}))?"
    rf"|\d{{1,2}}(?:st|nd|rd|th)?[ -](?:of )?{MONTH}(?:[ ,-]{{1,2}}(?:\d{{4}}|'?\d{{2}}))?"
    rf"|{_DAY}(?:(?:{_LONG})\.?(?:{_YEAR})?|(?:{_SHORT})\.?{_YEAR})"
    r"|\d{1,2}\. \d{1,2}\. ?(?:\d{4}|\d{2})|\d{1,2}\.\d{1,2}\."
    rf"|(?:0[1-9]|[12]\d|3[01])(?:0[1-9]|1[0-2])(?:19|20)\d{{2}}"
    rf"|\d{{1,2}}/\d{{1,2}}|(?:19|20)\d{{2}}{MONTH_DAY}|{MONTH_DAY}(?:19|20)\d{{2}})(?![\w/]|[-.]\d)"
)
LIFE_WORDS: Final = mistyped(_WORDS["life"]) | word_set(
    "born dob d.o.b birth birthdate birthdates birthday bday b-day died death deceased dod obit obituary obituaries "
    "married divorced admitted admission discharged discharge baptized buried burial wedding"
)
AS_PHRASE: Final = expression(
    r"\b(?:ne(?:e|\(e\))? (?:le|a|en|l')|nato(?:/a)? (?:il|a|in|nel|l')|tema natale|zur welt)(?![a-z])"
    r"|\b(?:ne(?:e|\(e\))?|nat[oa](?:/a)?) ?:? ?\d|\d (?:nee?|nato)(?! [a-z])"
)
STAR: Final = expression(r"(?<!\w)\* ?\d{1,2}\. ?(?:\d{1,2}\.|[a-z]{3,9}) ?\d\d")
"""German for "born"."""
MAYBE_LIFE: Final = word_set("passed")
PUBLIC_ACT: Final = word_set("bill law act legislation amendment resolution statute senate congress house exam test")
"""A law passes too."""
ASKING: Final = word_set("wer qui quien chi quem wie who whose")
"""What asks for all who have one birthday."""
PUBLIC_LIFE: Final = _WORDS["public"] | word_set(
    "famous celebrity celebrities people horoscope horoscopes zodiac astrology history president king queen star stars"
)


DAY_AND_MONTH: Final = 2
"""Digits of a day with a month's name."""


def beside_life(query: QueryText, finds: Findings) -> None:
    """Add dates beside a word of a life."""
    maybe = query.says(MAYBE_LIFE) and not query.says(PUBLIC_ACT)
    if maybe or query.says(LIFE_WORDS) or AS_PHRASE.search(query.text):
        _dates(query, finds, years=query.says(ASKING))


def behind_a_star(query: QueryText, finds: Findings) -> None:
    """Add dates where one has a star before it."""
    if STAR.search(query.spaced):
        _dates(query, finds)


def beside_name(query: QueryText, finds: Findings) -> None:
    """Add dates beside a name."""
    if finds and any(one.kind == "name" for one in finds):
        _dates(query, finds)


def _dates(query: QueryText, finds: Findings, *, years: bool = False) -> None:
    """Add dates, with `years` only those that have one."""
    if not query.says(PUBLIC_LIFE):
        for match in DATE.finditer(query.spaced):
            if not years or len(only_digits(match[0])) > DAY_AND_MONTH:
                finds.append(Identifier("date", *match.span()))


BESIDE_LIFE: Final[Recognizer] = Recognizer(beside_life, digits=1, words=LIFE_WORDS | MAYBE_LIFE | _WORDS["begins"])
BEHIND_A_STAR: Final[Recognizer] = Recognizer(behind_a_star, digits=3, marks="*")
BESIDE_NAME: Final[Recognizer] = Recognizer(beside_name, digits=1)
