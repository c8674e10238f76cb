"""The one normalization at the entrance: a query's text as a reader sees it, and where each character came from.

>>> seen = see("mail jo%40example.com")
>>> seen.text, seen.span(5, 19)
('mail jo@example.com', (5, 21))

Rules:
- What is *seen* decides what is found. What is released is the text as it came, less the cuts: `Seen.span` leads back.
- Encodings are undone first, also nested ones: form encoding ("%40", "%2540", "+" for a space), HTML entities,
  "\\u0040", and the "20" of a "%20" that lost its percent sign.
- White space of every kind and length, also line ends and tabs, is one space.
- Each character is folded: NFKC without accents and invisible characters; spaces, dashes, quotes, digits, dots, slashes
  and colons as ASCII; bytes that were not UTF-8 as Latin-1. Letters that look Latin become so in a word of no others.
- A space is put between ASCII letters or digits and a letter of another script, which needs no space to part words.
- All of a text is read, however long, in linear time; plain ASCII costs one search.

Sources: Unicode UAX #15 (NFKC), UTS #39 (confusables), URL Standard (form encoding), HTML (entities).
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache
from html import unescape
from itertools import pairwise
from typing import Final, NamedTuple

from querymix.core.expressions import expression
from querymix.core.identifiers.lookalike_letters import ASCII_MARKS, LATIN_LOOKALIKES, LATIN_OTHERS
from querymix.core.identifiers.misread import MISREAD, meant
from querymix.core.identifiers.scripts import is_latin, spaceless

ROUNDS: Final = 3
"""How often encodings are undone: "%252540" is "@" after three."""

_HINT: Final = re.compile(r"[^ -$'-*,-\[\]-_a-~]")
"""What `_ODD` begins with, found sooner: anything but printable ASCII, and the marks % & + \\ and the grave accent."""
_ODD: Final = expression(
    r"[^\x00-\x7f]|[\x00-\x1f\x7f`+]|  |%u?[0-9a-fA-F]{2}|&[#a-zA-Z]|\\[ux][0-9a-fA-F]"
    r"| (?:(?:25)?20|40)[a-zA-Z]|[a-zA-Z]{3}20[a-zA-Z]{3}"
)
"""Not with IGNORECASE: the letters that fold to ASCII ones, such as the Kelvin sign, would count as ASCII."""
_ENCODED: Final = expression(
    r"(?:%[0-9a-f]{2})+|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z]{2,8}\d{0,2});|[\\%]u[0-9a-f]{4}|\\x[0-9a-f]{2}", re.I
)
_PERCENT: Final = expression(r"%[0-9a-f]{2}", re.I)
_UTF8: Final = expression(
    rb"[\x00-\x7f]|[\xc2-\xdf][\x80-\xbf]|[\xe0-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}", re.S
)
_SPACE_PLUS: Final = expression(r"(?:(?<=[^\s+])\+(?=[^\s+])|\+(?=[a-z]))(?![\w.+'-]{0,64}(?:@|%40))", re.I)
_DIALLED: Final = expression(r"(?:^|[^a-zA-Z0-9+.])\+(?=\d)")
_SIGN: Final = "[2-9cfghjmpqrvwx]"
PLUS_CODE: Final = expression(
    r"(?<![a-z0-9])(?=[a-z+]{0,11}\d)(?=[\dx+]{0,11}[a-wyz])"
    rf"(?:[2-9c][2-9cfghjmpqrv]{_SIGN}{{6}}|{_SIGN}{{6}}|{_SIGN}{{4}})(\+){_SIGN}{{2,7}}(?![a-z0-9])",
    re.I,
)
"""A place's code (Open Location Code), whose plus sign is none for a space."""
_STRIPPED: Final = expression(
    r"(?: (?:25)?20(?=[a-z]{2,30}(?![a-z0-9]))|(?<=[a-z]{3})20(?=[a-z]{3,30}(?:20|(?![a-z0-9]))))"
    r"(?!(?:th|gb|mb|kb|tb|mm|cm|km|ml|mg|kg|ft|lbs?|oz|hp|cc|am|pm|yr|in|mhz|ghz|something)\b)",
    re.I,
)
_STRIPPED_AT: Final = expression(r"(?<=\w) 40(?=[a-z][\w-]*\.[a-z])", re.I)
_STRIPPED_ANY: Final = expression(
    r"(?:^| )(?:25)?(?:2[0-9a-f]|3[a-f]|40)(?=\S| 20)|(?<=[a-z]{3})20(?=[a-z]{3,30}(?:20|(?![a-z0-9])))", re.I
)
_BETWEEN_LETTERS: Final = expression("(?<=[^\\W\\d_])[\u2014\u2015](?=[^\\W\\d_])")
"""A long dash that parts words: "smith\u2014attorney"."""
_BETWEEN_DIGITS: Final = expression("(?<=[0-9])[\u30fc\uff70](?=[0-9])")
"""The mark of long vowels in Japanese, typed for a hyphen."""
_TOKEN: Final = expression(r"\S+")


