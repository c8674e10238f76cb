"""Which words of a query are content words (nouns or adjectives), by tag log-odds of each word and of its neighbours.

>>> content([Term(tags=STOP), Term(tags=NOUN), Term(tags=STOP | tag_log_odds(-2, 0, 0))])
[False, True, False]

Rules:
- A word's tag log-odds are three numbers in steps of `STEP` nats: how likely it is a content word itself, and what it
  adds to the word behind it ("to": less likely, "the": more) and to the one in front. A sum of zero or more makes one.
- Without them a word adds nothing to its neighbours, and is a content word where its tags say so, or where none says
  that it is a function word: what the base does not know may be a noun.
- They are learned offline from spaCy (querymix_lab/knowledge/train), and stand in a term's tags above `FLAGS`.

Source: Pàmies-Estrems et al. 2016, section 3.3.1; spaCy's en_core_web_sm 3.8.0 as the reference tagger.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from querymix.core.knowledge import ADJECTIVE, FLAGS, NOUN, STOP, Term

STEP: Final = 0.5
OWN: Final = range(-15, 16)
TO_NEXT: Final = range(-6, 10)
TO_PREVIOUS: Final = range(-3, 5)
"""What the three numbers may be: five, four and three bits."""
_SHIFT: Final = FLAGS.bit_length()
_OWN_OFFSET: Final = 16
"""Added to the own number when it is stored, so that only a word without tag log-odds has zero there."""
_CERTAIN: Final = 100
"""An own number that no neighbours outweigh."""


def _numbers() -> Iterator[tuple[int, int, int]]:
    """Yield the three numbers for all bits above a term's flags; all zero where there are no tag log-odds."""
    # The other two are stored in two's complement: a value outside the range stands for a negative number.
    next_ones = [bits - 16 * (bits not in TO_NEXT) for bits in range(16)]
    previous_ones = [bits - 8 * (bits not in TO_PREVIOUS) for bits in range(8)]
    for bits in range(32):
        own = bits and bits - _OWN_OFFSET
        for to_previous in previous_ones:
            yield from [(own, to_next, to_previous) for to_next in next_ones]


def tag_log_odds(own: int, to_next: int, to_previous: int) -> int:
    """Return a word's three numbers as a part of its tags; raises ValueError where one is out of range."""
    if own not in OWN or to_next not in TO_NEXT or to_previous not in TO_PREVIOUS:
        raise ValueError("tag log-odds out of range")
    return ((own + _OWN_OFFSET) << 7 | (to_previous & 7) << 4 | to_next & 15) << _SHIFT


def by_tags(term: Term) -> bool:
    """Say whether a word is a content word by what it may be, wherever it stands."""
    return bool(term.tags & _CONTENT) or not term.tags & STOP


def content(terms: Iterable[Term]) -> list[bool]:
    """Say of each word of a query whether it is a content word; `terms` is what is known of them."""
    verdicts = []  # begins with a verdict on what stands in front of the first word, which is dropped
    sum_ = from_previous = 0
    for term in terms:
        tags = term.tags
        bits = tags >> _SHIFT
        own, to_next, to_previous = _NUMBERS[bits]
        verdicts.append(sum_ + to_previous >= 0)
        sum_ = own + from_previous if bits else _CERTAIN if tags & _CONTENT or not tags & STOP else -_CERTAIN
        from_previous = to_next
    verdicts.append(sum_ >= 0)
    return verdicts[1:]


_CONTENT: Final = NOUN | ADJECTIVE
_NUMBERS: Final = tuple(_numbers())
"""A word's three numbers, by the bits above its flags."""
