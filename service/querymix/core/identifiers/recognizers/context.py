"""Codes that a word beside them gives away: of patients, insurances, accounts, licences, devices.

Rules:
- A code is a word with a digit that follows its context word ("mrn", "policy", "serial"), at most four fillers between
  ("number", "is", "#"), or stands right before it. It has six characters or more; three do after "number", "id" or "#".
- Years, small numbers, quantities and what a law or a decree is numbered by are no codes.

Source: 45 CFR 164.514(b)(2)(i)(H) to (M) and (R).
"""

import re
from typing import Final

from querymix.core.identifiers.numbers import of_a_thing, only_digits
from querymix.core.identifiers.recognizers.base import Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.tables import rows
from querymix.core.identifiers.tokens import QueryText

CODE: Final = re.compile(r"#?([a-z0-9](?:(?:[\w-]|(?<=[0-9])\.(?=[0-9])){1,33}[a-z0-9]))")
FILLERS: Final = word_set("number numbers no nos num nbr id ids is was for code my the its our card # - acct account")
MARKERS: Final = word_set("number numbers no num nbr id ids is code # account")
CONTEXTS: Final = {word: kind for kind, words in rows("contexts.tsv") for word in words.split(",")}
"""What is said before a code, and the kind that the code then is."""
CONTEXT_WORDS: Final = frozenset(word for phrase in CONTEXTS for word in phrase.split())
YEAR: Final = re.compile(
    r"(?:19|20)\d\d(?:[-/](?:\d\d|(?:19|20)\d\d))?|\d{1,3}(?:st|nd|rd|th)|1040\w*|w-?[249]|i-\d{1,3}\w?"
)
UNIT: Final = re.compile(
    r"\d{1,6}(?:gb|mb|kb|mhz|ghz|mm|cm|ml|mg|ft|lb|lbs|oz|hp|cc|k|yr|year|day|hour|min|am|pm|s|x\d*)"
)
STRONG: Final = frozenset({"medical", "device"})


def find(query: QueryText, finds: Findings) -> None:
    """Add codes after, or right before, a word that says what they are."""
    words = query.words
    for at, word in enumerate(words):
        if word in CONTEXT_WORDS:
            kind = CONTEXTS.get(" ".join(words[at : at + 2]))
            after = at + 2
            if kind is None:
                kind, after = CONTEXTS.get(word), at + 1
            if kind is not None:
                first, last = _after(words, after, kind) or _before(words, at, kind)
                span = query.span(first, last) if last >= 0 else (0, 0)
                if last >= 0 and not of_a_thing(query.text, *span):
                    finds.append(Identifier(kind, *span))


def _after(words: list[str], at: int, kind: str) -> tuple[int, int] | None:
    """Return the first and last token of a code that begins at `at` or after fillers, if there is one."""
    size = len(words)
    first = at
    while first < min(at + 5, size) and words[first] in FILLERS:
        first += 1
    if first >= size:
        return None
    marked = not MARKERS.isdisjoint(words[at:first])
    last = first
    if words[first].isalpha() and len(words[first]) <= 3 and first + 1 < size and words[first + 1] not in FILLERS:
        last += 1  # "passport ab 1234567"
    sure = telling(words[last], kind, marked=marked)
    while last + 1 < size and last < first + 6 and _group(words[last + 1], final=last + 2 == size):
        last += 1
    if not sure and (marked or kind in STRONG) and only_digits(words[first]):
        sure = telling("".join(words[first : last + 1]), kind, marked=marked)  # "imei 35 209900 176148 1"
    return (first, last) if sure else None


def _group(word: str, *, final: bool) -> bool:
    """Return whether a token goes on with a code in groups."""
    digits = len(only_digits(word))
    return (
        digits > 0
        and (len(word) >= 2 or final)
        and (digits == len(word) or len(word) <= 6)
        and not UNIT.fullmatch(word)
    )


def _before(words: list[str], at: int, kind: str) -> tuple[int, int]:
    """Return the token of a code that stands before the context word at `at`, twice; -1 where there is none."""
    if at and telling(words[at - 1], kind, marked=False):
        return at - 1, at - 1
    if at > 1 and words[at - 1] in ("my", "is") and telling(words[at - 2], kind, marked=False):
        return at - 2, at - 2
    return -1, -1


def telling(code: str, kind: str, *, marked: bool) -> bool:
    """Return whether `code` beside a word of `kind` tells one person apart, `marked` as a number or not."""
    digits = len(only_digits(code))
    if digits < 3 or not CODE.fullmatch(code):
        return False
    if YEAR.fullmatch(code) or UNIT.fullmatch(code):
        return False
    if digits == len(code) <= 7 and code.endswith("0000"):
        return False
    if marked:
        return digits >= 3 and len(code) >= 4
    if digits == len(code) and code.endswith("000"):
        return False  # an amount: "loan 250000"
    return digits >= (4 if kind in STRONG else 5) and len(code) >= (5 if kind in STRONG else 6)


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=3, words=CONTEXT_WORDS)
