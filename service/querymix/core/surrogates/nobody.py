"""Made-up numbers that are nobody's, in the form of those that they stand for.

Rules:
- Digits stand for digits, letters for letters; marks, spaces and capitals stay.
- A number with a check digit has a wrong one, by every country's rule of that length. One without is from a range that
  is never given out. A kind that has neither has no substitute (None): a number drawn at random would be somebody's.
- Words are kept only where they say what stands beside them ("ext", "cvv"); with any other there is no substitute. A
  country's code before one of its numbers stays, and the number behind it is made as one without: "cl 12531909-2".

Sources: python-stdnum (tests hold this against it); NANPA (555-01xx), Ofcom and ARCEP (numbers for drama), ITU-T E.164
(no country code begins with 99 or 0); SSA (areas 000 and 666); RFC 5737, 3849, 7042 (addresses for documentation).
"""

import re
from collections.abc import Callable
from typing import Final

from querymix.core.draw import Draw
from querymix.core.identifiers.numbers import gs1, luhn, only_digits
from querymix.core.identifiers.recognizers import (
    iban,
    national,
    vehicle,
    wallet,
)
from querymix.core.identifiers.spans import word_set
from querymix.core.surrogates.forms import digits, one_of, placed, signs, until

CHECKS: Final[tuple[tuple[re.Pattern[str], Callable[[str], bool]], ...]] = tuple(
    (re.compile(form), check)
    for form, check in (
        (r"\d{9}", luhn),
        (r"\d{13}", gs1),
        (r"\d{12,19}", luhn),
        (r"[0-9a-z]{17}", vehicle.checks),
        (r"[a-z]{2}\d\d[a-z0-9]{11,30}", iban.checks),
    )
)
"""The compact forms of numbers that are in no table of schemes, in small letters, and what tells a right one."""
GUESSED: Final = 0.5
"""The share of random strings that pass from which on a check is none: nothing can be made that fails it."""
_NO_SIGN: Final = re.compile(r"[^a-z0-9]")
_TOKEN: Final = re.compile(r"[a-z]+")
_COUNTRY: Final = re.compile(r"([A-Za-z]{2})[^A-Za-z0-9]{1,3}")
"""A country's code before a number, and what parts the two."""


def compact(text: str) -> str:
    """Return the letters and digits of a text, in small letters."""
    return _NO_SIGN.sub("", text.lower())


def somebodys(text: str) -> bool:
    """Return whether a text passes a check of some number's, with a country's two letters before it or without."""
    code = compact(text)
    return _passes(code) or (code[:2].isalpha() and _passes(code[2:]))


def _passes(code: str) -> bool:
    schemes = national.ENGINE.of(code)
    return any(one.checks is not None and one.chance <= GUESSED and one.checks(code) for one in schemes) or any(
        form.fullmatch(code) and check(code) for form, check in CHECKS
    )


def _says_only(text: str, words: frozenset[str]) -> bool:
    """Return whether all words of a text are among `words`."""
    return words.issuperset(_TOKEN.findall(text.lower()))


def _wrong(draw: Draw, text: str, begin: Callable[[], str] = str, letters: str = "") -> str | None:
    """Return other signs that pass no check; they begin with what `begin` draws. Without `letters` there are none."""

    def make() -> str:
        return placed(signs(draw, text, letters) if letters else digits(draw, text), begin())

    return until(make, lambda made: not somebodys(made) and compact(made) != compact(text))


ALL_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz"


def person(draw: Draw, text: str) -> str | None:
    """Return a number of a person that has a wrong check digit."""
    code = compact(text)
    if not 6 <= len(code) <= 20 or not any(char.isdigit() for char in code):
        return None
    return _wrong(draw, text, letters=ALL_LETTERS)


