"""Codes that a word beside them gives away: of patients, insurances, accounts, licences, devices.

Rules:
- A code is a word with a digit that follows its context word ("mrn", "policy", "serial"), at most five fillers between
  ("number", "is", "#"), or stands right before it. It has six characters or more; three do after "number", "id" or "#".
- The words of six further languages stand in the same table. Some of them are asked about much else ("konto 1200"):
  digits alone have to be seven then, or marked as a number, also before the word ("numero de cuenta 12345").
- A reference is a product's as often as a person's ("reference 63093079"): it has to be marked as a number, or stand
  behind a word such as "my" or another context ("booking reference").
- After any other word that ends with "nummer" stands a code too, but for what many share ("hausnummer").
- Long words for documents and accounts count with a slip, too ("pasport").
- A court's number counts in a query with "az" and the like ("az: 3 C 123/19"), but for the highest courts', whose
  rulings are read.
- Years, small numbers, quantities and what a law or a decree is numbered by are no codes.

Source: 45 CFR 164.514(b)(2)(i)(H) to (M) and (R).
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

from querymix.core.expressions import expression
from querymix.core.identifiers.numbers import YEARS, of_a_thing, only_digits, plain_groups
from querymix.core.identifiers.recognizers.base import BEGIN, END, Recognizer
from querymix.core.identifiers.spans import Findings, Identifier, word_set
from querymix.core.identifiers.spellings import mistyped, spelled, spellings
from querymix.core.identifiers.tables import rows, word_lists
from querymix.core.identifiers.tokens import QueryText

CODE: Final = expression(r"#?([a-z0-9](?:(?:[\w-]|(?<=[0-9])(?:\.(?=[0-9])|/(?=[0-9a-z]))){1,33}[a-z0-9]))")
GLUED: Final = expression(r"n(?:r|o|um)?[.\xb0]{1,2}(?=[a-z0-9])")
"""A marker with no space behind it: "nr.4711"."""


class Context(NamedTuple):
    """What a word tells of the code beside it."""

    kind: str
    weak: bool = False
    """Whether the word is asked about much else."""
    document: bool = False
    """Whether the code may be a mix of two digits and many letters."""
    marked: bool = False
    """Whether the code is marked as a number."""
    shared: bool = False
    """Whether it is a product's unless it is marked."""


LISTS: Final = frozenset({"filler", "marker", "link", "court", "document"})
"""Rows of the table that are plain lists of words."""
NUMBER: Final = ("nummer", "numer", "nummern", "nr", "-nummer", "-nr", ".nr", "-id")
"""What makes a compound of a word that is listed with a dash at its end."""
ACCOUNT: Final = "account"
SHARED: Final = "shared"
SMALL: Final = word_lists("contexts.tsv")


def _contexts() -> dict[str, Context]:
    """Return what each word of the table tells, in each of its spellings."""
    found: dict[str, Context] = {}
    for kind, words in rows("contexts.tsv"):
        for entry in words.split(",") if kind not in LISTS else ():
            word = entry.rstrip("?!#")
            context = Context(
                kind, weak="?" in entry, document="!" in entry, marked=word[-1] == "-", shared="#" in entry
            )
            told = spellings(word.removesuffix("-"))
            if context.marked:
                told = frozenset(spelling + ending for spelling in told for ending in NUMBER)
            elif context.document or (context.weak and kind == ACCOUNT):
                told = mistyped(told)
            found.update(dict.fromkeys(told, context))
    return found


def _lengths(phrases: Iterable[str]) -> dict[str, tuple[int, ...]]:
    """Return how many words the phrases have that a word begins, the most first."""
    found: dict[str, tuple[int, ...]] = {phrase: (1,) for phrase in phrases if " " not in phrase}
    sizes = {(phrase.count(" ") + 1, phrase[: phrase.index(" ")]) for phrase in phrases if " " in phrase}
    for size, first in sorted(sizes):
        found[first] = (size, *found.get(first, ()))
    return found