class Seen(NamedTuple):
    """A text as it is seen: `text[i]` came from `starts[i]` to `ends[i]` of the original, where `moved` says so."""

    text: str
    moved: bool = False
    """Whether places differ from the original's; without, there are no `starts` and `ends`."""
    starts: Sequence[int] = ()
    ends: Sequence[int] = ()

    def span(self, start: int, end: int) -> tuple[int, int]:
        """Return where the original has what is seen from `start` to `end` (not included; start < end)."""
        return (self.starts[start], self.ends[end - 1]) if self.moved else (start, end)

    def __repr__(self) -> str:
        """Tell the size only."""
        return f"Seen({len(self.text)} characters)"


def see(text: str) -> Seen:
    """Return `text` as it is seen, letters in their case."""
    if _HINT.search(text) is None and "20" not in text and " 40" not in text and "  " not in text:
        return Seen(text)
    if _ODD.search(text) is None:
        return Seen(text)
    seen = Seen(text, True, range(len(text)), range(1, len(text) + 1))
    seen = _undone(seen)
    forms = {char: fold(char) for char in set(_CHARACTERS.findall(seen.text))}
    if all(len(form) == 1 for form in forms.values()):  # each stays in its place
        seen = seen._replace(text="".join([forms.get(char, char) for char in seen.text]))
    else:
        seen = _replaced(seen, _CHARACTERS, lambda match: [forms[match[0]]])
    if "  " in seen.text:
        seen = _replaced(seen, _SPACES, lambda match: [" "])
    return _parted(_latin(seen._replace(text=seen.text.replace("`", "'"))))


SEEN_AS: Final = {"Zs": " ", "Zl": " ", "Zp": " ", "Cc": " ", "Pd": "-", "Mn": "", "Me": "", "Cf": "", "Cn": ""}
"""What a character is seen as by its general category: spaces, dashes, and what shows nothing of its own."""
SYMBOLS: Final = frozenset({"So", "Sk", "Co"})
"""Categories of characters that part words as a space does: emojis and other symbols, and letters of one's own."""
SEEN: Final = "\xb0\ufffd"
"""Symbols that stay: of degrees, and what stands for a character that could not be read."""
_CHARACTERS: Final = expression(r"[^\x00-\x7f]|[\x00-\x1f\x7f]")
_SPACES: Final = expression(" {2,}")


def _undone(seen: Seen) -> Seen:
    """Return the text with its encodings undone."""
    text = seen.text
    if not text.isascii():
        text = _BETWEEN_DIGITS.sub("-", _BETWEEN_LETTERS.sub(" ", text))
        seen = seen._replace(text=text)
    if "+" in text:
        if not text.isascii():  # a plus code or an address with something invisible in it
            seen = _replaced(seen, _CHARACTERS, lambda match: [match[0] if fold(match[0]) else ""])
            text = seen.text
        stays = {match.end() - 1 for match in _DIALLED.finditer(text)}
        stays.update(match.start(1) for match in PLUS_CODE.finditer(text))
        text = _SPACE_PLUS.sub(lambda match: "+" if match.start() in stays else " ", text)
        seen = seen._replace(text=text)
    for _ in range(ROUNDS):
        if _ENCODED.search(seen.text) is None:
            break
        seen = _replaced(seen, _ENCODED, _decoded)
    for _ in range(ROUNDS):
        if MISREAD.search(seen.text) is None:
            break
        seen = _replaced(seen, MISREAD, meant)
    if _STRIPPED.search(seen.text):
        return _replaced(seen, _STRIPPED_ANY, lambda match: [chr(int(match[0][-2:], 16))])
    return _replaced(seen, _STRIPPED_AT, lambda match: ["@"]) if _STRIPPED_AT.search(seen.text) else seen


def _decoded(match: re.Match[str]) -> list[str]:
    """Return what an encoded run stands for, one item for each of its characters' share of the run."""
    run = match[0]
    if run[0] == "&":
        return [unescape(run)]
    if run[0] == "\\" or run[1] == "u":
        return [chr(int(run[2:], 16))]
    content = bytes(int(pair[1:], 16) for pair in _PERCENT.findall(run))
    return (
        [whole[0].decode("utf-8", "replace") if whole else chr(content[0]) for whole in (_UTF8.match(content),)]
        if len(content) == 1
        else _characters(content)
    )


def _characters(content: bytes) -> list[str]:
    """Return one item a byte: a character where it begins, nothing for its further bytes, Latin-1 where it is none."""
    items: list[str] = []
    at = 0
    while at < len(content):
        whole = _UTF8.match(content, at)
        size = whole.end() - at if whole else 1
        items.append(whole[0].decode("utf-8", "replace") if whole else chr(content[at]))
        items.extend([""] * (size - 1))
        at += size
    return items


