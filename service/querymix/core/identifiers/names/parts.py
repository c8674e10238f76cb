"""A query's words as the shapes of names need them: parted at every mark that joins the words of a name.

Rules:
- "jennifer_brown", "jennifer-brown", "jennifer.brown82" and "#jennifer" are parted; the figures of a user name go
  with its letters. A name found inside such a word goes with the whole word (`Parts.span`).
- A host ("jennifer-brown.com") is one word. So is what has an apostrophe inside ("o'brien").
- A comma, a possessive and a colon before a space end a name's words. "m.d." is one word, "md"; so is "sig.ra".
- An abbreviation of `DOTTED` keeps its dot: "m. dupont" is a gentleman, "m dupont" has an initial.
- The names of a form's fields are no words ("first=jennifer&last=brown"), nor are operators ("jennifer OR brown").
- "JohnSmith" is two words where the base does not know it as one.
- Text of letters, figures and spaces only is not looked at again: its words are those between the spaces.
"""

import re
from typing import Final, NamedTuple

from querymix.core.expressions import expression
from querymix.core.identifiers.names.shapes import BREAK, COMMA, NOTHING
from querymix.core.identifiers.spans import word_set
from querymix.core.identifiers.tokens import QueryText

_FIELD: Final = (
    r"(?:[&?;]|(?<![a-z0-9]))"
    r"(?:(?:(?:first|last|given|sur|full|middle|family|user|f|l|m)[_ -]?name|name) ?[=:] ?|(?:first|last|author|q)[=:])"
    r"(?=[\w\"])"
)
_HOST: Final = (
    r"(?<![\w.-])(?:[\w-]{1,63}\.){1,5}(?:com|net|org|edu|gov|mil|biz|info|uk|ca|fr|au|io|tv)(?!\w)[^\s,;\"]{0,200}"
)
_DOTS: Final = r"(?<![^\W_])(?:(?:[^\W\d_]\.){1,5}[^\W\d_]|(?:ph|sig|dott|prof|sr|dr|d)\.(?:d|ra|ssa|a|in))(?![^\W_])"
DOTTED: Final = word_set("m me hr fr ra ing sig drs ir ds dott avv geom mag fam arch rag ved mons lic arq eng adv pr")
"""Titles that are other words without their dot."""
_LETTERS: Final = r"(?<![\d])[^\W\d_]+(?:'[^\W\d_]+)*"
LONGEST_HOST: Final = 200
"""Characters of a host with its path that are read as one word."""
_OTHER: Final = r"[^\W_]+|[&+/]+"
_NEVER: Final = "(?!)"
_KINDS: Final = {
    (fields, dots): (_FIELD if fields else _NEVER, *((_HOST, _DOTS) if dots else (_NEVER, _NEVER)))
    for fields in (False, True)
    for dots in (False, True)
}
"""A field needs "=" or ":", a host a dot: without them neither is tried at every word."""
_WORD: Final = {
    marks: expression(
        rf"(?P<field>{field})|(?P<host>{host})|(?P<dotted>{dotted})|(?P<word>{_LETTERS})\d*|(?P<other>{_OTHER})"
    )
    for marks, (field, host, dotted) in _KINDS.items()
}
"""A word, or what is none."""
_SHORT: Final = r"(?<![\d])[^\W\d_]{1,2}\d+"
"""One with its figures, which is no initials."""
_ALL: Final = {
    marks: expression(rf"(?:{field})|({host})|({_SHORT}|{dotted}|{_LETTERS}|{_OTHER})\d*")
    for marks, (field, host, dotted) in _KINDS.items()
}
"""The same for all words at once: a host, or what is none."""
_JOINED: Final = frozenset("_-+.#~{}*0123456789'")
"""What joins the words of a user name, or belongs to the words of a name."""
CAMEL: Final = expression(r"(?<=[a-z]{2})(?=[A-Z][a-z]{2})")
_OPERATOR: Final = expression(r"(?<=[a-z]\s)(?:AND|OR|NEAR)(?=\s[a-z])")
"""An operator between words in small letters."""
CASED: Final = expression(rf"{CAMEL.pattern}|{_OPERATOR.pattern}")
"""What parts letters and spaces into other words than those between the spaces."""
_NO_BREAK: Final = frozenset({"", " ", ":", "=", "|", ";"})
"""What stands between two words of one name, without a space where it is a mark: "jennifer:brown"."""
_QUOTES: Final = frozenset("\"'(")
_GAP: Final = expression(r"[:;=!?|<>\[\]]")