ALL_CONTEXTS: Final = _contexts()
SHARED_NUMBERS: Final = frozenset(word for word, context in ALL_CONTEXTS.items() if context.kind == SHARED)
CONTEXTS: Final = {word: context for word, context in ALL_CONTEXTS.items() if context.kind != SHARED}
"""What is said before a code, and what it tells of it."""
LENGTHS: Final = _lengths(CONTEXTS)
"""The words that a context begins with, and how many words such contexts have."""
FILLERS: Final = spelled(" ".join(SMALL["filler"] | SMALL["marker"])) | word_set(
    "number numbers no nos num nbr id ids is was for code my the its our card # - acct account"
)
MARKERS: Final = spelled(" ".join(SMALL["marker"])) | word_set("number numbers no num nbr id ids is code # account")
MARK_BEFORE: Final = spelled(" ".join(SMALL["marker"]))
OWNERS: Final = spelled("my our your mein meine unsere ma votre notre mi su mio mia minha sua mijn uw onze")
"""Whose a reference is."""
SHORT_MARKS: Final = ("no", "num")
"""Words for a number that mean more than that."""
LINKS: Final = spelled(" ".join(SMALL["link"]))
"""What stands between a marker and the word that it belongs to: "numero de la cuenta"."""
COURTS: Final = spelled(" ".join(SMALL["court"]))
COURT: Final = expression(BEGIN + r"\d{1,4} (?!bv|azr|abr)[a-z]{1,4} \d{1,5}/\d\d(?:\d\d)?" + END)
DATE: Final = expression(r"\d{1,2}/(?:\d{1,2}/)?(?:\d\d|(?:19|20)\d\d)")
YEAR: Final = expression(
    r"(?:19|20)\d\d(?:[-/](?:\d\d|(?:19|20)\d\d))?|\d{1,3}(?:st|nd|rd|th)|1040\w*|w-?[249]|i-\d{1,3}\w?"
)
UNIT: Final = expression(
    r"\d{1,6}(?:gb|mb|kb|mhz|ghz|mm|cm|ml|mg|ft|lb|lbs|oz|hp|cc|k|yr|year|day|hour|min|am|pm|s|x\d*)"
)
STRONG: Final = frozenset({"medical", "device"})


LETTERS: Final = 2
LONG_GROUPS: Final = 8
"""Digits in groups that are a code without being marked as one."""
WEAK_DIGITS: Final = 7
SWITCH: Final = expression("[0-9](?=[a-z])|[a-z](?=[0-9])")


def find(query: QueryText, finds: Findings) -> None:
    """Add codes after, or right before, a word that says what they are."""
    words = query.unelided
    for at, word in enumerate(words):
        for length in LENGTHS.get(word, ()):
            context = CONTEXTS.get(word if length == 1 else " ".join(words[at : at + length]))
            if context is not None:
                _add(query, words, (at, at + length), context, finds)
                break


def numbered(query: QueryText, finds: Findings) -> None:
    """Add codes after a word that ends with "nummer" and stands in no table."""
    if "nummer" in query.text:
        words = query.words
        for at, word in enumerate(words):
            if word.endswith("nummer") and word not in LENGTHS and word not in SHARED_NUMBERS and word != "nummer":
                _add(query, words, (at, at + 1), OTHER, finds)


OTHER: Final = Context("code")


def of_courts(query: QueryText, finds: Findings) -> None:
    """Add the numbers of cases."""
    finds.extend(Identifier("account", *match.span()) for match in COURT.finditer(query.spaced))


def _add(query: QueryText, words: list[str], place: tuple[int, int], context: Context, finds: Findings) -> None:
    """Add the code after, or before, the context at the tokens of `place`."""
    at, after = place
    before = at
    while before and at - before < 3 and words[before - 1] in LINKS:
        before -= 1
    if (before and words[before - 1] in MARK_BEFORE) or (context.shared and at and _of_somebody(words[at - 1])):
        context = context._replace(marked=True)
        before -= 1
    elif before and words[before - 1] in SHORT_MARKS:
        before -= 1
    else:
        before = at
    first, last = _after(words, after, context) or _before(words, before, context)
    if last >= 0:
        span = query.span(first, last)
        if not of_a_thing(query.text, *span):
            finds.append(Identifier(context.kind, *span))


def _of_somebody(word: str) -> bool:
    return word in OWNERS or word in CONTEXTS


def _after(words: list[str], at: int, context: Context) -> tuple[int, int] | None:
    """Return the first and last token of a code that begins at `at` or after fillers, if there is one."""
    size = len(words)
    first = _behind_fillers(words, at)
    if first + 1 < size and words[first].isalpha() and words[first + 1] in MARK_BEFORE:
        first = _behind_fillers(words, first + 1)  # "compte courant n° 4711"
        context = context._replace(marked=True)
    elif (
        (context.marked or context.document)
        and first + 1 < size
        and words[first].isalpha()
        and (len(words[first]) > _letters(words[first + 1 : first + 3], context) or not only_digits(words[first + 1]))
    ):
        first = _behind_fillers(words, first + 1)  # "klantnummer ziggo 12345678"
        context = context._replace(marked=False)
    if first >= size:
        return None
    context = context._replace(marked=context.marked or not MARKERS.isdisjoint(words[at:first]))
    last = first
    if first + 1 < size and words[first].isalpha() and words[first + 1] not in FILLERS:
        last += len(words[first]) <= _letters(words[first + 1 : first + 3], context)  # "passport ab 1234567"
    begin = last
    sure = telling(words[begin], context)
    letters = context.marked or context.document or context.kind == ACCOUNT
    while last + 1 < size and last < first + 7 and _group(words, last + 1, letters=letters):
        last += 1
    if not sure and only_digits(words[begin]) and not DATE.fullmatch(words[begin]):
        groups = " ".join(words[first : last + 1])
        long = len(only_digits(groups)) >= LONG_GROUPS and not (YEARS.search(groups) or plain_groups(groups))
        if context.marked or context.document or (context.kind in STRONG and not context.weak) or long:
            sure = telling(groups.replace(" ", ""), context)  # "imei 35 209900 176148 1"
    return (first, last) if sure else None


