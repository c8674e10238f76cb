"""Held-out queries about made-up people, and harmless ones about public names: for names alone, and never tuned on.

Names are drawn from Faker in several countries' forms and put in lower case; accents stay in one row of four. A row's
identifier reaches from the first to the last word of the name, or of both people where two are joined.

Source: written by hand; the forms follow public bug reports of other removers (presidio, scrubadub, spaCy, llm-guard).
"""

import random
import unicodedata
from collections.abc import Iterator
from typing import Final

from faker import Faker

from querymix_lab.evaluation.identifiers import HARMLESS, Row
from querymix_lab.evaluation.made_up_data import queries, templates

_PEOPLE: Final = templates("people")
LOCALES: Final[dict[str, int]] = _PEOPLE["locales"]
PUBLIC: Final = queries("held-out-people")


class People:
    """Draws names and queries around them from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        self._fakers = {locale: Faker(locale) for locale in LOCALES}
        for faker in self._fakers.values():
            faker.seed_instance(seed)

    def parts(self) -> tuple[str, str, str]:
        """Draw a given name, a second one and a surname of one country."""
        locale = self.random.choices(list(LOCALES), list(LOCALES.values()))[0]
        faker = self._fakers[locale]
        drawn = (faker.first_name().lower(), faker.first_name().lower(), faker.last_name().lower())
        return drawn if self.random.random() < 0.25 else (plain(drawn[0]), plain(drawn[1]), plain(drawn[2]))

    def person(self) -> str:
        """Draw a name in one of the forms that queries have."""
        first, second, last = self.parts()
        letter, other = self.random.choices("abcdefghjklmnprstw", k=2)
        parts = {"first": first, "second": second, "last": last, "letter": letter, "other": other}
        parts |= {"joined": self.parts()[2], "married": self.parts()[2]}
        parts["nick"] = self.random.choice(("skip", "bud", "tex", "ace"))
        forms, marks = _PEOPLE["names"], _PEOPLE["marked"]
        form: str = self.random.choices([*forms, *marks], [*forms.values(), *marks.values()])[0]
        return f"{first} {last}".replace(" ", form) if form in marks else form.format(**parts)

    def couple(self) -> tuple[str, str]:
        """Draw what stands on both sides of the joining word."""
        one, two = self.parts(), self.parts()
        return self.random.choice(
            (
                (f"{one[0]} {one[2]}", f"{two[0]} {two[2]}"),
                (f"{one[0]}", f"{one[1]} {one[2]}"),
                (f"{one[0]} {one[2]}", f"{two[0]} {two[1]} {two[2]}"),
            )
        )

    def row(self) -> Row:
        """Return a query around one name, or around two in one row of eight."""
        if self.random.random() < 0.125:
            template = self._placed(self.random.choice(_PEOPLE["couples"]))
            before, between, after = template.split("{}")
            one, two = self.couple()
            made = f"{one}{between}{two}"
        else:
            before, after = self._placed(self.random.choice(_PEOPLE["around"])).split("{}")
            made = self.person()
        return Row(f"{before}{made}{after}", "name", len(before), len(before) + len(made))

    def _placed(self, template: str) -> str:
        city, state = self.random.choice(_PEOPLE["cities"]), self.random.choice(_PEOPLE["states"])
        return template.replace("{city}", city).replace("{state}", state)


def plain(text: str) -> str:
    """Return `text` as people type it: without accents."""
    text = text.replace("ł", "l").replace("ß", "ss").replace("ø", "o")
    return "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))


def people(seed: int, n: int) -> Iterator[Row]:
    """Yield `n` rows: every fourth a harmless one, in turn, as often as it takes."""
    maker = People(seed)
    for number in range(n):
        yield Row(PUBLIC[number // 4 % len(PUBLIC)], HARMLESS) if number % 4 == 3 else maker.row()
