"""Labelled queries for identifier removal: made-up identifiers in query style, and harmless look-alikes.

Every identifier is invented (Faker, or drawn by census frequency from lists that the caller gives); no real query. A
row holds one at most, or is a look-alike, which nothing should be cut from. Query style: lower case, no grammar, every
fifth row with one typing error in a word around the identifier.

Source: the Safe Harbor identifiers of HIPAA, 45 CFR 164.514(b)(2).
"""

import random
import string
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Final

from faker import Faker

from querymix_lab.evaluation.identifiers import HARMLESS, Row
from querymix_lab.evaluation.made_up_data import in_turn, queries, templates
from querymix_lab.knowledge.edits import swapped
from querymix_lab.knowledge.sources import people
from querymix_lab.knowledge.sources.files import package_file

Draw = Callable[[], str]
Weighted = Sequence[tuple[str, float]]
_TUNED: Final = templates("tuned")
AROUND: Final[dict[str, list[str]]] = _TUNED["around"]
CITIES: Final[list[str]] = _TUNED["cities"]
STATES: Final[list[str]] = _TUNED["states"]
LOOKALIKES: Final = queries("lookalikes")


class Maker:
    """Draws made-up identifiers of every kind from one seed.

    Args:
        seed: the same seed gives the same rows.
        given, family: names with their frequencies, to draw half of the persons by; Faker's own where empty.
    """

    def __init__(self, seed: int, given: Weighted = (), family: Weighted = ()) -> None:
        self.random = random.Random(seed)
        self.fake = Faker("en_US")
        self.fake.seed_instance(seed)
        self._given = list(zip(*given, strict=True)) if given else []
        self._family = list(zip(*family, strict=True)) if family else []
        self.makers: dict[str, Draw] = {
            "name": self.name,
            "address": self.address,
            "zip": self.zip,
            "date": self.date,
            "age": lambda: str(self.random.randint(90, 109)),
            "phone": self.phone,
            "email": self.email,
            "us_ssn": self.ssn,
            "account": lambda: self.random.choice((self.fake.iban().lower(), self.filled("account"))),
            "card": self.card,
            "vehicle": lambda: self.fake.vin().lower(),
            "plate": lambda: self.fake.license_plate().lower(),
            "device": lambda: self.random.choice((self.filled("device"), self.fake.mac_address())),
            "url": lambda: self._chosen("urls", self.fake.user_name()),
            "ip": lambda: self.random.choice((self.fake.ipv4_public(), self.fake.ipv4_public(), self.fake.ipv6())),
            "secret": lambda: self.pattern("?#??#?#", "??##?#?#??"),
            "location": self.location,
            "username": lambda: f"{self.fake.user_name()}{self.pattern('_##', '###', '_?#')}",
            "photo": lambda: self.random.choice(_TUNED["photos"]).format(self.pattern("####")),
        }

    def filled(self, kind: str) -> str:
        """Fill one of the patterns of a kind."""
        return self.pattern(*_TUNED["patterns"][kind])

    def pattern(self, *patterns: str) -> str:
        """Fill one of `patterns`: a digit for "#", a letter for "?"."""
        fillers = {"#": string.digits, "?": string.ascii_lowercase}
        chosen = self.random.choice(patterns)
        return "".join(self.random.choice(fillers[char]) if char in fillers else char for char in chosen)

    def _chosen(self, forms: str, *parts: str) -> str:
        form: str = self.random.choice(_TUNED[forms])
        return form.format(*parts)

    def name(self) -> str:
        """Draw a person's name of two or three words, given name first in nine of ten."""
        if self._given and self._family and self.random.random() < 0.5:
            first = str(self.random.choices(self._given[0], self._given[1])[0])
            last = str(self.random.choices(self._family[0], self._family[1])[0])
        else:
            first, last = self.fake.first_name().lower(), self.fake.last_name().lower()
        letter, second = self.random.choice(string.ascii_lowercase), self.fake.first_name().lower()
        title = self.random.choice(("mr", "mrs", "dr", "dr."))
        forms = _TUNED["names"]
        form = self.random.choices(list(forms), list(forms.values()))[0]
        return str(form.format(first=first, last=last, letter=letter, second=second, title=title))

    def address(self) -> str:
        """Draw a street address with its number, sometimes with unit, city, state and ZIP code."""
        street = self.fake.street_address().lower()
        short = self.random.random()
        if short < 0.4:
            kind, way = self.random.choice(_TUNED["street_kinds"]), self.random.choice(("", "", "n ", "s ", "west "))
            name = self.random.choice([self.fake.last_name().lower(), *_TUNED["streets"]])
            street = f"{self.random.randint(1, 19999)} {way}{name} {kind}"
        elif short < 0.45:
            street = f"{self.random.choice(('po box', 'p.o. box', 'p o box'))} {self.random.randint(1, 9999)}"
        if self.random.random() < 0.3:
            street = f"{street} {self.random.choice(CITIES)} {self.random.choice(STATES)}"
        elif self.random.random() < 0.1:
            street = self.fake.address().lower().replace("\n", ", ")
        return street

    def zip(self) -> str:
        """Draw a ZIP code with its city, its state, or both."""
        code = self.random.choice((self.fake.zipcode(), self.fake.zipcode(), self.fake.zipcode_plus4()))
        choice = self.random.choice
        forms = (
            f"{choice(CITIES)} {choice(STATES)} {code}", f"{choice(CITIES)} {code}",
            f"{self.fake.city().lower()}, {self.fake.state_abbr().lower()} {code}",
            f"{code} {choice(CITIES)}", f"{choice(STATES)} {code}",
        )  # fmt: skip
        return choice(forms)

    def location(self) -> str:
        """Draw the exact coordinates of a place in the USA, in one of the usual forms."""
        north, west = self.random.uniform(25, 49), self.random.uniform(67, 124)
        return self._chosen("locations", f"{north:.5f}", f"{west:.5f}")

    def date(self) -> str:
        """Draw a full date in one of the usual forms."""
        day = self.fake.date_of_birth(minimum_age=1, maximum_age=100)
        return day.strftime(self.random.choice(_TUNED["dates"])).lower()

    def phone(self) -> str:
        """Draw a telephone number in one of the usual forms."""
        area, middle, last = self.pattern("##"), self.pattern("##"), self.pattern("####")
        area, middle = f"{self.random.randint(2, 9)}{area}", f"{self.random.randint(2, 9)}{middle}"
        made = self._chosen("phones", area, middle, last)
        return made if self.random.random() < 0.7 else self.fake.phone_number()

    def email(self) -> str:
        """Draw an e-mail address, one in five spelled out."""
        address = self.fake.email() if self.random.random() < 0.5 else self.fake.free_email()
        if self.random.random() < 0.2:
            address = address.replace("@", " at ").replace(".", " dot ")
        return address

    def ssn(self) -> str:
        """Draw an SSN with dashes or spaces."""
        return self.random.choice((self.fake.ssn(), self.fake.ssn(), self.fake.ssn().replace("-", " ")))

    def card(self) -> str:
        """Draw a card number that passes Luhn, bare or in groups."""
        number = self.fake.credit_card_number(self.random.choice(("visa16", "mastercard", "discover", "amex")))
        if self.random.random() < 0.5:
            return number
        mark = self.random.choice((" ", "-"))
        if len(number) == 15:
            return mark.join((number[:4], number[4:10], number[10:]))
        return mark.join(number[at : at + 4] for at in range(0, len(number), 4))

    def row(self, kind: str) -> Row:
        """Return a query around an identifier of `kind`."""
        template = self.random.choice(AROUND[kind])
        template = template.replace("{city}", self.random.choice(CITIES)).replace("{state}", self.random.choice(STATES))
        before, after = template.split("{}")
        if self.random.random() < 0.2 and kind in _TUNED["formed"]:
            before, after = self.typo(before), self.typo(after)
        made = self.makers.get(kind, partial(self.filled, kind))()
        return Row(f"{before}{made}{after}", kind, len(before), len(before) + len(made))

    def typo(self, text: str) -> str:
        """Swap two letters in a longer word of `text`, or return it as it is."""
        places = [at for at in range(1, len(text) - 2) if text[at - 1 : at + 3].isalpha()]
        if not places:
            return text
        return swapped(text, self.random.choice(places))

    def lookalike(self) -> Row:
        """Return one of the hand-written look-alikes, some with a figure drawn into them."""
        text = self.random.choice(LOOKALIKES)
        for mark, low, high in (("{year}", 1950, 2007), ("{price}", 10, 9999), ("{small}", 2, 89)):
            text = text.replace(mark, str(self.random.randint(low, high)))
        return Row(text, HARMLESS)


def labelled(seed: int, n: int, given: Weighted = (), family: Weighted = ()) -> Iterator[Row]:
    """Yield `n` rows: every third a look-alike, the kinds in turn between.

    Args:
        seed: the same seed gives the same rows (with the same version of Faker).
        n: how many rows.
        given, family: census names with frequencies, to draw half of the persons by.
    """
    maker = Maker(seed, given, family)
    for kind in in_turn(list(AROUND), n):
        yield maker.row(kind) if kind else maker.lookalike()


def census_names() -> tuple[Weighted, Weighted]:
    """Return the census's given names and surnames with their frequencies (PyPI `names`).

    Raises SourceError where the package is not installed.
    """
    female, male = package_file("names", "dist.female.first"), package_file("names", "dist.male.first")
    family = people.census(package_file("names", "dist.all.last"))
    return list(people.first_names(female, male).items()), list(family.items())