def numbered(draw: Draw, kind: str, text: str, make: Callable[[Draw, str], str | None]) -> str | None:
    """Return what `make` makes of a number of `kind`; the country's code before it stays."""
    country = _COUNTRY.match(text)
    if country is None or country[1].lower() != kind[:2]:
        return make(draw, text)
    rest = text[country.end() :]
    if all(one.kind != kind for one in national.ENGINE.of(compact(rest))):
        return make(draw, text)
    made = until(lambda: make(draw, rest) or "", lambda made: not made or not somebodys(country[0] + made))
    return country[0] + made if made else None


def _never(begin: Callable[[Draw], str]) -> Callable[[Draw, str], str | None]:
    """Return what makes numbers of a country that begin as none does."""

    def make(draw: Draw, text: str) -> str | None:
        code = compact(text)
        if not 9 <= len(code) <= 17:
            return None
        return _wrong(draw, text, lambda: begin(draw), ALL_LETTERS)

    return make


def _two(draw: Draw, low: int, count: int) -> str:
    return f"{low + draw.below(count):02}"


ssn: Final = _never(lambda draw: ("000", "666")[draw.below(2)])
nino: Final = _never(lambda draw: one_of(draw, "dfiquv"))
pan: Final = _never(lambda draw: signs(draw, "aaa") + one_of(draw, "dimnoqrsuvwxyz"))
dated_ymd: Final = _never(lambda draw: _two(draw, 0, 100) + _two(draw, 20, 70))
rfc: Final = _never(lambda draw: signs(draw, "aaaa") + _two(draw, 0, 100) + _two(draw, 20, 70))
emirates: Final = _never(lambda draw: f"7840{_two(draw, 0, 100)}")
swiss: Final = _never(lambda _: "756")
"""A country's own code, and a wrong check digit."""
cuil: Final = _never(lambda draw: ("20", "23", "24", "27")[draw.below(4)])
"""What persons' numbers begin with, and a wrong check digit."""
nir: Final = _never(lambda draw: one_of(draw, "0569"))

_CARD_WORDS: Final = word_set("exp expiry expires expiration cvv cvc cid security code")


def card(draw: Draw, text: str) -> str | None:
    """Return a card's number that fails the Luhn check, whatever stands behind it."""
    begin = re.match(r"(?:[^0-9]*[0-9]){13,19}?(?![0-9])(?!\W{1,3}[0-9]{4,})", text)
    if begin is None or not _says_only(text, _CARD_WORDS):
        return None
    number = _wrong(draw, begin[0], lambda: one_of(draw, "456"))
    return None if number is None else number + digits(draw, text[begin.end() :])


_PHONE_WORDS: Final = word_set("x ext extension")
_EXTENSION: Final = re.compile(r"(?:x|ext|extension|#)[ .]*[0-9]+$", re.I)
_NATIONAL, _LOCAL = 10, 7
_DRAMA: Final = {11: "07700900", 10: "063998"}
"""How numbers for drama begin, British and French ones, by how many digits they have."""


def phone(draw: Draw, text: str) -> str | None:
    """Return a telephone number out of a range that is given to nobody."""
    tail = _EXTENSION.search(text)
    body = text[: tail.start()] if tail else text
    figures = only_digits(body)
    if len(figures) < _LOCAL or not _says_only(text, _PHONE_WORDS):
        return None
    made = until(
        lambda: placed(digits(draw, body), _phone_begin(draw, figures, abroad=body.lstrip(" (").startswith("+"))),
        lambda made: only_digits(made) != figures,
    )
    return None if made is None else made + digits(draw, text[len(body) :])


def _phone_begin(draw: Draw, figures: str, *, abroad: bool) -> str:
    size = len(figures)
    codes = ("1",) if abroad else ("0111", "001", "1", "")
    code = next((code for code in codes if figures.startswith(code) and size == _NATIONAL + len(code)), None)
    if code is not None and figures[len(code)] != "0":
        return f"{code}{2 + draw.below(8)}{draw.below(9)}{2 + draw.below(8)}55501"
    if size == _LOCAL and not abroad:
        return "55501"
    dialled = "" if abroad else next((code for code in ("011", "00") if figures.startswith(code)), None)
    if dialled is not None:
        return f"{dialled}999"
    return _DRAMA.get(size, "000") if figures[0] == "0" else "000"


