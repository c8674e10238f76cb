"""All facts of an operator's own bundle: those of the base, of a directory of classified hosts, and of a click log.

Rules:
- The base's terms come first, as the facts that compile into them again, so an earlier result may be the base.
- A phrase on which the base has weights lends its category path only.
- The name of a host ("example" of "example.com") is a term of the host's category where the base does not know it.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from querymix.core.errors import ConfigError
from querymix.core.identifiers import Detector
from querymix.core.knowledge import CATEGORIES, CATEGORY_NUMBERS, UNKNOWN, Knowledge
from querymix.core.packed_weights import unpack
from querymix.core.text import words
from querymix.knowledge.bundle import Bundle

from querymix_lab.knowledge.facts import CategoryFact, Fact, RecommendationFact, ReferenceFact, TagFact, WeightsFact
from querymix_lab.knowledge.sources import operator
from querymix_lab.knowledge.sources.files import rows
from querymix_lab.knowledge.train.clicks import learn

BASE: Final = "the base bundle"
_BASE_WEIGHT: Final = 20.0
_MIN_LABEL: Final = 4


def base_facts(base: Bundle) -> Iterator[Fact]:
    """Yield a bundle's terms as the facts that compile into them again."""
    for name, term in base.terms():
        if term.tags:
            yield TagFact(name, term.tags)
        if term.references:
            yield ReferenceFact(name, term.references)
        if term.recommendation:
            yield RecommendationFact(name, term.recommendation)
        if term.category >= 0:
            yield CategoryFact(name, term.path, _BASE_WEIGHT, own=bool(term.weights))
        if term.weights:
            yield WeightsFact(name, tuple(unpack(term.weights)))


def facts_from(
    base: Bundle,
    *,
    clicks: Sequence[Path],
    directory: Sequence[Path],
    categories: Sequence[Path] = (),
    site_terms: Sequence[Path] = (),
    min_users: int = 5,
) -> Iterator[tuple[str, Iterable[Fact]]]:
    """Yield each source's name and facts, the base's first.

    Raises ConfigError where a file cannot be read or the directory knows none of the clicked hosts.
    """
    yield BASE, base_facts(base)
    host_facts = sorted({fact for path in directory for fact in operator.host_tsv(path)})
    hosts = {host: CATEGORY_NUMBERS[path.partition("/")[0]] for host, path, *_ in host_facts}
    yield "the directory's hosts", host_facts
    yield "the names of these hosts", label_facts(hosts, base)
    for path in categories:
        yield path.name, title_facts(path)
    for path in site_terms:
        yield path.name, phrase_facts(path, base)
    learned = learn(clicks, hosts, base, Detector(base), min_users=min_users)
    if not learned.joined:
        raise ConfigError("no click of the log leads to a host of the directory: are these the right files?")
    yield f"{learned.joined:,} clicks of {min_users} users or more a term", learned.facts


def title_facts(path: Path) -> Iterator[CategoryFact]:
    """Yield what the names of categories say: the last part of each path is a term of it."""
    for _, (full, _) in rows(path, "path sites"):
        category = operator.category_path(full)
        name = " ".join(words(category.rpartition("/")[2].replace("_", " ")))
        if len(name) > 1:
            yield CategoryFact(name, category, 1.0, own=False)


def phrase_facts(path: Path, base: Knowledge) -> Iterator[CategoryFact]:
    """Yield key phrases of sites; those on which the base has weights lend a path only."""
    for fact in operator.category_tsv(path):
        if fact.term:
            yield fact._replace(own=not base[fact.term].weights and " " not in fact.term)


def label_facts(hosts: Mapping[str, int], base: Knowledge) -> Iterator[CategoryFact]:
    """Yield the names of hosts ("example" of "example.com") that the base does not know as terms."""
    done: set[str] = set()
    for host, place in hosts.items():
        labels = host.split(".")
        name = labels[-2] if len(labels) == 2 else ""
        if len(name) >= _MIN_LABEL and name.isalpha() and name not in done and base[name] is UNKNOWN:
            done.add(name)
            yield CategoryFact(name, CATEGORIES[place], 1.0)
