"""First names and surnames, and which pairs of them are famous.

Rules:
- FIRST_NAME: both census lists whole (they stop by themselves where 90% of the people are covered).
- SURNAME: names of at least 0.001% of the people, one person in 100,000, which covers 78% of the people in 18,839
  names; the 70,000 rarer ones are mostly shared with ordinary words and brands, and would flag more than they find.
- Two-letter names ("an", "so", "ed") and stop words are no names.
- A pair of a first name and a surname is FAMOUS where the web holds it `FAME` times as often as the census shares of
  its two names predict. The prediction's scale is the median of count / (first share * last share) over all pairs
  found. Names that are also ordinary words are left out of the rule ("rich", "day"): their pairs mean something else.

Source: PyPI names, lists of the US Census of 1990 (public domain).
"""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from statistics import median
from typing import Final

from service.core.knowledge import FAMOUS, FIRST_NAME, SURNAME
from service.knowledge.facts import CategoryFact, TagFact
from service.knowledge.sources.files import open_text

LEAST_SHARE: Final = 0.001
"""Percent of the people that a surname needs."""
FAME: Final = 3.0
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
    shares = census(path)
    return {name: share for name, share in shares.items() if share >= LEAST_SHARE and len(name) > 2}


def name_facts(first: Mapping[str, float], last: Mapping[str, float], stop: Collection[str]) -> Iterator[TagFact]:
    """Yield the tags of all names."""
    yield from (TagFact(name, FIRST_NAME) for name in first if name not in stop)
    yield from (TagFact(name, SURNAME) for name in last if name not in stop)


def famous_facts(
    first: Mapping[str, float],
    last: Mapping[str, float],
    pairs: Mapping[tuple[str, str], int],
    common: Collection[str],
) -> Iterator[TagFact | CategoryFact]:
    """Yield FAMOUS for the pairs that the rule picks, and a weak category: most such people are known from the arts."""
    ratios = {
        (one, two): count / (max(first[one], LEAST_SHARE) * max(last[two], LEAST_SHARE))
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
