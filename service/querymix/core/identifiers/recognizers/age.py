"""Ages over 89, where they are a person's ("aged 94", "ninety four years old"), not a house's.

Source: 45 CFR 164.514(b)(2)(i)(C).
"""

import re
from typing import Final

from querymix.core.expressions import expression
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier
from querymix.core.identifiers.tokens import QueryText

_TEENS: Final = "ten|eleven|twelve|thirteen|fourteen|fifteen|sixteen|seventeen|eighteen|nineteen"
_ONES: Final = "one|two|three|four|five|six|seven|eight|nine"
_PERSON: Final = (
    "agee?|age|mere|pere|femme|homme|dame|mamie|papi|tiene|cumple|mujer|hombre|abuel[ao]|madre|padre|mama|papa|tem|"
    "mulher|homem|avo|mae|pai|ha|donna|uomo|nonn[ao]|anziano|anziana|signora|senora|senor|senhora|j'ai|ai|tengo|ho|tenho|"
    "tante|onkel|oom|tia|zia|oma|opa|uroma|uropa|vater|mutter|mann|frau|herr|grossvater|grossmutter|vader|moeder|vrouw|"
    "bin|ben|bewohnerin|patientin|patient"
)
"""Words that make years a person's in six languages, without accents."""
FIGURES: Final = r"9\d|1[01]\d"
SPELLED: Final = (
    r"(?<!\b(?:two|six|ten) )(?<!\b(?:four|five|nine) )(?<!\b(?:three|seven|eight) )"
    rf"(?:ninety(?:[ -]?(?:{_ONES}))?|(?:(?:one|an?)[ -])?hundred(?:[ -](?:and[ -])?(?:{_ONES}|{_TEENS}))?)"
)
"""The same numbers in words."""


def _ages(number: str) -> re.Pattern[str]:
    """Return what finds ages whose number is so written."""
    return expression(
        rf"\b(?:aged?|turn(?:s|ed|ing)?|i am|i'm|im|she is|he is|she's|he's|who is)(?: of| over| about)?:? ({number})\b"
        r"(?! ?%|-? ?percent| degrees| (?:miles|pounds|dollars)\b| (?!and|with|y)\w+s\b)"
        rf"|(?<![\w.$-])({number}) ?-?(?:y/o|yo|yr old|yrs old|y\.o\.)(?!\w)"
        rf"|(?<![\w.$-])({number}) (?:jahre alt|jaar oud|ar gammal|ar gammel|lat ma)(?!\w)"
        rf"|\b(?:{_PERSON}) (?:(?:de|con|di|a|ha|tem|tiene|ist|is|wird|wordt) )?({number}) "
        r"(?:ans|anos|anni|jahren?|jaar)(?!\w)"
        rf"|(?<![\w.$-])({number}) ?-?(?:jae?hrig|jarig)e[nr]?(?!\w)"
        r"(?! (?:krieg|kalender|jubil|tradit|gesch|oorlog))"
        rf"|(?<![\w.$-])({number})[ -](?:years?|yrs?|yr)[ -]?(?:old|of age)(?!\w)"
        r"(?!-? (?:house|home|building|barn|church|tree|oak|wine|whiskey|whisky|scotch|bottle|tortoise|turtle|piano|"
        r"violin|book|bible|coin|painting|clock|company|school|bridge|car|quilt|cookbook|recipe|photo|mystery|rum|brandy|"
        r"law)s?\b)"
    )


AGE: Final = _ages(FIGURES)
IN_WORDS: Final = _ages(SPELLED)
WORDS: Final = frozenset(
    f"{before}{number}{more}"
    for number in ("hundred", "ninety", *(f"ninety{dash}{one}" for one in _ONES.split("|") for dash in ("", "-")))
    for before in ("", "one-", "a-")
    for more in ("", "-year", "-years", "-year-old", "-years-old")
)
"""How a high age in words may begin."""
_BEFORE: Final = tuple(
    f"{word}{mark} "
    for word in (
        "age",
        "aged",
        "turn",
        "turns",
        "turned",
        "turning",
        "am",
        "im",
        "'m",
        "is",
        "'s",
        "of",
        "over",
        "about",
    )
    for mark in ("", ":")
)
"""How what stands right before an age ends where nothing of `_BEHIND` stands behind it."""
_BEHIND: Final = tuple("yjal")
"""How years begin that stand right behind an age."""
HIGH_AGE: Final = expression(r"(?<![0-9])(?:9|1[01])[0-9](?![0-9])")


def find(query: QueryText, finds: Findings) -> None:
    """Add high ages."""
    text = query.text
    for match in HIGH_AGE.finditer(text):
        if possible(text, *match.span()):
            _add(AGE, text, finds)
            return


def possible(text: str, start: int, end: int) -> bool:
    """Return whether the number at `text[start:end]` can be an age, by the characters beside it."""
    return text[end : end + 3].lstrip(" -").startswith(_BEHIND) or text.endswith(_BEFORE, 0, start)


def in_words(query: QueryText, finds: Findings) -> None:
    """Add high ages in words."""
    _add(IN_WORDS, query.text, finds)


def _add(pattern: re.Pattern[str], text: str, finds: Findings) -> None:
    for match in pattern.finditer(text):
        group = match.lastindex or 1
        finds.append(Identifier("age", match.start(group), match.end(group) if group == 1 else match.end()))


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=2)
SPELLED_OUT: Final[Recognizer] = Recognizer(in_words, words=WORDS, plain=True)
