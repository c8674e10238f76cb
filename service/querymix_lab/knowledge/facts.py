"""The facts that knowledge sources yield, before they are compiled into one bundle.

Rules:
- A source is a function that yields facts in a fixed order; the same inputs give the same facts, byte for byte.
- Terms are lower case, words joined by single spaces, at most `LONGEST_UNIT` words. `compile` drops any other.
- Facts add up: the same term may come from many sources, its counts are summed by category.
"""

from typing import NamedTuple


class CategoryFact(NamedTuple):
    """A term was seen `weight` times (sites, clicks, senses) under a category; a doubtful sighting counts less."""

    term: str
    """Or a host, such as "example.com"."""
    path: str
    """The category's path without "Top/", such as "Sports/Soccer"; its first part is one of `CATEGORIES`."""
    weight: float
    own: bool = True
    """Whether the term has the category by itself; a term of several words may have it because its words do, which have
    weights themselves."""
    detail: str = ""
    """A path at or below `path` that says more of what the term is; empty where none is known. It counts nowhere: where
    `path` is the term's strongest path, this is its path instead."""


class ReferenceFact(NamedTuple):
    """A term stands in `references` documents (the entropy store)."""

    term: str
    references: int


class RecommendationFact(NamedTuple):
    """A wrong spelling and the right one (the recommendation store)."""

    term: str
    replacement: str


class TagFact(NamedTuple):
    """A term has a tag, or several or-ed: one of the constants of querymix.core.knowledge."""

    term: str
    tags: int


class WeightsFact(NamedTuple):
    """A term's weight for each category, learned by a model."""

    term: str
    weights: tuple[int, ...]
    """One a category, in the steps of `querymix.core.packed_weights`; all 0 where a model learned none."""


Fact = CategoryFact | WeightsFact | ReferenceFact | RecommendationFact | TagFact