class Parts(NamedTuple):
    """Words, their places, what stands after each, and which is a nickname."""

    words: list[str]
    spans: list[tuple[int, int]]
    after: list[int]
    """Nothing, a break or a comma."""
    nickname: int
    """The one word between two others that stands in quotes or brackets, -1 where there is none."""


def first_look(query: QueryText) -> list[str] | None:
    """Return the words that `parted` takes a query apart into, at a fifth of the cost.

    None where they may be others, for a capital or a dot.
    """
    text = query.text
    if query.cased != text and CASED.search(query.cased):
        return None
    if text.replace(" ", "").isalnum():
        return query.words
    dots = "." in text
    found = _ALL["=" in text or ":" in text, dots].findall(text)
    words = [host or word.replace(".", "") for host, word in found] if dots else [word for _, word in found]
    if dots and (not DOTTED.isdisjoint(words) or len(text) > LONGEST_HOST):
        return None  # a dot may belong to one
    if "'" in text:
        words = [word.removesuffix("'s") for word in words]
    return [word for word in words if word]


def parted(query: QueryText) -> Parts | None:
    """Return the words of a query, None where they are those between the spaces."""
    text = query.text
    cased = query.cased != text
    if (query.plain or text.replace(" ", "").isalnum()) and not (cased and CASED.search(query.cased)):
        return None
    words: list[str] = []
    spans: list[tuple[int, int]] = []
    after: list[int] = []
    quoted: list[int] = []
    fields = before = 0
    dots, quotes = "." in text, not _QUOTES.isdisjoint(query.marks)
    for match in _WORD["=" in text or ":" in text, dots].finditer(text):
        start, end = match.span()
        if match.lastgroup == "field" or (cased and _OPERATOR.match(query.cased, start)):
            fields = end
            continue
        if before and (gap := text[max(fields, before) : start]) not in _NO_BREAK:
            after[-1] = max(after[-1], _break(gap))
        before = end
        word, owner = _word(match)
        if dots and word in DOTTED and text[end : end + 1] == ".":
            word += "."
        hump = _hump(query, word, start) if cased else 0
        if hump:
            words.append(word[:hump])
            spans.append((start, start + hump))
            after.append(NOTHING)
            word, start = word[hump:], start + hump
        elif quotes and start and text[start - 1] in _QUOTES and end < len(text) and text[end] in "\"')":
            quoted.append(len(words))
        words.append(word)
        spans.append((start, end))
        after.append(BREAK if owner else NOTHING)
    lone = len(quoted) == 1 and 0 < quoted[0] < len(words) - 1
    return Parts(words, spans, after, quoted[0] if lone else -1)


def _hump(query: QueryText, word: str, start: int) -> int:
    """Return where a second word begins in one like "JohnSmith", 0 where it is one word or the base knows it as one."""
    match = CAMEL.search(query.cased, start, start + len(word))
    return 0 if match is None or query.knowledge[word].tags else match.start() - start


def _word(match: re.Match[str]) -> tuple[str, bool]:
    """Return a word as it counts, and whether it ends in a possessive."""
    if match.lastgroup != "word":
        return (match[0].replace(".", "") if match.lastgroup == "dotted" else match[0]), False
    word: str = match["word"]
    if len(word) < 3 and match.end() - match.start() > len(word):
        return match[0], False  # "mp3" is no initials
    if word.endswith("'s"):
        return word[:-2], True
    return word, False


def _break(gap: str) -> int:
    if "," in gap:
        return COMMA
    return BREAK if _GAP.search(gap) else NOTHING


def whole(text: str, start: int, end: int) -> tuple[int, int]:
    """Return a span widened to the ends of the words that it begins and ends in."""
    while start and (text[start - 1] in _JOINED or (text[start] in _JOINED and text[start - 1].isalnum())):
        start -= 1
    while end < len(text) and (text[end] in _JOINED or (text[end - 1] in _JOINED and text[end].isalnum())):
        end += 1
    quoted = start and text[start - 1] == '"' and text[end : end + 1] == '"'
    return (start - 1, end + 1) if quoted else (start, end)