def code(draw: Draw, text: str) -> str | None:
    """Return a code that begins with noughts where it is digits, and passes no check."""
    letters = ALL_LETTERS if re.search("[g-z]", text.lower()) else "abcdef"
    return (
        _wrong(draw, text, lambda: "000" if text[:3].isdigit() else "", letters)
        if len(compact(text)) > _LOCAL
        else None
    )


def vin(draw: Draw, text: str) -> str | None:
    """Return a vehicle's number with a letter that none has."""
    if len(compact(text)) != 17:
        return None
    place = 3 + draw.below(5)
    return _wrong(
        draw, text, lambda: signs(draw, "1" + "a" * (place - 1)) + one_of(draw, "ioq"), "abcdefghjklmnprstuvwxyz"
    )


def device(draw: Draw, text: str) -> str | None:
    """Return a network device's address for documentation, or a mobile's number with a wrong check digit."""
    code = compact(text)
    if len(code) == 12 and re.fullmatch("[0-9a-f]+", code):
        return placed(
            signs(draw, text, "abcdef"), "00005e0053" + "".join(one_of(draw, "0123456789abcdef") for _ in "12")
        )
    if len(code) in (15, 16) and code.isdigit():
        return _wrong(draw, text)
    return None


def account(draw: Draw, text: str) -> str | None:
    """Return an IBAN with wrong check digits, or a wallet's address that fails its check; of other accounts none."""
    code = compact(text)
    if re.fullmatch(r"[a-z]{2}\d\d[a-z0-9]+", code) and len(code) == iban.LENGTHS.get(code[:2]):
        return _wrong(draw, text, lambda: code[:2], ALL_LETTERS)
    if re.fullmatch(r"0x[0-9a-f]{40}|0x[0-9a-f]{64}", code):
        return text[:2] + signs(draw, text[2:], "abcdef")
    bech = wallet.BECH32.fullmatch(text)
    if bech and bech[1] in wallet.KNOWN:
        alphabet = "".join(wallet.BECH32_ALPHABET)
        begin, rest = text[: -len(bech[2])], len(bech[2])
        made = until(
            lambda: "".join([one_of(draw, alphabet) for _ in range(rest)]),
            lambda made: not wallet.bech32_checks(bech[1], made),
        )
        return None if made is None else begin + made
    if wallet.BASE58.fullmatch(text):
        alphabet = "".join(wallet.ALPHABET)
        return until(
            lambda: text[0] + "".join([one_of(draw, alphabet) for _ in text[1:]]),
            lambda made: not wallet.base58_checks(made),
        )
    return None


_BLOCKS: Final = ("192.0.2", "198.51.100", "203.0.113")
_OCTETS: Final = re.compile(r"[0-9]{1,3}")


def ip(draw: Draw, text: str) -> str | None:
    """Return an address for documentation; both ends of a range are of the same block."""
    if ":" in text and text.count(":") > 1:
        return _six(draw, text)
    numbers = list(_OCTETS.finditer(text))
    if len(numbers) < 4 or not _says_only(text, frozenset({"dot"})):
        return None
    block = _BLOCKS[draw.below(len(_BLOCKS))].split(".")
    new = [*block, str(1 + draw.below(254))]
    if len(numbers) == 8:
        new += [*block, str(1 + draw.below(254))]
    parts, at = [], 0
    for match, octet in zip(numbers, new, strict=False):
        parts += [text[at : match.start()], octet]
        at = match.end()
    return "".join([*parts, digits(draw, text[at:])])


def _six(draw: Draw, text: str) -> str | None:
    address, slash, size = text.partition("/")
    if re.fullmatch(r"[0-9a-f]{1,4}:[0-9a-f:]*", address, re.I) is None:
        return None
    groups = [signs(draw, group, "abcdef") if group else group for group in address.split(":")]
    begin = ["2001", "db8"] if groups[1] else ["2001", "db8", ""]
    made = ":".join([*begin, *groups[2:]])
    return (made.upper() if address.isupper() else made) + slash + size