def _replaced(seen: Seen, pattern: re.Pattern[str], new: Callable[[re.Match[str]], list[str]]) -> Seen:
    """Return the text with each match replaced by the joined items of `new`; each item has an equal share of the match.

    An item that is empty belongs to the character before it, or else to the one after.
    """
    starts: list[int] = []
    ends: list[int] = []
    parts: list[str] = []
    done = 0
    waiting: int | None = None
    for match in pattern.finditer(seen.text):
        begin, stop = match.span()
        if begin > done:
            parts.append(seen.text[done:begin])
            starts.extend(seen.starts[done:begin])
            ends.extend(seen.ends[done:begin])
            if waiting is not None:
                starts[len(starts) - (begin - done)] = waiting
                waiting = None
        items = new(match)
        share = (stop - begin) // len(items)
        for number, item in enumerate(items):
            first = begin + number * share
            last = stop if number == len(items) - 1 else first + share
            if item:
                parts.append(item)
                starts.extend([seen.starts[first] if waiting is None else waiting] * len(item))
                ends.extend([seen.ends[last - 1]] * len(item))
                waiting = None
            elif ends:
                ends[-1] = seen.ends[last - 1]
            elif waiting is None:
                waiting = seen.starts[first]
        done = stop
    rest = seen.text[done:]
    if rest:
        parts.append(rest)
        starts.extend(seen.starts[done:])
        ends.extend(seen.ends[done:])
        if waiting is not None:
            starts[len(starts) - len(rest)] = waiting
    return Seen("".join(parts), True, starts, ends)


@lru_cache(maxsize=8192)
def fold(char: str) -> str:
    """Return what a character is seen as: ASCII where there is such a form, "" where it is invisible."""
    if char in ASCII_MARKS:
        return ASCII_MARKS[char]
    digit = unicodedata.decimal(char, None)
    group = unicodedata.category(char)
    if digit is not None or group in SEEN_AS:
        return SEEN_AS[group] if digit is None else str(digit)
    if 0xDC80 <= ord(char) <= 0xDCFF:  # a byte that was not UTF-8
        return fold(bytes([ord(char) - 0xDC00]).decode("cp1252", "ignore") or " ")
    plain = "".join(part for part in unicodedata.normalize("NFKD", char) if not unicodedata.combining(part))
    if plain == char:
        return " " if group in SYMBOLS and char not in SEEN else LATIN_OTHERS.get(char, char)
    return "".join(part if part.isascii() else fold(part) for part in plain)


def _latin(seen: Seen) -> Seen:
    """Return the text with the Latin letters that others look like, where they stand for them."""
    text = seen.text
    if (
        text.isascii()
        or LATIN_LOOKALIKES.keys().isdisjoint(text)
        or not any("a" <= char <= "z" for char in text.lower())
    ):
        return seen
    return seen._replace(text=_TOKEN.sub(_disguised, text))


def _disguised(match: re.Match[str]) -> str:
    """Return a token in Latin letters if each of its other letters looks like one."""
    token = match[0]
    if all(char.isascii() or char in LATIN_LOOKALIKES or not char.isalpha() for char in token):
        return "".join(LATIN_LOOKALIKES.get(char, char) for char in token)
    return token


_SEAM: Final = expression(r"(?<=[a-z0-9])(?=[^\x00-\x7f])|(?<=[^\x00-\x7f])(?=[a-z0-9(+:\[])", re.I)


def _parted(seen: Seen) -> Seen:
    """Return the text with a space at each seam between ASCII and a letter of a script other than Latin."""
    text = seen.text
    if text.isascii():
        return seen
    seams, start, end, mail = list[int](), 0, 0, False
    for match in _SEAM.finditer(text):
        at = match.start()
        if at >= end:  # the first seam of a word
            start, end = text.rfind(" ", start, at) + 1, text.find(" ", at)
            end = end if end >= 0 else len(text)
            mail = text.find("@", start, end) >= 0
        if not _goes_on(text[at - 1] if text[at].isascii() else text[at], mail=mail):
            seams.append(at)
    if not seams:
        return seen
    pieces = list(pairwise([0, *seams, len(text)]))
    starts: list[int] = []
    ends: list[int] = []
    for begin, end in pieces:
        if begin:
            starts.append(seen.starts[begin])
            ends.append(seen.starts[begin])
        starts += seen.starts[begin:end]
        ends += seen.ends[begin:end]
    return Seen(" ".join([text[begin:end] for begin, end in pieces]), True, starts, ends)


def _goes_on(char: str, *, mail: bool) -> bool:
    """Return whether the word goes on at a seam: `char` is Latin or no letter, or it is an address of other letters."""
    return not char.isalpha() or is_latin(char) or (mail and not spaceless(char))
