"""Queries of six languages around made-up identifiers, and harmless ones: their templates, filled.

Rules:
- Names, streets, towns, postcodes, e-mail addresses and IBANs are Faker's or from short lists, other forms are of
  `data/languages.toml`. Numbers of persons are random ones that python-stdnum takes for valid, or a check here.
- A third of the names has a surname that Faker does not know: their kind is "name rare". The lists of names that
  querymix knows come from Faker too.
- What is filled in is in lower case in two rows of three. One row of two has no accents, as people type.

Source of the checks: own knowledge of the countries' published rules, each tested with its documented example.
"""

import random
import re
import string
import tomllib
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from importlib import import_module
from typing import Any, Final

from faker import Faker

from querymix_lab.evaluation.identifiers import HARMLESS, Row
from querymix_lab.evaluation.languages import DATA, harmless, templates
from querymix_lab.evaluation.made_up_people import plain

FORMS: Final[dict[str, dict[str, Any]]] = tomllib.loads((DATA / "languages.toml").read_text("utf-8"))
_FIELD: Final = re.compile(r"\{(\w+)\}")
_PIECE: Final = re.compile(r"\[[^]]+\]|.")
_RANGE: Final = re.compile(r"(.)-(.)")


def _weighted(weights: tuple[int, ...], check: Callable[[int], int]) -> Callable[[str], bool]:
    """Return a test that the last digit is `check` of the weighted sum of those before it."""

    def valid(text: str) -> bool:
        total = sum(int(char) * weight for char, weight in zip(text, weights, strict=False))
        return int(text[-1]) == check(total)

    return valid


def _cross_sums(text: str, weights: tuple[int, ...]) -> int:
    return sum(sum(divmod(int(char) * weight, 10)) for char, weight in zip(text, weights, strict=True))


def _rvnr(text: str) -> bool:
    """German pension insurance: area, birthday, letter, serial number, check digit."""
    digits = f"{text[:8]}{ord(text[8]) - 96:02}{text[9:11]}"
    day, month = int(text[2:4]), int(text[4:6])
    return (
        1 <= day <= 31
        and 1 <= month <= 12
        and int(text[11]) == _cross_sums(digits, (2, 1, 2, 5, 7, 1, 2, 1, 2, 1, 2, 1)) % 10
    )


def _kvnr(text: str) -> bool:
    """German health insurance: a letter, eight digits, check digit."""
    return int(text[9]) == _cross_sums(f"{ord(text[0]) - 96:02}{text[1:9]}", (1, 2) * 5) % 10


CHECKS: Final[dict[str, Callable[[str], bool]]] = {
    "rvnr": _rvnr,
    "kvnr": _kvnr,
    "nss": lambda text: int(text[:10]) % 97 == int(text[10:]),
    "niss": _weighted((29, 23, 19, 17, 13, 11, 7, 5, 3, 2), lambda total: 9 - total % 10),
    "pis": _weighted((3, 2, 9, 8, 7, 6, 5, 4, 3, 2), lambda total: -total % 11 % 10),
}
"""Schemes that python-stdnum does not have: Germany's pension and health insurance, Spain's and Portugal's social
security, Brazil's PIS."""


