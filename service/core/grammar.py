"""Which words of a query are nouns or adjectives, by how each word leans and by what its neighbours say of it.

Rules:
- Three numbers a word, in steps of `STEP` nats: how far it leans to being a noun or an adjective where it stands alone,
  what it says of the word after it ("to": less, "the": more), and what it says of the word before it.
- A word is *content*, a noun or an adjective, where its own number, what the word before says and what the word after
  says sum to zero or more. A word without leanings says nothing of its neighbours.
- A word without leanings is content where its tags say so, or where no tag says that it is a function word: a word that
  the base does not know may be a noun.
- The numbers are learned offline from spaCy (service/study/leanings.py) and lie in a term's tags above `FLAGS`.

Source: spaCy's en_core_web_sm 3.8.0 as reference tagger; papers/streaming-profiles-2016.txt, section 3.3.1.
"""

from collections.abc import Iterable
from typing import Final

from service.core.knowledge import ADJECTIVE, FLAGS, NOUN, STOP, Term

STEP: Final = 0.5
OWN: Final = range(-15, 16)
BEFORE: Final = range(-6, 10)
AFTER: Final = range(-3, 5)
"""What the three numbers may be: five, four and three bits."""
_AT: Final = FLAGS.bit_length()
_ZERO: Final = 16
"""What stands for an own number of zero, since zero stands for a word without leanings."""
_SURE: Final = 100
"""An own number that no neighbours outweigh."""


def _numbers(bits: int) -> tuple[int, int, int]:
    """Return the three numbers out of the bits above a term's flags; all zero where there are no leanings."""
    own, after, before = bits >> 7, bits >> 4 & 7, bits & 15
    # The first was stored with `_ZERO` added, the others in two's complement: what their range lacks is negative.
    return own and own - _ZERO, before - 16 * (before not in BEFORE), after - 8 * (after not in AFTER)


def leaning(own: int, before: int, after: int) -> int:
    """Return a word's three numbers as a part of its tags; raises ValueError where one is out of range."""
    if own not in OWN or before not in BEFORE or after not in AFTER:
        raise ValueError("a leaning out of range")
    return ((own + _ZERO) << 7 | (after & 7) << 4 | before & 15) << _AT


def by_tags(term: Term) -> bool:
    """Say whether a word is content by what it may be, wherever it stands."""
    return bool(term.tags & _CONTENT) or not term.tags & STOP


def content(terms: Iterable[Term]) -> list[bool]:
    """Say of each word of a query whether it is content; `terms` is what is known of them."""
    found = []  # begins with a verdict on what stands before the first word
    sum_ = said = 0
    for term in terms:
        tags = term.tags
        bits = tags >> _AT
        own, before, after = _NUMBERS[bits]
        found.append(sum_ + after >= 0)
        sum_ = own + said if bits else _SURE if tags & _CONTENT or not tags & STOP else -_SURE
        said = before
    found.append(sum_ >= 0)
    return found[1:]


_CONTENT: Final = NOUN | ADJECTIVE
_NUMBERS: Final = tuple(map(_numbers, range(1 << 12)))
"""A word's three numbers, by the bits above its flags."""
