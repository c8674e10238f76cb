"""How a made-up query is put together: from a template and a term, misspelt, or around a made-up person.

Rules:
- Telephone numbers are of the range kept for fiction; e-mail addresses end in example.com, .net, .org.
- The order of the draws is part of what a seed promises.
"""

import re
from collections.abc import Callable, Sequence
from typing import Final

from loadtest.world import Draw, Template, World, pick

_INNER_LETTER: Final = re.compile("(?<=[a-z])[a-z](?=[a-z])")
_PHONES: Final = ("{}-555-01{:02d}", "({}) 555-01{:02d}", "{}55501{:02d}", "{} 555 01{:02d}", "{}.555.01{:02d}")


def compose(draw: Draw, world: World, topic: int, term: str | None) -> tuple[str, str]:
    """Return a query of the topic and the term that it is about: `term`, or where that is None, one drawn."""
    terms, templates = world.topics[topic]
    if term is None:
        term = terms[int(draw() * len(terms))]
    kind = draw()
    if kind < 0.22:
        return term, term
    if kind < 0.42:
        return f"{term} {terms[int(draw() * len(terms))]}", term
    query = _fill(draw, world, templates[int(draw() * len(templates))], term, terms)
    if kind > 0.66:
        query = _fill(draw, world, templates[int(draw() * len(templates))], query, terms)
    if kind > 0.88:
        query = f"{query} {pick(draw, world.places)}"
    return query, term


def _fill(draw: Draw, world: World, template: Template, term: str, terms: Sequence[str]) -> str:
    """Put `term` in the template's first X, another term in a second X, a place in Y."""
    before, first, between, second, after = template
    if not second:
        return f"{before}{term}{between}"
    if first == "Y":
        return f"{before}{pick(draw, world.places)}{between}{term}{after}"
    others = world.places if second == "Y" else terms
    return f"{before}{term}{between}{pick(draw, others)}{after}"


def misspell(draw: Draw, query: str) -> str:
    """Return `query` with a letter inside a word dropped, doubled or swapped with the next."""
    inner = [match.start() for match in _INNER_LETTER.finditer(query)]
    if not inner:
        return query
    at = pick(draw, inner)
    kind = draw()
    if kind < 0.4:
        return query[:at] + query[at + 1 :]
    if kind < 0.7:
        return query[:at] + query[at] + query[at:]
    return query[:at] + query[at + 1] + query[at] + query[at + 2 :]


def _phone(draw: Draw, world: World, name: str) -> str:
    area, line = 201 + int(draw() * 780), int(draw() * 100)
    return pick(draw, _PHONES).format(area, line)


def _mail(draw: Draw, world: World, name: str) -> str:
    mailbox = f"{name[0]}{pick(draw, world.people.surnames)}{int(draw() * 100)}"
    return f"{mailbox}@example.{pick(draw, ('com', 'net', 'org'))}"


def _address(draw: Draw, world: World, name: str) -> str:
    return f"{1 + int(draw() * draw() * 9_999)} {pick(draw, world.people.streets)} {pick(draw, world.places)}"


_IDENTIFIERS: Final[tuple[tuple[float, Callable[[Draw, World, str], str]], ...]] = (
    (0.3, lambda draw, world, name: name),
    (0.4, lambda draw, world, name: f"{name} {pick(draw, world.places)}"),
    (0.45, lambda draw, world, name: f"dr {name}"),
    (0.6, _phone),
    (0.7, _mail),
    (0.77, lambda draw, world, name: pick(draw, world.people.social_security_numbers)),
    (0.9, _address),
    (1.0, lambda draw, world, name: f"{pick(draw, world.places)} {501 + int(draw() * 99_000):05d}"),
)
"""The forms of identifiers with their cumulative shares; each is made from a draw, the world and a person's name."""


def identify(draw: Draw, world: World) -> str:
    """Return a query that names or identifies a made-up person."""
    kind = draw()
    name = f"{pick(draw, world.people.first_names)} {pick(draw, world.people.surnames)}"
    make = next(make for end, make in _IDENTIFIERS if kind < end)
    return make(draw, world, name)


def result_host(world: World, query: str, rank: int) -> str:
    """Return the host at a rank, counted from 0, of a query's results: a query always has the same results."""
    if rank == 0 and query.endswith(".com") and "@" not in query:
        return query.removeprefix("www.")
    spot = 31 * len(query) + 7 * ord(query[0]) + 193 * ord(query[-1]) + 1_009 * ord(query[len(query) // 2])
    return world.hosts[(spot + 37 * rank) % len(world.hosts)]
