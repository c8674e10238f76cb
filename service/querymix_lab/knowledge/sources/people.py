"""First names and surnames, and which pairs of them are famous.

Rules:
- FIRST_NAME: both census lists, less the words, states and countries ("star", "florida"), which would open the
  detector's gate for nothing. SURNAME: names of at least 0.001% of the people; of the rarer ones, mostly words and
  brands too, those that the web's counts do not hold. The lists `GIVEN_NAMES` and `SURNAMES` have those of immigrants,
  of the young and of abroad. HONORIFIC: titles, and the words of the list "name-cues".
- Two-letter names ("an", "so", "ed") and stop words are no names, except the given names in the detector's lists.
- A pair that at least `BEARERS` living people bear, by its names' shares, and that the web's pairs lack is everyday:
  that an encyclopedia holds one "john smith" makes no topic of it.
- A pair of a first name and a surname is FAMOUS where the web holds it `FAME` times as often as the census shares of
  its two names predict, scaled by the median over all pairs. Names that are also words ("rich", "day") are left out.

Source: PyPI names, lists of the US Census of 1990 (public domain).
"""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Final

from querymix.core.knowledge import FAMOUS, FIRST_NAME, HONORIFIC, SURNAME

from querymix_lab.knowledge.facts import CategoryFact, TagFact
from querymix_lab.knowledge.sources.files import open_text
from querymix_lab.knowledge.sources.words import word_lists

GIVEN_NAMES: Final = "given-names.txt"
SURNAMES: Final = "surnames.txt"
"""The lists of names that the census of 1990 lacks."""
MIN_SHARE: Final = 0.001
"""Percent of the people that a surname needs."""
FAME: Final = 3.0
BEARERS: Final = 1_000
_PEOPLE: Final = 300_000_000
"""Who live in the USA at the time of the logs."""
_FAMOUS_WEIGHT: Final = 3.0


def census(path: Path) -> dict[str, float]:
    """Return each name's share of the people in percent, most frequent first."""
    with open_text(path) as file:
        fields = (line.split() for line in file)
        return {name.lower(): float(share) for name, share, *_ in fields}


def first_names(female: Path, male: Path) -> dict[str, float]:
    """Return the share of each first name, both sexes added."""
    shares = census(female)
    for name, share in census(male).items():
        shares[name] = shares.get(name, 0.0) + share
    return {name: share for name, share in shares.items() if len(name) > 2}


def surnames(path: Path) -> dict[str, float]:
    """Return the share of each surname above the cut."""
    return {name: share for name, share in census(path).items() if share >= MIN_SHARE and len(name) > 2}


def rare_surname_facts(path: Path, words: Collection[str]) -> Iterator[TagFact]:
    """Yield the tags of the surnames below the cut that are none of the web's `words`."""
    for name, share in census(path).items():
        if share < MIN_SHARE and len(name) > 3 and name not in words:
            yield TagFact(name, SURNAME)


def name_facts(
    first: Mapping[str, float], last: Mapping[str, float], stop: Collection[str], ordinary: Collection[str] = ()
) -> Iterator[TagFact]:
    """Yield the tags of all names; a first name in `ordinary` is a word or a place before it is one."""
    yield from (TagFact(name, FIRST_NAME) for name in first if name not in stop and name not in ordinary)
    lists = word_lists()
    yield from (TagFact(name, FIRST_NAME) for name in sorted(lists["given-sure"] | lists["given-possible"]))
    beside = lists["name-honorifics"] | lists["name-titles"] | lists["name-trades"] | lists["name-cues"]
    yield from (TagFact(word, HONORIFIC) for word in sorted(beside))
    yield from (TagFact(name, SURNAME) for name in last if name not in stop)
    yield from (TagFact(name, SURNAME) for name in sorted(lists["family-sure"]))


def is_everyday(
    term: str, first: Mapping[str, float], last: Mapping[str, float], pairs: Collection[tuple[str, str]]
) -> bool:
    """Tell whether `term` is a person's name that many bear and none of whose bearers the web's `pairs` hold."""
    one, _, two = term.partition(" ")
    # A first name's shares are of one sex, and both sexes' are added.
    bearers = first.get(one, 0.0) / 200 * last.get(two, 0.0) / 100 * _PEOPLE
    return bearers >= BEARERS and (one, two) not in pairs


def famous_facts(
    first: Mapping[str, float],
    last: Mapping[str, float],
    pairs: Mapping[tuple[str, str], int],
    common: Collection[str],
) -> Iterator[TagFact | CategoryFact]:
    """Yield FAMOUS for the pairs that the rule picks, and a weak category: most such people are known from the arts."""
    ratios = {
        (one, two): count / (max(first[one], MIN_SHARE) * max(last[two], MIN_SHARE))
        for (one, two), count in pairs.items()
        if one in first and two in last and one not in common and two not in common
    }
    if not ratios:
        return
    bar = FAME * median(ratios.values())
    for (one, two), ratio in ratios.items():
        if ratio >= bar:
            yield TagFact(f"{one} {two}", FAMOUS)
            yield CategoryFact(f"{one} {two}", "Arts/People", _FAMOUS_WEIGHT)