class Abroad:
    """Draws identifiers of one language's countries from a seed. Raises ImportError without python-stdnum."""

    def __init__(self, language: str, seed: int) -> None:
        self.random = random.Random(f"{language} {seed}")
        self._forms = FORMS[language]
        self._fakers = {
            name: Faker(name) for name in sorted({*self._forms.get("names", ()), *self._forms.get("homes", ())})
        }
        for faker in self._fakers.values():
            faker.seed_instance(seed)
        self._makers: dict[str, Callable[[], str]] = {
            "name": self._name,
            "surname": lambda: str(self._faker("names").last_name()),
            "email": self._email,
            "iban": self._iban,
            "address": self._address,
            "postcode": lambda: str(self._faker("homes").postcode()),
            "dob": self._birthday,
        }

    def row(self, kind: str, template: str) -> Row:
        """Return the query of a template with its identifier filled in."""
        field = _FIELD.search(template)
        if field is None:
            raise ValueError("a template holds its identifier's name in braces")
        if field[1] in ("name", "surname") and self.random.random() < 0.33:
            kind, made = f"{kind} rare", self._rare(field[1])
        else:
            made = self.made(field[1], template)
        before, after = template[: field.start()], template[field.end() :]
        if self.random.random() < 0.67:
            made = made.lower()
        if self.random.random() < 0.5:
            before, made, after = plain(before), plain(made), plain(after)
        return Row(f"{before}{made}{after}", kind, len(before), len(before) + len(made))

    def nobody(self) -> Row:
        """Return a query around a number that is nobody's: of a product, a price, the day of an event."""
        template: str = self.random.choice(self._forms["harmless"])
        return Row(_FIELD.sub(lambda field: self._of_nobody(field[1]), template), HARMLESS)

    def _of_nobody(self, field: str) -> str:
        if field == "event":
            return self._day(date(2000, 1, 1) + timedelta(self.random.randrange(10_000)))
        return self._filled_one(FORMS["nobody"][field])

    def made(self, field: str, template: str) -> str:
        """Draw what stands for a field of a template."""
        if field == "national":
            lines = self._forms["numbers"]
            return self._filled_one(next(forms for words, *forms in lines if re.search(words, f" {template} ")))
        return self._makers[field]() if field in self._makers else self._filled_one(self._forms[field])

    def _filled_one(self, forms: list[str]) -> str:
        return self.filled(self.random.choice(forms))

    def _faker(self, part: str) -> Faker:
        return self._fakers[self.random.choice(self._forms[part])]

    def _name(self) -> str:
        faker = self._faker("names")
        return f"{faker.first_name()} {faker.last_name()}"

    def _rare(self, field: str) -> str:
        last = self.random.choice(self._forms["rare"]).title()
        return last if field == "surname" else f"{self._faker('names').first_name()} {last}"

    def _email(self) -> str:
        faker = self._faker("names")
        return str(faker.email() if self.random.random() < 0.5 else faker.free_email())

    def _iban(self) -> str:
        """Draw an IBAN, as it is or in groups of four; of countries that have them."""
        iban = str(self._faker("ibans" if "ibans" in self._forms else "homes").iban())
        return iban if self.random.random() < 0.5 else " ".join(iban[at : at + 4] for at in range(0, len(iban), 4))

    def _address(self) -> str:
        """Draw a street with its number, Faker's or a common one, sometimes with postcode and town."""
        home = self._faker("homes")
        drawn = str(home.street_address()).strip()
        if self.random.random() < 0.5 and any(char.isdigit() for char in drawn):
            return drawn
        parts = {"street": self.random.choice(self._forms["streets"]), "number": self.random.randint(1, 180)}
        form: str = self.random.choice(self._forms["house"])
        return form.format(**parts, postcode=home.postcode(), city=home.city())

    def _birthday(self) -> str:
        return self._day(self._faker("homes").date_of_birth(minimum_age=1, maximum_age=95))

    def filled(self, form: str) -> str:
        """Fill a form; of a scheme's valid number sometimes the way that its country writes it."""
        if not form.startswith("="):
            return self._drawn(form)
        scheme, shape = form.split(" ")
        known: Any = None if scheme[1:] in CHECKS else import_module(f"stdnum.{scheme[1:]}")
        valid = CHECKS[scheme[1:]] if known is None else known.is_valid
        drawn = self._drawn(shape)
        while not valid(drawn):
            drawn = self._drawn(shape)
        return str(known.format(drawn)) if hasattr(known, "format") and self.random.random() < 0.5 else drawn

    def _drawn(self, shape: str) -> str:
        return "".join(self._piece(piece) for piece in _PIECE.findall(shape))

    def _piece(self, piece: str) -> str:
        if piece == "#":
            return self.random.choice(string.digits)
        if piece == "?":
            return self.random.choice(string.ascii_lowercase)
        if len(piece) == 1:
            return piece
        between = _RANGE.sub(lambda ends: "".join(map(chr, range(ord(ends[1]), ord(ends[2]) + 1))), piece[1:-1])
        return self.random.choice(between)

    def _day(self, day: date) -> str:
        form: str = self.random.choice(self._forms["dob"])
        month = str(self._forms["months"][day.month - 1])
        return day.strftime(form.replace("%e", str(day.day)).replace("%n", str(day.month)).replace("%B", month))


def abroad(language: str, half: str, seed: int, n: int) -> Iterator[Row]:
    """Yield `n` rows of one half: every third a harmless one, the templates in turn between."""
    maker, around, kept = Abroad(language, seed), templates(language, half), harmless(language, half)
    for number in range(n):
        turn = number // 3
        if number % 3 == 2:
            yield Row(kept[turn % len(kept)], HARMLESS)
        else:
            yield maker.row(*around[(number - turn) % len(around)])


def numbers(language: str, seed: int, n: int) -> list[Row]:
    """Return `n` queries with a random number that is nobody's."""
    maker = Abroad(language, seed)
    return [maker.nobody() for _ in range(n)]
