"""Given names and surnames of Europe as lists: `lists/identifiers/given-sure.europe.txt` and `family-sure.europe.txt`.

Run with Faker 40.63: `python -m querymix_lab.knowledge.train.names_of_europe`.

Rules:
- Names come from the `LOCALES` of Faker: the six languages that querymix reads besides English, and the countries that
  most of their migrants come from. Double names are taken apart; of a surname with particles the last word counts.
- A name that is an everyday word of one of the seven languages stands in a hand-written list instead
  (`given-possible.europe.txt`, `family-possible.europe.txt`), or in `NO_NAMES` where queries never mean the name.
- What the English knowledge has as another word, a place or a frequent word is left to the English lists, but for
  `NAMES`. Run it with a bundle of English alone: the words of other languages are in the hand-written lists.
- A word that is both a given name and a surname in Faker is a given name.

Source: PyPI Faker (MIT).
"""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import Final

from querymix.core.identifiers.names.roles import COMMON_REFERENCES
from querymix.core.identifiers.spans import word_set
from querymix.core.knowledge import COMMON, PLACE, STATE, STOP, Term
from querymix.knowledge.bundle import Bundle

from querymix_lab.knowledge.sources.files import LISTS
from querymix_lab.knowledge.sources.words import WORD_LISTS, plain_list, seen_forms, word_lists

LOCALES: Final = word_set(
    "de_DE de_AT de_CH de_LI de_LU fr_FR fr_BE fr_CA fr_CH fr_DZ es_ES es_AR es_CA es_CL es_CO es_MX it_IT pt_BR pt_PT "
    "nl_BE nl_NL cs_CZ da_DK fi_FI hr_HR hu_HU no_NO pl_PL ro_RO sv_SE tr_TR"
)
NO_NAMES: Final = "no-names.txt"
"""List of words that Faker has as names and queries mean otherwise, as they are seen."""
NAMES: Final = word_set(
    "bernd dieter dirk edda ludo horst hugo lars lotte marten mats maxim rui sander silvan sylvain wolfram"
)
"""Given names that are rare English words."""
SHORTEST: Final = 3
_PARTS: Final = re.compile(r"[ -]")
_HEAD: Final = """\
# {what} of {count} countries that are read as names before any other use; other words of everyday life stand in
# {other}. Made by querymix_lab.knowledge.train.names_of_europe from PyPI Faker (MIT).
"""


def names(kind: str) -> Iterator[str]:
    """Yield the names of a kind, "first_name" or "last_name", from all locales, in lower case."""
    for locale in sorted(LOCALES):
        provider = import_module(f"faker.providers.person.{locale}").Provider
        for attribute in sorted(vars(provider)):
            found = getattr(provider, attribute)
            if kind in attribute and not isinstance(found, str) and hasattr(found, "__iter__"):
                yield from (name.lower() for name in found if isinstance(name, str))


def is_name(word: str) -> bool:
    """Tell whether a word is long enough and of letters."""
    return len(word) >= SHORTEST and word.replace("'", "").isalpha()


def is_word(term: Term) -> bool:
    """Tell whether English has a name as another word."""
    return bool(term.tags & (COMMON | STOP | STATE | PLACE)) or term.references >= COMMON_REFERENCES


def main() -> None:
    """Write both lists."""
    lists, known = word_lists(), Bundle()
    no_names = frozenset(plain_list(LISTS / NO_NAMES))
    given = {part for name in names("first_name") for part in _PARTS.split(name) if is_name(part)}
    family = {part for name in names("last_name") if is_name(part := _PARTS.split(name)[-1])}
    countries = len({locale[3:] for locale in LOCALES})
    for kind, what, found in (("given", "Given names", given), ("family", "Surnames", family - given)):
        judged = lists[f"{kind}-possible"] | no_names
        sure = sorted(
            name
            for name in found
            if judged.isdisjoint(forms := seen_forms(name))
            and (name in NAMES or not any(map(is_word, map(known.__getitem__, forms))))
        )
        head = _HEAD.format(what=what, count=countries, other=f"{kind}-possible.europe.txt")
        (WORD_LISTS / f"{kind}-sure.europe.txt").write_text(head + "\n".join(sure) + "\n", "utf-8")


if __name__ == "__main__":
    main()