def _letters(groups: list[str], context: Context) -> int:
    """Return how many letters may stand before the groups of a code; Quebec's numbers of patients begin with four."""
    quebec = context.kind in {"plan", "medical"} and [len(only_digits(group)) for group in groups] == [4, 4]
    return 4 if quebec else 3


def _behind_fillers(words: list[str], at: int) -> int:
    """Return the token from `at` on that is no filler; five are skipped at most."""
    first = at
    while first < min(at + 5, len(words)) and words[first] in FILLERS:
        first += 1
    return first


def _group(words: list[str], at: int, *, letters: bool) -> bool:
    """Return whether a token goes on with a code in groups; with `letters` also "ab" of "12 ab 34567"."""
    word = words[at]
    if letters and word.isalpha() and len(word) <= LETTERS and word not in FILLERS:
        return at + 1 < len(words) and only_digits(words[at + 1]) != "" and not UNIT.fullmatch(words[at + 1])
    digits = len(only_digits(word))
    return (
        digits > 0
        and (len(word) >= 2 or at + 1 == len(words) or only_digits(words[at + 1]) != "")
        and (digits + (LETTERS if word[0].isdigit() else 0) >= len(word) or len(word) <= 6 or digits >= LONG_GROUPS)
        and not UNIT.fullmatch(word)
    )


def _before(words: list[str], at: int, context: Context) -> tuple[int, int]:
    """Return the first and last token of a code that stands before the context word at `at`; -1 where there is none."""
    context = context._replace(marked=False)
    last = at - 1
    if at > 1 and words[last] in ("my", "is"):
        last -= 1
    first = last
    while first > 0 and first > last - 5 and only_digits(words[last]) and _goes_before(words[first - 1], words[first]):
        first -= 1
    if first < last:
        groups = words[first : last + 1]
        digits = len(only_digits("".join(groups)))
        if digits >= LONG_GROUPS and not (YEARS.search(" ".join(groups)) or plain_groups(" ".join(groups))):
            return first, last
    return (last, last) if last >= 0 and telling(words[last], context) else (-1, -1)


def _goes_before(word: str, group: str) -> bool:
    """Return whether a token stands before a code's group as a group of the same code."""
    if word.isalpha():
        return len(word) <= LETTERS and word not in FILLERS and len(group) > LETTERS
    digits = len(only_digits(word))
    return digits > 0 and digits + LETTERS >= len(word) and not UNIT.fullmatch(word) and not YEAR.fullmatch(word)


def telling(code: str, context: Context) -> bool:
    """Return whether `code` beside a word of `context` tells one person apart."""
    code = GLUED.sub("", code, count=1)
    digits = len(only_digits(code))
    if not CODE.fullmatch(code) or YEAR.fullmatch(code) or DATE.fullmatch(code) or UNIT.fullmatch(code):
        return False
    if context.document and digits >= 2 and 7 <= len(code) <= 12 and len(SWITCH.findall(code)) > 1:
        return True  # "x4rtbpfw4"
    if digits < 3 or (context.shared and not context.marked) or (digits == len(code) <= 7 and code.endswith("0000")):
        return False
    if context.marked:
        return len(code) >= 4
    if digits == len(code) and (code.endswith("000") or (context.weak and digits < WEAK_DIGITS)):
        return False  # an amount: "loan 250000"
    strong = context.kind in STRONG and not context.weak
    return digits >= (4 if strong else 5) and len(code) >= (5 if strong else 6)


RECOGNIZER: Final[Recognizer] = Recognizer(find, digits=2, words=frozenset(LENGTHS))
OF_COURTS: Final[Recognizer] = Recognizer(of_courts, digits=4, marks="/", words=COURTS)
NUMBERED: Final[Recognizer] = Recognizer(numbered, digits=4, stretch=9)
