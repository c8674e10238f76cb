"""What a scheme of numbers of persons is: its shapes, its groups, its check, its words, and how often chance passes it.

Rules:
- A shape is what is left without marks: "d11" eleven digits, "l1d7l1" a letter, seven digits, a letter; "x" is either.
- Groups tell how a number may be parted: their sizes, with what stands between. A mark (" ", ".", "-", "/", "(")
  stands for itself, and such groups are the number's own. With marks of two kinds or a bracket they are telling: other
  things are not written so. "~" is any of the first four (or a dash between spaces), the same all along. "3.3.3-2" is
  Brazil's CPF, "3~3~3" any number of nine digits. One without marks is always understood.
- A check gets the compact text in small letters: it is of one of the shapes. It holds all rules of the form, dates too.
- `chance` is the share of random strings of the worst of its shapes that pass the check (1 without a check, 0.0005 for
  less). Shapes of which one has much rarer chance hits than another are rows of their own, of the same kind.
- Words are those of the number's own languages, one row a kind in ../../data/national-europe.tsv and
  national-world.tsv: with or without accents, several words parted by commas. A word that other things are asked by
  ("id", "tax", "number") is none.

Sources: the countries' registers, as python-stdnum collects them; tests hold shapes, checks and chances against it.
"""

from collections.abc import Callable, Sequence
from operator import mul
from typing import Final, NamedTuple

from querymix.core.expressions import expression
from querymix.core.identifiers.tables import rows

Check = Callable[[str], bool]
RARE: Final = 0.01
"""Of random strings, the share from which on a right check digit alone tells nothing."""
WORDS: Final[dict[str, tuple[str, ...]]] = {
    kind: tuple(words.split(",")) for table in ("europe", "world") for kind, words in rows(f"national-{table}.tsv")
}
"""What is said beside a kind's numbers."""
ALPHABET: Final = "0123456789abcdefghijklmnopqrstuvwxyz"
"""What a sign counts in many checks: its place here."""
_PART: Final = expression(r"([dlx])([0-9]{1,2})")


class Scheme(NamedTuple):
    """One form of a country's numbers of persons."""

    kind: str
    """As in `spans.KINDS`: the country and the number's name, "de_idnr"."""
    places: tuple[str, ...]
    """Its shapes, a character a place: "d" a digit, "l" a letter, "x" either."""
    groups: tuple[str, ...]
    """How it may be parted: "3.3.3-2", "3~3~3"; "8-1!" where a right check is enough for such groups."""
    checks: Check | None
    words: tuple[str, ...]
    """Beside one of them a number of the shape counts, whatever the check says."""
    chance: float
    shared: bool
    """Whether other things have its form, so that without a word it counts as the whole query only."""

    @property
    def sure(self) -> bool:
        """Whether a right check is enough."""
        return not self.shared and (self.chance <= RARE or all("l" in one for one in self.places))


def telling(groups: str) -> bool:
    """Return whether few other things are written in such groups: marks of two kinds, a bracket, or the sign "!"."""
    if groups.endswith("!"):
        return True
    marks = set(groups) - set(ALPHABET[:10])
    return "~" not in marks and (len(marks) > 1 or "(" in marks)


def spelled(shape: str) -> str:
    """Return a shape a character a place: "l1d3" is "lddd". Raises ValueError for what is no shape."""
    if _PART.sub("", shape):
        raise ValueError(f"{shape!r} is no shape; one is written as in 'l1d7l1'")
    return "".join(sign * int(count) for sign, count in _PART.findall(shape))


def scheme(
    kind: str,
    shapes: str,
    checks: Check | None,
    chance: float,
    groups: str = "",
    *,
    shared: bool = False,
) -> Scheme:
    """Return one row of a table: `shapes` and `groups` parted by "|".

    Example: `scheme("br_cpf", "d11", br_cpf, 0.01, "3.3.3-2|3~3~3~2")`.
    """
    return Scheme(
        kind,
        tuple(spelled(one) for one in shapes.split("|")),
        tuple(one for one in groups.split("|") if one),
        checks,
        WORDS.get(kind, ()),
        chance,
        shared,
    )


def after(begin: str, checks: Check) -> Check:
    """Return the check of a number with a country's code before it, as in numbers for the VAT."""

    def check(code: str) -> bool:
        return code.startswith(begin) and checks(code[len(begin) :])

    return check


def total(code: str, weights: Sequence[int]) -> int:
    """Return the sum of the digits of `code`, each times its weight; the shorter of the two tells how many."""
    return sum(map(mul, weights, map(int, code)))  # weights first: what stands behind them may be letters


def dated(code: str, order: str) -> bool:
    """Return whether digits are a date in an order such as "ymd", with "Y" for four digits of a year.

    Where the year has two digits the century is not told, and a 29 February always passes.
    """
    at, year, month, number = 0, 2000, 0, 0
    for name in order:
        size = 4 if name == "Y" else 2
        part = int(code[at : at + size])
        at += size
        if name == "Y":
            year = part
        elif name == "m":
            month = part
        elif name == "d":
            number = part
    return day(year, month, number)


DAYS: Final = (0, 31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31)


def day(year: int, month: int, number: int) -> bool:
    """Return whether there is such a day."""
    if not (1 <= month <= 12 and 1 <= number <= DAYS[month] and year > 0):
        return False
    return not (month == 2 and number == 29) or (year % 4 == 0 and (year % 100 != 0 or year % 400 == 0))


def mod_11_10(code: str) -> bool:
    """Return whether digits pass ISO 7064's MOD 11,10 check."""
    check = 5
    for digit in code[:-1]:
        check = ((check or 10) * 2 % 11 + int(digit)) % 10
    return ((check or 10) * 2 % 11 + int(code[-1])) % 10 == 1
